"""The host's selection as it comes in: read so that one wrong field does not hide another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, cast

from pydantic import BeforeValidator, Field, JsonValue, TypeAdapter, ValidationError

from actionlens.problems import in_words
from memory_store.models import (
    FileCondition,
    InputKind,
    JsonObject,
    LaunchCondition,
    NoteCondition,
    Recommendation,
    Record,
    StepRole,
    WindowCondition,
)
from memory_store.models.base import Applications, Line, Text, Words


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a selection."""

    field: str
    problem: str
    fix: str

    def __str__(self) -> str:
        return f"{self.field}: {self.problem}; {self.fix}"

    def plain(self) -> JsonObject:
        """As plain JSON."""
        return {"field": self.field, "problem": self.problem, "fix": self.fix}


class Drop(Record):
    """A step that is left out, and why."""

    step_id: int
    reason: Line


class InputChoice(Record):
    """A parameter that a replay may change. Two entries of one name are one input at two places."""

    action_index: Annotated[int, Field(ge=0, description="Index into selected_step_ids, from 0.")]
    parameter_path: Annotated[tuple[str, ...], Field(min_length=1, max_length=4)] = ("text",)
    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,47}$")]
    kind: InputKind = InputKind.TEXT
    description: Line = ""


class RegionChoice(Record):
    """A piece of a recorded frame that must be visible; its crop is cut from there."""

    kind: Literal["region"] = "region"
    step_id: int
    frame: Literal["before", "after"] = "before"
    box_px: Annotated[tuple[int, int, int, int], Field(description="x, y, width, height in image pixels.")]
    description: Line = ""


def _note(value: object) -> object:
    return {"kind": "note", "text": value} if isinstance(value, str) else value


ConditionChoice = Annotated[
    Annotated[
        WindowCondition | RegionChoice | FileCondition | LaunchCondition | NoteCondition,
        Field(discriminator="kind"),
    ],
    BeforeValidator(_note),
]


class Selection(Record):
    """What the host chose of a run (paper, D: the consolidator's answer). A condition may be plain words."""

    selected_step_ids: tuple[int, ...] = ()
    dropped: tuple[Drop, ...] = ()
    roles: dict[int, StepRole] = Field(default_factory=dict)
    flexible_inputs: Annotated[tuple[InputChoice, ...], Field(max_length=64)] = ()
    task_intent: Line = ""
    query_phrases: Annotated[tuple[Words, ...], Field(max_length=50)] = ()
    applications: Applications | None = None
    preconditions: Annotated[tuple[ConditionChoice, ...], Field(max_length=50)] = ()
    expected_effects: Annotated[tuple[ConditionChoice, ...], Field(max_length=50)] = ()
    blockers: Annotated[tuple[Line, ...], Field(max_length=50)] = ()
    viable: bool | None = None
    recommendation: Recommendation | None = None
    tool_name: Annotated[str | None, Field(pattern=r"^[a-z0-9_]{1,48}$")] = None
    summary: Text = ""
    evaluator: dict[str, JsonValue] | None = None


_SELECTION: TypeAdapter[Selection] = TypeAdapter(Selection)
_CONDITION: TypeAdapter[ConditionChoice] = TypeAdapter(ConditionChoice)


def read_selection(raw: Mapping[str, object]) -> tuple[Selection, list[Problem]]:
    """The readable part of a selection, and what is wrong with the rest; a wrong field reads as absent."""
    try:
        return _SELECTION.validate_python(dict(raw)), []
    except ValidationError as exc:
        errors = exc.errors(include_url=False, include_input=False)
    problems = [Problem(_where(error["loc"]), in_words(error), _fix(error["type"])) for error in errors]
    wrong = {str(error["loc"][0]) for error in errors if error["loc"]}
    return _SELECTION.validate_python({key: raw[key] for key in raw if key not in wrong}), problems


def readable_conditions(raw: object) -> Iterator[tuple[int, ConditionChoice]]:
    """The conditions of a list that can be read, each with its place; the others are told already."""
    given = cast("Sequence[object]", raw) if isinstance(raw, list | tuple) else ()
    for at, one in enumerate(given):
        try:
            yield at, _CONDITION.validate_python(one)
        except ValidationError:
            continue


def failed_fields(problems: list[Problem]) -> frozenset[str]:
    """The top-level fields that could not be read."""
    return frozenset(problem.field.partition(".")[0] for problem in problems)


def _where(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location) or "selection"


def _fix(kind: str) -> str:
    if kind == "extra_forbidden":
        return f"leave it out; the fields are {', '.join(Selection.model_fields)}"
    return "correct it"

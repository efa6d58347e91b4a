"""Put new values into a memory's declared inputs and nowhere else (paper, 2.2); refuse the rest.

Pure. Every problem is reported at once, as one `ParameterConflict` with the list in its evidence.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import Field, JsonValue, ValidationError

from actionlens.actions import ACTION, MAX_TEXT, Action
from actionlens.problems import in_words
from ibtr.errors import ParameterConflict, UnsupportedAction
from memory_store.models import (
    INPUT_PATTERNS,
    FlexibleInput,
    InputKind,
    JsonObject,
    Memory,
    Place,
    Record,
    Step,
)

_NAME_BYTES = 255
_KEYS_IN_TEXT = {"\n": "a line break (it presses Enter)", "\t": "a tab (it moves to the next field)"}
MAX_SHOWN = 60


class Delta(StrEnum):
    """How a step's parameters came to be."""

    COPIED = "copied"
    REBOUND = "rebound"


class Modification(Record):
    """One change in the paper's form (D): a place in the program, and its new value."""

    action_index: Annotated[int, Field(ge=0)]
    parameter_path: tuple[str, ...] = ("text",)
    value: str


@dataclass(frozen=True, slots=True)
class Bound:
    """A program ready to be aimed and run."""

    actions: tuple[Action, ...]
    deltas: tuple[Delta, ...]
    values: Mapping[str, str]
    """Every input's value but secrets: what the evaluator is filled with."""
    recorded: tuple[str, ...]
    """Inputs that were not given and keep what was recorded."""


def bind(memory: Memory, inputs: Mapping[str, object]) -> Bound:
    """The memory's program with these values at the declared places; all else as recorded.

    Raises:
        ParameterConflict: an unknown input, or a value that its input cannot take; all of them.
        UnsupportedAction: a step that this version cannot do.
    """
    given, problems = _read(memory.inputs, inputs)
    recorded = tuple(one.name for one in memory.inputs if one.name not in inputs and one.default is not None)
    programs = [dict(step.action.plain()) for step in memory.steps]
    for declared in memory.inputs:
        if declared.name in given:
            for place in declared.places:
                _put(programs[place.action_index], place.parameter_path, given[declared.name])
    all_values = {one.name: one.default for one in memory.inputs if one.default is not None} | given
    secrets = {one.name for one in memory.inputs if one.kind is InputKind.SECRET}
    values = {name: value for name, value in all_values.items() if name not in secrets}
    problems += _unfit(memory, values)
    if problems:
        raise _conflict(problems)
    actions = tuple(_action(index, program) for index, program in enumerate(programs))
    return Bound(
        actions=actions, deltas=tuple(map(_delta, memory.steps, programs)), values=values, recorded=recorded
    )


def bind_modifications(memory: Memory, modifications: Iterable[Modification]) -> Bound:
    """As `bind`, for changes that name places: each must be a declared one.

    Raises:
        ParameterConflict: a change to anything that is not a declared input; nothing is applied then.
        UnsupportedAction: a step that this version cannot do.
    """
    owners = {place: declared.name for declared in memory.inputs for place in declared.places}
    inputs: dict[str, str] = {}
    problems: list[JsonValue] = []
    for change in modifications:
        place = Place.model_construct(action_index=change.action_index, parameter_path=change.parameter_path)
        owner = owners.get(place)
        if owner is None:
            problems.append(_fixed(memory, change, owners))
        elif inputs.setdefault(owner, change.value) != change.value:
            problems.append(_problem(owner, "gets two different values", "give one value", place))
    if problems:
        raise _conflict(problems)
    return bind(memory, inputs)


def _read(
    declared: Sequence[FlexibleInput], inputs: Mapping[str, object]
) -> tuple[dict[str, str], list[JsonValue]]:
    """The usable values, and what is wrong with the others."""
    known = {one.name: one for one in declared}
    names = ", ".join(known) or "none"
    problems: list[JsonValue] = [
        _problem(name, "is not an input of this memory", f"its inputs: {names}")
        for name in inputs
        if name not in known
    ]
    given: dict[str, str] = {}
    for one in declared:
        if one.name in inputs:
            value = inputs[one.name]
            if (wrong := _wrong(one, value)) is None:
                given[one.name] = str(value)
            else:
                problems.append(_problem(one.name, *wrong))
        elif one.default is None:
            problems.append(_problem(one.name, "has no value", _how(one)))
    return given, problems


def _wrong(declared: FlexibleInput, value: object) -> tuple[str, str] | None:
    """Why an input cannot take a value, and what would help."""
    if value is None:
        return "is null", "give a text" if declared.default is None else "leave it out for the recorded value"
    if not isinstance(value, str):
        return "is not a string", "give it in quotes; it is typed as it is"
    if not value:
        return "is empty", "nothing would be typed: give a text"
    if len(value) > MAX_TEXT:
        return f"has {len(value)} characters", f"give at most {MAX_TEXT}"
    if not re.fullmatch(declared.pattern, value):
        if declared.form and re.fullmatch(INPUT_PATTERNS[declared.kind], value):
            return f"is not written like the recorded {declared.default!r}", _how(declared)
        return f"is no {declared.kind.value.replace('_', ' ')}", _how(declared)
    for char, name in _KEYS_IN_TEXT.items():
        # What strikes a key is a fixed part of the program: only where one was recorded may there be more.
        if char in value and char not in (declared.default or ""):
            return f"holds {name}", "the recorded text had none: give a text without, or record it anew"
    return _wrong_name(declared, value) if declared.kind is InputKind.FILENAME else None


def _wrong_name(declared: FlexibleInput, value: str) -> tuple[str, str] | None:
    """Why a value is no file's name: what leads to another folder may stand only where it was recorded."""
    recorded = declared.default or ""
    if "\\" in value and "\\" not in recorded:
        return "holds a '\\'", "give a plain file name"
    if "/" in value and "/" not in recorded:
        return "holds a '/'", "the recorded name was in no folder: give a plain file name"
    if {".", ".."} & set(value.split("/")):
        return "holds '.' or '..' as a name", "give the name of a file"
    if (longest := max(len(part.encode(errors="replace")) for part in value.split("/"))) > _NAME_BYTES:
        return f"has a name of {longest} bytes", f"file systems take at most {_NAME_BYTES}"
    return None


def _unfit(memory: Memory, values: Mapping[str, str]) -> list[JsonValue]:
    """Values that the evaluator or a condition could not be filled with: found now, not after the work."""
    from memory_store.evaluators.filling import unfit_values

    stored = memory.validation.evaluator
    specs = [("evaluator", stored.plain())] if stored else []
    specs += [("preconditions", one.model_dump(mode="json")) for one in memory.preconditions]
    found = [one for about, spec in specs for one in unfit_values(spec, values, about)]
    return [_problem(one.name, f"cannot be used in {one.where}: {one.problem}", one.fix) for one in found]


def _how(declared: FlexibleInput) -> str:
    if declared.kind is InputKind.SECRET:
        return 'give a reference, "env:NAME" or "keyring:service/name", never the secret itself'
    if declared.form:
        return f"write it like {declared.default!r}: {declared.form.words}"
    return f"give a text that matches {declared.pattern}"


def _put(program: JsonObject, path: tuple[str, ...], value: str) -> None:
    *parents, last = path
    for key in parents:
        inner = program[key]
        assert isinstance(inner, dict)  # Memory checks its places when it is made.
        program = inner
    program[last] = value


def _action(index: int, program: JsonObject) -> Action:
    try:
        return ACTION.validate_python(program)
    except ValidationError as exc:
        first = exc.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        if first["type"] == "union_tag_invalid":
            raise UnsupportedAction(f"no action is called {program['action']!r}", step=index) from exc
        raise _conflict([{"step": index, "parameter": where, "problem": in_words(first)}]) from exc


def _delta(step: Step, program: JsonObject) -> Delta:
    return Delta.COPIED if step.action.plain() == program else Delta.REBOUND


def _fixed(memory: Memory, change: Modification, owners: Mapping[Place, str]) -> JsonObject:
    declared = ", ".join(f"step {place.action_index} {'.'.join(place.parameter_path)}" for place in owners)
    count = len(memory.steps)
    there = change.action_index < count
    return {
        "step": change.action_index,
        "parameter": ".".join(change.parameter_path),
        "problem": "is fixed in this memory" if there else f"the program has {count} steps",
        "fix": f"change only: {declared or 'nothing, it has no inputs'}",
    }


def _problem(name: str, problem: str, fix: str, place: Place | None = None) -> JsonObject:
    where: JsonObject = {} if place is None else {"step": place.action_index}
    return {"input": name[:MAX_SHOWN], "problem": problem, "fix": fix, **where}


def _conflict(problems: list[JsonValue]) -> ParameterConflict:
    def sentence(one: JsonValue) -> str:
        assert isinstance(one, dict)
        who = one.get("input") or f"step {one.get('step')} {one.get('parameter')}"
        return f"{who} {one['problem']}"

    return ParameterConflict("; ".join(map(sentence, problems)), problems=problems)

"""Memory: the paper's nine-tuple m = (K, u, Pi, A, E, B, v, r, l) as one versioned record (2.1)."""

from enum import StrEnum
from typing import Annotated, Final, Literal

from pydantic import Field, JsonValue, model_validator

from actionlens.records import RunId
from memory_store.models.base import AnyMemoryId, Digest, Line, Moment, Record, ToolName, Words
from memory_store.models.conditions import Condition
from memory_store.models.inputs import FLEXIBLE_PARAMETERS, FlexibleInput, InputKind, Place
from memory_store.models.program import Step
from memory_store.models.reasoning import ReasoningReport
from memory_store.models.validation import Validation, Verdict

SCHEMA_VERSION: Final = 1


class Lifecycle(StrEnum):
    """Where a memory stands; only `active` is exposed for replay."""

    CANDIDATE = "candidate"
    ACTIVE = "active"
    REJECTED = "rejected"
    QUARANTINED = "quarantined"
    DEPRECATED = "deprecated"


class Origin(StrEnum):
    """How a memory came to be."""

    RECORDED = "recorded"
    BRANCHED = "branched"
    REPAIRED = "repaired"
    MERGED = "merged"
    IMPORTED = "imported"


class Lineage(Record):
    """Where a memory comes from; parents are never overwritten."""

    origin: Origin = Origin.RECORDED
    parents: tuple[AnyMemoryId, ...] = ()
    runs: tuple[RunId, ...] = ()
    claimed: Verdict | None = None
    """What a bundle said of an imported memory; it proves nothing here."""
    bundle_sha256: Digest | None = None
    note: Line = ""


class Keys(Record):
    """What a memory is found by."""

    task_intent: Words
    query_phrases: tuple[Words, ...] = ()


class Memory(Record):
    """A replayable memory. All but `lifecycle` is content; content is hashed, lifecycle is audited."""

    schema_version: Literal[1] = SCHEMA_VERSION
    id: AnyMemoryId
    tool_name: ToolName
    keys: Keys
    applications: tuple[Words, ...] = ()
    """Labels, the main one first; empty when unknown."""
    preconditions: tuple[Condition, ...] = ()
    expected_effects: tuple[Condition, ...] = ()
    steps: Annotated[tuple[Step, ...], Field(min_length=1, max_length=1000)]
    inputs: Annotated[tuple[FlexibleInput, ...], Field(max_length=64)] = ()
    validation: Validation = Validation()
    reasoning: ReasoningReport = ReasoningReport()
    lineage: Lineage = Lineage()
    created_at: Moment
    lifecycle: Lifecycle = Lifecycle.CANDIDATE

    @property
    def application(self) -> str:
        """The main application's label, or nothing."""
        return self.applications[0] if self.applications else ""

    def value_at(self, place: Place) -> JsonValue:
        """What the program holds at a place; None when there is nothing."""
        value: JsonValue = self.steps[place.action_index].action.plain()
        for key in place.parameter_path:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    @model_validator(mode="after")
    def _inputs_fit_the_program(self) -> "Memory":
        names = [declared.name for declared in self.inputs]
        if len(set(names)) != len(names):
            raise ValueError(f"two inputs have the same name: {sorted(names)}")
        taken: set[Place] = set()
        for declared in self.inputs:
            for place in declared.places:
                self._check_place(declared, place, taken)
                taken.add(place)
        return self

    def _check_place(self, declared: FlexibleInput, place: Place, taken: set[Place]) -> None:
        where = f"input {declared.name!r}, step {place.action_index}, {'.'.join(place.parameter_path)}"
        if place in taken:
            raise ValueError(f"{where}: filled by two inputs")
        if place.action_index >= len(self.steps):
            raise ValueError(f"{where}: the program has {len(self.steps)} steps")
        if place.parameter_path[0] not in FLEXIBLE_PARAMETERS:
            raise ValueError(f"{where}: only text-like parameters can be inputs")
        value = self.value_at(place)
        if not isinstance(value, str):
            raise ValueError(f"{where}: holds no text")  # noqa: TRY004
        if (declared.kind is InputKind.SECRET) != (place.parameter_path[0] == "text_ref"):
            raise ValueError(f"{where}: a secret is recorded by reference (text_ref), and nothing else is")
        if declared.kind is not InputKind.SECRET and value != declared.default:
            raise ValueError(f"{where}: the default differs from what was recorded")

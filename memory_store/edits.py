"""Pure: the children that branch and repair make. A parent is never changed."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, NamedTuple

from pydantic import Field

from actionlens.wording import clip
from memory_store.canonical import document
from memory_store.documents import checked_memory
from memory_store.errors import InvalidMemory
from memory_store.models import (
    Condition,
    FlexibleInput,
    Keys,
    Lifecycle,
    Lineage,
    Memory,
    MemoryId,
    Origin,
    ReasoningReport,
    Record,
    Step,
    StepAction,
    StepEvidence,
    StoredEvaluator,
    Validation,
    Verdict,
)
from memory_store.models.base import Applications


class Birth(NamedTuple):
    """What a child has of its own from the start."""

    id: MemoryId
    tool_name: str
    at: datetime


class MemoryEdit(Record):
    """What a branch changes; whatever is None stays as it is."""

    keys: Keys | None = None
    applications: Applications | None = None
    preconditions: tuple[Condition, ...] | None = None
    expected_effects: tuple[Condition, ...] | None = None
    steps: Annotated[tuple[Step, ...] | None, Field(min_length=1)] = None
    inputs: tuple[FlexibleInput, ...] | None = None
    evaluator: StoredEvaluator | None = None
    reasoning: ReasoningReport | None = None

    @property
    def needs_new_verdict(self) -> bool:
        """Whether the parent's verdict no longer speaks for the child."""
        return self.steps is not None or self.inputs is not None or self.evaluator is not None


class StepRepair(Record):
    """New evidence for one step, with the action as it was really done."""

    step: Annotated[int, Field(ge=0)]
    evidence: StepEvidence
    action: StepAction | None = None


class Repair(Record):
    """The steps that one replay found anew, what proved it, and what is to be known about them."""

    steps: Annotated[tuple[StepRepair, ...], Field(min_length=1)]
    verdict: Verdict | None = None
    warnings: tuple[str, ...] = ()


def branched(parent: Memory, edit: MemoryEdit, birth: Birth) -> Memory:
    """A child with some parts changed; its verdict is the parent's only where that still speaks for it.

    What speaks against a parent's verdict speaks against it here, too: the store asks that at promotion.
    """
    verdict = None if edit.needs_new_verdict else parent.validation.verdict
    changes: dict[str, object] = {
        name: value for name, value in edit if value is not None and name != "evaluator"
    }
    if verdict and edit.keys and edit.keys.task_intent != parent.keys.task_intent:
        said = f"its verdict is of what its parent was for: {clip(parent.keys.task_intent, 200)}. Read the "
        changes["reasoning"] = _warned(edit.reasoning or parent.reasoning, f"{said}new intent against it")
    validation = Validation(evaluator=edit.evaluator or parent.validation.evaluator, verdict=verdict)
    return child_of(parent, {**changes, "validation": validation}, Origin.BRANCHED, (parent,), birth)


def _warned(reasoning: ReasoningReport, *said: str) -> ReasoningReport:
    return reasoning.model_copy(update={"warnings": (*reasoning.warnings, *said)})


def repaired(parent: Memory, repair: Repair, birth: Birth) -> Memory:
    """A child in which some steps are found by new evidence.

    Raises:
        InvalidMemory: the program has no such step.
    """
    steps = list(parent.steps)
    for one in repair.steps:
        if one.step >= len(steps):
            raise InvalidMemory("step", f"{one.step} is not among the {len(steps)} steps")
        new = {"evidence": one.evidence, "action": one.action or steps[one.step].action}
        steps[one.step] = steps[one.step].model_copy(update=new)
    validation = Validation(evaluator=parent.validation.evaluator, verdict=repair.verdict)
    reasoning = _warned(parent.reasoning, *repair.warnings)
    changes: dict[str, object] = {"steps": tuple(steps), "validation": validation, "reasoning": reasoning}
    return child_of(parent, changes, Origin.REPAIRED, (parent,), birth)


def child_of(
    parent: Memory,
    changes: dict[str, object],
    origin: Origin,
    parents: Sequence[Memory],
    birth: Birth,
) -> Memory:
    """`parent` with these changes, as a candidate of its own that descends from all of `parents`."""
    runs = dict.fromkeys(run for source in parents for run in source.lineage.runs)
    lineage = Lineage(origin=origin, parents=tuple(source.id for source in parents), runs=tuple(runs))
    own = {
        "id": birth.id,
        "tool_name": birth.tool_name,
        "lineage": lineage,
        "created_at": birth.at,
        "lifecycle": Lifecycle.CANDIDATE,
    }
    return checked_memory(document(parent.model_copy(update={**changes, **own})))

"""A recorded run and a host's selection become a candidate memory, or every reason why not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from actionlens.run_reader import Run
from ibtr.geometry import Box
from memory_store.consolidation.checks import check_selection, selected_steps
from memory_store.consolidation.evidence import Gathered, Gatherer
from memory_store.consolidation.inputs import typed
from memory_store.consolidation.propose import reason_of
from memory_store.consolidation.regions import with_anchors
from memory_store.consolidation.roles import applications
from memory_store.consolidation.selection import ConditionChoice, RegionChoice, Selection
from memory_store.consolidation.trace import Frames, Trace, TracedStep, trace_of
from memory_store.consolidation.view import propose, view
from memory_store.consolidation.warn import warnings_about
from memory_store.dependence import depends_on, noted
from memory_store.errors import SelectionRefused
from memory_store.models import (
    Condition,
    DroppedStep,
    FlexibleInput,
    InputKind,
    JsonObject,
    Keys,
    Lineage,
    Memory,
    MemoryId,
    NotAgain,
    Place,
    ReasoningReport,
    Recommendation,
    RegionCondition,
    SourceStep,
    Step,
    StepAction,
    StepEvidence,
    StepRole,
    StoredEvaluator,
    Validation,
)
from memory_store.writing import Keeper


@dataclass(frozen=True, slots=True)
class Consolidated:
    """A candidate, and what somebody should know before it is promoted."""

    memory: Memory
    warnings: tuple[str, ...]


class _Told(NamedTuple):
    """What is to be known about a candidate, and what keeps it from being promoted."""

    warnings: tuple[str, ...]
    blockers: tuple[str, ...]
    not_again: tuple[NotAgain, ...]


def compact(run: Run) -> JsonObject:
    """What the host's model reads of a run: steps, changes, proposal.

    Raises:
        RunUnreadable: a frame is missing or altered.
    """
    trace = trace_of(run)
    return view(trace, propose(trace))


def consolidate(
    run: Run,
    chosen: Mapping[str, object],
    *,
    memory_id: MemoryId,
    keep: Keeper,
    at: datetime,
    consolidator: str = "host",
    with_frames: bool = True,
) -> Consolidated:
    """Make a candidate of the chosen steps; `keep` stores a picture, inside the write that adds the memory.

    Raises:
        SelectionRefused: carrying every problem of the selection; nothing was kept.
        RunUnreadable: a frame is missing or altered.
    """
    frames = Frames(run)
    trace = trace_of(run, frames)
    selection, steps = _checked(chosen, trace)
    names = {choice.action_index: choice.name for choice in selection.flexible_inputs}
    gatherer = Gatherer(run, trace, steps, names=names, frames=frames, keep=keep)
    gathered = [gatherer.gather(index, with_frames=with_frames) for index in range(len(steps))]
    told = _told(selection, gathered, warnings_about(selection, trace, steps))
    program = tuple(
        _step(run, step, selection, noted(one.evidence, depends_on(at_step, names, steps, one.shows)))
        for at_step, (step, one) in enumerate(zip(steps, gathered, strict=True))
    )
    memory = Memory(
        id=memory_id,
        tool_name=selection.tool_name or tool_name_of(selection.task_intent),
        keys=Keys(task_intent=selection.task_intent, query_phrases=selection.query_phrases),
        applications=selection.applications or applications(steps),
        preconditions=tuple(_condition(one, gatherer) for one in selection.preconditions),
        expected_effects=tuple(_condition(one, gatherer) for one in selection.expected_effects),
        steps=program,
        inputs=_inputs(selection, steps),
        validation=Validation(evaluator=_evaluator(selection, run, frames, keep)),
        reasoning=_reasoning(selection, trace, told, consolidator),
        lineage=Lineage(runs=(run.manifest.run_id,)),
        created_at=at,
    )
    return Consolidated(memory, told.warnings)


def _checked(chosen: Mapping[str, object], trace: Trace) -> tuple[Selection, list[TracedStep]]:
    """The selection and its steps, or every problem of it."""
    selection, problems = check_selection(chosen, trace)
    if problems:
        raise SelectionRefused([problem.plain() for problem in problems])
    return selection, selected_steps(selection, trace)


def _told(selection: Selection, gathered: list[Gathered], about: list[str]) -> _Told:
    """The warnings of the steps before those of the whole, the host's blockers before those of the steps."""
    return _Told(
        warnings=(*(text for one in gathered for text in one.warnings), *about),
        blockers=(*selection.blockers, *(text for one in gathered for text in one.blockers)),
        not_again=tuple(no for one in gathered for no in one.not_again),
    )


def _step(run: Run, step: TracedStep, selection: Selection, evidence: StepEvidence) -> Step:
    return Step(
        action=StepAction.model_validate(step.action.model_dump(mode="json", exclude_none=True)),
        role=selection.roles.get(step.id, StepRole.REQUIRED),
        target=step.target,
        expect=step.expect,
        evidence=evidence,
        source=SourceStep(run_id=run.manifest.run_id, step_id=step.id),
    )


def tool_name_of(intent: str) -> str:
    """A name for the tool, from what it does."""
    words = re.findall(r"[a-z0-9]+", intent.lower())
    return "_".join(words)[:48].strip("_") or "memory"


def _condition(choice: ConditionChoice, gatherer: Gatherer) -> Condition:
    if not isinstance(choice, RegionChoice):
        return choice
    anchors = gatherer.region(gatherer.recorded(choice.step_id), choice.frame, Box(*choice.box_px))
    return RegionCondition(anchors=anchors, description=choice.description)


def _inputs(selection: Selection, steps: list[TracedStep]) -> tuple[FlexibleInput, ...]:
    """Choices of one name are one input; its default is what was recorded, unless it is a secret."""
    grouped: dict[str, FlexibleInput] = {}
    for choice in selection.flexible_inputs:
        place = Place(action_index=choice.action_index, parameter_path=choice.parameter_path)
        source = typed(steps[choice.action_index])
        known = grouped.get(choice.name)
        grouped[choice.name] = FlexibleInput(
            name=choice.name,
            kind=choice.kind,
            description=(known.description if known else "") or choice.description,
            places=(*(known.places if known else ()), place),
            default=source[1] if source and choice.kind is not InputKind.SECRET else None,
        )
    return tuple(grouped.values())


def _evaluator(selection: Selection, run: Run, frames: Frames, keep: Keeper) -> StoredEvaluator | None:
    if selection.evaluator is None:
        return None
    return StoredEvaluator.model_validate(with_anchors(selection.evaluator, run, frames, keep))


def _reasoning(selection: Selection, trace: Trace, told: _Told, consolidator: str) -> ReasoningReport:
    reasons = {drop.step_id: drop.reason for drop in selection.dropped}
    dropped = tuple(
        DroppedStep(
            step=SourceStep.model_validate({"run_id": trace.run_id, "step_id": step.id}),
            action=step.action.action,
            reason=reasons.get(step.id) or reason_of(step) or "",
        )
        for step in trace.steps
        if step.id not in selection.selected_step_ids
    )
    return ReasoningReport(
        summary=selection.summary,
        viable=bool(selection.viable),
        recommendation=selection.recommendation or Recommendation.REJECT,
        blockers=told.blockers,
        warnings=tuple(text[:2_000] for text in told.warnings),
        not_again=told.not_again,
        dropped=dropped,
        consolidator=consolidator,
    )

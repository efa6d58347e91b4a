"""The runs of one replay as one recording: a step that a host repaired is cut as one it recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from actionlens.records import StepId, StepStatus
from actionlens.run_reader import Run, Step
from memory_store.consolidation.evidence import Gathered, Gatherer
from memory_store.consolidation.trace import Frames, trace_of
from memory_store.models import Memory
from memory_store.writing import Keeper

TOWARDS = "towards_step"
"""In the source of a move: the step whose target the pointer goes to, where a host has pointed at it."""


def gather_again(
    runs: Sequence[Run], memory: Memory, wanted: Sequence[int], keep: Keeper
) -> dict[int, Gathered]:
    """The evidence of some steps of a memory, by index, from the runs in which it was replayed to its end.

    Raises:
        RunUnreadable: a frame is missing or altered.
    """
    run, frames = _joined(runs), Frames(*runs)
    trace = trace_of(run, frames)
    done = {
        int(number) - 1: traced
        for step, traced in zip(run.steps, trace.steps, strict=True)
        if isinstance(number := step.request.source.get("step"), int)
        and step.request.source.get("memory") == memory.id
        and step.status is StepStatus.OK
    }
    order = sorted(done)
    names = {
        order.index(place.action_index): known.name
        for known in memory.inputs
        for place in known.places
        if place.action_index in done
    }
    bare = {
        order.index(number - 1): step.before
        for step in run.steps
        if isinstance(number := step.request.source.get(TOWARDS), int) and number - 1 in done
    }
    steps = [done[index] for index in order]
    gatherer = Gatherer(run, trace, steps, names=names, frames=frames, keep=keep, bare=bare)
    return {index: gatherer.gather(order.index(index), with_frames=True) for index in wanted}


def _joined(runs: Sequence[Run]) -> Run:
    """All steps in their order, numbered through."""
    steps = [step for run in runs for step in run.steps]
    numbered = tuple(_numbered(step, StepId(number)) for number, step in enumerate(steps, 1))
    return replace(runs[-1], steps=numbered, missing=tuple(said for run in runs for said in run.missing))


def _numbered(step: Step, number: StepId) -> Step:
    ended = step.ended.model_copy(update={"step": number}) if step.ended else None
    return Step(step.started.model_copy(update={"step": number}), ended)

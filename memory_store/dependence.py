"""Which input decides whether a target is there at all: kept beside its crops, so that a replay can say so.

The button in the row that a search has left depends on what was searched for. Where another value finds
nothing, that speaks against the value, not against the memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from actionlens.actions import Press
from memory_store.models import Anchor, StepEvidence

if TYPE_CHECKING:
    from memory_store.consolidation.trace import TracedStep

KIND = "depends"
NEAR = 12
"""A click so close to a result is meant for it."""
RESULT = 0.1
"""A larger part of the screen is a page or a dialog, not a result."""


def appeared_with(names: Mapping[int, str], steps: Sequence[TracedStep]) -> Iterator[tuple[str, int]]:
    """Inputs, and the index of every step whose target appeared as one was typed, or with Enter after it."""
    for at, name in names.items():
        entered = [step for step in steps[at + 1 : at + 2] if step.action == Press(key="enter")]
        field = next((step.points_px[-1] for step in reversed(steps[:at]) if step.points_px), None)
        boxes = [
            box for cause in (steps[at], *entered) for box in (*cause.during.boxes, *cause.between.boxes)
        ]
        results = [box for box in boxes if field is None or not box.grow(NEAR).contains(field)]
        for index, step in enumerate(steps[at + 1 :], at + 1):
            small = [box for box in results if box.area <= RESULT * step.image.width * step.image.height]
            if any(box.grow(NEAR).contains(point) for box in small for point in step.points_px):
                yield name, index


def depends_on(
    index: int, names: Mapping[int, str], steps: Sequence[TracedStep], shows: Iterable[str]
) -> list[str]:
    """The inputs that decide whether a step's target is there: typed before it, shown in it or with it."""
    before = {name for at, name in names.items() if at < index}
    shown = [name for name in shows if name in before]
    return [*shown, *(name for name, at in appeared_with(names, steps) if at == index)]


def noted(evidence: StepEvidence, names: Iterable[str]) -> StepEvidence:
    """The evidence of a step, and on which inputs its target depends; one that reads an input says so."""
    if any(anchor.kind == "echo" for anchor in evidence.anchors):
        return evidence
    new = tuple(Anchor(kind=KIND, data={"kind": KIND, "input": name}) for name in dict.fromkeys(names))
    return evidence.model_copy(update={"anchors": (*evidence.anchors, *new)}) if new else evidence


def read_by(evidence: StepEvidence) -> str | None:
    """The input that a target reads, if it is found by what a replay types."""
    return next((str(one.data.get("input")) for one in evidence.anchors if one.kind == "echo"), None)


def inputs_of(evidence: StepEvidence) -> list[str]:
    """The inputs on which a target depends."""
    return [str(one.data.get("input")) for one in evidence.anchors if one.kind == KIND]

"""Local storage footprint (paper, 3.2): what a memory takes on disk, as intercept + slope over its steps.

The path's record, its action nodes and its visual evidence; whole frames, which are kept for audit and can
be switched off, are told apart. Too few lengths for a line, and the beginnings of each memory stand in.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memory_store.canonical import document
from memory_store.models import BlobRef, Memory, RegionCondition
from memory_store.repository import Repository
from server.diagnostics.figures import Diagnosis, Figure, Goal
from server.diagnostics.library import Library, active
from server.table import counted

PAPER: Final = (0.194, 0.019)
"""MB: intercept and slope of the paper's figure, all evidence."""
GOAL: Final = (0.05, 0.010)
_LENGTHS = 3  # different numbers of steps that make a line worth drawing
_TOO_FEW = "too few lengths to tell"


@dataclass(frozen=True, slots=True)
class Weighed:
    """Bytes of one memory."""

    name: str
    steps: int
    aiming: int
    crops: int
    metadata: int
    frames: int

    @property
    def mb(self) -> float:
        """What is needed to find and run it."""
        return (self.crops + self.metadata) / 1e6


def weigh(store: Repository, memory: Memory) -> Weighed:
    """What a memory refers to, and its share of the database without SQLite's own overhead."""
    crops = {ref.sha256: ref.size for ref in _crops(memory)}
    frames = {ref.sha256: ref.size for step in memory.steps for ref in step.evidence.frames.values()}
    aiming = sum(bool(step.evidence.anchors) for step in memory.steps)
    return Weighed(
        memory.tool_name,
        len(memory.steps),
        aiming,
        sum(crops.values()),
        _metadata(store, memory, len(crops)),
        sum(frames.values()),
    )


def fit(points: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """Intercept and slope of the line through them."""
    import numpy as np

    x, y = np.array(list(points), float).T
    line = np.polynomial.Polynomial.fit(x, y, 1).convert()
    return float(line.coef[0]), float(line.coef[1])


def line(points: Sequence[tuple[float, float]]) -> tuple[float, float] | None:
    """Intercept and slope; None where the lengths are too few to tell, also when it begins below nothing."""
    if len({steps for steps, _ in points}) < 2:
        return None
    intercept, slope = fit(points)
    return (intercept, slope) if intercept >= 0 else None


def diagnose(library: Library) -> Diagnosis:
    """Weigh every memory."""
    whole = [weigh(library.store, memory) for memory in library.memories]
    lengths = len({each.steps for each in whole})
    prefixes = lengths < _LENGTHS
    weighed = [weigh(library.store, part) for each in library.memories for part in _beginnings(each)]
    weighed = weighed if prefixes else whole
    points = tuple((float(each.steps), each.mb) for each in weighed)
    fitted = line(points)
    intercept, slope = fitted or (None, None)
    frames = sum(each.frames for each in whole) / 1e6 / len(whole)
    return Diagnosis(
        name="storage",
        title="Local storage footprint",
        conditions=(
            f"{active(len(whole))} of {_range(whole)} steps: record, nodes and crops",
            *_how_fitted(lengths, prefixes=prefixes),
            f"whole frames, for audit, come on top: {frames:.2f} MB a memory (keep_frames = false: none)",
        ),
        figures=(
            _figure("of every memory, whatever its length", intercept, 0, len(weighed)),
            _figure("of each step", slope, 1, len(weighed)),
            Figure(
                what="largest memory",
                ours=max(each.mb for each in whole),
                unit="MB",
                paper=1.0,
                n=len(whole),
                note="the paper: less than 1 MB",
            ),
        ),
        series={"ours": points, "fit": (fitted,) if fitted else (), "paper fit": (PAPER,)},
        left_out=dict(library.left_out),
    )


def _figure(what: str, mb: float | None, at: int, n: int) -> Figure:
    note = _TOO_FEW if mb is None else ""
    return Figure(what=what, ours=mb, unit="MB", paper=PAPER[at], goal=Goal(at_most=GOAL[at]), n=n, note=note)


def _how_fitted(lengths: int, *, prefixes: bool) -> Iterator[str]:
    if prefixes:
        only = counted(lengths, "length", "different lengths")
        yield f"only {only}: the line goes through the beginnings of each memory"
    else:
        yield "the line goes through the memories, least squares"


def _beginnings(memory: Memory) -> Iterator[Memory]:
    for count in range(1, len(memory.steps) + 1):
        inputs = tuple(
            one for one in memory.inputs if all(place.action_index < count for place in one.places)
        )
        yield memory.model_copy(update={"steps": memory.steps[:count], "inputs": inputs})


def _crops(memory: Memory) -> Iterator[BlobRef]:
    anchors = [anchor for step in memory.steps for anchor in step.evidence.anchors]
    for condition in (*memory.preconditions, *memory.expected_effects):
        if isinstance(condition, RegionCondition):
            anchors += condition.anchors
    for anchor in anchors:
        yield from anchor.blobs.values()


def _metadata(store: Repository, memory: Memory, crops: int) -> int:
    record = len(json.dumps(document(memory), separators=(",", ":")).encode())
    uses = store.graph(memory)
    nodes = sum(64 + len(use.action) + len(use.component) + 60 for use in uses.values())
    links = len(memory.steps) * (64 + 64 + 18 + 24 + 4)
    log = sum(len(event.model_dump_json()) for event in store.log(memory.id))
    return record + nodes + links + crops * (64 + 18 + 6) + log


def _range(weighed: Sequence[Weighed]) -> str:
    steps = sorted(each.steps for each in weighed)
    return f"{steps[0]} to {steps[-1]}" if steps[0] != steps[-1] else str(steps[0])

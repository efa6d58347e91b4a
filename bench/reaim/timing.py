"""How long a step takes on one thread, against the paper's search in the same run.

Processor time, not wall time: the ratio stays the same on a busy machine. Every call gets evidence of its
own, read from the memory store, and the bare screen: nothing is made ready beforehand. Of several
such calls the quickest counts, for both searches: what else the machine does only adds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np

from bench.reaim.cases import Case, load
from bench.reaim.measure import scene_of
from ibtr import Evidence, reaim, remember
from ibtr.errors import Rejected
from ibtr.pixels import Pixels
from ibtr.reference import crops_of, reference
from ibtr.report import Aim
from memory_store.crops import as_kept
from server.diagnostics.scenes import scaled

T = TypeVar("T")


@dataclass(frozen=True)
class Timing:
    """Medians in ms, and how the points compare."""

    n: int
    found: float
    refused: float
    reference_found: float
    reference_refused: float
    on_4k: float
    compared: int
    apart: float


def timed(work: Callable[[], T]) -> tuple[float, T | None]:
    """Milliseconds, and what came back; None for a refusal."""
    start = time.process_time()
    try:
        result: T | None = work()
    except Rejected:
        result = None
    return (time.process_time() - start) * 1e3, result


def quickest(evidence: Evidence, screen: Pixels, times: int) -> tuple[float, Aim | None]:
    """The quickest of several calls, each with evidence that nothing was worked out from yet."""
    fresh = [Evidence.from_parts(*evidence.to_parts()) for _ in range(times)]
    return min((timed(partial(reaim, one, screen)) for one in fresh), key=lambda t: t[0])


def measure(cases: list[Case], chosen: list[Case]) -> Timing:
    """The same full-HD cases by both searches, as recorded and with the target painted out, and at 4K."""
    rows: dict[str, list[float]] = {k: [] for k in ("found", "refused", "r_found", "r_refused", "4k")}
    apart: list[float] = []
    for case in chosen:
        screen = load(case.image)
        evidence, crops = as_kept(remember(screen, case.click)), crops_of(screen, case.click)
        ms, aim = quickest(evidence, screen, 5)
        slow, found = min((timed(partial(reference, crops, screen)) for _ in range(2)), key=lambda t: t[0])
        if aim is not None:
            rows["found"].append(ms)
            rows["r_found"].append(slow)
            if found is not None and case.box.contains(found.point):
                apart.append(float(np.hypot(aim.point.x - found.point.x, aim.point.y - found.point.y)))
        gone = scene_of(case, "erased", cases)
        if gone is not None:
            rows["refused"].append(quickest(evidence, gone.screen, 2)[0])
            rows["r_refused"].append(timed(partial(reference, crops, gone.screen, score=2.0))[0])
        large = scaled(screen, case.box, case.click, 3840 / screen.shape[1]).screen
        rows["4k"].append(quickest(evidence, large, 5)[0])
    median = {name: float(np.median(values)) if values else 0.0 for name, values in rows.items()}
    return Timing(
        len(chosen), median["found"], median["refused"], median["r_found"], median["r_refused"], median["4k"],
        len(apart), max(apart, default=0.0),
    )  # fmt: skip

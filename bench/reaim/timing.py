"""How long a step takes on one thread, against the paper's search in the same run.

Processor time, not wall time: the ratio stays the same on a busy machine.
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
from ibtr import reaim, remember
from ibtr.errors import Rejected
from ibtr.reference import crops_of, reference
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


def measure(cases: list[Case], chosen: list[Case]) -> Timing:
    """The same full-HD cases by both searches, as recorded and with the target painted out, and at 4K."""
    rows: dict[str, list[float]] = {k: [] for k in ("found", "refused", "r_found", "r_refused", "4k")}
    apart: list[float] = []
    for case in chosen:
        screen = load(case.image)
        evidence, crops = remember(screen, case.click), crops_of(screen, case.click)
        ms, aim = min((timed(partial(reaim, evidence, screen)) for _ in range(3)), key=lambda t: t[0])
        slow, found = timed(partial(reference, crops, screen))
        if aim is not None:
            rows["found"].append(ms)
            rows["r_found"].append(slow)
            if found is not None and case.box.contains(found.point):
                apart.append(float(np.hypot(aim.point.x - found.point.x, aim.point.y - found.point.y)))
        gone = scene_of(case, "erased", cases)
        if gone is not None:
            rows["refused"].append(min(timed(partial(reaim, evidence, gone.screen))[0] for _ in range(2)))
            rows["r_refused"].append(timed(partial(reference, crops, gone.screen, score=2.0))[0])
        large = scaled(screen, case.box, case.click, 3840 / screen.shape[1]).screen
        rows["4k"].append(min(timed(partial(reaim, evidence, large))[0] for _ in range(3)))
    median = {name: float(np.median(values)) if values else 0.0 for name, values in rows.items()}
    return Timing(
        len(chosen), median["found"], median["refused"], median["r_found"], median["r_refused"], median["4k"],
        len(apart), max(apart, default=0.0),
    )  # fmt: skip

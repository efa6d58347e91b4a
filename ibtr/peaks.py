"""The best places on a map of scores, between its pixels."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ibtr.pixels import Floats, local_maximum


class Wanted(NamedTuple):
    """Which of the places that a coarse look finds are worth a closer one."""

    least: float
    """Correlation below which there is nothing."""
    reach: float = 1.0
    """How far below the best one."""
    most: int = 2
    """That many at most; more only if they may show the very same pixels."""
    crowd: int = 0
    """That many in all, then."""


def peaks(
    scores: Floats, wanted: Wanted, certain: Callable[[float], float] | None = None
) -> list[tuple[float, float, float]]:
    """The local maxima that are wanted with their place between pixels, highest first.

    `certain` tells from which score on a place may show the very same pixels; and, where that is more than it
    is given, anything that is.
    """
    top = (scores >= local_maximum(scores, 3)) & (scores >= wanted.least)
    at = np.flatnonzero(top)
    values = scores.take(at)
    order = np.argsort(-values, kind="stable")
    near = int((values >= values.max(initial=0) - wanted.reach).sum())
    count = min(max(near, 2), wanted.most)
    if certain is not None and count < min(len(at), wanted.crowd):
        same = int((values >= certain(float(values[order[count]]))).sum())
        count = max(count, min(same, wanted.crowd))
    order = order[:count]
    rows, columns = np.divmod(at[order], scores.shape[1])
    places = zip(columns.tolist(), rows.tolist(), values[order].tolist(), strict=True)
    return [(*between(scores, x, y), value) for x, y, value in places]


def between(scores: Floats, x: int, y: int) -> tuple[float, float]:
    """A maximum's place between pixels, by a parabola through its neighbours."""

    def offset(before: float, here: float, after: float) -> float:
        bend = before - 2 * here + after
        return 0.0 if bend > -1e-9 else max(-0.5, min(0.5, 0.5 * (before - after) / bend))

    height, width = scores.shape
    score = scores.item
    here = score(y, x)
    dx = offset(score(y, x - 1), here, score(y, x + 1)) if 0 < x < width - 1 else 0.0
    dy = offset(score(y - 1, x), here, score(y + 1, x)) if 0 < y < height - 1 else 0.0
    return x + dx, y + dy

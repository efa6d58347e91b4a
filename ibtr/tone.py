"""How the levels of one picture became those of another: a monitor's profile changes them all alike."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibtr.masks import edges
from ibtr.pixels import Pixels, absolute_difference, same

INK = 24
"""Levels between neighbouring pixels that make a stroke."""
DRAWN = 6.0
"""Levels up to which surroundings are drawn with the same pixels."""
BUCKET, FEW = 8, 12
"""Neighbouring levels that change alike, and pixels from which they tell how."""
EVERY: Pixels = np.arange(256, dtype=np.uint8)
"""Levels as they were."""


class Tone(NamedTuple):
    """What became of each level, and how far apart two pictures are beside that."""

    levels: Pixels
    """What became of each level."""
    noise: float
    """How far apart strokes are beside that, in levels: most of them."""
    off: float
    """The same in the mean."""

    @classmethod
    def of(cls, known: Pixels, seen: Pixels) -> Tone:
        """By what most pixels of each level became."""
        if same(known, seen):
            return cls(EVERY, 0.0, 0.0)
        ink = edges(known, INK) > 0
        apart = absolute_difference(known, seen)[ink]
        noise = middle_level(apart) if len(apart) else 0.0
        levels = _levels(known, seen) if noise > DRAWN else EVERY
        if noise > DRAWN:
            apart = absolute_difference(levels[known], seen)[ink]
            noise = middle_level(apart)
        return cls(levels, noise, float(apart.mean()) if len(apart) else 0.0)


def _levels(known: Pixels, seen: Pixels) -> Pixels:
    """What became of each level, by the middle of what a few neighbouring ones did; their order stays."""
    pairs = known.ravel() // BUCKET * np.uint16(256) + seen.ravel()
    counts = np.bincount(pairs, minlength=256 // BUCKET * 256).reshape(-1, 256)
    there = np.flatnonzero(counts.sum(axis=1) >= FEW)
    if not len(there):
        return EVERY
    middles = np.maximum.accumulate(_middles(counts[there]))
    at = there * BUCKET + (BUCKET - 1) / 2
    return np.interp(np.arange(256), at, middles).round().astype(np.uint8)


def middle_level(levels: Pixels) -> float:
    """The median, by how often each level is there: far quicker than putting them in order."""
    return float(_middles(np.bincount(levels, minlength=256)[None])[0])


def _middles(counts: NDArray[np.intp]) -> NDArray[np.float64]:
    """The medians of levels that are there so many times each, row by row."""
    upto = counts.cumsum(axis=1)
    many = upto[:, -1:]
    lower, upper = (upto < (many + 1) // 2).sum(axis=1), (upto < many // 2 + 1).sum(axis=1)
    return np.asarray((lower + upper) / 2, np.float64)

"""How the levels of one picture became those of another: a monitor's profile changes them all alike."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ibtr.pixels import Pixels, absolute_difference, edges

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
        ink = edges(known, INK) > 0
        apart = absolute_difference(known, seen)[ink]
        noise = float(np.median(apart)) if len(apart) else 0.0
        levels = _levels(known, seen) if noise > DRAWN else EVERY
        if noise > DRAWN:
            apart = absolute_difference(levels[known], seen)[ink]
            noise = float(np.median(apart))
        return cls(levels, noise, float(apart.mean()) if len(apart) else 0.0)


def _levels(known: Pixels, seen: Pixels) -> Pixels:
    """What became of each level, by the middle of what a few neighbouring ones did; their order stays."""
    shades = known.ravel() // BUCKET
    order = np.argsort(shades, kind="stable")
    ends = np.searchsorted(shades[order], np.arange(256 // BUCKET + 1))
    values = seen.ravel()[order]
    there = [n for n in range(256 // BUCKET) if ends[n + 1] - ends[n] >= FEW]
    if not there:
        return EVERY
    middles = np.maximum.accumulate([float(np.median(values[ends[n] : ends[n + 1]])) for n in there])
    at = np.array(there) * BUCKET + (BUCKET - 1) / 2
    return np.interp(np.arange(256), at, middles).round().astype(np.uint8)

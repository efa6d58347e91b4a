"""The correlation of many crops with one picture: its spectrum is made once.

The same numbers as `correlate`, which is the plain way and what the tests compare it with, but for windows
that are all but plain: those are like nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ibtr.pixels import (
    Floats,
    Pixels,
    best_size,
    correlated,
    deviations,
    divide,
    integrals,
    size_of,
    spectrum,
)

PLAIN = 0.04
"""Variance below which a window is plain; less is lost in rounding."""


class Searched:
    """A picture in which crops are sought."""

    def __init__(self, image: Pixels | Floats) -> None:
        self._image = image
        self._room = best_size(size_of(image))
        self._spectrum = spectrum(self._centred(image))

    def correlate(self, crop: Pixels | Floats) -> Floats:
        """Zero-mean normalised correlation of `crop` at every place where it fits into the picture."""
        down, across = (a - b + 1 for a, b in zip(self._image.shape, crop.shape, strict=True))
        least = math.sqrt(PLAIN * crop.size)
        spreads = deviations(self._image, size_of(crop), least)[:down, :across]
        return divide(self.products(crop)[:down, :across], spreads, _own(crop))

    def products(self, crop: Pixels | Floats) -> Floats:
        """The same before it is normalised; also where the crop does not fit, which means nothing."""
        return correlated(self._spectrum, spectrum(self._centred(crop)))

    def _centred(self, part: Pixels | Floats) -> Floats:
        """A picture around zero, in as much room as has the fastest transform."""
        whole = np.zeros((self._room.height, self._room.width), np.float32)
        np.subtract(part, part.mean(dtype=np.float32), out=whole[: part.shape[0], : part.shape[1]])
        return whole


def correlate_each(windows: Sequence[Pixels], crop: Pixels) -> Floats:
    """The correlations of one crop with many windows of one size, by window, row and column."""
    (high, wide), each = size_of(crop)[::-1], size_of(windows[0])
    down, across = each.height - high + 1, each.width - wide + 1
    stack = np.concatenate(windows)
    rows = np.array([top + y for top in range(0, stack.shape[0], each.height) for y in range(down)])
    sums, squares = (
        part[rows, :across] + part[rows + high, wide : wide + across]
        - part[rows, wide : wide + across] - part[rows + high, :across]
        for part in integrals(stack)
    )  # fmt: skip
    spread = np.maximum(squares - sums.astype(np.float64) ** 2 / crop.size, PLAIN * crop.size)
    scores = Searched(stack).products(crop)[rows, :across] / (np.sqrt(spread) * _own(crop))
    return scores.astype(np.float32).reshape(len(windows), down, across)


def _own(crop: Pixels | Floats) -> float:
    return max(float(np.std(crop, dtype=np.float32)) * math.sqrt(crop.size), 1e-6)

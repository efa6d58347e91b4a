"""The correlation of many crops with one picture: its spectrum, and its sums, are made once.

The same numbers as `correlate`, which is the plain way and what the tests compare it with, but for windows
that are all but plain: those are like nothing.
"""

from __future__ import annotations

import math

import numpy as np

from ibtr.pixels import Floats, Pixels, average, size_of, spread
from ibtr.sums import best_size, correlated, deviations, divide, integrals, spectrum

PLAIN = 0.04
"""Variance below which a window is plain; less is lost in rounding."""


class Searched:
    """A picture in which crops are sought."""

    def __init__(self, image: Pixels | Floats) -> None:
        self._room = best_size(size_of(image))
        self._spectrum = spectrum(self._centred(image))
        self._sums = integrals(image)

    def correlate(self, crop: Pixels | Floats) -> Floats:
        """Zero-mean normalised correlation of `crop` at every place where it fits into the picture."""
        spreads = deviations(*self._sums, size_of(crop), math.sqrt(PLAIN * crop.size))
        down, across = spreads.shape
        own = max(spread(crop) * math.sqrt(crop.size), 1e-6)
        products = correlated(self._spectrum, spectrum(self._centred(crop)))
        return divide(products[:down, :across], spreads, own * products.size)

    def _centred(self, part: Pixels | Floats) -> Floats:
        """A picture around zero, in as much room as has the fastest transform."""
        whole = np.zeros((self._room.height, self._room.width), np.float32)
        here = whole[: part.shape[0], : part.shape[1]]
        here[:] = part
        here -= np.float32(average(part))
        return whole

"""The correlation of one crop with many windows of the screen, a few pixels larger than it, in one go.

The same numbers as `correlate`, which is the plain way and what the tests compare it with, but for windows
that are all but plain: those are like nothing. A window is one long row of pixels, and so is the crop on a
ground as wide as the window; moved down by a line it is the same row of pixels, further on. So every window
times every place of the crop across is one product of two matrices for each place down.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from ibtr.pixels import Floats, Pixels, spread
from ibtr.spectrum import PLAIN
from ibtr.sums import Sums, integrals

PRODUCT = 250_000
"""Multiplications of one product of matrices, at most: it stays in the cache, and on one thread."""


def correlate_each(windows: Sequence[Pixels], crop: Pixels) -> Floats:
    """The correlations of one crop with many windows of one size, by window, row and column."""
    stack = np.concatenate(windows).reshape(len(windows), *windows[0].shape)
    own = max(spread(crop) * math.sqrt(crop.size), 1e-6)
    scores = _products(stack, crop) / (_deviations(stack, crop) * own)
    return scores.astype(np.float32)


def _products(stack: Pixels, crop: Pixels) -> Floats:
    """The sums over the crop's pixels, each times the window's, both around the crop's mean."""
    (many, _, width), (high, wide) = stack.shape, crop.shape
    down, across = stack.shape[1] - high + 1, width - wide + 1
    mean = crop.mean(dtype=np.float32)
    pixels, known = stack.reshape(many, -1).astype(np.float32), crop.astype(np.float32)
    pixels -= mean
    known -= mean
    sums = np.zeros((down, many, across), np.float32)
    for first, rows in _bands(known, across, max(1, PRODUCT // (many * across * width))):
        sums += _further_on(pixels[:, first * width :], down, width, rows.shape[1]) @ rows.T
    return sums.swapaxes(0, 1)


def _further_on(pixels: Floats, down: int, step: int, length: int) -> Floats:
    """`length` pixels of every row, at the start and `step` further on each time; `down` times in all."""
    strides = (step * pixels.itemsize, *pixels.strides)
    return as_strided(pixels, (down, len(pixels), length), strides, writeable=False)


def _bands(crop: Floats, across: int, most: int) -> Iterator[tuple[int, Floats]]:
    """The crop at each place across, `most` of its rows at a time, as rows of pixels; and the first row."""
    high, wide = crop.shape
    for first in range(0, high, most):
        part = crop[first : first + most]
        ground = np.zeros((across, len(part), wide + across - 1), np.float32)
        for x in range(across):
            ground[x, :, x : x + wide] = part
        yield first, ground.reshape(across, -1)


def _deviations(stack: Pixels, crop: Pixels) -> NDArray[np.float64]:
    """The root of the squared deviations under the crop at each place in each window."""
    many, height, width = stack.shape
    high, wide = crop.shape
    down = height - high + 1

    def under(sums: Sums) -> NDArray[np.float64]:
        above, below = (part.reshape(many, height, width + 1) for part in (sums[:-1], sums[1:]))
        rows = below[:, high - 1 :] - above[:, :down]
        return (rows[:, :, wide:] - rows[:, :, :-wide]).astype(np.float64)

    sums, squares = (under(part) for part in integrals(stack.reshape(-1, width)))
    return np.sqrt(np.maximum(squares - sums**2 / crop.size, PLAIN * crop.size))

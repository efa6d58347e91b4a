"""The correlation of one crop with windows of the screen that are a few pixels larger than it.

The same numbers as `correlate`, which is the plain way and what the tests compare it with, but for windows
that are all but plain: those are like nothing. A window is one long row of pixels, and so is the crop at each
of its places on a ground as large. So every window times every place of the crop is one product of matrices.
A large crop is compared with one window byte by byte, place by place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ibtr.pixels import Floats, Pixels, distance, spread
from ibtr.spectrum import PLAIN
from ibtr.sums import Sums, integrals

PRODUCT = 250_000
"""Multiplications of one product of matrices, at most: it stays in the cache, and on one thread."""
BAND = 64
"""Rows of the crop that are placed at a time, at most."""


def correlate_each(windows: Sequence[Pixels], crop: Pixels) -> Floats:
    """The correlations of one crop with many windows of one size, by window, row and column."""
    stack = np.concatenate(windows).reshape(len(windows), *windows[0].shape)
    own = max(spread(crop) * math.sqrt(crop.size), 1e-6)
    scores = _products(stack, crop) / (_deviations(stack, crop) * own)
    return scores.astype(np.float32)


def correlate_large(window: Pixels, crop: Pixels) -> Floats:
    """The same of one window, by row and column: 2ab is what a² and b² have more than (a - b)²."""
    (height, width), (high, wide) = window.shape, crop.shape
    down, across = range(height - high + 1), range(width - wide + 1)
    apart = np.array([[distance(crop, window[y : y + high, x : x + wide]) for x in across] for y in down])
    sums, squares = (part[0] for part in _sums(window[None], crop))
    total, own = float(crop.sum()), distance(crop, np.zeros_like(crop))
    both = (own + squares - apart) / 2 - sums * (total / crop.size)
    alone = np.maximum(squares - sums**2 / crop.size, 0.5)  # whole numbers: less is nothing
    scores = both / np.sqrt(alone * max(own - total**2 / crop.size, 0.5))
    return np.asarray(scores, np.float32)


def _products(stack: Pixels, crop: Pixels) -> Floats:
    """The sums over the crop's pixels, each times the window's, both around the crop's mean."""
    (many, _, width), (high, wide) = stack.shape, crop.shape
    down, across = stack.shape[1] - high + 1, width - wide + 1
    mean = crop.mean(dtype=np.float32)
    pixels, known = stack.reshape(many, -1).astype(np.float32), crop.astype(np.float32)
    pixels -= mean
    known -= mean
    sums = np.zeros((many, down * across), np.float32)
    step = max(1, PRODUCT // sums.size)
    for first in range(0, high, BAND):
        placed = _placed(known[first : first + BAND], down, across)
        here = pixels[:, first * width : first * width + placed.shape[1]]
        for at in range(0, placed.shape[1], step):
            sums += here[:, at : at + step] @ placed[:, at : at + step].T
    return sums.reshape(many, down, across)


def _placed(crop: Floats, down: int, across: int) -> Floats:
    """The crop at every place in a window, each as one row of pixels; zeros around it."""
    high, wide = crop.shape
    width = wide + across - 1
    placed = np.zeros((down, across, high + down - 1, width), np.float32)
    for x in range(across):
        placed[0, x, :high, x : x + wide] = crop
    flat = placed.reshape(down, across, -1)
    for y in range(1, down):
        flat[y, :, y * width :] = flat[0, :, : -y * width]
    return flat.reshape(down * across, -1)


def _deviations(stack: Pixels, crop: Pixels) -> NDArray[np.float64]:
    """The root of the squared deviations under the crop at each place in each window."""
    sums, squares = _sums(stack, crop)
    return np.sqrt(np.maximum(squares - sums**2 / crop.size, PLAIN * crop.size))


def _sums(stack: Pixels, crop: Pixels) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The sums, and the sums of squares, under the crop at each place in each window."""
    many, height, width = stack.shape
    high, wide = crop.shape
    down = height - high + 1

    def under(sums: Sums) -> NDArray[np.float64]:
        above, below = (part.reshape(many, height, width + 1) for part in (sums[:-1], sums[1:]))
        rows = below[:, high - 1 :] - above[:, :down]
        return (rows[:, :, wide:] - rows[:, :, :-wide]).astype(np.float64)

    sums, squares = integrals(stack.reshape(-1, width))
    return under(sums), under(squares)

"""How alike the parts of a picture are that count: what is nearest to the click, and the least alike one."""

from __future__ import annotations

import numpy as np

from ibtr.compare import Likeness, around
from ibtr.geometry import Point
from ibtr.pixels import Floats, local_mean

ENOUGH = 60.0
"""Structure that the spot around the click must hold, in pixels at full weight."""
SPOTS = ((6, 6), (12, 6), (24, 6), (48, 6), (96, 6), (160, 6))
"""How far to each side structure is sought for, in deviations of a soft spot: a row reads sideways."""
ROW = 13
"""No further up or down than this."""


def spot(alike: Likeness, click: Point, zoom: float, kept: Floats) -> Floats:
    """The smallest soft spot around the click that holds enough structure to be told from another."""
    size = alike.known.shape
    rows = np.abs(np.arange(size[0], dtype=np.float32) - click.y) <= ROW * zoom
    weights = kept
    for across, down in SPOTS:
        weights = around(size, click, (across * zoom, down * zoom)) * rows[:, None] * kept
        if float((weights * alike.known).sum()) >= ENOUGH * zoom * zoom:
            break
    return weights


def fresh(alike: Likeness, click: Point, zoom: float, kept: Floats) -> float:
    """How much of the structure close to the click is new: something else stands on a plain spot."""
    weights = around(alike.known.shape, click, (9 * zoom, 7 * zoom)) * kept
    new = float((np.maximum(alike.weight - alike.known, 0) * weights).sum())
    there = float((alike.weight * weights).sum())
    return new / max(there, ENOUGH * zoom * zoom / 2)


def weakest(alike: Likeness, part: Floats, size: int) -> float:
    """Likeness of the worst window of `size` in `part` that holds structure; 1 if none does."""
    return least_of(shares(alike.alike, alike.known, part, size))


def shares(alike: Floats, structure: Floats, part: Floats, size: int) -> Floats:
    """Likeness of every window of `size` in `part` that holds structure."""
    weight = structure * part
    mass = local_mean(weight, size)
    sums = local_mean(np.multiply(alike, weight, dtype=np.float32), size)
    there = (mass >= 0.2) & (part > 0)
    return sums[there] / mass[there]


def least_of(shares: Floats) -> float:
    """The least of some likenesses; 1 if there are none."""
    return float(shares.min()) if len(shares) else 1.0


def middle_of(shares: Floats) -> float:
    """The one in the middle, likewise."""
    return median(shares) if len(shares) else 1.0


def written(alike: Likeness, side: int) -> Floats:
    """Structure of either picture where the remembered one has letters, or right beside them."""
    near = local_mean(alike.known, 2 * side + 1) > 0.02
    return np.where(near, alike.weight, alike.known).astype(np.float32)


def median(values: Floats) -> float:
    """What `np.median` says of some numbers, without all that it loads and looks for first."""
    low, high = (len(values) - 1) // 2, len(values) // 2
    part = np.partition(values, (low, high))
    return float((part[low] + part[high]) / 2)

"""A plain field: one colour under the click, and a frame around it."""

from __future__ import annotations

import numpy as np

from ibtr.geometry import Box, Point, Size
from ibtr.masks import flooded
from ibtr.pixels import Pixels, cut, size_of

LEVELS = 10
"""Levels by which the colour may vary."""
SMALLEST = Size(14, 10)
LARGEST = Size(1200, 140)
"""A larger one is a pane, not a field."""
WIDEST = 2000
"""The same for one that is about to be filled: it may be as wide as its window."""
BESIDE = Size(8, 5)
"""How far from a click its ground is looked for: a letter may be under it."""
FULL = 0.7
"""Share of its box that a field fills, at least: the rest is what is written in it."""


def field(gray: Pixels, point: Point, widest: int = LARGEST.width) -> Box | None:
    """The box of the plain field under `point`, if there is one that the picture shows whole."""
    size = size_of(gray)
    x, y = int(point.x), int(point.y)
    if not Box(1, 1, size.width - 2, size.height - 2).contains(Point(x, y)):
        return None
    reach = LARGEST._replace(width=widest)
    window = Box(x - reach.width, y - reach.height, 2 * reach.width, 2 * reach.height).clip(size)
    found, area = flooded(cut(gray, window), _ground(gray, x, y, window), LEVELS)
    whole = Box(0, 0, window.width, window.height)
    if found.grow(1).intersect(whole) != found.grow(1) or area < FULL * found.area:
        return None
    if not (SMALLEST.width <= found.width <= reach.width and SMALLEST.height <= found.height <= reach.height):
        return None
    return Box(found.x + window.x, found.y + window.y, found.width, found.height)


def _ground(gray: Pixels, x: int, y: int, window: Box) -> Point:
    """The pixel nearest to a click that shows the ground, not a letter on it."""
    near = Box(x - BESIDE.width, y - BESIDE.height, 2 * BESIDE.width + 1, 2 * BESIDE.height + 1)
    near = near.clip(size_of(gray))
    part = cut(gray, near).astype(np.int32)
    most = int(np.bincount(part.ravel() // LEVELS).argmax())
    rows, columns = np.nonzero(np.abs(part - (most * LEVELS + LEVELS // 2)) <= LEVELS // 2)
    away = np.hypot(columns + near.x - x, rows + near.y - y)
    nearest = int(away.argmin())
    return Point(int(columns[nearest]) + near.x - window.x, int(rows[nearest]) + near.y - window.y)

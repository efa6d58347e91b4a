"""A plain field: one colour under the click, and a frame around it."""

from __future__ import annotations

from collections.abc import Iterator

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
LETTERS = 3
"""Letters near a click whose inside may have the colour of the ground."""
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
    found, area = _plain(gray, x, y, window)
    whole = Box(0, 0, window.width, window.height)
    if found.grow(1).intersect(whole) != found.grow(1) or area < FULL * found.area:
        return None
    if not (SMALLEST.width <= found.width <= reach.width and SMALLEST.height <= found.height <= reach.height):
        return None
    return Box(found.x + window.x, found.y + window.y, found.width, found.height)


def _plain(gray: Pixels, x: int, y: int, window: Box) -> tuple[Box, int]:
    """What has the colour of the ground nearest to a click; the inside of a letter there is no ground."""
    part, inside = cut(gray, window), list[Box]()
    found, area = Box(0, 0, 0, 0), 0
    for spot in _grounds(gray, x, y, window):
        if any(box.contains(spot) for box in inside):
            continue
        found, area = flooded(part, spot, LEVELS)
        if (found.width >= SMALLEST.width and found.height >= SMALLEST.height) or len(inside) == LETTERS:
            break
        inside.append(found)
    return found, area


def _grounds(gray: Pixels, x: int, y: int, window: Box) -> Iterator[Point]:
    """The pixels near a click that show the ground, not a letter on it: the nearest first."""
    near = Box(x - BESIDE.width, y - BESIDE.height, 2 * BESIDE.width + 1, 2 * BESIDE.height + 1)
    near = near.clip(size_of(gray))
    part = cut(gray, near).astype(np.int32)
    most = int(np.bincount(part.ravel() // LEVELS).argmax())
    rows, columns = np.nonzero(np.abs(part - (most * LEVELS + LEVELS // 2)) <= LEVELS // 2)
    away = np.hypot(columns + near.x - x, rows + near.y - y)
    for nearest in np.argsort(away, kind="stable"):
        yield Point(int(columns[nearest]) + near.x - window.x, int(rows[nearest]) + near.y - window.y)

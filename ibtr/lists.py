"""Does the same widget stand again in the target's column or row? Then its row, or column, must be read."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibtr.geometry import Box
from ibtr.pixels import Floats, Pixels, correlate, cut, edges, size_of

SAME = 0.9
"""Correlation from which a widget is the same one again."""
BETWEEN = 0.7
"""It must fall below this on the way there: a long border is the same all along."""
LINED = 2
"""Pixels by which the items of one list may be out of line."""
TEXT = 11
"""Half the height of a line of text."""
EDGE = 24
"""Levels between neighbouring pixels that make ink."""
GAP = 16
"""Pixels without ink between two cells."""
UNEVEN = 4
"""Pixels by which letters differ in height."""


class Equals(NamedTuple):
    """Where the same widget stands again, in pixels from the target."""

    down: list[int]
    across: list[int]


def equals(gray: Pixels, core: Box) -> Equals:
    """The same widget in the target's column and in its row, over the whole screen."""
    size = size_of(gray)
    box = core.grow(2).clip(size)
    template = cut(gray, box)
    if template.std() < 2:
        return Equals([], [])
    column = Box(box.x - LINED, 0, box.width + 2 * LINED, size.height).clip(size)
    row = Box(0, box.y - LINED, size.width, box.height + 2 * LINED).clip(size)
    down = correlate(cut(gray, column), template).max(axis=1)
    across = correlate(cut(gray, row), template).max(axis=0)
    return Equals(_again(down, box.y), _again(across, box.x))


def _again(scores: Floats, here: int) -> list[int]:
    """Where a line of scores is at the top again, with a valley in between."""
    low = np.flatnonzero(scores < BETWEEN)
    found: list[int] = []
    for run in np.split(np.arange(len(scores)), low):
        high = run[scores[run] >= SAME]
        if len(high) and not (run[0] <= here <= run[-1]):
            found.append(int(high[scores[high].argmax()]) - here)
    return found


def row_of(gray: Pixels, core: Box, down: list[int], least: Box) -> Box:
    """The row that the target stands in: as far to both sides as the rows of its equals go on with it.

    What is repeated in the next row at the same height belongs to the list; what stands behind or beside the
    window is not. `least` is part of it in any case.
    """
    size, pitch = size_of(gray), min(abs(step) for step in down)
    half = min(max(core.height // 2 + 2, TEXT), pitch // 2)
    middle = core.y + core.height // 2
    band = Box(0, middle - half, size.width, 2 * half).clip(size)
    ink = edges(cut(gray, band), EDGE)
    nearest = sorted(down, key=abs)[:2]
    others = [_ink_at(gray, Box(0, band.y + step, size.width, band.height)) for step in nearest]
    left, right = least.x, least.right
    for start, end in _runs(np.flatnonzero(ink.max(axis=0))):
        beside = start < core.x or end > core.right
        if beside and any(_repeated(ink, other, start, end) for other in others):
            left, right = min(left, start - 2), max(right, end + 2)
    return Box(left, band.y, right - left, band.height).clip(size)


def _ink_at(gray: Pixels, band: Box) -> Pixels:
    inside = band.clip(size_of(gray))
    ink = np.zeros((band.height, band.width), np.uint8)
    if inside.area:
        ink[inside.y - band.y : inside.bottom - band.y] = edges(cut(gray, inside), EDGE)
    return ink


def _runs(at: NDArray[np.intp]) -> list[tuple[int, int]]:
    """Words and cells along a row: ink with less than `GAP` between."""
    if not len(at):
        return []
    parts = np.split(at, np.flatnonzero(np.diff(at) > GAP) + 1)
    return [(int(part[0]), int(part[-1]) + 1) for part in parts]


def _repeated(ink: Pixels, other: Pixels, start: int, end: int) -> bool:
    """Whether the next row has something at the same place, at the same height."""
    mine = np.flatnonzero(ink[:, start:end].any(axis=1))
    theirs = np.flatnonzero(other[:, max(0, start - GAP) : end + GAP].any(axis=1))
    if not len(theirs):
        return False
    return max(abs(int(mine[0]) - int(theirs[0])), abs(int(mine[-1]) - int(theirs[-1]))) <= UNEVEN

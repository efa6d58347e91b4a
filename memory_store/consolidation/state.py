"""The box that a click ticks, beside what was clicked: a target is another one when it is ticked already."""

from __future__ import annotations

from collections.abc import Iterable

from actionlens.frames import Pixels, size_of
from ibtr.geometry import Box, Point
from ibtr.masks import flooded
from memory_store.consolidation.vary import gray_part

SIDE = (7, 26)
"""Sides of an empty box, without its frame."""
SQUARE = 0.7
"""Least ratio of its sides."""
FULL = 0.75
"""Share of it that is plain: a circle fills less than a square."""
LEVELS = 10
LINE, FAR = 14, 300
"""How far up or down, and to the side, of a click it stands."""


def ticked(before: Pixels, after: Pixels, changed: Iterable[Box], click: Point) -> Box | None:
    """The box that a click filled or emptied, with its frame; None if it changed no such thing."""
    for box in changed:
        near = abs(box.center.y - click.y) <= LINE and abs(box.center.x - click.x) <= FAR
        if not near or max(box.width, box.height) > SIDE[1] + 4:
            continue
        for screen in (before, after):
            if (empty := _empty(screen, box.center)) is not None:
                return empty.grow(3).clip(size_of(screen))
    return None


def _empty(screen: Pixels, at: Point) -> Box | None:
    """The inside of a small frame with nothing in it."""
    reach = SIDE[1] + 6
    around = Box(round(at.x) - reach, round(at.y) - reach, 2 * reach, 2 * reach).clip(size_of(screen))
    if not around.contains(at):
        return None
    gray = gray_part(screen, around).astype("uint8")
    found, area = flooded(gray, Point(round(at.x) - around.x, round(at.y) - around.y), LEVELS)
    short, long = sorted((found.width, found.height))
    if not (SIDE[0] <= short and long <= SIDE[1] and short >= SQUARE * long and area >= FULL * found.area):
        return None
    return Box(found.x + around.x, found.y + around.y, found.width, found.height)

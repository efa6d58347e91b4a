"""Is what stands at a spot of a long field the text in it? That begins where the field does, and goes on.

A sign in a field (to empty it, to mark a page) stands by itself, and does something else when it is clicked.
"""

from __future__ import annotations

import numpy as np

from ibtr.geometry import Box, Point
from ibtr.letters import stretches
from ibtr.lists import GAP
from ibtr.marks import box_of, marks, words_of
from ibtr.masks import edges
from ibtr.pixels import Pixels, cut, size_of
from ibtr.plain import LEVELS, WIDEST, field

FRAME = 2
"""Pixels of a field's own rim that do not vary with what is written in it."""
NEAR, INK = 24, 24
"""Pixels to each side of a click in which a thing stands at it, and levels of a stroke."""
BEGINS = 40
"""Pixels from the beginning of a field within which its text, or a sign before that, begins."""
ON = 0.3
"""Share of a text that shows its ground, at least."""
ONE = Point(1, 1)
OFF = 3
"""Pixels by which a side of the field may stand off."""


def is_blank(gray: Pixels, at: Point, height: int, by: Point = ONE) -> bool:
    """Whether nothing is written around a point of a field."""
    half, rim = round(NEAR * by.x), round(2 * FRAME * by.y)
    part = Box(round(at.x) - half, round(at.y) - height // 2 + rim, 2 * half, height - 2 * rim)
    part = part.clip(size_of(gray))
    return bool(part.area) and not edges(cut(gray, part), INK).any()


def is_text(gray: Pixels, box: Box, at: Point, by: Point = ONE) -> bool:
    """Whether all that stands around a point of the field at `box` belongs to the text in it."""
    near = round(NEAR * by.x)
    own = field(gray, at, WIDEST) or _field_around(gray, box, at)
    if own is None or max(abs(own.x - box.x), abs(own.right - box.right)) > OFF:
        return False
    part = cut(gray, Box(own.x + FRAME, own.y + FRAME, own.width - 2 * FRAME, own.height - 2 * FRAME))
    runs = stretches(np.flatnonzero(edges(part, INK).max(axis=0)), GAP)
    x = round(at.x) - own.x - FRAME
    around = [run for run in runs if run[0] <= x + near and run[1] >= x - near]
    if not runs or runs[0][0] > BEGINS or around not in ([], runs[:1]):
        return False
    every = marks(part)
    texts = [box_of(word) for word in words_of(every)]
    beside = [one for one in map(box_of, every) if one.x <= x + near and one.right >= x - near]
    return all(any(one.intersect(text) == one for text in texts) for one in beside)


def _field_around(gray: Pixels, box: Box, at: Point) -> Box | None:
    """The field by its ground above a point that lies within a letter, if all around that is on it, too."""
    above = Point(at.x, box.y + 2 * FRAME)
    if not Box(0, 0, *size_of(gray)).contains(above):
        return None
    around = Box(round(at.x) - NEAR, round(at.y) - FRAME, 2 * NEAR, 2 * FRAME).clip(size_of(gray))
    ground = int(gray[round(above.y), round(above.x)])
    middle = float((np.abs(cut(gray, around).astype(np.int16) - ground) <= LEVELS).mean())
    return field(gray, above, WIDEST) if middle >= ON else None

"""A click beside all text, or on a switch: in a list it means the row, named by what is written before it."""

from __future__ import annotations

from functools import reduce

from ibtr.captions import BESIDE, HIGHEST, LOWEST
from ibtr.geometry import Box, Point, Size
from ibtr.letters import around
from ibtr.lists import FAR, UNEVEN, borders
from ibtr.marks import box_of, marks
from ibtr.masks import edges
from ibtr.pixels import Pixels, cut, size_of
from ibtr.switch import is_switch

PLAIN, INK = Size(60, 6), 24
"""How far to each side of a click nothing is drawn; levels between neighbouring pixels that make a stroke."""
NEXT = 60
"""How far above or below its line the next row is looked for."""
LINED = 3
"""Pixels by which the rows of one list may begin apart."""


def row_of_spot(gray: Pixels, click: Point, core: Box) -> Box | None:
    """What is written before a plain spot, or a switch, in its row; None where it is no row of a list."""
    x, y = round(click.x), round(click.y)
    near = Box(x - PLAIN.width, y - PLAIN.height, 2 * PLAIN.width, 2 * PLAIN.height).clip(size_of(gray))
    if is_switch(gray, core):
        x, near = core.x, core
    elif edges(cut(gray, near), INK).any():
        return None
    first, _ = borders(gray, near, [-NEXT, NEXT])
    part = Box(first, y - NEXT, x - first, 2 * NEXT).clip(size_of(gray))
    if not part.area:
        return None
    texts = [box._replace(x=box.x + part.x, y=box.y + part.y) for box in map(box_of, marks(cut(gray, part)))]
    texts = [text for text in texts if LOWEST <= text.height <= HIGHEST]
    own = [text for text in texts if text.y - BESIDE <= y < text.bottom + BESIDE]
    if not own or x - max(text.right for text in own) > FAR:
        return None
    row = reduce(around, own)
    apart = [text for text in texts if text.bottom <= row.y or text.y >= row.bottom]
    listed = any(_follows(text, one) for text in apart for one in own)
    return row.grow(2).clip(size_of(gray)) if listed else None


def _follows(text: Box, own: Box) -> bool:
    """Whether a text stands in another row, above or below, where one of this row does."""
    return abs(text.height - own.height) <= UNEVEN and abs(text.x - own.x) <= LINED

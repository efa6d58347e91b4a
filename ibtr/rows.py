"""What tells a target's row from the rows of its equals, read once more by marks where all was drawn anew.

A list repeats its buttons, not its names; and a name may stand further away than what is kept around it.
"""

from __future__ import annotations

from typing import NamedTuple

from ibtr.evidence import CropAnchor
from ibtr.geometry import Box
from ibtr.layout import Span, level, neighbours
from ibtr.marks import indicator
from ibtr.page import Page, Pair
from ibtr.pixels import Pixels, cut, size_of
from ibtr.sure import Sure, near

STOUT = 5
"""Shorter side of a mark that can be read: what is thinner is left of a frame or a line."""
KNOWN = 0.7
"""Share of the target's mark that its row shows too."""
ELASTIC = Span(0.25, 3.0)
"""Least and most by which a column may have come nearer or gone further, as in a window of another width."""


class Row(NamedTuple):
    """The row of a recorded target."""

    page: Page
    tells: Box
    """The part of it that differs from the rows of its equals."""
    offset: tuple[int, int]
    """From the picture around the target to this one."""
    vary: Pixels | None


def row_of(anchor: CropAnchor) -> Row | None:
    """The row that is kept of a target with equals above or below it."""
    row = anchor.row
    if row is None:
        return None
    offset = anchor.source.x - row.source.x, anchor.source.y - row.source.y
    return Row(Page(row.gray, row.image), row.context, offset, row.vary)


def reads_row(row: Row, own: Box, seen: Page, here: int, sure: Sure) -> bool | None:
    """Whether all that told the row of mark `own` from others is in that of `here`; None: nothing to read."""
    at = own._replace(x=own.x + row.offset[0], y=own.y + row.offset[1])
    main = max(range(len(row.page.boxes)), key=lambda i: _common(row.page.box(i), at), default=None)
    if main is None or _common(row.page.box(main), at) < KNOWN:
        return None
    tells = [i for i in range(len(row.page.boxes)) if _tells(row, i, at)]
    places = {i: [int(m) for m in neighbours(row.page, seen, (main, here), i, ELASTIC)] for i in tells}
    pair = Pair(row.page, seen)
    pair.compare((i, m) for i, marks in places.items() for m in marks)
    return all(any(near(pair.match(i, m), sure) for m in places[i]) for i in tells) if tells else None


def _tells(row: Row, mark: int, own: Box) -> bool:
    """Whether a mark is a word in the row, or an icon, and nothing that varies or that its equals show."""
    box, vary = row.page.box(mark), row.vary
    if box.y == 0 or box.bottom == size_of(row.page.gray).height or indicator(box):  # cut off, or a state
        return False
    if box.intersect(row.tells).area < KNOWN * box.area or box.intersect(own).area or not level(box, own):
        return False
    if min(box.width, box.height) < STOUT or (vary is not None and float(cut(vary, box).mean()) >= 0.1):
        return False
    inner = (row.page.box(i) for i in range(len(row.page.boxes)) if i != mark)
    return not any(one.intersect(box) == one and min(one.width, one.height) >= STOUT for one in inner)


def _common(one: Box, other: Box) -> float:
    return one.intersect(other).area / max(1, one.area, other.area)

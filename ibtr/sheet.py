"""An empty cell of a sheet that was drawn anew: found by its place among the headings, read in their order.

The lines of a grid stay lines whatever the size or the theme. Between them the headings of all columns up to
its own must be there, one after the other, and those of all rows; and what stood in its row and its column.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibtr.cells import Lined, lined_at
from ibtr.errors import AmbiguousTarget, MissingTarget
from ibtr.evidence import CropAnchor
from ibtr.geometry import Box, Point
from ibtr.letters import stretches
from ibtr.page import Page, Pair
from ibtr.pixels import Pixels, cut, turned
from ibtr.sure import SURE, Sure, near

STEP = 6
"""Levels by which a line differs from what is beside it, all along it."""
LINE = 3
"""Pixels between the two edges of a line."""
NARROWEST = 8
"""Pixels between two lines of a cell."""
READ = 0.9
"""Share of the headings that must be read: a letter in another font may be less alike."""
CROSSINGS = 600
"""Crossings of like headings that are looked at; where there are more, none is."""


class Sheet(NamedTuple):
    """A cell among the cells of its row and of its column, the headings first; boxes of its page."""

    page: Page
    inside: Box
    row: tuple[Box, ...]
    column: tuple[Box, ...]

    @property
    def headings(self) -> tuple[Box, ...]:
        """Those of every column and of every row up to its own."""
        top, left = self.column[0], self.row[0]
        across = (Box(cell.x, top.y, cell.width, top.height) for cell in self.row[1:])
        down = (Box(left.x, cell.y, left.width, cell.height) for cell in self.column[1:])
        return (*across, *down)

    @property
    def told(self) -> tuple[Box, ...]:
        """All that must read as it did."""
        return (*self.own, *self.row[1:], *self.column[1:])

    @property
    def own(self) -> tuple[Box, Box]:
        """The heading of its column, and that of its row."""
        top, left = self.column[0], self.row[0]
        return top._replace(x=self.inside.x, width=self.inside.width), left._replace(y=self.inside.y)


def recorded_sheet(anchor: CropAnchor) -> Sheet | None:
    """The recorded cell, where its headings are kept; they may stand beyond the picture of the target."""
    row, column, kept = anchor.row, anchor.column, anchor.beyond or anchor
    if row is None or column is None:
        return None
    left, top = kept.source.x, kept.source.y
    strips = [
        Box(s.source.x - left, s.source.y - top, s.source.width, s.source.height) for s in (row, column)
    ]
    if any(strip.clip(kept.size) != strip for strip in strips):
        return None
    inside = strips[0].intersect(strips[1])
    before = strips[0]._replace(width=inside.x - strips[0].x)
    above = strips[1]._replace(height=inside.y - strips[1].y)
    return _sheet(Page(kept.gray, kept.image), Lined(inside, before, above))


def refound_cell(sheet: Sheet, screen: Page, sure: Sure = SURE) -> Box:
    """The same cell on a screen.

    Raises:
        MissingTarget: no cell has the same headings before it.
        AmbiguousTarget: two have.
    """
    pair = Pair(sheet.page, screen)
    alike = [one for one in _crossed(sheet, pair, sure) if _same(sheet, one, pair, sure)]
    if not alike:
        raise MissingTarget("no cell stands among the same headings")
    if len(alike) > 1:
        points = [[float(v) for v in one.inside.center] for one in alike[:2]]
        raise AmbiguousTarget(
            "two cells stand among the same headings", point=points[0], rival_point=points[1]
        )
    return alike[0].inside


def _crossed(sheet: Sheet, pair: Pair, sure: Sure) -> Iterator[Sheet]:
    """Every cell of the screen that has like headings above it and before it."""
    marks = [_label(sheet.page, box) for box in sheet.own]
    if None in marks:
        return
    across, down = (_like(pair, mark, sure) for mark in marks if mark is not None)
    if len(across) * len(down) > CROSSINGS:
        return
    seen: set[Box] = set()
    gray = pair.seen.gray
    for above in across:
        for before in down:
            at = Point(round(above.center.x), round(before.center.y))
            inside = at.x > before.right and at.y > above.bottom
            if not inside or any(box.contains(at) for box in seen):
                continue
            lined = lined_at(gray, at)
            if lined is not None:
                seen.add(lined.inside)
                found = _sheet(pair.seen, lined)
                if found is not None:
                    yield found


def _like(pair: Pair, mark: int, sure: Sure) -> list[Box]:
    every: NDArray[np.intp] = np.arange(len(pair.seen.boxes))
    shaped = [int(m) for m in pair.seen.shaped(pair.known.tight(mark), every)]
    pair.compare((mark, m) for m in shaped)
    return [pair.seen.box(m) for m in shaped if near(pair.match(mark, m), sure)]


def _same(known: Sheet, seen: Sheet, pair: Pair, sure: Sure) -> bool:
    """Whether a cell has as many before it and above it, with the same headings, and the same in them."""
    if (len(known.row), len(known.column)) != (len(seen.row), len(seen.column)):
        return False
    pairs = list(zip(known.headings, seen.headings, strict=True))
    marks = [(_label(known.page, a), _label(seen.page, b)) for a, b in pairs]
    both = [(a, b) for a, b in marks if a is not None and b is not None]
    pair.compare(both)
    read = sum(near(pair.match(a, b), sure) for a, b in both)
    as_it_was = sum(pair.same(a, b) for a, b in both)
    if read < READ * len(marks) or as_it_was >= sure.unchanged * len(marks):
        return False
    return all(_reads(pair, a, b, sure) for a, b in zip(known.told, seen.told, strict=True))


def _reads(pair: Pair, old: Box, new: Box, sure: Sure) -> bool:
    """Whether in a cell stands what stood there, be it nothing."""
    a, b = _label(pair.known, old), _label(pair.seen, new)
    return a is b is None or (a is not None and b is not None and near(pair.match(a, b), sure))


def _label(page: Page, box: Box) -> int | None:
    """The largest mark in a cell."""
    x, y = page.middles[:, 0], page.middles[:, 1]
    inside = np.flatnonzero((x >= box.x) & (x < box.right) & (y >= box.y) & (y < box.bottom))
    return max((int(m) for m in inside), key=lambda m: page.box(m).area, default=None)


def _sheet(page: Page, lined: Lined) -> Sheet | None:
    """The cells of its row and of its column, if there is one before it and one above it at least."""
    own, before, above = lined
    row = [Box(before.x + a, own.y, b - a, own.height) for a, b in _between(cut(page.gray, before))]
    column = [Box(own.x, above.y + a, own.width, b - a) for a, b in _between(turned(cut(page.gray, above)))]
    return Sheet(page, own, (*row, own), (*column, own)) if row and column else None


def _between(strip: Pixels) -> list[tuple[int, int]]:
    """The columns between the lines that go down through a strip."""
    step = np.abs(np.diff(strip.astype(np.int16), axis=1)).min(axis=0, initial=255)
    lines = stretches(np.flatnonzero(step >= STEP), LINE)
    edges: Sequence[tuple[int, int]] = [(0, 0), *((a + 1, b) for a, b in lines), (strip.shape[1],) * 2]
    cells = [(a[1], b[0]) for a, b in pairwise(edges)]
    return [(a, b) for a, b in cells if b - a >= NARROWEST]

"""A target among the icons of its bar: these keep their pixels and their order, whatever is above and below.

The title of a window moves with its width, menus grow with their letters, a document is another one. Icons
that are each the only one of their kind, at the same distances, say which place of the bar it is. Where words
stand above or below the target, or beside it and its equals, these may name it, and icons do not.
"""

from __future__ import annotations

import numpy as np

from ibtr.compare import likeness
from ibtr.emblem import stout
from ibtr.evidence import CropAnchor
from ibtr.geometry import Box, Point, Size
from ibtr.ground import inside_borders
from ibtr.judge import Limits, verified
from ibtr.lists import equals
from ibtr.marks import box_of, marks, word
from ibtr.masks import edges
from ibtr.pixels import Pixels, correlation, cut
from ibtr.reflow import AROUND
from ibtr.sight import Sight
from ibtr.work import Work, aligned

FEW = 3
"""Icons that tell, at least."""
THERE = 0.75
"""Share of them that must be there: some are greyed out at times."""
COPY = 0.95
"""Likeness of their surroundings from which two places are of one window and its copy."""
NEAR, SAME = Size(48, 16), 0.9
"""What stands right beside the target, across and down from its middle, and how much alike that must be."""
LEVEL = 6
"""Pixels by which the middle of an icon may stand higher or lower than the target."""
EDGE = 24
"""Levels between neighbouring pixels that make ink."""
ROOM = 64
"""How far above and below the target a name of it would stand."""
RIM = 3
"""Pixels around a target that its frame may have a part in."""
BORDER = 0.85
"""Share of the window's width along which a bar ends."""
WORD = 16
"""Width from which a mark is a word, and no arrow that opens a menu."""
LINE = 0.95
"""Share of the target's width from which ink is a line: the frame of the field that it is in."""


def among_icons(work: Work, seen: list[Sight], limits: Limits) -> list[Sight]:
    """The same sights by the icons in their row, if those told the target when it was recorded.

    Only of places in one bar: of two copies of a window, the one with more icons left is not the right one.
    """
    if abs(work.scaling.mean - 1) > 0.01 or work.inverted or work.flat or work.anchor.row is not None:
        return seen
    likely = [s for s in seen if verified(s, limits, limits.rival)]
    bar = _in_one_bar(likely, limits)
    if not bar or len(icons := telling(work.anchor)) < FEW:
        return seen
    shares = {s.point: _share(work, s.point, icons) for s in likely}
    told = [s for s in likely if shares[s.point] >= THERE]
    if len(told) != 1 or told[0] not in bar:
        return seen
    return [_by(s, shares[s.point]) if s.point in shares else s for s in seen]


def _in_one_bar(likely: list[Sight], limits: Limits) -> list[Sight]:
    """The places with most around them, if they stand in one line, and no two are copies of one window."""
    most = max((s.context for s in likely), default=0.0)
    near = [s for s in likely if s.context >= most - limits.twin]
    copies = sum(s.context >= COPY for s in near) > 1
    lined = all(abs(s.point.y - near[0].point.y) <= limits.lined for s in near)
    return near if lined and not copies else []


def _share(work: Work, at: Point, icons: list[Box]) -> float:
    """The share of the icons that stand around a place as they did; 0 where something right beside it is new.

    That is what an arrow belongs to.
    """
    known, seen = aligned(work, at, work.anchor.wide)
    core, top = work.anchor.core, round(work.anchor.core.center.y) - NEAR.height
    for left in (core.x - NEAR.width, core.right):
        side = Box(left, top, NEAR.width, 2 * NEAR.height).clip(work.anchor.size)
        alike = likeness(cut(known, side), cut(seen, side)) if side.area else None
        if alike is not None and alike.over(np.ones_like(alike.alike)) < SAME:
            return 0.0
    return sum(correlation(cut(known, box), cut(seen, box)) >= AROUND for box in icons) / len(icons)


def _by(sight: Sight, share: float) -> Sight:
    if share < THERE:
        return sight._replace(context=min(sight.context, share))
    return sight._replace(context=max(sight.context, share), column=None)


def telling(anchor: CropAnchor) -> list[Box]:
    """The icons in its row that are each the only one of their kind; none where words may name the target."""
    gray, core, window = anchor.gray, anchor.core, inside_borders(anchor.gray)
    if not _nameless(gray, core, window):
        return []
    boxes = [box for box in map(box_of, marks(gray)) if _beside(box, core, window)]
    if anchor.column is not None and any(_written(box) and not _of_icons(box, boxes) for box in boxes):
        return []  # its equals may have names beside them, as it has
    icons = [box for box in boxes if stout(box)]
    whole = [box for box in icons if not any(box != o and box.intersect(o) == box for o in icons)]
    return [box for box in whole if not equals(gray, box).across and not _varies(anchor, box)]


def _beside(box: Box, core: Box, window: Box) -> bool:
    within = box.intersect(window) == box and not box.intersect(core.grow(RIM)).area
    return within and abs(box.center.y - core.center.y) <= LEVEL


def _of_icons(box: Box, boxes: list[Box]) -> bool:
    """Whether a mark is icons that stand close together."""
    return any(stout(one) and one.intersect(box) == one for one in boxes)


def _written(box: Box) -> bool:
    return word(box) and box.width >= WORD


def _varies(anchor: CropAnchor, box: Box) -> bool:
    return anchor.vary is not None and bool(cut(anchor.vary, box).any())


def _nameless(gray: Pixels, core: Box, window: Box) -> bool:
    """Whether nothing is written above or below the target, up to where its bar ends."""
    if core.intersect(window) != core:
        return False
    ink = cut(edges(gray, EDGE), window)
    left, right = core.x - window.x, core.right - window.x
    above = range(core.y - window.y - RIM, max(0, core.y - window.y - ROOM) - 1, -1)
    below = range(core.bottom - window.y + RIM, min(len(ink), core.bottom - window.y + ROOM))
    return all(_free(ink, rows, left, right) for rows in (above, below))


def _free(ink: Pixels, rows: range, left: int, right: int) -> bool:
    for row in rows:
        if float(ink[row].mean()) >= BORDER:
            return True
        if 0 < float(ink[row, max(0, left) : right].mean()) < LINE:
            return False
    return True

"""The rows next to a row of a list: one that was sorted anew stands among others of its own list still.

An entry may also have moved to another list, with the same buttons, under another heading: there its
neighbours are others.
"""

from __future__ import annotations

import numpy as np

from ibtr.covered import moved_to
from ibtr.evidence import CropAnchor
from ibtr.geometry import Box, Point
from ibtr.letters import level
from ibtr.marks import box_of, marks, words_of
from ibtr.masks import edges
from ibtr.pixels import correlate, cut, size_of
from ibtr.reading import same_text
from ibtr.work import Work

LINED, UNEVEN = 3, 4
"""Pixels by which the rows of one list may begin apart, and their texts differ in height."""
NEXT = 1.15
"""How far the next row may be, in steps of the list."""
INK, SAME = 24, 0.9
"""Levels between neighbouring pixels that make a stroke, and correlation of a name that is there."""


def kin_of(anchor: CropAnchor) -> tuple[Box, list[Box]]:
    """Where the name of a row is in its picture, and the names of the rows that stood above and below it."""
    assert anchor.row is not None
    whole = anchor.beyond or anchor
    tells = moved_to(anchor.row.context, anchor.row, whole)
    words = list(map(box_of, words_of(marks(whole.gray))))
    words = [box for box in words if not any(box != one and box.intersect(one) == box for one in words)]
    own = min((box for box in words if box.intersect(tells).area), key=lambda box: box.x, default=tells)
    lined = [
        box
        for box in words
        if abs(box.x - own.x) <= LINED and abs(box.height - own.height) <= UNEVEN and not level(box, own)
    ]
    return own, _run(own, lined)


def _run(own: Box, lined: list[Box]) -> list[Box]:
    """Those that follow on one another at the pitch of the list: behind a heading another one begins."""
    step = min((abs(box.center.y - own.center.y) for box in lined), default=0)
    run = [own]
    for box in sorted(lined, key=lambda box: abs(box.center.y - own.center.y)):
        if min(abs(box.center.y - one.center.y) for one in run) <= NEXT * step:
            run.append(box)
    return run[1:]


def among_kin(work: Work, at: Point, own: Box, kin: list[Box]) -> float:
    """The share of the rows next to a place, above and below, that stood in its list when it was recorded."""
    if not kin:
        return 0.0
    whole = work.anchor.beyond or work.anchor
    step = min(abs(box.center.y - own.center.y) for box in kin)
    left, top = round(own.x + at.x - whole.click.x), round(own.y + at.y - whole.click.y)
    high, wide = round(NEXT * step), max(box.width for box in kin)
    sides = [
        Box(left - LINED, y, wide + 2 * LINED, high).clip(work.view.size)
        for y in (top - high - UNEVEN, top + own.height + UNEVEN)
    ]
    there = [side for side in sides if side.area and edges(cut(work.view.gray, side), INK).any()]
    return sum(_shows(work, whole, side, kin) for side in there) / len(there) if there else 0.0


def _shows(work: Work, whole: CropAnchor, part: Box, kin: list[Box]) -> bool:
    """Whether one of the names stands in a part of the screen."""
    seen = cut(work.view.gray, part)
    for name in kin:
        known = cut(whole.gray, name)
        if any(own > room for own, room in zip(size_of(known), size_of(seen), strict=True)):
            continue
        scores = correlate(seen, known)
        y, x = divmod(int(np.argmax(scores)), scores.shape[1])
        if scores[y, x] >= SAME and same_text(known, cut(seen, Box(x, y, name.width, name.height))):
            return True
    return False

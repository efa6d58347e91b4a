"""A button that lies between pixels: its frame moves on to one of them, and its text to another one.

So a page draws what was pushed down by half a pixel. Only where the text has all of its pixels may its frame
lie a pixel off; nothing else may differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from ibtr.geometry import Box, Point
from ibtr.judge import Limits, verified
from ibtr.pixels import Pixels, cut
from ibtr.reading import RESCALED, read_text, same_text
from ibtr.reflow import in_list
from ibtr.search import Candidate
from ibtr.sight import Sight, beyond, look, look_around, near_part, read_list
from ibtr.view import View
from ibtr.work import Work

INLAID = "between pixels"
"""The representation's name in the report."""
MOST, LEAST = 8, 0.6
"""Places that are looked at, at most, and how much of the widget must be seen there as it is."""
WAYS = tuple((one, other) for one, other in product((0, -1, 1), repeat=2))
"""Pixels by which the text may lie off, and each side of its frame from that."""


def frames_put_right(work: Work, seen: Sequence[Sight], limits: Limits) -> list[Sight]:
    """The same sights, those whose text is there in a frame that lies a pixel off with that put right."""
    likely = [s for s in seen if s.core >= LEAST and (s.misread or not verified(s, limits))]
    likely = sorted(likely, key=lambda s: -s.core)[:MOST]
    return in_list(work, [_put_right(work, s, limits) if s in likely else s for s in seen], limits)


def _put_right(work: Work, sight: Sight, limits: Limits) -> Sight:
    found = look_inlaid(work, sight, limits)
    if found is None:
        return sight
    around = max((sight, look_around(work, found)), key=lambda s: s.context)  # that may go with the frame
    found = found._replace(context=around.context, context_score=around.context_score)
    return read_text(work, read_list(work, found))


def look_inlaid(work: Work, sight: Sight, limits: Limits, share: float = 1.0) -> Sight | None:
    """The widget with its frame where it was around its text; None where that is not all that differs."""
    line = work.anchor.line
    if line is None or work.inverted or work.flat or abs(work.scaling.mean - 1) > RESCALED:
        return None
    line = line.intersect(work.anchor.core)
    if not line.area:
        return None
    for at in _texts(work, sight.point, line):
        again = _framed(work, at, line)
        if verified(again, limits, share):
            return again
    return None


def _texts(work: Work, at: Point, line: Box) -> Iterator[Point]:
    """Where the text is, pixel by pixel, around a place."""
    for x, y in WAYS:
        left, top = round(at.x - work.click.x) + x, round(at.y - work.click.y) + y
        there, seen = Box(line.x + left, line.y + top, line.width, line.height), work.view
        if there.clip(seen.size) == there and same_text(cut(work.gray, line), cut(seen.gray, there)):
            yield Point(work.click.x + left, work.click.y + top)


def _framed(work: Work, at: Point, line: Box) -> Sight:
    """The widget, its frame put right above and below its text, then beside; what is on the screen of it."""
    left, top = round(at.x - work.click.x), round(at.y - work.click.y)
    near = near_part(work)
    part = Box(near.x + left, near.y + top, near.width, near.height).grow(4)
    seen = work.view.window(part, colour=True)
    hidden = None if part.clip(work.view.size) == part else beyond(work, at, near)
    text = Box(line.x + left - part.x, line.y + top - part.y, line.width, line.height)
    click = Candidate(Point(at.x - part.x, at.y - part.y), 0.0)

    def moved(patch: Pixels, axis: int, ways: tuple[int, int]) -> tuple[float, Pixels, Sight]:
        """How much of the widget is there if both sides of its frame are moved so."""
        put = _put(patch, text, axis, ways)
        sight = look(Work(work.anchor, View(put), work.scaling), click, hidden)
        return sight.weakest + sight.core, put, sight

    for axis in (0, 1):
        _, seen, best = max((moved(seen, axis, ways) for ways in WAYS), key=lambda found: found[0])
    return best._replace(point=at)


def _put(seen: Pixels, text: Box, axis: int, ways: tuple[int, int]) -> Pixels:
    """A picture, what is before and what is behind the text moved by so many pixels along an axis."""
    first, last = (text.y, text.bottom) if axis == 0 else (text.x, text.right)
    put = np.moveaxis(seen, axis, 0).copy()
    for side, way in ((put[:first], ways[0]), (put[last:], ways[1])):
        side[:] = side[np.clip(np.arange(len(side)) - way, 0, len(side) - 1)]
    return np.ascontiguousarray(np.moveaxis(put, 0, axis))

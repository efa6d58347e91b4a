"""A field of one line that is longer than the kept picture: known by its two ends.

A part of it is like any other, and so is what stands around that: an address bar, a search field as wide as
its window. Each end, its frame and what stands outside of it, is found like any target, and the field is the
frame that begins there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from ibtr.anew import within_field
from ibtr.bars import emptied, inside, recorded_field, start_of
from ibtr.beside import shifted
from ibtr.errors import AmbiguousTarget, MissingTarget
from ibtr.evidence import CropAnchor
from ibtr.geometry import Box, Point
from ibtr.judge import Limits, numbers, verified
from ibtr.masks import edges
from ibtr.pixels import cut
from ibtr.plain import WIDEST, field
from ibtr.report import Aim
from ibtr.search import Candidate
from ibtr.sight import Sight, look
from ibtr.view import View
from ibtr.work import Scaling, Work
from ibtr.written import INK, is_blank, is_text

ENDS = "by its ends"
"""The representation's name in the report."""
OFF = 2
"""Pixels by which a side may stand off."""
WIDER = (0.3, 3.0)
"""Least and most by which its width may have changed, where both ends are there."""
DRAWN = ("gray", "beside pointer", "lit", "cut off", "re-rendered")
"""Ways to see an end that keep its size and colours."""
NARROW = 0.9
"""Share of its width below which a field is another one."""
STEPS = (4, 40, 120)
"""Pixels from an end at which the ground of the field is looked for: a letter may stand there."""


class _Found(NamedTuple):
    """An end that was found, and where it was recorded."""

    aim: Aim
    known: Point

    def at(self, recorded: Point) -> Point:
        """A place that keeps its distance to it."""
        (x, y), by = self.aim.point, self.aim.scale
        return Point(x + (recorded.x - self.known.x) * by.x, y + (recorded.y - self.known.y) * by.y)


def aim_by_ends(
    anchor: CropAnchor,
    view: View,
    find: Callable[[CropAnchor], Aim],
    limits: Limits,
    ms: Mapping[str, float],
) -> Aim:
    """The part of a field between its two ends, or as far from one of them as it was.

    Raises:
        MissingTarget: its beginning is not there, no such field begins there, or it shows another thing.
        AmbiguousTarget: one of its ends is there twice.
    """
    anchor = emptied(anchor)
    start = _found(start_of(anchor), find)
    end = _found(
        anchor.end, find, unclear=anchor.row is not None
    )  # those of fields that names tell are alike
    if start is None and (end is None or anchor.row is not None):
        raise MissingTarget("the beginning of the field is not there, or its name is another one")
    ends = [one for one in (start, end) if one is not None]
    recorded = Point(anchor.source.x + anchor.click.x, anchor.source.y + anchor.click.y)
    old = recorded_field(anchor)
    point, box = _between(old, start, end, recorded) or _framed(view, anchor, start, end, recorded)
    aim = min((one.aim for one in ends), key=lambda a: a.score)
    sight = _sight(anchor, view, point, aim)
    if not _clear(anchor, view, sight, box, aim.scale, limits=limits):
        raise MissingTarget("something else stands where the field was clicked", **numbers(sight))
    shift = Point(point.x - aim.scale.x * recorded.x, point.y - aim.scale.y * recorded.y)
    return replace(
        aim,
        point=point,
        margin=min(one.aim.margin for one in ends),
        representation=ENDS,
        box=box,
        sight=sight._replace(context=aim.sight.context, context_score=aim.sight.context_score),
        shift=shift,
        ms=dict(ms),
    )


def verify_within(anchor: CropAnchor, aim: Aim, patch: View, corner: Point, limits: Limits) -> Sight:
    """The part of the field once more, on a small patch of the screen whose corner is at `corner`.

    Raises:
        MissingTarget: something else is under the pointer.
    """
    anchor = emptied(anchor)
    at = Point(aim.point.x - corner.x, aim.point.y - corner.y)
    box = shifted(aim.box, Box(round(corner.x), round(corner.y), 0, 0))
    sight = _sight(anchor, patch, at, aim)
    if not _clear(anchor, patch, sight, box, aim.scale, limits=limits):
        raise MissingTarget("something else is under the pointer now", **numbers(sight))
    return sight._replace(point=aim.point)


def _found(
    end: CropAnchor | None, find: Callable[[CropAnchor], Aim], *, unclear: bool = False
) -> _Found | None:
    """An end, if it is there as it was drawn; one that may be `unclear` is none where it is there twice.

    Raises:
        AmbiguousTarget: it is there twice, and must not be.
    """
    if end is None:
        return None
    with suppress(MissingTarget, *((AmbiguousTarget,) if unclear else ())):
        aim = find(end)
        if aim.representation in DRAWN:
            return _Found(aim, Point(end.source.x + end.click.x, end.source.y + end.click.y))
    return None


def _between(old: Box, start: _Found | None, end: _Found | None, recorded: Point) -> tuple[Point, Box] | None:
    """The place that keeps its distance to both ends, if it does: then no frame has to be seen."""
    if start is None or end is None or start.aim.scale != end.aim.scale:
        return None
    points = start.at(recorded), end.at(recorded)
    if max(abs(a - b) for a, b in zip(*points, strict=True)) > OFF:
        return None
    (left, y), (right, _), height = start.aim.point, end.aim.point, old.height * start.aim.scale.y
    return points[0], Box(round(left), round(y - height / 2), round(right - left), round(height))


def _framed(
    view: View, anchor: CropAnchor, start: _Found | None, end: _Found | None, recorded: Point
) -> tuple[Point, Box]:
    """The place in the frame that begins at one end; at the same share of it where that is longer or shorter.

    Raises:
        MissingTarget: there is no such frame, or it is not as long as it was, and neither its other end nor
            its name says that it is the one.
    """
    first = start or end
    assert first is not None
    by, off = first.aim.scale, OFF * max(1.0, first.aim.scale.x)
    new = _field_at(view, first, 1 if start is not None else -1)
    old = recorded_field(anchor)
    if new is None or abs(new.height - old.height * by.y) > off:
        raise MissingTarget("no such field begins where it did", point=[*map(float, first.aim.point)])
    if abs(new.width - old.width * by.x) <= off:
        return first.at(recorded), new
    wider = new.width / (old.width * by.x)
    ended = anchor.row is not None if end is None else abs(end.aim.point.x - new.right) <= off
    if start is None or not ended or not WIDER[0] <= wider <= WIDER[1]:
        raise MissingTarget("the field is longer or shorter, and its other end is not there", longer=wider)
    return Point(within_field(recorded, old, new).x, first.at(recorded).y), new


def _sight(anchor: CropAnchor, view: View, at: Point, end: Aim) -> Sight:
    """The part that was clicked, compared with what is there now."""
    return look(Work(anchor, view, Scaling(*end.scale)), Candidate(at, 0.0))


def _clear(anchor: CropAnchor, view: View, sight: Sight, box: Box, by: Point, *, limits: Limits) -> bool:
    """Whether the field is as it was where it was clicked, or shows its text there, if it had one."""
    at, height = sight.point, box.height
    own = field(view.gray, at, WIDEST)
    if own is not None and own.width < NARROW * box.width:  # another field
        return False
    compared = anchor.vary is None or not anchor.vary[round(anchor.click.y), round(anchor.click.x)]
    before = compared and not is_blank(anchor.gray, anchor.click, round(height / by.y))
    if verified(sight, limits) and (before or is_blank(view.gray, at, height, by)):
        return True
    drawn = verified(sight._replace(fresh=0.0), limits)
    return drawn and _written(anchor) and is_text(view.gray, box, at, by)


def _written(anchor: CropAnchor) -> bool:
    """Whether something was written in the field: then it is about to be filled, and that may be anything."""
    whole = inside(recorded_field(anchor))
    kept = [one for one in (anchor, anchor.start, anchor.end) if one is not None]
    shown = [cut(one.gray, shifted(whole.intersect(one.source), one.source)) for one in kept]
    return any(edges(part, INK).any() for part in shown)


def _field_at(view: View, end: _Found, way: int) -> Box | None:
    """The frame that begins at an end, or with `way` -1 ends there."""
    (x, y), by = end.aim.point, end.aim.scale.x
    for step in STEPS:
        own = field(view.gray, Point(x + way * step * by, y), WIDEST)
        if own is not None and abs((own.x if way > 0 else own.right) - x) <= OFF * max(1.0, by):
            return own
    return None

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

import numpy as np

from ibtr.anew import within_field
from ibtr.beside import mask_under, shifted, union
from ibtr.errors import AmbiguousTarget, MissingTarget
from ibtr.evidence import WIDGET, CropAnchor
from ibtr.geometry import Box, Point, Size
from ibtr.judge import Limits, numbers, verified
from ibtr.masks import edges
from ibtr.pixels import Pixels, cut, size_of
from ibtr.plain import WIDEST, field
from ibtr.report import Aim
from ibtr.search import Candidate
from ibtr.sight import Sight, look
from ibtr.view import View
from ibtr.work import Scaling, Work
from ibtr.written import FRAME, INK, is_blank, is_text

ENDS = "by its ends"
"""The representation's name in the report."""
SHORTEST, HIGHEST = 260, 48
"""A shorter field is kept whole; a higher one is a pane, in which the line that was clicked counts."""
OUTSIDE, INSIDE, BESIDE = 160, 40, 90
"""Pixels that are kept of what lies before an end, behind it, and above and below."""
CORE, ROUND, CONTEXT = Size(14, 4), 0.6, 56
"""How far an end goes to each side, and above and below its field; to each side at least by so much of the
field's height, for it may be round; and what must stand around it."""
OFF = 2
"""Pixels by which a side may stand off."""
WIDER = (0.3, 3.0)
"""Least and most by which its width may have changed, where both ends are there."""
DRAWN = ("gray", "beside pointer", "lit", "cut off", "re-rendered")
"""Ways to see an end that keep its size and colours."""
STEP = 8
"""Pixels at which fields beside a widget are looked for."""
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


def long_field(anchor: CropAnchor, gray: Pixels, *, content: bool) -> Box | None:
    """The field on the screen that a target is a part of: of one line, and longer than its picture shows.

    What is written in it must be `content`, or nothing: else it is a wide button, or a row of a list, which
    that names.
    """
    if not anchor.slides[0]:
        return None
    own = field(gray, Point(anchor.source.x + anchor.click.x, anchor.source.y + anchor.click.y), WIDEST)
    if own is None or not _long(own) or own.intersect(anchor.source) == own:
        return None
    return own if content or not edges(cut(gray, inside(own)), INK).any() else None


def fields_beside(gray: Pixels, click: Point) -> list[Box]:
    """The long fields left and right of a click: what is written in them does not name what was clicked."""
    steps = (step * way for way in (-1, 1) for step in range(0, WIDGET.width // 2 + 1, STEP))
    found = {field(gray, Point(click.x + step, click.y), WIDEST) for step in steps}
    return sorted(own for own in found if own is not None and _long(own) and not own.contains(click))


def _long(own: Box) -> bool:
    return own.height <= HIGHEST and own.width >= SHORTEST


def inside(own: Box) -> Box:
    """What may be written in a field: all but its rim."""
    return Box(own.x + FRAME, own.y + FRAME, own.width - 2 * FRAME, own.height - 2 * FRAME)


def end_of(screen: Pixels, own: Box, marked: Pixels | None, *, last: bool) -> CropAnchor:
    """One end of a field as a target: its frame, and what stands outside; what is written inside may vary."""
    size, y = size_of(screen), own.y + own.height // 2
    x, before, behind = (own.right, INSIDE, OUTSIDE) if last else (own.x, OUTSIDE, INSIDE)
    part = Box(x - before, y - BESIDE, before + behind, 2 * BESIDE).clip(size)
    known = mask_under(marked, part)
    mask = np.zeros((part.height, part.width), np.uint8) if known is None else known
    cut(mask, shifted(inside(own).intersect(part), part))[:] = 1
    half = max(CORE.width, round(ROUND * own.height))
    core = Box(x - half, own.y, 2 * half, own.height).intersect(part)
    core = shifted(Box(core.x, core.y - CORE.height, core.width, core.height + 2 * CORE.height), part)
    whole = Size(part.width, part.height)
    core = core.clip(whole)
    target = core.grow(6).clip(whole)
    context, click = target.grow(CONTEXT).clip(whole), Point(x - part.x, y - part.y)
    shown = shifted(own.intersect(part), part)
    return CropAnchor(cut(screen, part).copy(), click, core, target, context, part, size, mask, field=shown)


def start_of(anchor: CropAnchor) -> CropAnchor | None:
    """The beginning of a field, as a target that reads the words by which it is named, if any."""
    start, row = anchor.start, anchor.row
    if start is None or row is None:
        return start
    core, target, name = (
        shifted(box, Box(-one.source.x, -one.source.y, 0, 0))
        for box, one in ((start.core, start), (start.target, start), (row.context, row))
    )
    part = union(name.grow(2), core).intersect(row.source)
    within = shifted(part, row.source)
    vary = None if row.vary is None else cut(row.vary, within)
    core, target, name = (shifted(box.intersect(part), part) for box in (core, target, name))
    click = Point(start.source.x + start.click.x - part.x, start.source.y + start.click.y - part.y)
    strip = CropAnchor(cut(row.image, within), click, core, target, name, part, row.screen, vary)
    return replace(start, row=strip)


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
    start = _found(start_of(anchor), find)
    end = _found(
        anchor.end, find, unclear=anchor.row is not None
    )  # those of fields that names tell are alike
    if start is None and (end is None or anchor.row is not None):
        raise MissingTarget("the beginning of the field is not there, or its name is another one")
    ends = [one for one in (start, end) if one is not None]
    recorded = Point(anchor.source.x + anchor.click.x, anchor.source.y + anchor.click.y)
    old = _recorded(anchor)
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
    old = _recorded(anchor)
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
    before = is_blank(anchor.gray, anchor.click, round(height / by.y))
    if verified(sight, limits) and (not before or is_blank(view.gray, at, height, by)):
        return True
    drawn = verified(sight._replace(fresh=0.0), limits)
    return drawn and _written(anchor) and is_text(view.gray, box, at, by)


def _written(anchor: CropAnchor) -> bool:
    """Whether something was written in the field: then it is about to be filled, and that may be anything."""
    whole = inside(_recorded(anchor))
    kept = [one for one in (anchor, anchor.start, anchor.end) if one is not None]
    shown = [cut(one.gray, shifted(whole.intersect(one.source), one.source)) for one in kept]
    return any(edges(part, INK).any() for part in shown)


def _recorded(anchor: CropAnchor) -> Box:
    """The field on the screen that it was recorded on."""
    shown = [(one.source, one.field) for one in (anchor.start, anchor.end) if one is not None and one.field]
    if len(shown) < 2:
        raise MissingTarget("its ends were not kept whole")
    return union(*(shifted(box, Box(-source.x, -source.y, 0, 0)) for source, box in shown))


def _field_at(view: View, end: _Found, way: int) -> Box | None:
    """The frame that begins at an end, or with `way` -1 ends there."""
    (x, y), by = end.aim.point, end.aim.scale.x
    for step in STEPS:
        own = field(view.gray, Point(x + way * step * by, y), WIDEST)
        if own is not None and abs((own.x if way > 0 else own.right) - x) <= OFF * max(1.0, by):
            return own
    return None

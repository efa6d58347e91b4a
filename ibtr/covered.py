"""A target whose window is partly covered, or leaves the screen, read as far as it is to be seen.

What lies beyond the line that cuts it off (`severed`) does not read otherwise now: it is not to be seen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ibtr.compare import inside, likeness
from ibtr.evidence import CropAnchor
from ibtr.geometry import Box, Point
from ibtr.judge import Limits, verified
from ibtr.lists import APART, INK, equals_at
from ibtr.pixels import Pixels, absolute_difference, cut, size_of, turned
from ibtr.reading import around_line, read_text
from ibtr.search import Candidate
from ibtr.severed import Sides, all_there, as_it_was, ends, opened, sides_met
from ibtr.sight import Sight, look, near_part, read_list, relative, vicinity
from ibtr.work import Scaling, Work, aligned

MOST = 10
"""Places that are looked at so: those with most of what stood around the target."""
CLOSE = 34
"""Pixels beside a widget where what tells its row must be seen: a box that shows its state stands there."""


def in_part(work: Work, seen: list[Sight], limits: Limits) -> list[Sight]:
    """The same sights, read as far as they are to be seen, if something else lies over the rest of one."""
    if work.inverted or work.flat or work.scaling != Scaling(1.0, 1.0):
        return seen
    likely = [s for s in seen if s.spot >= limits.spot and s.context >= limits.support]
    likely = sorted(likely, key=lambda s: -s.context)[:MOST]
    parts = {s.point: part for s in likely if (part := free(work, s.point)) is not None}
    if not parts:
        return seen
    least = next(iter(parts.values()))  # what tells one from its equals must tell it by that, too
    alike = [s.point for s in seen if s.point in parts or verified(s, limits, limits.rival)]
    return [_read(work, s, parts.get(s.point, least)) if s.point in alike else s for s in seen]


def _read(work: Work, sight: Sight, part: Box) -> Sight:
    near = near_part(work)
    hidden = 1 - inside((near.height, near.width), relative(part, near))
    again = look(work, Candidate(sight.point, sight.score), hidden)
    again = again._replace(context=sight.context, context_score=sight.context_score)
    return read_text(work, read_list(work, again, part), part)


def free(work: Work, at: Point) -> Box | None:
    """The part that is to be seen around a click at `at`, where a line cuts off some of what must be read.

    None where there is no such line, or where too little is left: the widget, and what tells it from its
    equals. A line beyond the picture is seen where all around the row was kept.
    """
    anchor = work.anchor
    if anchor.beyond is not None:
        further = Work(_pictured(anchor, anchor.beyond), work.view, work.scaling)
        part = free(further, at)
        return part and moved_to(part, further.anchor, anchor)
    known, seen = aligned(work, at, anchor.wide)
    part = as_it_was(work, known, seen)
    if part is None:
        return None
    read = list(_to_read(anchor))
    met = sides_met(part, anchor)
    cuts = [turn for turn in met if any(ends(box, turn) > ends(part, turn) for box in read)]
    sure = opened(part, cuts)
    if not cuts or any(box.intersect(sure) != box for box in _whole(anchor)):
        return None
    shape, alike = known.shape[:2], likeness(known, seen).alike
    empty = np.zeros(shape, np.float32)
    gone: list[int] = []
    for turn in met:
        own = (inside(shape, box) for box in read if turn in cuts and ends(box, turn) > ends(part, turn))
        side = Sides(known, seen, alike, inside(shape, part), sum(own, empty)).turned(turn)
        signs = side.is_gone(), side.is_crossed()
        if turn in cuts and not all(signs):
            return None
        gone += [turn] if any(signs) else []
    if not all_there(known, alike, opened(part, gone).clip(anchor.size)):
        return None
    return sure if _tells(anchor, seen, sure.clip(anchor.size)) else None


def _pictured(anchor: CropAnchor, other: CropAnchor) -> CropAnchor:
    """The same target in another picture of its screen."""
    core, target, context = (moved_to(b, anchor, other) for b in (anchor.core, anchor.target, anchor.context))
    return replace(
        anchor, image=other.image, click=other.click, core=core, target=target, context=context,
        source=other.source, vary=other.vary, line=anchor.line and moved_to(anchor.line, anchor, other),
        far=anchor.far and moved_to(anchor.far, anchor, other), field=None, label=None, beyond=None, fades=(),
    )  # fmt: skip


def _to_read(anchor: CropAnchor) -> Iterable[Box]:
    """All that must read the same, in pixels of the picture."""
    yield anchor.core
    for line in filter(None, (anchor.line, anchor.far)):
        yield around_line(line)
    for strip in (anchor.row, anchor.column):
        if strip is not None:
            yield moved_to(strip.context, strip, anchor)


def _whole(anchor: CropAnchor) -> Iterable[Box]:
    """What must be seen of that: a text as far as the widget goes; of one with equals, all that is near."""
    yield vicinity(anchor.click, 1.0).intersect(anchor.core)
    if anchor.line is not None:
        yield anchor.line.intersect(anchor.core)
    for strip in (anchor.row, anchor.column):
        if strip is not None:
            yield anchor.core
            yield anchor.core.grow(CLOSE).intersect(moved_to(strip.context, strip, anchor)).clip(anchor.size)


def moved_to(box: Box, one: CropAnchor, other: CropAnchor) -> Box:
    """A box of one picture in pixels of another one of the same screen."""
    return Box(box.x + one.source.x - other.source.x, box.y + one.source.y - other.source.y, *box[2:])


def _tells(anchor: CropAnchor, seen: Pixels, part: Box) -> bool:
    """Whether what is to be seen of its row and column differs from those of all its equals there."""
    core, row, column = relative(anchor.core, part), anchor.row, anchor.column
    shown = cut(seen, part)
    found = equals_at(shown, core, anchor.click.y - part.y)
    if row is not None and not _differs(
        shown, core, relative(moved_to(row.wide, row, anchor), part), found.down
    ):
        return False
    if column is None:
        return True
    strip = relative(moved_to(column.wide, column, anchor), part)
    return _differs(turned(shown), _turned(core), _turned(strip), found.across)


def _turned(box: Box) -> Box:
    return Box(box.y, box.x, box.height, box.width)


def _differs(shown: Pixels, core: Box, row: Box, down: list[int]) -> bool:
    """Whether a row differs, beside the widget, from each that is `down` from it; some of them are there."""
    row, told = row.clip(size_of(shown)), 0
    for step in down:
        theirs = row._replace(y=row.y + step)
        if theirs.clip(size_of(shown)) != theirs:
            continue
        apart = absolute_difference(cut(shown, row), cut(shown, theirs)) >= APART
        apart[:, max(0, core.x - row.x) : max(0, core.right - row.x)] = False
        if int(apart.sum()) < INK:
            return False
        told += 1
    return told > 0

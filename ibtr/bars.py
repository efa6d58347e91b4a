"""What is kept of a field of one line that is longer than its picture: its two ends, and what names it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ibtr.beside import mask_under, shifted, union
from ibtr.errors import MissingTarget
from ibtr.evidence import WIDGET, CropAnchor
from ibtr.geometry import Box, Point, Size
from ibtr.masks import edges
from ibtr.pixels import Pixels, cut, size_of
from ibtr.plain import WIDEST, field
from ibtr.widget import EDGING
from ibtr.written import FRAME, INK, NEAR

SHORTEST, HIGHEST = 260, 48
"""A shorter field is kept whole; a higher one is a pane, in which the line that was clicked counts."""
OUTSIDE, INSIDE, BESIDE = 160, 40, 90
"""Pixels that are kept of what lies before an end, behind it, and above and below."""
CORE, ROUND, CONTEXT = Size(14, 4), 0.6, 56
"""How far an end goes to each side, and above and below its field; to each side at least by so much of the
field's height, for it may be round; and what must stand around it."""
STEP = 8
"""Pixels at which fields beside a widget are looked for."""


def long_field(anchor: CropAnchor, gray: Pixels, *, content: bool) -> Box | None:
    """The field on the screen that a target is a part of: of one line, and longer than its picture shows.

    What is written in it must be `content`, or nothing: else it is a wide button, or a row of a list, which
    that names. Where it was clicked on a text, only one that nothing names: no row may be read by that.
    """
    if not anchor.slides[0] and not (content and anchor.row is None and anchor.label is None):
        return None
    own = field(gray, Point(anchor.source.x + anchor.click.x, anchor.source.y + anchor.click.y), WIDEST)
    if own is None or not _long(own) or own.intersect(anchor.source) == own:
        return None
    return own if content or not edges(cut(gray, inside(own)), INK).any() else None


def emptied(anchor: CropAnchor) -> CropAnchor:
    """The part of a field that was clicked on a text, without that."""
    if anchor.slides[0]:
        return anchor
    own = shifted(recorded_field(anchor), anchor.source)
    mask = np.zeros((anchor.size.height, anchor.size.width), np.uint8) if anchor.vary is None else anchor.vary
    mask = mask.copy()
    cut(mask, inside(own).clip(anchor.size))[:] = 1
    x = round(anchor.click.x)
    core = Box(x - NEAR, own.y - EDGING, 2 * NEAR, own.height + 2 * EDGING)
    core = core.intersect(Box(own.x + EDGING, 0, own.width - 2 * EDGING, anchor.size.height))
    return replace(
        anchor, vary=mask, core=core, target=core.grow(4).clip(anchor.size), line=None, far=None, fades=()
    )


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


def recorded_field(anchor: CropAnchor) -> Box:
    """The field on the screen that it was recorded on."""
    shown = [(one.source, one.field) for one in (anchor.start, anchor.end) if one is not None and one.field]
    if len(shown) < 2:
        raise MissingTarget("its ends were not kept whole")
    return union(*(shifted(box, Box(-source.x, -source.y, 0, 0)) for source, box in shown))

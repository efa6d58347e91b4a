"""remember(): what to keep of a target."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce
from typing import cast

import numpy as np

from ibtr.aim import has_twin
from ibtr.cells import Cell, blank_at
from ibtr.errors import BadImage
from ibtr.evidence import WIDGET, CropAnchor, Evidence
from ibtr.geometry import Box, Point, Size
from ibtr.ground import clipped, inside_borders
from ibtr.lists import equals, equals_at, line_in, row_of, telling
from ibtr.panel import with_panel
from ibtr.pixels import (
    Floats,
    Pixels,
    checked,
    closed,
    components,
    cut,
    edges,
    in_colours,
    size_of,
    to_gray,
    turned,
)
from ibtr.plain import field
from ibtr.reading import label_of, line_at

REACH = Size(300, 180)
"""How far from the click the widest crop goes, to each side."""
CONTEXT = 56
"""How far the context crop goes beyond the target."""
LEAST = Size(40, 28)
"""Least size of the target crop: a smaller one matches everywhere."""
ROW = Size(240, 60)
"""How far to each side a widget is looked for."""
EDGE = 14
"""Levels between neighbouring pixels that make an edge."""
GAP = Size(9, 5)
"""Edges closer than this belong to one widget."""
NEAR = ((0.35, 1.4), (0.12, 1.8))
"""What a pixel beside and below counts when the click was on a plain spot: a row reads sideways."""
FAR = 28
"""Edges that far away, so counted, do not belong to the click."""
LINES, LABEL = 22, 64
"""Half of a row's height, and of a column's width, that belongs to an item of a list."""
EDGING = 3
"""Width of the frame around a field."""
VARIES = 0.9
"""Share of a line that is known to vary from which what lies beyond is not looked for."""
LONGEST, NAMED = 900, 160
"""Width of a field that is kept whole, and of what is kept beside its beginning."""
FURTHER = 600
"""How far beyond the picture all around a row or a column is kept."""
SPOT = 24
"""Side of the core where there are no edges near the click."""

Vary = Pixels | Iterable[Box]


def remember(
    screen: Pixels,
    point: Point,
    box: Box | None = None,
    *,
    vary: Vary | None = None,
    inputs: Sequence[Box] = (),
    panel: Box | None = None,
    content: bool = False,
    cell: Cell | None = None,
    state: Box | None = None,
) -> Evidence:
    """Everything that re-aiming at `point` may need of `screen`.

    `box` is the widget where it is known; `vary` marks pixels known to vary, as a mask or as boxes; `inputs`
    show what will be another text next time, and vary too; `content` says that the text there is not the
    target's name: a field that is about to be filled; `cell` is the cell of a grid that it stands in, where
    that may hold anything; `state` stands beside the target, and must look as it
    does here: the box that a click on its label ticks; `panel` is the
    dialog that the target stands in, if any.

    Raises:
        BadImage: the screen is not a picture, or the point or the box is not on it.
    """
    image = checked(screen)
    size = size_of(image)
    if not Box(0, 0, *size).contains(point):
        raise BadImage(f"the point {tuple(point)} is not on the screen of {size.width}x{size.height}")
    if box is not None and not box.clip(size).area:
        raise BadImage(f"the box {tuple(box)} is not on the screen of {size.width}x{size.height}")
    wide = Box(round(point.x) - REACH.width, round(point.y) - REACH.height, 2 * REACH.width, 2 * REACH.height)
    wide = (_with_field(to_gray(image), point, wide) if content else wide).clip(size)
    picture = cut(image, wide).copy()
    marked = _marked(vary, size)
    if cell is None and box is None and not inputs:
        cell = blank_at(to_gray(image), point)
    for part in (*inputs, *(cell.contents if cell else ())):
        marked = np.zeros((size.height, size.width), np.uint8) if marked is None else marked
        cut(marked, part.clip(size))[:] = 1
    mask = _mask(marked, wide)
    click = Point(point.x - wide.x, point.y - wide.y)
    core = _shifted(box.clip(size), wide) if box is not None else _framed(to_gray(picture), click)
    core = _within(core, click, size_of(picture))
    window = inside_borders(to_gray(picture))
    core = clipped(core, window, core.intersect(_spot(click)))
    target = clipped(_at_least(core.grow(4), LEAST).clip(size_of(picture)), window, core)
    context = _lasting(target.grow(CONTEXT).clip(size_of(picture)), mask, target)
    line = None if content else line_at(to_gray(picture), click, core)
    anchor = CropAnchor(picture, click, core, target, context, wide, size, mask, line=line)
    anchor = _named(anchor) if content else anchor
    anchor = _in_grid(anchor, image, cell, marked) if cell else _with_lists(anchor, image, marked, inputs)
    if state is not None:
        anchor = _with_state(anchor, image, state.clip(size), marked)
    anchor = _with_all_around(with_panel(anchor, image, panel, marked), image, marked)
    return Evidence((replace(anchor, twin=has_twin(anchor, image)),))


def _with_field(gray: Pixels, point: Point, wide: Box) -> Box:
    """The widest crop, with all of a long field and what names it: a part of it is like any other."""
    own = field(gray, point)
    if own is None or own.width > LONGEST:
        return wide
    return _union(wide, Box(own.x - NAMED, own.y, own.width + NAMED + EDGING, own.height))


def _named(anchor: CropAnchor) -> CropAnchor:
    """The same anchor, with the field that it is a part of and the words that name that, if it is one."""
    own = field(anchor.gray, anchor.click) if any(anchor.slides) else None
    return (
        anchor if own is None else replace(anchor, field=own, label=label_of(anchor.gray, own, anchor.vary))
    )


def _with_lists(
    anchor: CropAnchor, screen: Pixels, marked: Pixels | None, inputs: Sequence[Box]
) -> CropAnchor:
    """The same anchor with its row, if the same widget stands above or below, and its column likewise."""
    if any(anchor.slides):  # a part of a long field: what stands in it is not its name
        return anchor
    gray = to_gray(screen)
    core, context = _shifted(anchor.core, _origin(anchor)), _shifted(anchor.context, _origin(anchor))
    found = equals_at(gray, core, anchor.click.y + anchor.source.y)
    row = _row(gray, core, found.down, context, LINES) if found.down else None
    column = _column(gray, core, found.across, context) if found.across else None
    strips = [
        _strip(anchor, screen, *_by_input(*strip, anchor, inputs), marked) if strip else None
        for strip in (row, column)
    ]
    return replace(anchor, row=strips[0], column=strips[1])


def _in_grid(anchor: CropAnchor, screen: Pixels, cell: Cell, marked: Pixels | None) -> CropAnchor:
    """The same anchor with what names it in its row, and the heading of its column."""
    row = _strip(anchor, screen, cell.row, cell.names, marked)
    return replace(anchor, row=row, column=_strip(anchor, screen, cell.column, cell.heading, marked))


def _with_all_around(anchor: CropAnchor, screen: Pixels, marked: Pixels | None) -> CropAnchor:
    """The same anchor with a picture as far as its row and column go, where that is beyond its own."""
    own = anchor.source
    far = reduce(_union, (strip.source for strip in (anchor.row, anchor.column) if strip), own)
    far = far.intersect(own.grow(FURTHER)).clip(size_of(screen))
    if far == own:
        return anchor
    all_around = _strip(anchor, screen, far, _shifted(anchor.context, _origin(anchor)), marked)
    return replace(anchor, beyond=replace(all_around, image=in_colours(all_around.gray)))


def _with_state(anchor: CropAnchor, screen: Pixels, state: Box, marked: Pixels | None) -> CropAnchor:
    """The same anchor with a row that reads what stands beside it, whether it has equals or not."""
    row = anchor.row
    own = _shifted(anchor.core, _origin(anchor))
    strip, tells = (own, state) if row is None else (row.source, _shifted(row.context, _origin(row)))
    strip, tells = _union(strip, state), _union(tells, state)
    return replace(anchor, row=_strip(anchor, screen, strip, tells, marked))


def _union(one: Box, other: Box) -> Box:
    left, top = min(one.x, other.x), min(one.y, other.y)
    return Box(left, top, max(one.right, other.right) - left, max(one.bottom, other.bottom) - top)


def _by_input(strip: Box, tells: Box, anchor: CropAnchor, inputs: Sequence[Box]) -> tuple[Box, Box]:
    """A row that reads an input is another one next time: nothing else in it tells."""
    read = any(strip.intersect(part).area for part in inputs)
    return strip, _shifted(anchor.target, _origin(anchor)).intersect(strip) if read else tells


def _row(gray: Pixels, core: Box, down: list[int], least: Box, half: int) -> tuple[Box, Box]:
    """The row that a target stands in, and what of it tells it from the rows of its equals."""
    row = row_of(gray, core, down, least, half)
    return row, telling(gray, core, down, row, least=least, most=half)


def _column(gray: Pixels, core: Box, across: list[int], least: Box) -> tuple[Box, Box]:
    """The same for its column; the label of an icon is wider than it."""
    column, tells = _row(turned(gray), _turned(core), across, _turned(least), LABEL)
    return _turned(column), _turned(tells)


def _strip(anchor: CropAnchor, screen: Pixels, strip: Box, tells: Box, marked: Pixels | None) -> CropAnchor:
    """A row or a column of the screen as an anchor of its own."""
    core, target = (_shifted(box, _origin(anchor)).intersect(strip) for box in (anchor.core, anchor.target))
    core, target, tells = (_shifted(box, strip) for box in (core, target, tells))
    click = Point(anchor.click.x + anchor.source.x - strip.x, anchor.click.y + anchor.source.y - strip.y)
    mask = _mask(marked, strip)
    return CropAnchor(cut(screen, strip).copy(), click, core, target, tells, strip, anchor.screen, mask)


def _origin(anchor: CropAnchor) -> Box:
    return Box(-anchor.source.x, -anchor.source.y, 0, 0)


def _turned(box: Box) -> Box:
    return Box(box.y, box.x, box.height, box.width)


def _framed(gray: Pixels, click: Point) -> Box:
    """The widget under the click; where what stands around it hangs together with it, the field alone."""
    core = single(gray, click)
    if core.width <= WIDGET.width and core.height <= WIDGET.height:
        return core
    own = field(gray, click)
    if own is None or own.height + 2 * EDGING > WIDGET.height:
        return core
    return own.grow(EDGING).intersect(core)


def single(gray: Pixels, click: Point) -> Box:
    """The widget under the click: of several equal ones that touch, the one."""
    core = widget(gray, click)
    line = line_in(core, click.y)
    touching = [abs(step) for step in equals(gray, line).down if core.y - 4 <= line.y + step < core.bottom]
    if not touching:
        return core
    pitch = min(touching)
    return core.intersect(Box(core.x, round(click.y) - pitch // 2, core.width, pitch))


def widget(gray: Pixels, click: Point) -> Box:
    """The box of the edges that belong together under the click, or next to it."""
    x, y = round(click.x), round(click.y)
    window = Box(x - ROW.width, y - ROW.height, 2 * ROW.width, 2 * ROW.height).clip(size_of(gray))
    ink = edges(cut(gray, window), EDGE)
    labels, boxes = components(closed(ink, GAP))
    rows, columns = np.nonzero(ink)
    for across, down in NEAR:
        away = np.hypot((columns - (x - window.x)) * across, (rows - (y - window.y)) * down)
        if len(away) and away.min() <= FAR:
            nearest = int(away.argmin())
            found = boxes[int(labels[rows[nearest], columns[nearest]])]
            return Box(found.x + window.x, found.y + window.y, found.width, found.height)
    return Box(x - SPOT // 2, y - SPOT // 2, SPOT, SPOT)


def _within(core: Box, click: Point, size: Size) -> Box:
    """The part of a core next to the click that is not too large; it always holds the click."""
    x, y = round(click.x), round(click.y)
    left, top = min(core.x, x - 3), min(core.y, y - 3)
    right, bottom = max(core.right, x + 4), max(core.bottom, y + 4)
    reach_left = max(WIDGET.width // 2, x - core.right + WIDGET.width // 2)
    reach_right = max(WIDGET.width // 2, core.x - x + WIDGET.width // 2)
    left, right = max(left, x - reach_left), min(right, x + reach_right)
    top, bottom = max(top, y - WIDGET.height // 2), min(bottom, y + WIDGET.height // 2)
    return Box(left, top, right - left, bottom - top).clip(size)


def _spot(click: Point) -> Box:
    return Box(round(click.x) - 3, round(click.y) - 3, 7, 7)


def _lasting(box: Box, vary: Pixels | None, least: Box) -> Box:
    """As far as a box goes from `least` to each side until all, or nearly all, is known to vary."""
    if vary is None:
        return box
    top, bottom = _until(cut(vary, box).mean(axis=1), least.y - box.y, least.bottom - box.y)
    band = Box(box.x, box.y + top, box.width, bottom - top)
    left, right = _until(cut(vary, band).mean(axis=0), least.x - box.x, least.right - box.x)
    return Box(box.x + left, band.y, right - left, band.height)


def _until(varies: Floats, first: int, last: int) -> tuple[int, int]:
    """The nearest lines before `first` and behind `last` that vary."""
    lines = np.flatnonzero(varies >= VARIES)
    before, behind = lines[lines < first], lines[lines >= last]
    return int(before[-1]) + 1 if len(before) else 0, int(behind[0]) if len(behind) else len(varies)


def _at_least(box: Box, size: Size) -> Box:
    wider, higher = max(0, size.width - box.width), max(0, size.height - box.height)
    return Box(box.x - wider // 2, box.y - higher // 2, box.width + wider, box.height + higher)


def _shifted(box: Box, origin: Box) -> Box:
    return Box(box.x - origin.x, box.y - origin.y, box.width, box.height)


def _marked(vary: Vary | None, size: Size) -> Pixels | None:
    """What varies, as a mask of the screen."""
    if vary is None:
        return None
    if isinstance(vary, np.ndarray):
        marked = cast("Pixels", vary)
        if marked.shape != (size.height, size.width):
            raise BadImage(f"the mask has the shape {marked.shape}, not that of the screen")
        flags: Pixels = (marked != 0).astype(np.uint8)
        return flags
    mask = np.zeros((size.height, size.width), np.uint8)
    for part in vary:
        cut(mask, part.clip(size))[:] = 1
    return mask


def _mask(marked: Pixels | None, part: Box) -> Pixels | None:
    if marked is None or not cut(marked, part).any():
        return None
    return cut(marked, part).copy()

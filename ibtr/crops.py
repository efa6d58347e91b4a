"""remember(): what to keep of a target."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from ibtr.aim import has_twin
from ibtr.bars import end_of, fields_beside, inside, long_field, start_of
from ibtr.beside import (
    in_grid,
    mask_under,
    shifted,
    union,
    with_all_around,
    with_label,
    with_lists,
    with_state,
)
from ibtr.cells import Cell, blank_at
from ibtr.errors import BadImage
from ibtr.evidence import CropAnchor, Evidence, hangs_together
from ibtr.fade import with_fades
from ibtr.geometry import Box, Point, Size
from ibtr.ground import clipped, inside_borders
from ibtr.lists import framed_again
from ibtr.masks import edges
from ibtr.months import month_above
from ibtr.panel import with_panel
from ibtr.pixels import Floats, Pixels, checked, cut, size_of, to_gray
from ibtr.plain import WIDEST, field
from ibtr.reading import label_of, lines_at
from ibtr.spots import row_of_spot
from ibtr.view import View
from ibtr.widget import EDGING, framed, within

REACH = Size(300, 180)
"""How far from the click the widest crop goes, to each side."""
CONTEXT = 56
"""How far the context crop goes beyond the target."""
LEAST = Size(40, 28)
"""Least size of the target crop: a smaller one matches everywhere."""
VARIES = 0.9
"""Share of a line that is known to vary from which what lies beyond is not looked for."""
LONGEST, NAMED = 900, 160
"""Width of a field that is kept whole, and of what is kept beside its beginning."""

INK = 24
"""Levels between neighbouring pixels that make a stroke."""
LINED = 6
"""Pixels around a text that belong to it."""

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
    marked = _marked(vary, size)
    if cell is None and box is None and not inputs:
        cell = blank_at(to_gray(image), point)
    marked = _with(marked, (*inputs, *(cell.contents if cell else ())), size)
    anchor = _cropped(image, point, wide, box, marked, content=content)
    if cell:
        anchor = in_grid(anchor, image, cell, marked)
    else:
        anchor = with_lists(anchor, image, marked, inputs, content=content)
    gray = to_gray(image)
    stacked = _stacked(anchor, gray) if content else None
    own = None if cell or state or box else long_field(anchor, gray, content=content)
    name = _name(anchor, gray, own, stacked, marked, content=content)
    if own is not None and stacked is None and name is not None and not anchor.slides[0]:
        own = None
    if name is not None:
        anchor = with_label(anchor, image, name, marked)
    if state is not None:
        anchor = with_state(anchor, image, state.clip(size), marked)
    anchor = with_panel(anchor, image, panel, marked)
    anchor = anchor if own is not None and anchor.slides[0] else with_all_around(anchor, image, marked)
    view = View(image)
    anchor = with_fades(anchor, view)
    unsure = stacked is not None and anchor.row is None  # what is further around must tell
    if own is not None and not unsure:
        anchor = _with_ends(anchor, view, own, marked)
    told = anchor.start is not None and anchor.slides[0]  # by its ends, which have twins of their own
    return Evidence((replace(anchor, twin=unsure or (not told and has_twin(anchor, view))),))


def _cropped(
    image: Pixels, point: Point, wide: Box, box: Box | None, marked: Pixels | None, *, content: bool
) -> CropAnchor:
    """The picture under `wide`, with the widget, what must be around that, and the text that was clicked."""
    picture, size = cut(image, wide).copy(), size_of(image)
    click = Point(point.x - wide.x, point.y - wide.y)
    core = shifted(box.clip(size), wide) if box is not None else framed(to_gray(picture), click)
    core = within(core, click, size_of(picture))
    beside = fields_beside(to_gray(image), point) if hangs_together(core, click) else []
    mask = mask_under(
        _with(marked, [inside(own) for own in beside], size), wide
    )  # a row reads them all the same
    window = inside_borders(to_gray(picture))
    core = clipped(core, window, core.intersect(_spot(click)))
    target = clipped(_at_least(core.grow(4), LEAST).clip(size_of(picture)), window, core)
    context = _lasting(target.grow(CONTEXT).clip(size_of(picture)), mask, target)
    line, far = (None, None) if content else lines_at(to_gray(picture), click, core)
    anchor = CropAnchor(picture, click, core, target, context, wide, size, mask, line=line, far=far)
    return _named(anchor) if content else anchor


def _with_ends(anchor: CropAnchor, view: View, own: Box, marked: Pixels | None) -> CropAnchor:
    """The same anchor with both ends of the long field that it is a part of."""
    start, end = (with_fades(end_of(view.image, own, marked, last=last), view) for last in (False, True))
    named = start_of(replace(anchor, start=start)) or start
    start, end = (replace(one, twin=has_twin(look, view)) for one, look in ((start, named), (end, end)))
    return replace(anchor, start=start, end=end)


def _with_field(gray: Pixels, point: Point, wide: Box) -> Box:
    """The widest crop, with all of a long field and what names it: a part of it is like any other."""
    own = field(gray, point)
    if own is None or own.width > LONGEST:
        return wide
    return union(wide, Box(own.x - NAMED, own.y, own.width + NAMED + EDGING, own.height))


def _named(anchor: CropAnchor) -> CropAnchor:
    """The same anchor with the field that it is a part of, and the words that name that."""
    own = field(anchor.gray, anchor.click)
    label = label_of(anchor.gray, own, anchor.vary) if own is not None else None
    return replace(anchor, field=own, label=label)


def _stacked(anchor: CropAnchor, gray: Pixels) -> Box | None:
    """The long field that it is a part of, on the screen, where its equals are seen, and its name is not."""
    if not any(anchor.slides) or anchor.label is not None or anchor.row is not None:
        return None
    own = field(gray, Point(anchor.click.x + anchor.source.x, anchor.click.y + anchor.source.y), WIDEST)
    return own if own is not None and framed_again(gray, own).down else None


def _name(
    anchor: CropAnchor,
    gray: Pixels,
    own: Box | None,
    stacked: Box | None,
    varies: Pixels | None,
    *,
    content: bool,
) -> Box | None:
    """The words that name a field, or the row of a plain spot; None where its row tells it, or nothing."""
    click = Point(anchor.click.x + anchor.source.x, anchor.click.y + anchor.source.y)
    if stacked is not None:
        return _name_of(gray, stacked, varies)
    if own is not None and (label := label_of(gray, own, varies)) is not None:
        return label
    if anchor.row is not None or (content and any(anchor.slides)):
        return None
    if not content:
        core = anchor.core._replace(x=anchor.core.x + anchor.source.x, y=anchor.core.y + anchor.source.y)
        row = row_of_spot(gray, click, core)
        return month_above(gray, click) if row is None or _is_read(anchor, row) else row
    filled = field(gray, click)
    return None if filled is None else label_of(gray, filled, varies)


def _is_read(anchor: CropAnchor, row: Box) -> bool:
    """Whether all that is written in a row is the text that is read beside a click anyhow."""
    line, own = anchor.far or anchor.line, shifted(row, anchor.source)
    return line is not None and line.grow(LINED).intersect(own) == own


def _name_of(gray: Pixels, own: Box, varies: Pixels | None) -> Box | None:
    """The words that name a field, else whatever stands before it."""
    if (label := label_of(gray, own, varies)) is not None:
        return label
    before = Box(own.x - NAMED, own.y, NAMED - EDGING, own.height).clip(size_of(gray))
    if not before.area:  # it begins at the edge of the screen
        return None
    rows, columns = np.nonzero(edges(cut(gray, before), INK))
    if not len(rows):
        return None
    left, top = int(columns.min()), int(rows.min())
    return Box(before.x + left, before.y + top, int(columns.max()) + 1 - left, int(rows.max()) + 1 - top)


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


def _with(marked: Pixels | None, parts: Sequence[Box], size: Size) -> Pixels | None:
    """What varies, and some parts of the screen that do so, too."""
    if not parts:
        return marked
    flags = np.zeros((size.height, size.width), np.uint8) if marked is None else marked.copy()
    for part in parts:
        cut(flags, part.clip(size))[:] = 1
    return flags


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
    return _with(np.zeros((size.height, size.width), np.uint8), list(vary), size)

"""What is kept beside a target: its row, its column, and all around them where they go far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from ibtr.card import card_of
from ibtr.cells import Cell
from ibtr.evidence import CropAnchor
from ibtr.geometry import Box, Point, Size
from ibtr.lists import differing, equals_at, equals_between, row_of, telling, within_row
from ibtr.lone import lone_row
from ibtr.marks import box_of, marks
from ibtr.naming import named_above
from ibtr.pixels import Pixels, cut, in_colours, size_of, to_gray, turned
from ibtr.reading import within_borders

LINES, LABEL = 22, 64
"""Half of a row's height, and of a column's width, that belongs to an item of a list."""
SIGNS, BARE = 6, Size(300, 180)
"""Signs around a target below which more is kept, and how much more to each side."""
FURTHER = 600
"""How far beyond the picture all around a row or a column is kept."""


def with_lists(
    anchor: CropAnchor, screen: Pixels, marked: Pixels | None, inputs: Sequence[Box], *, content: bool
) -> CropAnchor:
    """The same anchor with its row, if the same widget stands above or below, and its column likewise.

    A row that stands alone is one, too, unless what stands in the widget is `content`: that is a form's.
    """
    if any(anchor.slides):  # a part of a long field: what stands in it is not its name
        return anchor
    gray = to_gray(screen)
    core, context = shifted(anchor.core, _origin(anchor)), shifted(anchor.context, _origin(anchor))
    click = Point(anchor.click.x + anchor.source.x, anchor.click.y + anchor.source.y)
    found = equals_at(gray, core, click.y)
    again = found if found.down or found.across else equals_between(gray, core)
    card = card_of(gray, core, again) if again.down or again.across else None
    if card is not None:  # one of several: all that stands on it tells it from the others
        return replace(anchor, row=_strip(anchor, screen, *_by_input(card, card, anchor, inputs), marked))
    row = _row(gray, core, found.down, context, LINES) if found.down else None
    if row and differing(gray, core, found.down, within_row(row[0], LINES)) is None:
        row = _named(core, named_above(gray, core, found.down)) or row
    if not found.down and not content and (alone := lone_row(gray, core, click, marked)) is not None:
        row = alone, alone  # all of it tells
    column = _column(gray, core, found.across, context) if found.across else None
    strips = [
        _strip(anchor, screen, *_by_input(*strip, anchor, inputs), marked) if strip else None
        for strip in (row, column)
    ]
    return replace(anchor, row=strips[0], column=strips[1])


def in_grid(anchor: CropAnchor, screen: Pixels, cell: Cell, marked: Pixels | None) -> CropAnchor:
    """The same anchor with what names it in its row, and the heading of its column."""
    row = _strip(anchor, screen, cell.row, cell.names, marked)
    return replace(anchor, row=row, column=_strip(anchor, screen, cell.column, cell.heading, marked))


def with_all_around(anchor: CropAnchor, screen: Pixels, marked: Pixels | None) -> CropAnchor:
    """The same anchor with a picture as far as its row and column go, where that is beyond its own.

    Where hardly anything stands in its own, it goes as far again to each side: large buttons, small signs.
    """
    own = anchor.source
    far = reduce(union, (strip.source for strip in (anchor.row, anchor.column) if strip), own)
    told = anchor.panel is not None or anchor.row is not None or anchor.column is not None
    if not told and _is_bare(anchor):
        far = union(far, Box(own.x - BARE.width, own.y - BARE.height, *own[2:]))
        far = union(far, Box(own.x + BARE.width, own.y + BARE.height, *own[2:]))
    far = far.intersect(own.grow(FURTHER)).clip(size_of(screen))
    if far == own:
        return anchor
    all_around = _strip(anchor, screen, far, shifted(anchor.context, _origin(anchor)), marked)
    return replace(anchor, beyond=replace(all_around, image=in_colours(all_around.gray)))


def _is_bare(anchor: CropAnchor) -> bool:
    """Whether hardly any sign stands around a target: what touches is one."""
    boxes = [box for box in map(box_of, marks(anchor.gray)) if not box.intersect(anchor.core.grow(1)).area]
    apart = [box for box in boxes if not any(box != o and box.intersect(o) == box for o in boxes)]
    return len(apart) < SIGNS


def with_state(anchor: CropAnchor, screen: Pixels, state: Box, marked: Pixels | None) -> CropAnchor:
    """The same anchor with a row that reads what stands beside it, whether it has equals or not."""
    row = anchor.row
    own = shifted(anchor.core, _origin(anchor))
    strip, tells = (own, state) if row is None else (row.source, shifted(row.context, _origin(row)))
    strip, tells = union(strip, state), union(tells, state)
    return replace(anchor, row=_strip(anchor, screen, strip, tells, marked))


def with_label(anchor: CropAnchor, screen: Pixels, label: Box, marked: Pixels | None) -> CropAnchor:
    """The same anchor with a row that reads the words which name the field it is a part of."""
    whole = within_borders(to_gray(screen), label)
    strip = union(shifted(anchor.target, _origin(anchor)), whole)
    return replace(anchor, row=_strip(anchor, screen, strip, whole, marked))


def _by_input(strip: Box, tells: Box, anchor: CropAnchor, inputs: Sequence[Box]) -> tuple[Box, Box]:
    """A row that reads an input is another one next time: nothing else in it tells."""
    read = any(strip.intersect(part).area for part in inputs)
    return strip, shifted(anchor.target, _origin(anchor)).intersect(strip) if read else tells


def _row(gray: Pixels, core: Box, down: list[int], least: Box, half: int) -> tuple[Box, Box]:
    """The row that a target stands in, and what of it tells it from the rows of its equals."""
    row = row_of(gray, core, down, least, half)
    return row, telling(gray, core, down, row, least=least, most=half)


def _named(core: Box, name: Box | None) -> tuple[Box, Box] | None:
    """What names a target, with all between, as a row."""
    return None if name is None else (union(core, name), name)


def _column(gray: Pixels, core: Box, across: list[int], least: Box) -> tuple[Box, Box]:
    """The same for its column; the label of an icon is wider than it."""
    column, tells = _row(turned(gray), _turned(core), across, _turned(least), LABEL)
    return _turned(column), _turned(tells)


def _strip(anchor: CropAnchor, screen: Pixels, strip: Box, tells: Box, marked: Pixels | None) -> CropAnchor:
    """A row or a column of the screen as an anchor of its own."""
    core, target = (shifted(box, _origin(anchor)).intersect(strip) for box in (anchor.core, anchor.target))
    core, target, tells = (shifted(box, strip) for box in (core, target, tells))
    click = Point(anchor.click.x + anchor.source.x - strip.x, anchor.click.y + anchor.source.y - strip.y)
    mask = mask_under(marked, strip)
    return CropAnchor(cut(screen, strip).copy(), click, core, target, tells, strip, anchor.screen, mask)


def _origin(anchor: CropAnchor) -> Box:
    return Box(-anchor.source.x, -anchor.source.y, 0, 0)


def _turned(box: Box) -> Box:
    return Box(box.y, box.x, box.height, box.width)


def union(one: Box, other: Box) -> Box:
    """The smallest box that holds both."""
    left, top = min(one.x, other.x), min(one.y, other.y)
    return Box(left, top, max(one.right, other.right) - left, max(one.bottom, other.bottom) - top)


def shifted(box: Box, origin: Box) -> Box:
    """A box in pixels of the part that begins at `origin`."""
    return Box(box.x - origin.x, box.y - origin.y, box.width, box.height)


def mask_under(marked: Pixels | None, part: Box) -> Pixels | None:
    """What varies in a part of the screen; None where nothing does."""
    if marked is None or not cut(marked, part).any():
        return None
    return cut(marked, part).copy()

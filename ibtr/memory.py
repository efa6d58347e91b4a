"""What is remembered of a target as marks: its own, and those around it with their weight."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

import numpy as np

from ibtr.emblem import icon
from ibtr.evidence import CropAnchor
from ibtr.geometry import Box, Point, Size
from ibtr.layout import level
from ibtr.marks import indicator, word
from ibtr.own import STOUT, covers_of, inside, own_marks, smallest, touches, within
from ibtr.page import Page
from ibtr.pixels import cut
from ibtr.plain import field
from ibtr.rows import Row, row_of

SMALLEST = 6
"""A mark whose longer side is shorter is like any other."""
BESIDE = Size(60, 6)
"""Pixels beside a mark, and above or below it, where a click is still its own: a row reads sideways."""
LINE = 4
"""Pixels above or below a line of text where a click is still beside it."""
HIGHER = 1.3
"""Most by which a longer mark is higher than those that it holds."""
ROW = 0.3
"""Share of the target's height by which a mark of its row may stand higher or lower."""
MOST = 20
"""Marks around the target that are looked for."""
NEARBY = 120.0
"""Distance at which a mark counts half."""
LOOKALIKE = 0.9
"""Likeness at a glance from which two marks of one picture are of a kind."""
LINED = 6
"""Pixels by which items of one list may be out of line."""


class Mate(NamedTuple):
    """A mark around the target."""

    mark: int
    weight: float
    dx: float
    dy: float
    """Its way from the target's largest mark."""
    row: bool
    """Whether both stand in one row."""
    alone: bool
    """Whether no other mark around looks like it."""
    beside: bool
    """Whether it is an icon in the row of an icon, or stands in one row with the target anyhow."""


class Label(NamedTuple):
    """A longer mark, and the marks around the target in it: another size may part its words otherwise."""

    mark: int
    held: frozenset[int]


class Memory(NamedTuple):
    """A recorded target as marks."""

    page: Page
    click: Point
    covers: tuple[tuple[int, ...], ...]
    """Ways to take the target apart, each with its largest mark first."""
    around: tuple[Mate, ...]
    field: Box | None = None
    """The plain field that it is, where it shows no mark."""
    filled: bool = False
    """Whether that is about to be filled, and words name it: then it may show anything."""
    label: frozenset[int] | None = None
    """The marks around it that name it; None where nothing does."""

    row: Row | None = None
    """What tells its row from those of its equals."""
    equals: bool = False
    """Whether its like stands elsewhere in the picture: then all of its row must be there."""
    listed: bool = False
    """Whether that stands in one line with it, across or down."""
    labels: tuple[Label, ...] = ()
    """The longer marks around it."""

    @property
    def text(self) -> int:
        """Height of the words among its marks; 0 where there are none."""
        boxes = (self.page.box(mark) for cover in self.covers for mark in cover)
        return max((b.height for b in boxes if word(b)), default=0)

    def whole(self, main: int) -> Box:
        """The box of all marks of the target that has this one as its largest."""
        cover = next((c for c in self.covers if c[0] == main), (main,))
        return union([self.page.box(mark) for mark in cover])

    def named_by(self, there: AbstractSet[int]) -> bool:
        """Whether all that names it is among the marks that are there."""
        return self.label is None or (bool(self.label) and self.label <= there)


def remembered(anchor: CropAnchor, *, by_field: bool = False) -> Memory:
    """The marks of a recorded target; `by_field`: of a field, whatever is written in it."""
    page = Page(anchor.gray, anchor.image)
    whole = anchor.wide
    usable = [i for i in range(len(page.boxes)) if _usable(page.box(i), anchor, whole)]
    plain = field(anchor.gray, anchor.click)
    filled = plain is not None and is_filled(anchor)
    if plain is not None and filled and by_field:
        usable = [i for i in usable if not page.box(i).intersect(plain).area]
    own = own_marks(page, usable, anchor, plain)
    at_click = any(_reaches(page.box(i), anchor.click) for i in own)
    if anchor.line is not None:
        line = [i for i in usable if inside(page.box(i), anchor.line.grow(1))]
        beside = anchor.line.y - LINE <= anchor.click.y < anchor.line.bottom + LINE
        if beside and plain is None and not (at_click and _in_row(page, own, anchor.line, anchor.click)):
            own, at_click = line, bool(line)  # a plain spot, known by the text before it in its line
        elif not beside and not anchor.line.intersect(anchor.core.grow(1)).area:  # a caption
            own = sorted({*own, *line})
    covers = covers_of(page, own, anchor.click) if at_click else ()
    main = page.box(covers[0][0]) if covers else plain
    others = [i for i in usable if not touches(page, i, own)] if covers else usable
    around = _around(page, others, main) if main is not None else ()
    label = None if anchor.label is None else anchor.label.grow(1)
    named = None if label is None else frozenset(m.mark for m in around if inside(page.box(m.mark), label))
    equals = [(page.box(cover[0]), box) for cover in covers for box in _equals(page, cover, usable)]
    listed = any(_in_line(*both) for both in equals)
    row = row_of(anchor)
    own_field = (plain, filled, named)
    labels = _labels(page, others, around)
    return Memory(page, anchor.click, covers, around, *own_field, row, bool(equals), listed, labels)


def _labels(page: Page, others: Sequence[int], around: Sequence[Mate]) -> tuple[Label, ...]:
    """The words among `others` that hold some of the marks around the target, and go on."""
    known = {mate.mark: page.box(mate.mark) for mate in around}
    found: list[Label] = []
    for mark in others:
        box = page.box(mark)
        held = [other for other, inner in known.items() if within(inner, box)] if word(box) else []
        if mark not in known and held and box.height <= HIGHER * max(known[one].height for one in held):
            found.append(Label(mark, frozenset(held)))
    return tuple(found)


def mates_of(anchor: CropAnchor, main: Box) -> tuple[Page, tuple[Mate, ...]]:
    """The marks around a box of the picture, be the target a mark or not."""
    page = Page(anchor.gray, anchor.image)
    every = [i for i in range(len(page.boxes)) if _usable(page.box(i), anchor, anchor.wide)]
    return page, _around(page, [i for i in every if not page.box(i).intersect(main).area], main)


def is_filled(anchor: CropAnchor) -> bool:
    """Whether a target is a field that is about to be filled, and that words name."""
    return anchor.field is not None and anchor.label is not None


def _in_row(page: Page, own: list[int], line: Box, click: Point) -> bool:
    """Whether one of the marks was clicked, or all stand in its line: rows that touch are not one widget."""
    clicked = any(page.box(i).grow(3).contains(click) for i in own)
    return clicked or all(line.y - LINE <= page.box(i).center.y < line.bottom + LINE for i in own)


def union(boxes: Sequence[Box]) -> Box:
    """The box of several."""
    left, top = min(b.x for b in boxes), min(b.y for b in boxes)
    return Box(left, top, max(b.right for b in boxes) - left, max(b.bottom for b in boxes) - top)


def rebased(memory: Memory, field: Box) -> tuple[Mate, ...]:
    """The marks around a target, seen from the field that it is."""
    usable = [mate.mark for mate in memory.around]
    return _around(memory.page, usable, field)


def _usable(box: Box, anchor: CropAnchor, whole: Box) -> bool:
    if max(box.width, box.height) < SMALLEST or box.grow(1).intersect(whole) != box.grow(1):
        return False
    return anchor.vary is None or float(cut(anchor.vary, box).mean()) < 0.1


def _reaches(box: Box, click: Point) -> bool:
    """Whether the click was on a mark or close beside it: a plain spot cannot be known again."""
    across = max(box.x - click.x, click.x - box.right, 0)
    return across <= BESIDE.width and max(box.y - click.y, click.y - box.bottom, 0) <= BESIDE.height


def _equals(page: Page, cover: tuple[int, ...], usable: list[int]) -> list[Box]:
    """Marks elsewhere like the largest one of a cover, if there are some like every other one too.

    A field's arrow does not tell, the value in it may.
    """
    alike = [_again(page, mark, usable) for mark in cover]
    return alike[0] if all(alike) else []


def _again(page: Page, mark: int, usable: list[int]) -> list[Box]:
    """The marks elsewhere that are like one."""
    own = page.box(mark)
    shaped = (int(i) for i in page.shaped(own, np.array(usable)))
    alike = (i for i in shaped if float(page.thumb(i) @ page.thumb(mark)) >= LOOKALIKE)
    return [box for box in map(page.box, alike) if not box.intersect(own).area]


def _in_line(own: Box, other: Box) -> bool:
    """Whether two stand in one row, or one above the other."""
    ends = other.x - own.x, other.right - own.right, other.center.x - own.center.x
    return level(own, other) or min(abs(end) for end in ends) <= LINED


def _around(page: Page, others: list[int], main: Box) -> tuple[Mate, ...]:
    fine = [i for i in smallest(page, others) if min(page.box(i)[2:]) >= STOUT]
    if not fine:
        return ()
    thumbs = np.array([page.thumb(i) for i in fine])
    kinds = (thumbs @ thumbs.T >= LOOKALIKE).sum(axis=1)
    weighed: list[Mate] = []
    for mark, many in zip(fine, kinds, strict=True):
        box = page.box(mark)
        dx, dy = box.center.x - main.center.x, box.center.y - main.center.y
        beside = abs(dy) <= ROW * main.height
        row = beside and not indicator(box)
        weight = (2.0 if row else 1.0) / (1 + float(np.hypot(dx, dy)) / NEARBY) / float(many)
        weighed.append(Mate(mark, weight, dx, dy, row, int(many) == 1, row or (beside and icon(main))))
    return tuple(sorted(weighed, key=lambda w: -w.weight)[:MOST])

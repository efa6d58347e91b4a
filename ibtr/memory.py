"""What is remembered of a target as marks: its own, and those around it with their weight."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ibtr.evidence import CropAnchor
from ibtr.geometry import Box, Point, Size
from ibtr.page import Page
from ibtr.pixels import cut
from ibtr.plain import field

SMALLEST = 6
"""A mark whose longer side is shorter is like any other."""
STOUT = 5
"""Shorter side of a mark around the target: what is thinner is what is left of a frame or a line."""
INDICATOR = 22
"""A square no larger than this beside a label shows a state; themes draw it anew."""
BUTTON = Size(320, 72)
"""Up to this size a plain field is a widget, and all that is written in it belongs to it."""
BESIDE = Size(60, 6)
"""Pixels beside a mark, and above or below it, where a click is still its own: a row reads sideways."""
ROW = 0.3
"""Share of the target's height by which a mark of its row may stand higher or lower."""
MOST = 20
"""Marks around the target that are looked for."""
NEARBY = 120.0
"""Distance at which a mark counts half."""
LOOKALIKE = 0.9
"""Likeness at a glance from which two marks of one picture are of a kind."""


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


class Memory(NamedTuple):
    """A recorded target as marks."""

    page: Page
    click: Point
    covers: tuple[tuple[int, ...], ...]
    """Ways to take the target apart, each with its largest mark first."""
    around: tuple[Mate, ...]
    field: Box | None = None
    """The plain field that it is, where it shows no mark."""


def remembered(anchor: CropAnchor) -> Memory:
    """The marks of a recorded target."""
    page = Page(anchor.gray, anchor.image)
    whole = anchor.wide
    usable = [i for i in range(len(page.boxes)) if _usable(page.box(i), anchor, whole)]
    plain = field(anchor.gray, anchor.click)
    own = _own(page, usable, anchor, plain)
    at_click = any(_reaches(page.box(i), anchor.click) for i in own)
    covers = _covers(page, own, anchor.click) if at_click else ()
    main = page.box(covers[0][0]) if covers else plain
    others = [i for i in usable if not _touches(page, i, own)] if covers else usable
    around = _around(page, others, main) if main is not None else ()
    return Memory(page, anchor.click, covers, around, plain)


def rebased(memory: Memory, field: Box) -> tuple[Mate, ...]:
    """The marks around a target, seen from the field that it is."""
    usable = [mate.mark for mate in memory.around]
    return _around(memory.page, usable, field)


def _own(page: Page, usable: list[int], anchor: CropAnchor, plain: Box | None) -> list[int]:
    """The marks of the target: those in the field or on the button that was clicked, else of its core."""
    if plain is not None:
        held = [i for i in usable if _inside(page.box(i), plain.grow(2))]
        if not held or (plain.width <= BUTTON.width and plain.height <= BUTTON.height):
            return held
    core = anchor.core.grow(3)
    return [i for i in usable if _inside(page.box(i), core)]


def _usable(box: Box, anchor: CropAnchor, whole: Box) -> bool:
    if max(box.width, box.height) < SMALLEST or box.grow(1).intersect(whole) != box.grow(1):
        return False
    return anchor.vary is None or float(cut(anchor.vary, box).mean()) < 0.1


def _inside(box: Box, core: Box) -> bool:
    return box.intersect(core).area >= 0.7 * box.area


def _reaches(box: Box, click: Point) -> bool:
    """Whether the click was on a mark or close beside it: a plain spot cannot be known again."""
    across = max(box.x - click.x, click.x - box.right, 0)
    return across <= BESIDE.width and max(box.y - click.y, click.y - box.bottom, 0) <= BESIDE.height


def _touches(page: Page, mark: int, own: list[int]) -> bool:
    return any(page.box(mark).intersect(page.box(o)).area for o in own)


def _covers(page: Page, own: list[int], click: Point) -> tuple[tuple[int, ...], ...]:
    """The largest marks, and the smallest ones: another font may join or part them."""
    fine = smallest(page, own)
    pure = [i for i in own if i in fine or not any(_sign(page, f, i) for f in fine)]
    coarse = [i for i in pure if not any(_within(page.box(i), page.box(o)) for o in pure if o != i)]
    found: list[tuple[int, ...]] = []
    for cover in (coarse, fine):
        clicked = [i for i in cover if page.box(i).grow(3).contains(click)]
        plain = [i for i in cover if i in clicked or not _indicator(page.box(i))] or cover
        ranked = tuple(sorted(plain, key=lambda i: -page.box(i).area))
        if ranked and ranked not in found:
            found.append(ranked)
    return tuple(found)


def _sign(page: Page, inner: int, outer: int) -> bool:
    """Whether a mark is the sign beside a word and part of a larger mark: it would outweigh the word."""
    return _indicator(page.box(inner)) and _within(page.box(inner), page.box(outer))


def smallest(page: Page, marks: list[int]) -> list[int]:
    """Those that hold no other one."""
    return [i for i in marks if not any(_within(page.box(o), page.box(i)) for o in marks if o != i)]


def _within(inner: Box, outer: Box) -> bool:
    return inner.intersect(outer) == inner


def _indicator(box: Box) -> bool:
    return max(box.width, box.height) <= INDICATOR and 0.75 <= box.width / box.height <= 1.33


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
        row = abs(dy) <= ROW * main.height and not _indicator(box)
        weight = (2.0 if row else 1.0) / (1 + float(np.hypot(dx, dy)) / NEARBY) / float(many)
        weighed.append(Mate(mark, weight, dx, dy, row, int(many) == 1))
    return tuple(sorted(weighed, key=lambda w: -w.weight)[:MOST])

"""A plain field that was drawn anew: it shows no mark of its own; what stands around it says which one it is.

Its frame must be there all the same, of the size that the words around it have grown to, and as empty as it
was; and every mark around it must stand to it as before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibtr.company import Company, company, scale_of
from ibtr.errors import AmbiguousTarget, MissingTarget
from ibtr.geometry import Box, Point
from ibtr.layout import Span, span, stands
from ibtr.memory import SMALLEST, Memory
from ibtr.own import BUTTON, smallest
from ibtr.page import Page, Pair
from ibtr.pixels import Pixels
from ibtr.plain import field
from ibtr.sure import SURE, Sure, near
from ibtr.view import View

SEEDS = 4
"""Marks around it from which its place is looked for."""
NEAREST = 6
"""Marks from each of which its place is guessed."""
HOME = 0.6
"""Least share of the marks around it that must be there."""
COMPANY = 4
"""Least number of them."""
FITS = 0.9
"""Least share of these that must stand to it as before."""
SPECK, LEVEL = 1.5, 0.12
"""Pixels by which a side of a speck may differ, and by how much of its field it may stand higher or lower."""
ROUNDED = 0.4
"""Pixels by which each side of a speck may have been rounded."""


class Plain(NamedTuple):
    """A field that may be it."""

    box: Box
    support: float
    row: float
    company: int
    scale: float


def refound(memory: Memory, screen: Page, sure: Sure = SURE) -> tuple[Plain, Plain | None]:
    """The field among what stood around it, and its strongest rival.

    Raises:
        MissingTarget: it is not there, or too little of what stood around it.
        AmbiguousTarget: two fields may be it.
    """
    if memory.field is None:
        raise MissingTarget("the target shows nothing that could be known again when drawn anew")
    pair = Pair(memory.page, screen)
    best: list[Plain] = []
    for found in sorted(_plains(memory, memory.field, pair, sure), key=lambda p: -p.support):
        if not any(found.box.intersect(b.box).area for b in best):
            best.append(found)
    if not best:
        raise MissingTarget("no plain field stands among what stood around the target")
    rival = best[1] if len(best) > 1 else None
    if rival is not None and best[0].support - rival.support < sure.margin:
        raise AmbiguousTarget(
            "two plain fields stand in like surroundings",
            margin=best[0].support - rival.support,
            point=[float(v) for v in best[0].box.center],
            rival_point=[float(v) for v in rival.box.center],
        )
    return best[0], rival


def _plains(memory: Memory, plain: Box, pair: Pair, sure: Sure) -> Iterator[Plain]:
    """Every field that stands among the marks as it should."""
    every: NDArray[np.intp] = np.arange(len(pair.seen.boxes))
    named = [m for m in memory.around if memory.page.box(m.mark).width > 1.5 * memory.page.box(m.mark).height]
    for mate in named[:SEEDS]:
        shaped = [int(m) for m in pair.seen.shaped(memory.page.tight(mate.mark), every)]
        pair.compare((mate.mark, mark) for mark in shaped)
        for mark in shaped:
            if near(pair.match(mate.mark, mark), sure):
                scale = scale_of(memory.page.tight(mate.mark), pair.seen.tight(mark))
                found = company(memory, pair, (mate.mark, mark), span(scale), sure)
                if at_home(found, sure):
                    yield from _fields(memory, plain, pair, found)


def at_home(found: Company, sure: Sure) -> bool:
    """Whether enough of what stood around it is there."""
    drawn_anew = found.unchanged < sure.unchanged
    return drawn_anew and found.support >= HOME and found.row >= sure.row and len(found.ties) >= COMPANY


def _fields(memory: Memory, plain: Box, pair: Pair, found: Company) -> Iterator[Plain]:
    within = span(found.grown or 1.0)
    boxes = {field(pair.seen.gray, point) for point in _guesses(plain, pair, found)}
    for box in sorted(b for b in boxes if b is not None):
        known = memory.filled or same_content(pair, plain, box, found.grown or 1.0, SURE)
        if known and _sized(plain, box, within):
            fits = stands(pair.known, pair.seen, (plain, box), found.ties, within)
            weights = np.array([t.weight for t in found.ties])
            there = {t.known for t, kept in zip(found.ties, fits, strict=True) if kept}
            if float(weights[fits].sum()) >= FITS * float(weights.sum()) and memory.named_by(there):
                yield Plain(box, found.support, found.row, len(found.ties), found.grown or 1.0)


def _guesses(plain: Box, pair: Pair, found: Company) -> Iterator[Point]:
    """Where its middle may be, as the nearest marks say."""
    grown = found.grown or 1.0
    for tie in found.ties[:NEAREST]:
        old, new = pair.known.box(tie.known).center, pair.seen.box(tie.seen).center
        for by in (1.0, (1 + grown) / 2, grown):
            for up in (1.0, grown):
                yield Point(new.x + by * (plain.center.x - old.x), new.y + up * (plain.center.y - old.y))


def _sized(old: Box, new: Box, within: Span) -> bool:
    ratios = new.width / old.width, new.height / old.height
    return all(within[0] <= ratio <= within[1] for ratio in ratios)


def same_content(pair: Pair, old: Box, new: Box, grown: float, sure: Sure) -> bool:
    """Whether in a field is written what was, be it nothing."""
    known, seen = written(pair.known, old), written(pair.seen, new)
    if len(known) != len(seen):
        return False
    pair.compare(zip(known, seen, strict=True))
    specks = (_speck(pair.known.box(mark)) for mark in known)
    return all(
        _same_speck((pair.known.tight(k), old), (pair.seen.tight(s), new), grown)
        if speck
        else near(pair.match(k, s), sure)
        for k, s, speck in zip(known, seen, specks, strict=True)
    )


def expect_speck(known: Pixels, click: Point, view: View, at: Point, grown: float) -> None:
    """A field or a button that shows nothing but a dot or a bar must show it in another size, too.

    Raises:
        MissingTarget: it shows another one.
    """
    own = field(known, click)
    page = Page(known, known) if own is not None and own.width <= BUTTON.width else None
    if own is None or page is None or not (marks := _inside(page, own)):
        return
    if not all(_speck(page.box(mark)) for mark in marks):  # "OK" with a line under its O is none
        return
    there = field(view.gray, at)
    if there is None or not same_content(Pair(page, view.page), own, there, grown, SURE):
        raise MissingTarget("the field shows another speck", point=[float(v) for v in at])


def _speck(box: Box) -> bool:
    """Whether a mark is too small to be read: a dot and a short bar have the same strokes."""
    return max(box.width, box.height) < SMALLEST


def _same_speck(known: tuple[Box, Box], seen: tuple[Box, Box], grown: float) -> bool:
    """Whether a speck has the same shape, at the same height of its field."""
    (old, around), (new, there) = known, seen
    sides = ((old.width, new.width), (old.height, new.height))
    shaped = any(all(abs(b - a * by) <= SPECK for a, b in sides) for by in (1.0, grown))
    heights = (old.center.y - around.y) / around.height, (new.center.y - there.y) / there.height
    (least, most), (low, high) = _flat(old), _flat(new)
    return shaped and least <= high and low <= most and abs(heights[0] - heights[1]) <= LEVEL


def _flat(box: Box) -> tuple[float, float]:
    """Least and most by which a speck is wider than high, before it was set on pixels."""
    wide, high = box.width, box.height
    return (wide - ROUNDED) / (high + ROUNDED), (wide + ROUNDED) / (high - ROUNDED)


def written(page: Page, box: Box) -> list[int]:
    """The smallest marks in a field, from left to right."""
    return sorted(smallest(page, _inside(page, box)), key=lambda m: float(page.middles[m, 0]))


def _inside(page: Page, box: Box) -> list[int]:
    """The marks in a field, small and large."""
    x, y = page.middles[:, 0], page.middles[:, 1]
    inside = (x >= box.x) & (x < box.right) & (y >= box.y) & (y < box.bottom)
    return [int(mark) for mark in np.flatnonzero(inside)]

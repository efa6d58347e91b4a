"""What stood around a target, seen around a place that may be it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

import numpy as np

from ibtr.emblem import icon
from ibtr.geometry import Box
from ibtr.layout import Span, Tie, agreeing, neighbours, span, stands
from ibtr.marks import word
from ibtr.memory import Mate, Memory
from ibtr.page import Pair
from ibtr.sure import SURE, Sure, near, reads

AFAR = 1000.0
"""Pixels before a row that may have grown with the letters, and pushed it aside by as much."""
BEFORE = 300.0
"""The same of what a picture shows before a row: another row may have moved by so much more."""
HIGHER = 1.6
"""Most by which a word of the same line is higher: it may have letters that go up, and down."""


class Company(NamedTuple):
    """The marks around a place that are those around the target."""

    ties: tuple[Tie, ...]
    there: frozenset[int]
    """Those around the target that are there, alone or in a longer one."""
    grown: float
    """By how much the words among them are larger; 0 where there are none."""
    support: float
    """Share of the marks around the target that they are."""
    row: float
    """The same for those in its own row."""
    usual: float
    """How alike the words are."""
    unchanged: float
    """Share of the words that are there with the same pixels: then nothing was drawn anew."""
    kept: float
    """The same share of all marks that are there."""
    rowed: bool
    """Whether its own row alone says which one it is."""
    sizes: tuple[float, float]
    """By how much the words are larger, the least and the most; both 0 where there are too few."""


def company(memory: Memory, pair: Pair, at: tuple[int, int], first: Span, sure: Sure) -> Company:
    """What stands around, if mark `at[0]` is `at[1]` now and distances changed by no more than `first`.

    Another font leaves icons as they are, another theme or scale leaves nothing: where an icon was drawn
    anew, what nobody touched is no part of its window (the system's panel, say) and tells nothing of it.
    """
    ties, within = _ties(memory, pair, at, first, sure), first
    grown = _grown(pair, ties)
    if grown is not None:
        within = span(grown)
        ties = _ties(memory, pair, at, within, sure)
    agreed = agreeing(pair.known, pair.seen, ties, within)
    found = _company(memory, pair, at, agreed, sure)
    if found.support < sure.support and grown is not None and found.row >= sure.row:
        far = AFAR if found.rowed else BEFORE
        within = within._replace(aside=far * abs(grown - 1))
        agreed = agreeing(pair.known, pair.seen, _ties(memory, pair, at, within, sure), within)
        found = _company(memory, pair, at, agreed, sure)
    if more := frozenset[int]().union(*_in_labels(memory, pair, at, found, within=within, sure=sure)):
        found = _company(memory, pair, at, agreed, sure, more=more)
    return found._replace(grown=grown or 0.0)


def _company(
    memory: Memory,
    pair: Pair,
    at: tuple[int, int],
    ties: list[Tie],
    sure: Sure,
    *,
    more: frozenset[int] = frozenset(),
) -> Company:
    """The same of ties that agree, and of what longer marks hold."""
    around = memory.around
    if not _wide(memory.whole(at[0])) and not pair.untouched(*at):
        idle = {tie.known for tie in ties if pair.untouched(*tie[:2])}
        ties = [tie for tie in ties if tie.known not in idle]
        around = tuple(m for m in around if m.mark not in idle)
    there = more.union(tie.known for tie in ties)
    words = [t for t in ties if not icon(memory.page.box(t.known))]
    likeness = [pair.match(t.known, t.seen).whole for t in words]
    row = _row(memory, around)
    beside = [m for m in around if m.beside]
    sizes = _sizes(pair, ties)
    return Company(
        ties=tuple(ties),
        there=there,
        grown=0.0,
        support=_support(memory, around, there, sure),
        row=_share(row, there),
        usual=float(np.median(likeness)) if len(words) >= sure.company else 0.0,
        unchanged=_unchanged(pair, words) if len(words) >= sure.company else 0.0,
        kept=_unchanged(pair, ties) if ties else 0.0,
        rowed=_share(beside, there) >= sure.rowed and sum(m.mark in there for m in beside) >= sure.mates,
        sizes=(sizes[0][0], sizes[-1][0]) if len(sizes) >= sure.company else (0.0, 0.0),
    )


def _in_labels(
    memory: Memory, pair: Pair, at: tuple[int, int], found: Company, *, within: Span, sure: Sure
) -> Iterator[frozenset[int]]:
    """What longer marks hold that stand among the others as they did: their words may be parted otherwise."""
    for label in memory.labels:
        missing = not label.held <= found.there
        for seen in neighbours(memory.page, pair.seen, at, label.mark, within) if missing else ():
            boxes = memory.page.tight(label.mark), pair.seen.tight(int(seen))
            fits = stands(memory.page, pair.seen, boxes, found.ties, within)
            if reads(pair.match(label.mark, int(seen)), sure) and bool(fits.all()):
                yield label.held


def _row(memory: Memory, around: Sequence[Mate]) -> list[Mate]:
    """The marks of its row that must be there.

    For a word that is no item of a list, these are words: icons are exchanged where the theme is another one,
    and come apart where the text grows.
    """
    row = [m for m in around if m.row]
    if not memory.text or memory.listed:
        return row
    boxes = [memory.page.box(m.mark) for m in row]
    return [m for m, b in zip(row, boxes, strict=True) if word(b) and b.height <= HIGHER * memory.text]


def _unchanged(pair: Pair, words: Sequence[Tie]) -> float:
    """Share of marks with the same pixels, near ones counting most: a sheet stays light in a dark window."""
    return sum(t.weight for t in words if pair.same(*t[:2])) / sum(t.weight for t in words)


def _ties(memory: Memory, pair: Pair, at: tuple[int, int], within: Span, sure: Sure) -> list[Tie]:
    """The marks around the target that are to be seen about where they should be."""
    places = {m.mark: neighbours(memory.page, pair.seen, at, m.mark, within) for m in memory.around}
    pair.compare((mark, int(n)) for mark, marks in places.items() for n in marks)
    ties = (Tie(m.mark, int(n), m.weight) for m in memory.around for n in places[m.mark])
    return [tie for tie in ties if near(pair.match(tie.known, tie.seen), sure)]


def _grown(pair: Pair, ties: Sequence[Tie]) -> float | None:
    """By how much letters did, as most of the words around it say."""
    sizes = _sizes(pair, ties)
    if not sizes:
        return None
    half, so_far = sum(weight for _, weight in sizes) / 2, 0.0
    for size, weight in sizes:
        so_far += weight
        if so_far >= half:
            return size
    return sizes[-1][0]


def _sizes(pair: Pair, ties: Sequence[Tie]) -> list[tuple[float, float]]:
    """By how much each word is larger, the least first, and what that counts."""
    words = (t for t in ties if _wide(pair.known.box(t.known)))
    return sorted((scale_of(pair.known.tight(t.known), pair.seen.tight(t.seen)), t.weight) for t in words)


def scale_of(known: Box, seen: Box) -> float:
    """By how much a mark is larger; a word by its width, a thin one by its longer side: more pixels."""
    by_width = (seen.width - 1) / max(1, known.width - 1)
    by_height = (seen.height - 1) / max(1, known.height - 1)
    if min(known.width, known.height) < SURE.letter:
        return by_width if known.width > known.height else by_height
    return by_width if _wide(known) else (by_width * by_height) ** 0.5


def _wide(box: Box) -> bool:
    """Whether a mark is a word for sure."""
    return box.width > 2 * box.height


def _support(memory: Memory, around: Sequence[Mate], there: AbstractSet[int], sure: Sure) -> float:
    """Share of all marks, of the words or of the icons alone: these keep their places where words move."""
    words = [m for m in around if not icon(memory.page.box(m.mark))]
    icons = [m for m in around if m.alone and m not in words]
    parts = [around, *(part for part in (words, icons) if len(part) > sure.company)]
    return max(_share(part, there) for part in parts)


def _share(marks: Sequence[Mate], there: AbstractSet[int]) -> float:
    total = sum(m.weight for m in marks)
    return sum(m.weight for m in marks if m.mark in there) / total if total else 1.0

"""The same pixels at other distances: a window of another width moves its columns and its buttons apart.

A widget that is there in all its parts is at home where the words that stood around it stand around it still,
each with its own pixels, on the same side and in the same order, nearer or further away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ibtr.following import with_row
from ibtr.geometry import Box, Point, Size
from ibtr.judge import Limits, reads_the_same, verified
from ibtr.kin import among_kin, kin_of
from ibtr.letterwise import read_anew
from ibtr.memory import Mate, Memory, remembered
from ibtr.pixels import Floats, Pixels, correlate, cut, moved
from ibtr.sight import Sight
from ibtr.work import Work

ACROSS, DOWN = (0.35, 2.2), (0.8, 1.25)
"""Least and most by which a distance may have changed, across and down."""
ROOM = Size(16, 4)
"""The same in pixels, beside that."""
SAME, AROUND = 0.92, 0.84
"""Least correlation of a word that has its own pixels, and of one further away, which is kept lossy."""
PHASES = (-0.34, 0.34)
"""Parts of a pixel by which it may be drawn further on: columns of a page need not be whole pixels wide."""
COMPANY = 3
"""Words around it, at least."""
MANY = 24
"""Places that are looked at, at most."""


class _Word(NamedTuple):
    """A word around the target, and where it is now."""

    mate: Mate
    at: Point


def laid_out_anew(work: Work, seen: list[Sight], limits: Limits) -> list[Sight]:
    """The same sights, their rows and surroundings read wherever they stand now."""
    likely = [s for s in seen if verified(s, limits, limits.rival)]
    if abs(work.scaling.mean - 1) > 0.01 or work.inverted or work.flat or not 0 < len(likely) <= MANY:
        return seen
    memory = remembered(work.anchor)
    read = [_read_anew(work, s, memory, limits) if s in likely else s for s in seen]
    return in_list(work, read, limits)


def _read_anew(work: Work, sight: Sight, memory: Memory, limits: Limits) -> Sight:
    sight = read_anew(work, with_row(work, sight, limits))
    return sight._replace(context=max(sight.context, company(work, sight.point, memory)))


def in_list(work: Work, seen: list[Sight], limits: Limits) -> list[Sight]:
    """The same sights, those whose row reads as recorded also by the rows next to them."""
    same = [s for s in seen if s.row is not None and reads_the_same(s, limits)]
    if not same or work.anchor.row is None:
        return seen
    own, kin = kin_of(work.anchor)
    return [
        s._replace(context=max(s.context, among_kin(work, s.point, own, kin))) if s in same else s
        for s in seen
    ]


def company(work: Work, at: Point, memory: Memory) -> float:
    """The share of the words around the target that stand around a click at `at` as well."""
    here = middle_at(work, at, memory)
    return 0.0 if here is None else around_at(work, here, memory)


def main_of(memory: Memory) -> Box | None:
    """The largest mark of the target, or the plain field that it is."""
    return memory.page.box(memory.covers[0][0]) if memory.covers else memory.field


def middle_at(work: Work, at: Point, memory: Memory) -> Point | None:
    """Where the target's middle is if the click is at `at`; None where it shows nothing."""
    main = main_of(memory)
    if main is None:
        return None
    return Point(main.center.x + at.x - work.click.x, main.center.y + at.y - work.click.y)


def around_at(work: Work, here: Point, memory: Memory) -> float:
    """The same for a target whose middle is at `here`; 0 where they are too few."""
    found = [_Word(m, place) for m in memory.around if (place := _place(work, memory, m, here)) is not None]
    found = _in_order(found)
    if len(found) < COMPANY:
        return 0.0
    return sum(w.mate.weight for w in found) / sum(m.weight for m in memory.around)


def _place(work: Work, memory: Memory, mate: Mate, here: Point) -> Point | None:
    """Where a word stands now, seen from the target; None if it is not there."""
    word = memory.page.box(mate.mark).grow(1).clip(work.anchor.size)
    left, right = _span(mate.dx, ACROSS, ROOM.width)
    top, bottom = _span(0 if mate.row else mate.dy, DOWN, ROOM.height)
    window = Box(
        round(here.x + left - word.width / 2),
        round(here.y + (mate.dy if mate.row else 0) + top - word.height / 2),
        round(right - left) + word.width,
        round(bottom - top) + word.height,
    ).clip(work.view.size)
    if window.width < word.width or window.height < word.height:
        return None
    scores = drawn(work, word, cut(work.view.gray, window))
    y, x = divmod(int(scores.argmax()), scores.shape[1])
    if scores[y, x] < AROUND:
        return None
    return Point(window.x + x + word.width / 2 - here.x, window.y + y + word.height / 2 - here.y)


def drawn(work: Work, word: Box, seen: Pixels) -> Floats:
    """How much each place of a picture looks like a word of the recorded one, drawn there or a little on."""
    scores, *others = (correlate(seen, one) for one in _phases(work, word))
    for other in others:
        np.maximum(scores, other, out=scores)
    return scores


def _phases(work: Work, word: Box) -> Iterator[Pixels]:
    """A word as it would be drawn between pixels."""
    yield cut(work.anchor.gray, word)
    for dx in PHASES:
        yield moved(work.anchor.gray, Point(word.x + dx, word.y), Size(word.width, word.height))


def _span(far: float, by: tuple[float, float], room: int) -> tuple[float, float]:
    ends = sorted((far * by[0], far * by[1]))
    return ends[0] - room, ends[1] + room


def _in_order(found: Sequence[_Word]) -> list[_Word]:
    """The words that stand to one another, across and down, as they did; the one against most goes first."""
    kept = list(found)
    while kept:
        against = [sum(not _agree(a, b) for b in kept) for a in kept]
        worst = max(range(len(kept)), key=against.__getitem__)
        if not against[worst]:
            break
        kept.pop(worst)
    return kept


def _agree(one: _Word, other: _Word) -> bool:
    """Whether two words stand to one another as they did: what was further right or down is so still."""
    across = _turned(other.mate.dx - one.mate.dx, other.at.x - one.at.x, ROOM.width)
    return not across and not _turned(other.mate.dy - one.mate.dy, other.at.y - one.at.y, ROOM.height)


def _turned(old: float, new: float, room: int) -> bool:
    return (old > room and new < 0) or (old < -room and new > 0)

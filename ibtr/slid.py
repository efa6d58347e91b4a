"""Rows of a window that slid apart: the words in some of them grew, and pushed what follows to the side.

A row keeps its pixels and the distances in it, and moves as one. Only where the target's own row is as it was
do the others count.
"""

from __future__ import annotations

from collections.abc import Sequence

from ibtr.geometry import Box, Point
from ibtr.judge import Limits, verified
from ibtr.layout import level
from ibtr.memory import Mate, Memory, remembered
from ibtr.peaks import Wanted, peaks
from ibtr.pixels import cut
from ibtr.reflow import AROUND, drawn, main_of, middle_at
from ibtr.sight import Sight
from ibtr.work import Work

PLACES = 8
"""Places that are looked at, at most."""
GUIDES = 3
"""Marks of a row by which it is looked for: the longest may be the word that grew."""
OWN, FEW = 0.8, 4
"""Share of the marks in its own row that must be there, and the least number of them."""
ASIDE, DOWN = 300, 12
"""Pixels by which another row may have moved."""
OFF = 2
"""Pixels by which a mark may stand off in its row."""
MANY = Wanted(least=AROUND, most=8)
"""Places where a mark of a row is looked for."""


def by_rows(work: Work, seen: list[Sight], limits: Limits) -> list[Sight]:
    """The same sights, their surroundings row by row, wherever each has slid to."""
    likely = [s for s in seen if verified(s, limits)]
    if abs(work.scaling.mean - 1) > 0.01 or work.inverted or work.flat or not 0 < len(likely) <= PLACES:
        return seen
    memory = remembered(work.anchor)
    return [_by_rows(work, s, memory) if s in likely else s for s in seen]


def _by_rows(work: Work, sight: Sight, memory: Memory) -> Sight:
    here = middle_at(work, sight.point, memory)
    share = 0.0 if here is None else rows_around(work, here, memory)
    return sight._replace(context=max(sight.context, share))


def rows_around(work: Work, here: Point, memory: Memory) -> float:
    """The share of the marks around a target whose middle is at `here` that stand there in their rows."""
    main = main_of(memory)
    own = [m for m in memory.around if main is not None and level(memory.page.box(m.mark), main)]
    others = [m for m in memory.around if m not in own]
    if len(own) < FEW or _there(work, own, here, memory) < OWN * _weight(own):
        return 0.0
    slid = sum(_moved(work, row, here, memory) for row in _rows(memory, others))
    if not slid:  # a bar that stands on every page
        return 0.0
    return (_there(work, own, here, memory) + slid) / _weight(memory.around)


def _weight(mates: Sequence[Mate]) -> float:
    return sum(mate.weight for mate in mates)


def _rows(memory: Memory, mates: Sequence[Mate]) -> list[list[Mate]]:
    """Marks by the rows that they stand in."""
    rows: list[list[Mate]] = []
    for mate in sorted(mates, key=lambda m: m.dy):
        box = memory.page.box(mate.mark)
        row = next((r for r in rows if level(memory.page.box(r[0].mark), box)), None)
        if row is None:
            rows.append([mate])
        else:
            row.append(mate)
    return rows


def _there(work: Work, mates: Sequence[Mate], here: Point, memory: Memory) -> float:
    """What the marks count that stand around `here` as they did."""
    return _weight([mate for mate in mates if _places(work, mate, here, memory, (OFF, OFF))])


def _moved(work: Work, row: Sequence[Mate], here: Point, memory: Memory) -> float:
    """The same of the marks of a row, wherever it has moved to: two of them at least say where."""
    for longest in sorted(row, key=lambda m: -memory.page.box(m.mark).area)[:GUIDES]:
        best = 0.0
        for at in _places(work, longest, here, memory, (ASIDE, DOWN)):
            moved = Point(here.x + at.x - longest.dx, here.y + at.y - longest.dy)
            there = [mate for mate in row if _places(work, mate, moved, memory, (OFF, OFF))]
            best = max(best, _weight(there) if len(there) > 1 else 0.0)
        if best:
            return best
    return 0.0


def _places(work: Work, mate: Mate, here: Point, memory: Memory, room: tuple[int, int]) -> list[Point]:
    """Where a mark stands, seen from the target, up to so many pixels from where it was."""
    mark = memory.page.box(mate.mark).grow(1).clip(work.anchor.size)
    left, top = here.x + mate.dx - mark.width / 2, here.y + mate.dy - mark.height / 2
    near = Box(
        round(left) - room[0], round(top) - room[1], mark.width + 2 * room[0], mark.height + 2 * room[1]
    )
    window = near.clip(work.view.size)
    if window.width < mark.width or window.height < mark.height:
        return []
    scores = drawn(work, mark, cut(work.view.gray, window))
    return [
        Point(window.x + x + mark.width / 2 - here.x, window.y + y + mark.height / 2 - here.y)
        for x, y, _ in peaks(scores, MANY)
    ]

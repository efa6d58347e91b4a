"""The row of a list, read cell by cell wherever each one stands now: a window of another width moves columns.

Letters keep their pixels, distances do not. Every cell of the row must be there, in its order, letter by
letter, and between them nothing that was not there before.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from ibtr.geometry import Box, Point, Size
from ibtr.judge import Limits
from ibtr.letters import stretches
from ibtr.letterwise import APART, CLEAR, FEW, FOUND, LOOSE, read_part
from ibtr.lists import EDGE, GAP
from ibtr.masks import edges, grown
from ibtr.months import is_day
from ibtr.pixels import Pixels, correlate, cut
from ibtr.reading import between_pixels, same_text
from ibtr.sight import Along, Sight
from ibtr.tone import DRAWN, Tone
from ibtr.work import Work

CLOSER, FURTHER, SOME = 0.25, 3.0, 40
"""How much nearer to one another two cells may stand, and how much further apart: shares, and pixels."""
NEAREST = 4
"""Pixels that stay between two cells."""
PAD = 2
"""Pixels by which the text of a row may stand higher or lower than its widget did."""
STILL = 0.0
"""How far apart a letter may be where most is drawn with the recorded pixels, and the row has not moved."""
LINE, ALONG = 4, 0.9
"""Width and share of the height of a border beside a cell."""
READ = Along(weakest=1.0, score=1.0, own=1.0, letters=0.0)
"""What is there with all of its pixels."""


class _Cell(NamedTuple):
    """What stands together in a row, by its columns."""

    start: int
    end: int

    @property
    def width(self) -> int:
        return self.end - self.start


def with_row(work: Work, sight: Sight, limits: Limits, *, above: bool = False) -> Sight:
    """The same sight; a row that reads otherwise is read wherever it stands, or but a name `above`."""
    row = sight.row
    if work.row is None or row is None or (above and not _is_above(work.row)):
        return sight
    if row.own >= limits.weakest and row.letters > -1:
        return sight
    between = row.own < limits.weakest or between_pixels(work, sight.point)
    read = followed(work.row, sight.point, clear=CLEAR if between else STILL)
    if read is None and _is_above(work.row) and is_day(work.anchor.gray, work.anchor.click):
        read = READ if _is_nearer(work.row, sight.point) else None
    return sight._replace(row=read or row)


def _is_above(row: Work) -> bool:
    """Whether what tells a target stands above it, not beside."""
    return row.box(row.anchor.context).bottom <= row.box(row.anchor.core).y


def followed(row: Work, at: Point, clear: float = CLEAR) -> Along | None:
    """The row through a widget at `at`, read wherever its cells stand; None if it reads otherwise.

    `clear`: how far apart a letter may be where most is drawn with the recorded pixels.
    """
    known, band = row.gray, _band(row, at)
    if band is None or row.varies is not None:
        return None
    own = row.box(row.anchor.target)
    if row.anchor.card or _is_above(row):  # what stands above a widget is not beside it
        return _named(row, at, clear)
    here = round(at.x - row.click.x)
    cells = _cells(known)
    beside = [c for c in cells if c.end > own.x and c.start < own.right]
    first = min([own.x, *(c.start for c in beside)])
    last = max([own.right, *(c.end for c in beside)])
    placed, least = [_Cell(first + here, last + here)], 1.0
    if not _same_place(known, band, [c for c in beside if c.start < own.x or c.end > own.right], here):
        return None
    sides = ([c for c in cells if c.end <= first][::-1], [c for c in cells if c.start >= last])
    for side in sides:
        before = _Cell(first, last), placed[0]
        for cell in side:
            found = _found(known, band, cell, before, clear)
            if found is None:
                return None
            least = min(least, found[1])
            placed.append(found[0])
            before = cell, found[0]
    if len(placed) < 2 or _more(band, placed):
        return None
    return Along(weakest=least, score=least, own=least, letters=0.0)


def _named(row: Work, at: Point, clear: float) -> Along | None:
    """The same where that stands above or around it: there, or a pixel beside, as a page may set it."""
    name = row.box(row.anchor.context)
    there = name._replace(x=round(name.x + at.x - row.click.x), y=round(name.y + at.y - row.click.y))
    around = there.grow(PAD)
    if around.clip(row.view.size) != around:
        return None
    known, seen = cut(row.gray, name), cut(row.view.gray, around)
    places = (Box(PAD + dx, PAD + dy, name.width, name.height) for dx, dy in product((0, -1, 1), repeat=2))
    if any(same_text(known, cut(seen, place)) for place in places):
        return READ
    here = cut(seen, Box(PAD, PAD, name.width, name.height))
    most = clear if Tone.of(known, here).noise <= DRAWN else APART
    least = read_part(known, seen, Box(0, 0, name.width, name.height), (PAD, PAD), most=most)
    if least is None or _added(known, here):
        return None
    return Along(weakest=least, score=least, own=least, letters=0.0)


def _is_nearer(row: Work, at: Point) -> bool:
    """Whether a name above a widget stands nearer to it now: it stays where what it heads is scrolled."""
    core, name = row.box(row.anchor.core), row.box(row.anchor.context)
    left, top = round(name.x + at.x - row.click.x), round(name.y + at.y - row.click.y)
    strip = Box(left - PAD, top, name.width + 2 * PAD, core.y - name.y).clip(row.view.size)
    if strip.height < name.height or strip.width < name.width:
        return False
    known, seen = cut(row.gray, name), cut(row.view.gray, strip)
    scores = correlate(seen, known)
    y, x = divmod(int(scores.argmax()), scores.shape[1])
    return same_text(known, cut(seen, Box(x, y, name.width, name.height)))


def _added(known: Pixels, seen: Pixels) -> bool:
    """Whether something is written beside what was."""
    near = grown(edges(known, EDGE), LOOSE)
    return bool((_without_borders(edges(seen, EDGE)) & (near == 0)).any())


def _band(row: Work, at: Point) -> Pixels | None:
    """The whole width of the screen at the height of the row; None where it is not all on the screen."""
    top = round(at.y - row.click.y) - PAD
    height = len(row.gray) + 2 * PAD
    inside = top >= 0 and top + height <= row.view.size.height
    return cut(row.view.gray, Box(0, top, row.view.size.width, height)) if inside else None


def _cells(picture: Pixels) -> list[_Cell]:
    """What stands in a row, without the borders between."""
    ink = _without_borders(edges(picture, EDGE))
    return [_Cell(*run) for run in stretches(np.flatnonzero(ink.max(axis=0)), GAP)]


def _without_borders(ink: Pixels) -> Pixels:
    """The ink without lines from top to bottom, or from side to side."""
    free = ink.copy()
    for along, lined in ((free, ink), (free.T, ink.T)):
        for first, end in stretches(np.flatnonzero(lined.mean(axis=0) >= ALONG)):
            if end - first <= LINE:
                along[:, max(0, first - 1) : end + 1] = 0
    return free


def _same_place(known: Pixels, band: Pixels, cells: Sequence[_Cell], here: int) -> bool:
    """Whether what stands right beside the widget does so still."""
    for start, end in cells:
        if start + here < 0 or end + here > band.shape[1]:
            return False
        seen = band[:, start + here : end + here]
        if float(correlate(seen, known[:, start:end]).max()) < FOUND:
            return False
    return True


def _found(
    known: Pixels, band: Pixels, cell: _Cell, before: tuple[_Cell, _Cell], clear: float
) -> tuple[_Cell, float] | None:
    """Where a cell stands beside the one before it, and its least alike letter; None if it is not there."""
    last, there = before
    leftward = cell.end <= last.start
    gap = last.start - cell.end if leftward else cell.start - last.end
    near, far = max(NEAREST, round(CLOSER * gap)), round(FURTHER * gap) + SOME
    rim = Box(max(0, cell.start - PAD), 0, 0, len(known))
    rim = rim._replace(width=min(known.shape[1], cell.end + PAD) - rim.x)
    left = there.start - far - cell.width if leftward else there.end + near
    right = there.start - near if leftward else there.end + far + cell.width
    window = Box(left - PAD, 0, right - left + 2 * PAD, len(band)).clip(Size(band.shape[1], len(band)))
    if window.width < rim.width:
        return None
    scores = correlate(cut(band, window), cut(known, rim))
    y, x = divmod(int(scores.argmax()), scores.shape[1])
    way = window.x + x - rim.x, y
    most = clear if Tone.of(cut(known, rim), _there(band, rim, way)).noise <= DRAWN else APART
    few = FEW if clear == STILL else 0.0
    least = read_part(known, band, rim, way, float(scores[y, x]), most=most, few=few)
    if least is None or _higher(cut(known, rim), _there(band, rim, way)):
        return None
    return _Cell(cell.start + way[0], cell.end + way[0]), least


def _higher(known: Pixels, seen: Pixels) -> bool:
    """Whether something is written above or below the letters of a cell that was not: the dots of an A."""
    ink = np.convolve(edges(known, EDGE).max(axis=1), np.ones(3, np.uint8), "same")
    return bool((edges(seen, EDGE).max(axis=1) > ink).any())


def _there(band: Pixels, cell: Box, way: tuple[int, int]) -> Pixels:
    return cut(band, cell._replace(x=cell.x + way[0], y=way[1]))


def _more(band: Pixels, placed: Sequence[_Cell]) -> bool:
    """Whether something else is written between the cells, or right beside the outermost."""
    first = max(0, min(c.start for c in placed) - GAP)
    last = max(c.end for c in placed) + GAP
    ink = _without_borders(edges(band[PAD:-PAD, first:last], EDGE)).max(axis=0)
    for start, end in placed:
        ink[max(0, start - first - LOOSE) : end - first + LOOSE] = 0
    return bool(ink.any())

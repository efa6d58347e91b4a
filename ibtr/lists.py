"""Does the same widget stand again in the target's column or row? Then its row, or column, must be read."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

import numpy as np

from ibtr.geometry import Box, Point, Size
from ibtr.letters import stretches
from ibtr.masks import edges
from ibtr.pixels import Floats, Pixels, absolute_difference, correlate, cut, moved, size_of

SAME = 0.93
"""Correlation from which a widget is the same one again."""
OTHER = 0.5
"""Correlation below which what stands there is another thing."""
BETWEEN = 0.7
"""It must fall below this on the way there: a long border is the same all along."""
PHASES = (-0.34, 0.34)
"""Parts of a pixel by which an equal may be drawn further on."""
PLAIN = 2.0
"""Deviation, in levels, below which nothing is to be seen."""
LINED = 2
"""Pixels by which the items of one list may be out of line."""
EDGE = 24
"""Levels between neighbouring pixels that make ink."""
GAP = 16
"""Pixels without ink between two cells."""
ROWS, MOSTLY = 8, 0.7
"""Rows that are looked at, at most, and the share of them that must have a cell in the same place."""
FAR = 1200
"""Pixels without ink after which a list has ended."""
LINE = 4
"""Width of a line between two cells, with its edges."""
BEYOND, BORDER, UNBROKEN = 80, 8, 0.85
"""How far a border goes on beyond the list; its least levels; the least share of it that is seen."""
RIM = 6
"""Pixels at the upper and the lower edge of a row that do not tell it."""
APART, INK = 40, 12
"""Levels, and pixels, by which two cells differ."""
BLANK = 0.15
"""Share of ink that a blank line may have."""
ALONG = 0.9
"""Share of a row's height from which a stroke is a border beside it."""
UNEVEN = 4
"""Pixels by which letters differ in height."""
TEXT, FRAME = 8, 6
"""Half the height of a line of text, and what of a widget's sides may be its frame."""


class Equals(NamedTuple):
    """Where the same widget stands again, in pixels from the target."""

    down: list[int]
    across: list[int]


def equals(gray: Pixels, core: Box) -> Equals:
    """The same widget in the target's column and in its row, over the whole screen."""
    own, box = core.clip(size_of(gray)), core.grow(2).clip(size_of(gray))
    if cut(gray, box).std() < PLAIN:
        return Equals([], [])
    found = _like(gray, box)
    if not own.area or not _beside_a_line(gray, own, box):
        return found
    return Equals(
        [step for step in found.down if _shown(gray, own, own._replace(y=own.y + step))],
        [step for step in found.across if _shown(gray, own, own._replace(x=own.x + step))],
    )


def _beside_a_line(gray: Pixels, core: Box, box: Box) -> bool:
    """Whether something runs along one side of a widget alone, and shows in its box: no frame of its own."""
    sides = (
        core._replace(x=box.x, width=core.x - box.x),
        core._replace(x=core.right, width=box.right - core.right),
        core._replace(y=box.y, height=core.y - box.y),
        core._replace(y=core.bottom, height=box.bottom - core.bottom),
    )
    return sum(bool(side.area) and float(cut(gray, side).std()) >= PLAIN for side in sides) == 1


def _shown(gray: Pixels, core: Box, there: Box) -> bool:
    """Whether something like the widget is there as well, not only a line like the one beside it."""
    seen = there.grow(LINED).clip(size_of(gray))
    if seen.width < core.width or seen.height < core.height or cut(gray, core).std() < PLAIN:
        return True
    return float(correlate(cut(gray, seen), cut(gray, core)).max()) >= OTHER


def framed_again(gray: Pixels, inside: Box) -> Equals:
    """The same frame in the column and in the row of a field, whatever stands in it."""
    box = inside.grow(2).clip(size_of(gray))
    kept = np.ones((box.height, box.width), np.float32)
    cut(kept, Box(inside.x - box.x, inside.y - box.y, inside.width, inside.height))[:] = 0
    return _like(gray, box, kept)


def equals_between(gray: Pixels, core: Box) -> Equals:
    """The same where columns or rows of a page are no whole pixels wide: letters have other pixels there."""
    box = core.grow(2).clip(size_of(gray))
    whole = Size(box.width, box.height)
    phases = [(dx, dy) for dx, dy in product((0.0, *PHASES), repeat=2) if (dx, dy) != (0.0, 0.0)]
    drawn = (moved(gray, Point(box.x + dx, box.y + dy), whole) for dx, dy in phases)
    found = [_like(gray, box, template=one) for one in drawn]
    return Equals(
        _apart([step for one in found for step in one.down], core.height),
        _apart([step for one in found for step in one.across], core.width),
    )


def _apart(steps: list[int], least: int) -> list[int]:
    """One of each step that was found more than once, a pixel beside."""
    kept: list[int] = []
    for step in sorted(steps):
        if abs(step) >= least and (not kept or step - kept[-1] >= least):
            kept.append(step)
    return kept


def _like(gray: Pixels, box: Box, kept: Floats | None = None, *, template: Pixels | None = None) -> Equals:
    """Where what a box shows, or what of it is `kept`, stands again in its column and in its row."""
    size = size_of(gray)
    template = cut(gray, box) if template is None else template
    column = Box(box.x - LINED, 0, box.width + 2 * LINED, size.height).clip(size)
    row = Box(0, box.y - LINED, size.width, box.height + 2 * LINED).clip(size)
    down = correlate(cut(gray, column), template, kept).max(axis=1)
    across = correlate(cut(gray, row), template, kept).max(axis=0)
    return Equals(_again(down, box.y), _again(across, box.x))


def equals_at(gray: Pixels, core: Box, y: float) -> Equals:
    """The same, also of touching widgets, which share their frames: what is written in them stands again."""
    found = equals(gray, core)
    return found if found.down else found._replace(down=equals(gray, line_in(core, y)).down)


def line_in(core: Box, y: float) -> Box:
    """What is written in a widget at the height `y`, without its frame."""
    inner = Box(core.x + FRAME, round(y) - TEXT, core.width - 2 * FRAME, 2 * TEXT)
    return core.intersect(inner) if inner.width > FRAME else core


def _again(scores: Floats, here: int) -> list[int]:
    """Where a line of scores is at the top again, with a valley in between."""
    low = np.flatnonzero(scores < BETWEEN)
    found: list[int] = []
    for run in np.split(np.arange(len(scores)), low):
        high = run[scores[run] >= SAME]
        if len(high) and not (run[0] <= here <= run[-1]):
            found.append(int(high[scores[high].argmax()]) - here)
    return found


def row_of(gray: Pixels, core: Box, down: list[int], least: Box, most: int) -> Box:
    """The row that the target stands in: as far to both sides as the rows of its equals go on with it.

    What most rows have at the same height, with a blank line between, belongs to the list, up to a border
    that goes on far above and below it: a window's or a panel's. Where there is nothing of the kind, it is as
    long as `least`. It is as high as its items are apart, or twice `most`.
    """
    size, pitch = size_of(gray), min(abs(step) for step in down)
    half = max(core.height // 2, min(max(core.height // 2 + 2, most), pitch // 2 - LINE))
    first, last = borders(gray, core, down)
    panel = _reach(gray[:, first:last], core._replace(x=core.x - first), down, half)
    whole = _reach(gray, core, down, half)  # where cells follow behind a border, all up to that is read
    left = max(first, min(whole[0], first + panel[0]) - 2)
    right = min(last, max(whole[1], first + panel[1]) + 2)
    if _bare(left, right, core):
        left, right = min(left, least.x), max(right, least.right)
    return Box(left, core.y + core.height // 2 - half, right - left, 2 * half).clip(size)


def _reach(gray: Pixels, core: Box, down: list[int], half: int) -> tuple[int, int]:
    """How far the cells go on that most rows have, left and right of a widget."""
    width, pitch = gray.shape[1], min(abs(step) for step in down)
    middle = core.y + core.height // 2
    band = Box(0, middle - half, width, 2 * half).clip(size_of(gray))
    tall = Box(0, middle - pitch // 2, width, pitch)
    next_to = [_Next.of(gray, tall, step) for step in sorted(down, key=abs)[:ROWS]]
    ink = _ink_at(gray, tall)
    runs = stretches(np.flatnonzero(edges(cut(gray, band), EDGE).max(axis=0)), GAP)
    cells = [
        (start, end, _mostly(other.repeats(ink, start, end) for other in next_to)) for start, end in runs
    ]
    right = _as_far(core.right, [(start, end, cell) for start, end, cell in cells if end > core.right])
    left = -_as_far(-core.x, [(-end, -start, cell) for start, end, cell in cells[::-1] if start < core.x])
    return left, right


def _bare(left: int, right: int, core: Box) -> bool:
    """Whether a row holds nothing but the widget itself."""
    return left > core.x - GAP and right < core.right + GAP


def _mostly(answers: Iterable[bool]) -> bool:
    all_of_them = list(answers)
    return sum(all_of_them) >= MOSTLY * len(all_of_them)


def borders(gray: Pixels, core: Box, down: list[int]) -> tuple[int, int]:
    """The nearest lines left and right that run along the whole list and beyond both its ends."""
    top, bottom = core.y + min(0, *down) - BEYOND, core.bottom + max(0, *down) + BEYOND
    part = gray[max(0, top) : bottom].astype(np.int16)
    along = np.flatnonzero((np.abs(np.diff(part, axis=1)) >= BORDER).mean(axis=0) >= UNBROKEN)
    left, right = along[along < core.x - 1], along[along > core.right]
    return int(left[-1]) if len(left) else 0, int(right[0]) + 1 if len(right) else gray.shape[1]


def _as_far(here: int, runs: list[tuple[int, int, bool]]) -> int:
    """The end of the last cell that follows on: lines are skipped, what is not repeated ends it."""
    for start, end, cell in runs:
        if start - here > FAR or not (cell or end - start <= LINE):
            break
        here = max(here, end) if cell else here
    return here


def telling(gray: Pixels, core: Box, down: list[int], row: Box, *, least: Box, most: int) -> Box:
    """What tells the row from those of its equals: every cell that differs from theirs, else `least`."""
    left, right = differing(gray, core, down, row) or (least.x, least.right)
    inner = within_row(row, most)
    return Box(left, inner.y, right - left, inner.height).intersect(row)


def within_row(row: Box, most: int) -> Box:
    """A row that ends short of the next one without its rim: what is cut off there is another line."""
    rim = RIM if row.height == 2 * most else 0
    return Box(row.x, row.y + rim, row.width, row.height - 2 * rim)


def differing(gray: Pixels, core: Box, down: list[int], row: Box) -> tuple[int, int] | None:
    """Where the cells of a row that differ from those of its equals begin and end; None where none does."""
    mine = cut(gray, row)
    runs = stretches(np.flatnonzero(edges(mine, EDGE).max(axis=0)), GAP)
    cells = [(start + row.x, end + row.x) for start, end in runs]
    left, right = core.x, core.right
    for step in down:
        theirs = Box(row.x, row.y + step, row.width, row.height)
        if theirs.clip(size_of(gray)) != theirs:
            continue
        apart = (absolute_difference(mine, cut(gray, theirs)) >= APART).sum(axis=0)
        for start, end in cells:
            if int(apart[start - row.x : end - row.x].sum()) >= INK:
                left, right = min(left, start - 2), max(right, end + 2)
    return None if _bare(left, right, core) else (left, right)


class _Next(NamedTuple):
    """The ink of the next row, and of all that lies between."""

    ink: Pixels
    between: Pixels

    @classmethod
    def of(cls, gray: Pixels, row: Box, step: int) -> _Next:
        middle = row.y + row.height // 2
        between = Box(0, min(middle, middle + step), row.width, abs(step))
        return cls(*(_ink_at(gray, box) for box in (Box(0, row.y + step, *row[2:]), between)))

    def repeats(self, ink: Pixels, start: int, end: int) -> bool:
        """Whether there is something at the same place, at the same height, with a blank line between."""
        mine, theirs = _line_of(ink[:, start:end]), _line_of(self.ink[:, max(0, start - GAP) : end + GAP])
        if theirs is None or mine is None or float(self.between[:, start:end].mean(axis=1).min()) > BLANK:
            return False
        return max(abs(mine[0] - theirs[0]), abs(mine[1] - theirs[1])) <= UNEVEN


def _line_of(ink: Pixels) -> tuple[int, int] | None:
    """Top and bottom of what is written nearest to the middle of a row, borders beside it left out."""
    at = np.flatnonzero(ink[:, ink.mean(axis=0) < ALONG].max(axis=1, initial=0))
    if not len(at):
        return None
    lines = np.split(at, np.flatnonzero(np.diff(at) > 1) + 1)
    middle = ink.shape[0] // 2
    nearest = min(lines, key=lambda line: max(int(line[0]) - middle, middle - int(line[-1]), 0))
    return int(nearest[0]), int(nearest[-1])


def _ink_at(gray: Pixels, band: Box) -> Pixels:
    inside = band.clip(size_of(gray))
    ink = np.zeros((band.height, band.width), np.uint8)
    if inside.area:
        ink[inside.y - band.y : inside.bottom - band.y] = edges(cut(gray, inside), EDGE)
    return ink

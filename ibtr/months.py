"""A day of a calendar: the same number stands in every month, and the heading above says which one it is."""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from typing import NamedTuple

from ibtr.captions import HIGHEST, LOWEST
from ibtr.geometry import Box, Point, Size
from ibtr.letters import around, level
from ibtr.marks import box_of, marks, word
from ibtr.pixels import Pixels, cut, size_of

REACH = Size(560, 420)
"""How far around a click its month is looked for."""
DAY, WEEK, WEEKS = 30, (7, 8), 3
"""Widest number of a day; days of a row, and of one that tells the week as well; and full rows, at least."""
PITCH, EVEN = (16, 96), 4
"""Pixels from one day to the next, and by which two of these distances may differ."""
ABOVE, NEXT = 3.0, 1.5
"""Rows above the first one within which the heading stands, and within which the next one does."""
CLOSE = 24
"""Pixels from the number of a day at which a click still means it."""


class _Month(NamedTuple):
    """What is written around a day, the short texts among that, and the full rows of days in its columns."""

    texts: list[Box]
    days: list[Box]
    weeks: list[list[Box]]


def month_above(gray: Pixels, click: Point) -> Box | None:
    """The words that head the month of the day that was clicked; None where that is no day of a calendar."""
    month = _month(gray, click)
    return None if month is None else _heading(*month)


def is_day(gray: Pixels, click: Point) -> bool:
    """Whether a day of a calendar was clicked, be its heading in the picture or not."""
    return _month(gray, click) is not None


def _month(gray: Pixels, click: Point) -> _Month | None:
    near = Box(round(click.x) - REACH.width, round(click.y) - REACH.height, 2 * REACH.width, 2 * REACH.height)
    near = near.clip(size_of(gray))
    every = [b._replace(x=b.x + near.x, y=b.y + near.y) for b in map(box_of, marks(cut(gray, near)))]
    texts = [box for box in every if LOWEST <= box.height <= HIGHEST]
    days = [box for box in texts if box.width <= DAY]
    own = min(days, key=lambda box: _away(box, click), default=None)
    if own is None or _away(own, click) > CLOSE:
        return None
    weeks = [week for row in _rows(days) if (week := _week(row, own))]
    return _Month(texts, days, weeks) if len(weeks) >= WEEKS and _regular(weeks, own) else None


def _away(box: Box, click: Point) -> float:
    return max(abs(box.center.x - click.x), abs(box.center.y - click.y))


def _over(one: Box, other: Box) -> bool:
    """Whether two stand in one column."""
    off = one.center.x - other.center.x, one.x - other.x, one.right - other.right
    return min(map(abs, off)) <= EVEN


def _rows(days: list[Box]) -> list[list[Box]]:
    """Days by the rows that they stand in, the first one first; of those at one place the largest."""
    rows: list[list[Box]] = []
    for day in sorted(days, key=lambda box: (-box.area, box.center.y)):
        row = next((r for r in rows if level(r[0], day)), None)
        if row is None:
            rows.append([day])
        elif not any(day.intersect(one).area for one in row):
            row.append(day)
    return sorted((sorted(row) for row in rows), key=lambda row: row[0].center.y)


def _week(row: list[Box], own: Box) -> list[Box]:
    """The days that follow on one another at one distance, a week around its column."""
    for count in WEEK:
        for first in range(len(row) - count + 1):
            week = row[first : first + count]
            steps = [b.center.x - a.center.x for a, b in pairwise(week)]
            even = PITCH[0] <= min(steps) and max(steps) <= PITCH[1] and max(steps) - min(steps) <= 2 * EVEN
            if even and _in(week, own):
                return week
    return []


def _regular(weeks: list[list[Box]], own: Box) -> bool:
    """Whether weeks stand below one another at one distance, and the day in their rows or the next ones."""
    at = [week[0].center.y for week in weeks]
    step = min(b - a for a, b in pairwise(at))
    if not PITCH[0] <= step <= PITCH[1]:
        return False
    even = all(
        abs((y - at[0]) / step - round((y - at[0]) / step)) * step <= EVEN for y in [*at, own.center.y]
    )
    return even and at[0] - 2 * step <= own.center.y <= at[-1] + 2 * step


def _heading(texts: list[Box], days: list[Box], weeks: list[list[Box]]) -> Box | None:
    """The line of words next above the rows of days, and above the names of these."""
    step = min(b[0].center.y - a[0].center.y for a, b in pairwise(weeks))
    columns, top = weeks[0], weeks[0][0].y
    over = [t for t in texts if columns[0].x <= t.center.x <= columns[-1].right]
    days = [
        d for d in days if not any(t.width > DAY and level(t, d) for t in over)
    ]  # no arrows beside a heading
    while above := [d.y for d in days if top - NEXT * step <= d.y < top - EVEN and _in(columns, d)]:
        top = min(above)
    words = [t for t in over if word(t) and t.bottom <= top and t.y >= top - ABOVE * step]
    words = [t for t in words if not _names(t, days)]
    if not words:
        return None
    nearest = max(words, key=lambda t: t.bottom)
    return reduce(around, [t for t in words if level(t, nearest)])


def _in(week: list[Box], day: Box) -> bool:
    """Whether a day stands in one of the columns."""
    return any(_over(day, one) for one in week)


def _names(text: Box, days: list[Box]) -> bool:
    """Whether a text stands in the row of the days' names."""
    return sum(level(text, day) for day in days) >= WEEK[0] - 1

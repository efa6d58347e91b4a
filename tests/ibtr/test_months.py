"""A day of a calendar: its number stands in every month, and the heading above says in which one it is."""

import pytest

from ibtr import reaim, remember
from ibtr.errors import Rejected
from ibtr.geometry import Box
from ibtr.months import month_above
from ibtr.pixels import Pixels, to_gray
from tests.ibtr.drawing import Sheet
from tests.ibtr.screens import middle

NAMES = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")


def month(
    sheet: Sheet, title: str, x: int, y: int, first: int, days: int = 30, *, scrolled: int = 0
) -> dict[int, Box]:
    """A month whose first day stands in that column, and where its days are; weeks may be `scrolled` away."""
    sheet.word("<", x, y)
    sheet.word(title, x + 90, y)
    sheet.word(">", x + 290, y)
    for at, name in enumerate(NAMES):
        sheet.word(name, x + 48 * at - 6, y + 32)
    rows = {day: (day + first - 1) // 7 - scrolled for day in range(1, days + 1)}
    return {
        day: sheet.word(str(day), x + 48 * ((day + first - 1) % 7), y + 64 + 31 * row)
        for day, row in rows.items()
        if row >= 0
    }


def page(title: str, first: int, y: int = 120) -> tuple[Pixels, dict[int, Box]]:
    sheet = Sheet()
    sheet.word("Orders", 60, 60)
    return sheet.picture, month(sheet, title, 80, y, first)


@pytest.mark.parametrize("day", [2, 15, 30])
def test_a_day_is_found_in_its_month_alone(day: int) -> None:
    screen, days = page("June 2026", 0)
    evidence = remember(screen, middle(days[day]))

    assert reaim(evidence, screen).point == pytest.approx(middle(days[day]), abs=1)
    moved, there = page("June 2026", 0, 180)
    assert reaim(evidence, moved).point == pytest.approx(middle(there[day]), abs=1)
    for title, first in (("July 2026", 2), ("November 2027", 0), ("June 2027", 0)):
        with pytest.raises(Rejected):
            reaim(evidence, page(title, first)[0])


def test_a_heading_that_stays_where_its_days_are_scrolled_is_read() -> None:
    screen, days = page("June 2026", 0)
    evidence = remember(screen, middle(days[17]))

    for title in ("June 2026", "July 2026"):
        sheet = Sheet()
        sheet.word("Orders", 60, 60)
        there = month(sheet, title, 80, 120, 0, scrolled=1)
        if title == "June 2026":
            assert reaim(evidence, sheet.picture).point == pytest.approx(middle(there[17]), abs=1)
        else:
            with pytest.raises(Rejected):
                reaim(evidence, sheet.picture)


def test_of_two_months_side_by_side_each_has_its_own_heading() -> None:
    sheet = Sheet()
    left = month(sheet, "December 2026", 80, 120, 1, 31)
    right = month(sheet, "January 2027", 520, 120, 4, 31)
    gray = to_gray(sheet.picture)

    for days, x in ((left, 170), (right, 610)):
        for day in (1, 3, 17, 31):
            heading = month_above(gray, middle(days[day]))
            assert heading is not None
            assert abs(heading.x - x) <= 4
            assert heading.y < 120 < heading.bottom


def test_elsewhere_there_is_no_month() -> None:
    screen, days = page("June 2026", 0)
    gray = to_gray(screen)

    assert month_above(gray, middle(days[15])) is not None
    assert month_above(gray, middle(Box(200, 110, 10, 10))) is None  # the heading itself
    assert month_above(gray, middle(Box(700, 300, 10, 10))) is None
    sheet = Sheet()
    for at in range(40):  # a sheet of ten columns
        sheet.word(str(10 + at), 80 + 48 * (at % 10), 184 + 31 * (at // 10))
    assert month_above(to_gray(sheet.picture), middle(Box(170, 210, 10, 10))) is None

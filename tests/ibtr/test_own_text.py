"""A text among others that are much like it: the one that reads as recorded itself, wherever it stands."""

import pytest

from ibtr import reaim, remember
from ibtr.errors import AmbiguousTarget, Rejected
from ibtr.geometry import Box, Point
from ibtr.pixels import Pixels, cut
from tests.ibtr.drawing import Sheet
from tests.ibtr.screens import middle


def dates(left: int = 40, top: int = 60, year: int = 2021) -> tuple[Pixels, Point]:
    """Dates in rows and columns at a place, others elsewhere, and one of the first."""
    sheet, found = Sheet(), Point(0, 0)
    for x, y, of in ((left, top, 2022), (640, 350, year)):
        for row in range(8):
            for column, month in enumerate((7, 8, 9)):
                box = sheet.word(f"{month}/{row + 11}/{of}", x + 130 * column, y + 30 * row)
                found = middle(box) if (of, row, column) == (2022, 4, 1) else found
    return sheet.picture, found


@pytest.mark.parametrize("left, top", [(40, 60), (90, 100), (200, 90)])
def test_a_date_among_dates_is_told_by_its_own_digits(left: int, top: int) -> None:
    screen, click = dates()
    now, there = dates(left, top)

    assert reaim(remember(screen, click), now).point == pytest.approx(there, abs=1)


def test_a_date_among_dates_is_refused_where_it_is_there_twice() -> None:
    screen, click = dates()

    with pytest.raises(AmbiguousTarget):
        reaim(remember(screen, click), dates(90, 100, year=2022)[0])


def test_a_date_among_dates_is_refused_where_it_is_gone() -> None:
    screen, click = dates()
    now = screen.copy()
    cut(now, Box(int(click.x) - 45, int(click.y) - 12, 90, 24))[:] = screen[0, 0]

    with pytest.raises(Rejected):
        reaim(remember(screen, click), now)

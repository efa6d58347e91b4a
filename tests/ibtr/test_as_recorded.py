"""A target that its screen showed twice: found where nothing has changed, refused where anything has."""

import numpy as np
import pytest

from ibtr import Evidence, reaim, remember
from ibtr.errors import AmbiguousTarget, BadEvidence, Rejected
from ibtr.geometry import Box, Point
from ibtr.pixels import Pixels, cut
from tests.ibtr.drawing import Sheet
from tests.ibtr.screens import middle

LEFT = (60, 420)
"""Where two months begin."""


def calendar() -> tuple[Pixels, Box]:
    """Two months side by side that begin on the same day of the week, and the seventh of the second."""
    sheet, found = Sheet(), Box(0, 0, 1, 1)
    for left in LEFT:
        for day in range(1, 31):
            row, column = divmod(day + 2, 7)
            box = sheet.word(str(day), left + 42 * column, 110 + 40 * row)
            found = box if day == 7 else found
    for n, word in enumerate(("Departure", "Return", "Travellers", "Cabin", "Search")):
        sheet.word(word, 740, 80 + 60 * n)
        sheet.word(word, 300 + 90 * n, 50)
    return sheet.picture, found


def test_one_of_two_equals_is_found_where_nothing_has_changed() -> None:
    screen, seventh = calendar()
    evidence = remember(screen, middle(seventh))

    aim = reaim(evidence, screen)

    assert evidence.crop.equals == (pytest.approx((-360, 0), abs=1),)
    assert aim.point == pytest.approx(middle(seventh), abs=1)
    assert aim.representation == "as recorded"


def test_it_is_found_so_after_it_was_stored() -> None:
    screen, seventh = calendar()
    stored = Evidence.from_parts(*remember(screen, middle(seventh)).to_parts())

    assert reaim(stored, screen).point == pytest.approx(middle(seventh), abs=1)


def test_it_is_refused_where_what_stood_around_it_has_moved() -> None:
    screen, seventh = calendar()
    now = np.roll(screen, 240, axis=1)
    now[:, :360] = screen[:, :360]

    with pytest.raises(AmbiguousTarget):
        reaim(remember(screen, middle(seventh)), now)


def test_it_is_refused_where_another_equal_has_come() -> None:
    screen, seventh = calendar()
    evidence = remember(screen, middle(seventh))
    near = Box(420, 90, 320, 260)
    now = np.full((1100, 1100, 3), screen[0, 0], np.uint8)
    now[: len(screen)] = screen
    cut(now, near._replace(y=700))[:] = cut(screen, near)

    with pytest.raises(AmbiguousTarget):
        reaim(evidence, now)


def test_places_of_equals_that_are_none_are_not_read() -> None:
    screen, seventh = calendar()
    told, pictures = remember(screen, middle(seventh)).to_parts()
    told["anchors"][0]["equals"] = [[1.0]]  # type: ignore[index]

    with pytest.raises(BadEvidence, match="equals is not a list of 2 numbers"):
        Evidence.from_parts(told, pictures)


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

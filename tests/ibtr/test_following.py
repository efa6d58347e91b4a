"""The row of a list is read wherever its cells stand, between the lines of its table."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import Rejected
from ibtr.geometry import Box
from ibtr.pixels import Pixels, cut
from tests.ibtr.screens import button, middle

ROWS = (("Wayne Corp", "Turin", "12,50"), ("Wonka", "Lyon", "8,00"), ("Acme", "New York", "31,20"))
STOPS = (40, 300, 560)


def edit(at: int) -> Box:
    return Box(900, 118 + 40 * at, 60, 26)


def table(rows: Sequence[Sequence[str]], stops: Sequence[float] = STOPS) -> Pixels:
    """Rows with a line below each, and a button at their end; a column may begin between two pixels."""
    screen: Pixels = np.full((540, 1100, 3), 252, np.uint8)
    for at, row in enumerate(rows):
        box = edit(at)
        for x, text in zip(stops, row, strict=True):
            write(screen, text, x, box.y + 18)
        button(screen, box, "Edit")
        cv2.line(screen, (30, box.bottom + 2), (1070, box.bottom + 2), (190, 190, 190), 1)
    return screen


def write(screen: Pixels, text: str, x: float, y: int) -> None:
    part: Pixels = np.full((26, 160, 3), 252, np.uint8)
    cv2.putText(part, text, (4, 18), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (40, 40, 40), 1, cv2.LINE_AA)
    off = np.array([[1, 0, x - int(x)], [0, 1, 0]], np.float32)
    moved = cv2.warpAffine(part, off, (160, 26), borderMode=cv2.BORDER_REPLICATE)
    cut(screen, Box(int(x) - 4, y - 18, 160, 26))[:] = moved


@pytest.mark.parametrize("stops", [(40, 312, 548), (40, 300.5, 561.5), (40, 280, 560.5)])
def test_a_row_is_read_where_its_columns_stand_now(stops: Sequence[float]) -> None:
    evidence = remember(table(ROWS), middle(edit(0)))

    aim = reaim(evidence, table((ROWS[0], ("Umbrella", "Oslo", "8,00"), ROWS[2]), stops))

    assert aim.point == pytest.approx(middle(edit(0)), abs=1)
    for other in (
        ("Wayne Corp", "Turin", "72,50"),
        ("Wayne Cord", "Turin", "12,50"),
        ("Wayne Corp", "Turin"),
    ):
        row = (*other, "") if len(other) < len(STOPS) else other
        with pytest.raises(Rejected):
            reaim(evidence, table((row, *ROWS[1:]), stops))


def test_a_comma_for_a_point_is_seen_where_nothing_has_moved() -> None:
    evidence = remember(table(ROWS), middle(edit(0)))

    with pytest.raises(Rejected):
        reaim(evidence, table((("Wayne Corp", "Turin", "12.50"), *ROWS[1:])))


@pytest.mark.parametrize(("was", "now"), [("C", "G"), ("O", "Q"), ("1.5", "1,5"), ("D1", "O1")])
@pytest.mark.parametrize("stops", [STOPS, (40, 280, 560.5)])
def test_a_sign_or_a_few_letters_must_have_all_of_their_pixels(
    was: str, now: str, stops: Sequence[float]
) -> None:
    evidence = remember(table((("Acme", was, "8,00"), *ROWS[:2])), middle(edit(0)))

    assert reaim(evidence, table((("Acme", was, "8,00"), *ROWS[:2]), stops)).point == pytest.approx(
        middle(edit(0)), abs=1
    )
    with pytest.raises(Rejected):
        reaim(evidence, table((("Acme", now, "8,00"), *ROWS[:2]), stops))


def members(now: Sequence[str], former: Sequence[str]) -> Pixels:
    """Two lists of one kind, the second one under a heading of its own."""
    screen: Pixels = np.full((640, 1100, 3), 252, np.uint8)
    y = 90
    for title, names in (("Members", now), ("Former members", former)):
        write(screen, title, 40, y)
        for name in names:
            y += 40
            write(screen, name, 60, y)
            button(screen, Box(900, y - 18, 76, 26), "Remove")
        y += 50
    return screen


def test_an_entry_of_another_list_is_not_clicked_in_the_place_of_one_of_this() -> None:
    before = members(("Globex", "Initech", "Acme", "Hooli"), ("Stark", "Umbrella", "Wonka"))
    evidence = remember(before, middle(Box(900, 192, 76, 26)))

    assert reaim(evidence, before).point == pytest.approx(middle(Box(900, 192, 76, 26)), abs=1)
    with pytest.raises(Rejected):
        reaim(evidence, members(("Globex", "Initech", "Hooli"), ("Acme", "Umbrella", "Wonka")))


def test_an_item_that_was_sorted_anew_is_found_among_other_neighbours() -> None:
    rows = (*ROWS, ("Hooli", "Lisbon", "4,10"), ("Stark", "Ghent", "9,90"))
    for at in range(len(rows)):
        evidence = remember(table(rows), middle(edit(at)))
        anew = [*rows[::-1][1:], rows[-1]]

        aim = reaim(evidence, table(anew))

        assert aim.point == pytest.approx(middle(edit(anew.index(rows[at]))), abs=1)

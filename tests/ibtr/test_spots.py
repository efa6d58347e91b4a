"""A row that was clicked far behind its text is named by that, however far."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import Rejected
from ibtr.geometry import Box, Point
from ibtr.pixels import Pixels, to_gray
from ibtr.spots import row_of_spot

FILES = ("budget.xlsx", "invoice.pdf", "letter.doc", "summary.txt", "travel.pdf")
FIRST, PITCH = 140, 34


def page(names: Sequence[str], kind: str = "Document") -> Pixels:
    """A list of names over the whole width, with lines between; all are of one kind."""
    screen: Pixels = np.full((540, 1100, 3), 255, np.uint8)
    write(screen, "Files", 40, 90)
    for at, name in enumerate(names):
        y = FIRST + PITCH * at
        write(screen, name, 50, y + 5)
        write(screen, kind, 420, y + 5)
        cv2.line(screen, (40, y + PITCH // 2), (1060, y + PITCH // 2), (215, 215, 215), 1)
    return screen


def write(screen: Pixels, text: str, x: int, y: int) -> None:
    cv2.putText(screen, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (40, 40, 40), 1, cv2.LINE_AA)


@pytest.mark.parametrize("x", [560, 620])
def test_a_row_with_another_name_is_not_clicked_far_behind_it(x: int) -> None:
    click = Point(x, FIRST + 2 * PITCH)
    screen = page(FILES)
    evidence = remember(screen, click)

    assert reaim(evidence, screen).point == pytest.approx(click, abs=1)
    for names in ((*FILES[:2], "notes.md", *FILES[3:]), (*FILES[:2], *FILES[3:]), ("new.txt", *FILES)):
        try:
            aim = reaim(evidence, page(names))
        except Rejected:
            continue
        assert names[round((aim.point.y - FIRST) / PITCH)] == FILES[2]


def test_a_spot_is_in_no_row_where_nothing_else_begins_like_it() -> None:
    rows, lone = to_gray(page(FILES)), to_gray(page(FILES[:1]))
    spot = Point(620, FIRST)

    assert row_of_spot(rows, spot, around(spot)) is not None
    assert row_of_spot(lone, spot, around(spot)) is None
    for elsewhere in (Point(620, 430), Point(160, FIRST)):
        assert row_of_spot(rows, elsewhere, around(elsewhere)) is None


def test_nor_is_a_row_of_another_list_with_the_same_text() -> None:
    def stacked(files: Sequence[str], trash: Sequence[str]) -> Pixels:
        screen = page(())
        for first, names in ((FIRST, files), (390, trash)):
            for at, name in enumerate(names):
                write(screen, name, 50, first + PITCH * at + 5)
        write(screen, "Trash", 40, 350)
        return screen

    evidence = remember(stacked(FILES, ("a.txt", "b.doc", "c.odt")), Point(520, FIRST + 2 * PITCH))

    for trash in (("letter.doc", "a.txt", "b.doc"), ("a.txt", "b.doc", "letter.doc")):
        with pytest.raises(Rejected):
            reaim(evidence, stacked((*FILES[:2], "draft.doc", *FILES[3:]), trash))


def around(spot: Point) -> Box:
    return Box(round(spot.x) - 12, round(spot.y) - 6, 24, 12)


@pytest.mark.parametrize("kind", ["Document", ""])
def test_a_row_that_others_pushed_down_is_found_by_what_is_written_in_it(kind: str) -> None:
    click = Point(620, FIRST + 2 * PITCH)
    evidence = remember(page(FILES, kind), click)

    for names in (("new.txt", *FILES), FILES[::-1], (*FILES[1:], "notes.md")):
        there = click._replace(y=FIRST + PITCH * names.index(FILES[2]))
        assert reaim(evidence, page(names, kind)).point == pytest.approx(there, abs=1)


def test_a_text_that_is_read_beside_the_click_anyhow_is_not_kept_twice() -> None:
    screen = page(FILES)
    beside, behind = (remember(screen, Point(x, FIRST + PITCH)).crop for x in (280, 620))

    assert beside.line is not None
    assert beside.row is None
    assert behind.row is not None

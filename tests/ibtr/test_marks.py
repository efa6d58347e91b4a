"""Which marks are words: a number in brackets behind one is, an icon before it is not."""

import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import Rejected
from ibtr.geometry import Box, Point
from ibtr.marks import Boxes, box_of, marks, words_of
from ibtr.pixels import to_gray
from tests.ibtr.drawing import Sheet

ICON, WORD, NUMBER = (133, 174, 15, 15), (154, 176, 41, 11), (199, 176, 18, 12)
LABEL, ROW = (154, 176, 63, 12), (133, 174, 84, 15)


def marked(*boxes: tuple[int, int, int, int]) -> Boxes:
    return np.array(boxes, np.int32)


def found(*boxes: tuple[int, int, int, int]) -> set[tuple[int, ...]]:
    return {tuple(int(v) for v in row) for row in words_of(marked(*boxes))}


def test_a_number_in_brackets_belongs_to_the_word_before_it() -> None:
    assert found(WORD, NUMBER, LABEL) == {WORD, LABEL}


def test_an_icon_does_not_belong_to_the_word_behind_it() -> None:
    assert found(ICON, WORD, NUMBER, LABEL, ROW) == {WORD, LABEL}


def test_icons_in_a_row_are_no_word() -> None:
    assert found((10, 10, 16, 16), (30, 10, 16, 16), (10, 10, 36, 16)) == set()


@pytest.mark.parametrize("side", [24, 26, 28, 34])
def test_the_frame_of_a_pressed_button_is_no_part_of_its_icon(side: int) -> None:
    sheet = Sheet()
    button = sheet.frame(Box(200, 100, side, side))
    icon = sheet.icon(5, 200 + (side - 10) // 2, round(button.center.y), cell=2)

    found = [box_of(row) for row in marks(to_gray(sheet.picture))]

    assert found
    assert all(icon.grow(2).intersect(box) == box for box in found)


@pytest.mark.parametrize("now", ["Tables (2)", "Tables (7)", "Tables (11)"])
@pytest.mark.parametrize("right", [20, 160], ids=["on its text", "beside its text"])
def test_a_row_that_counts_otherwise_is_not_clicked(now: str, right: int) -> None:
    rows = ("Indices (0)", "Views (3)", "Triggers (0)")

    def tree(*words: str) -> Sheet:
        sheet = Sheet()
        for n, word in enumerate(words):
            sheet.word(word, 200, 200 + 24 * n)
        return sheet

    evidence = remember(tree("Tables (1)", *rows).picture, Point(200 + right, 200))

    with pytest.raises(Rejected):
        reaim(evidence, tree(now, "clients", *rows).picture)

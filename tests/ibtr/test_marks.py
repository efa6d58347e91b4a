"""Which marks are words: a number in brackets behind one is, an icon before it is not."""

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import Rejected
from ibtr.geometry import Box, Point
from ibtr.marks import Boxes, box_of, marks, signed, words, words_of
from ibtr.pixels import Pixels, to_gray
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


def test_a_row_of_icons_and_an_arrow_are_no_words() -> None:
    screen: Pixels = np.full((120, 400), 240, np.uint8)
    for at in (40, 64, 88):
        cv2.rectangle(screen, (at, 50), (at + 19, 69), 40, 2)
        cv2.line(screen, (at, 50), (at + 19, 69), 40, 2)
    cv2.line(screen, (160, 58), (163, 61), 40, 1)
    cv2.line(screen, (163, 61), (166, 58), 40, 1)
    cv2.putText(screen, "Help", (240, 66), cv2.FONT_HERSHEY_SIMPLEX, 0.45, 40, 1, cv2.LINE_AA)

    found = [Box(*(int(v) for v in row)) for row in words(screen)]

    assert found
    assert all(box.x >= 238 for box in found)


@pytest.mark.parametrize(
    ("sign", "text", "is_signed"), [(1, "Ascending", 1), (0, "Ascending", 0), (1, "", 0)]
)
def test_a_word_with_the_sign_of_a_switch_beside_it_is_known_as_both(
    sign: int, text: str, is_signed: int
) -> None:
    picture = np.full((80, 200), 240, np.uint8)
    if sign:
        cv2.circle(picture, (30, 40), 7, 60, -1)
    cv2.putText(picture, text, (43, 45), cv2.FONT_HERSHEY_SIMPLEX, 0.45, 30, 1, cv2.LINE_AA)
    every = marks(picture)
    largest = max((box_of(row) for row in every), key=lambda box: box.area)

    assert signed(every, largest) is bool(is_signed)


def ruled(text: str, at: Point) -> tuple[Pixels, Box]:
    """A grid, one cell with a frame in it that hangs together with the lines; a text, and its box."""
    screen: Pixels = np.full((300, 500), 255, np.uint8)
    for x in range(40, 480, 80):
        cv2.line(screen, (x, 40), (x, 260), 190, 1)
    for y in range(40, 270, 22):
        cv2.line(screen, (40, y), (440, y), 190, 1)
    cv2.rectangle(screen, (122, 86), (198, 104), 90, 1)
    cv2.line(screen, (120, 84), (122, 86), 90, 1)
    bare = screen.copy()
    cv2.putText(screen, text, (int(at.x), int(at.y)), cv2.FONT_HERSHEY_SIMPLEX, 0.4, 20, 1, cv2.LINE_AA)
    return screen, Box(*cv2.boundingRect((screen != bare).astype(np.uint8)))


@pytest.mark.parametrize("text", ["Item", "Travel", "minimum"])
@pytest.mark.parametrize("at", [Point(122, 100), Point(202, 100)], ids=["frame", "line"])
def test_a_text_that_touches_a_line_is_a_mark_without_it(text: str, at: Point) -> None:
    screen, written = ruled(text, at)

    found = [box_of(row) for row in marks(screen)]

    assert any(box.grow(3).intersect(written) == written and box.width <= written.width + 6 for box in found)


def test_the_lines_of_a_grid_leave_no_marks() -> None:
    screen, written = ruled("Item", Point(300, 100))

    found = [box_of(row) for row in marks(screen)]

    assert found
    assert all(written.grow(3).intersect(box) == box for box in found)


def test_a_minus_that_touches_a_line_belongs_to_its_number() -> None:
    left = Point(201, 100)
    (bare, number), (signed_too, negative) = ruled("75", left), ruled("-75", left)

    plain, less = ([box_of(row) for row in marks(one)] for one in (bare, signed_too))

    assert negative.width > number.width + 4
    assert any(abs(box.width - number.width) <= 2 for box in plain)
    assert any(abs(box.width - negative.width) <= 2 for box in less)

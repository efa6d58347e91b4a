"""What belongs to the button that was clicked, where the words of its window were drawn anew."""

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import Rejected
from ibtr.geometry import Box
from ibtr.pixels import Pixels
from tests.ibtr.drawing import FACE, GROUND, INK, Sheet
from tests.ibtr.screens import middle
from tests.ibtr.test_icons import icon

LINES = ("def total(rows):", "return sum(rows)", "Functions", "Message", "Compiler")


def tabs(name: str = "Symbols", scale: float = 1.0, *, first: bool = True) -> tuple[Pixels, Box]:
    """A plain bar with one tab in it; at its ends an arrow each, of which the first is not always there."""
    sheet = Sheet(scale)
    bar = sheet.frame(Box(60, 60, 240, 30))
    own = sheet.word(name, 180 - round(28 * scale), 75)
    for x, way in ((66, 1), (290, -1))[0 if first else 1 :]:
        points = np.array([(x, 70), (x, 80), (x - 5 * way, 75)], np.int32)
        cv2.fillPoly(sheet.picture, [points + np.array([3 * way, 0], np.int32)], INK)
    for n, line in enumerate(LINES):
        sheet.word(line, 70 + 40 * (n % 2), bar.bottom + round(28 * scale) * (n + 1))
    return sheet.picture, own


def test_what_stands_at_the_ends_of_a_bar_is_no_part_of_the_word_in_it() -> None:
    screen, own = tabs()
    evidence = remember(screen, middle(own))
    anew, there = tabs(scale=1.25, first=False)

    assert there.contains(reaim(evidence, anew).point)
    with pytest.raises(Rejected):
        reaim(evidence, tabs("Documents", 1.25)[0])


def docks(scale: float = 1.0, last: int = 62) -> tuple[Pixels, Box]:
    """A heading with three small icons close together at its end, which keep their size."""
    sheet = Sheet(scale)
    for n, line in enumerate(LINES):
        sheet.word(line, 60 + 30 * (n % 2), 60 + round(26 * scale) * n)
    y = 70 + round(26 * scale) * len(LINES)
    sheet.word("Remote", 60, y)
    x = 70 + round(90 * scale)
    sheet.picture[y - 8 : y + 9, x - 3 : x + 40] = FACE
    for n, number in enumerate((61, 64, last)):
        icon(sheet, number, x + 12 * n, y)
    for n, line in enumerate(("Identity", "Local", "Database")):
        sheet.word(line, 60 + 90 * n, y + round(30 * scale))
    return sheet.picture, Box(x + 24, y - 6, 12, 12)


def test_icons_that_touch_keep_their_size_where_words_grew() -> None:
    screen, own = docks()
    evidence = remember(screen, middle(own))
    anew, there = docks(1.3)

    assert reaim(evidence, anew).point == pytest.approx(middle(there), abs=2)
    with pytest.raises(Rejected):
        reaim(evidence, docks(1.3, 63)[0])


def row(
    name: str = "Hardness", scale: float = 1.0, *, apart: int = 3, line: bool = True
) -> tuple[Pixels, Box]:
    """An icon, a line and the name of its row, whose letters stand so far apart, among other rows."""
    sheet = Sheet(scale)
    names = [*LINES[:2], name, *LINES[3:]]
    own = Box(204, 60 + round(30 * scale) * 2 - 6, 12, 12)
    for n, text in enumerate(names):
        y, x = 60 + round(30 * scale) * n, 240
        icon(sheet, 70 + n, own.x, y)
        if n != 2:
            sheet.word(text, x, y)
        for letter in text if n == 2 else "":
            x = _inked(sheet, letter, x, y) + apart
    if line:
        cv2.line(sheet.picture, (226, 20), (226, 600), (120, 120, 120), 1)
    return sheet.picture, own


def _inked(sheet: Sheet, letter: str, x: int, y: int) -> int:
    """A letter whose ink begins at `x`; where it ends."""
    other = Sheet(sheet.scale)
    other.word(letter, 400, y)
    columns = np.flatnonzero((other.picture != GROUND).any(axis=(0, 2)))
    part = other.picture[y - 20 : y + 20, columns[0] : columns[-1] + 1]
    sheet.picture[y - 20 : y + 20, x : x + part.shape[1]] = np.minimum(
        sheet.picture[y - 20 : y + 20, x : x + part.shape[1]], part
    )
    return x + int(part.shape[1])


@pytest.mark.parametrize("line", [True, False])
def test_a_name_that_is_parted_otherwise_in_another_size_still_names_its_row(line: bool) -> None:
    screen, own = row(line=line)
    evidence = remember(screen, middle(own))
    anew, there = row(scale=1.25, apart=3, line=line)

    assert there.contains(reaim(evidence, anew).point)
    for other in ("Softness", "Hardware"):
        with pytest.raises(Rejected):
            reaim(evidence, row(other, 1.25, apart=3, line=line)[0])


def fonts(scale: float = 1.0, face: str = "Calibri", size: str = "11 pt") -> tuple[Pixels, list[Box]]:
    """Two fields in a bar that grow with their words, each with an arrow behind a line; icons that do not."""
    sheet = Sheet(scale)
    x, arrows = 60, []
    for text in (face, size):
        field = sheet.frame(Box(x, 130, round(110 * scale), 34))
        sheet.word(text, x + 8, 147)
        arrow = sheet.frame(Box(field.right, 130, 34, 34))
        cv2.line(sheet.picture, (arrow.x + 1, 134), (arrow.x + 1, 159), (150, 150, 150), 1)
        points = np.array([(0, 0), (10, 0), (5, 5)], np.int32) + np.array([arrow.x + 12, 144], np.int32)
        cv2.fillPoly(sheet.picture, [points], INK)
        arrows.append(arrow)
        x = arrow.right + 10
    for n in range(6):
        icon(sheet, 80 + n, x + 20 + 36 * n, 147)
    for n, line in enumerate(LINES):
        sheet.word(line, 60 + round(200 * scale * (n % 3)), 210 + round(30 * scale) * (n // 3))
        sheet.word(line[:9], 60 + round(90 * scale * n), 90)
    return sheet.picture, arrows


@pytest.mark.parametrize("which", [0, 1])
def test_the_line_before_an_arrow_is_no_part_of_it(which: int) -> None:
    screen, arrows = fonts()
    evidence = remember(screen, middle(arrows[which]))
    anew, there = fonts(1.25)

    assert there[which].contains(reaim(evidence, anew).point)

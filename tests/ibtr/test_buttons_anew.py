"""What belongs to the button that was clicked, where the words of its window were drawn anew."""

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import Rejected
from ibtr.geometry import Box
from ibtr.pixels import Pixels
from tests.ibtr.drawing import FACE, INK, Sheet
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

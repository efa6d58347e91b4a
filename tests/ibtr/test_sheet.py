"""An empty cell of a sheet that was drawn anew: found by the headings before it, or refused."""

from collections.abc import Mapping

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember, verify
from ibtr.anew import REDRAWN
from ibtr.errors import Rejected
from ibtr.geometry import Box, Point
from ibtr.pixels import Pixels, cut, size_of
from tests.ibtr.screens import middle

LETTERS = "ABCDEFGHIJKLMNO"
TEXTS = {(0, 0): "Item", (1, 0): "March", (0, 1): "Rent", (1, 1): "900", (0, 6): "Fees"}
Texts = Mapping[tuple[int, int], str]


def sheet(
    scale: float = 1.0,
    *,
    dark: bool = False,
    first: tuple[int, int] = (0, 0),
    texts: Texts = TEXTS,
    inset: int = 3,
) -> tuple[Pixels, dict[tuple[int, int], Box]]:
    """Eleven columns of fourteen rows, and the inside of every cell; what comes `first` in them.

    Texts begin `inset` pixels behind the line.
    """
    screen: Pixels = np.full((640, 1300, 3), 90, np.uint8)
    wide, high, numbers = round(78 * scale), round(20 * scale), round(40 * scale)
    left, top = 40, 70
    cv2.rectangle(screen, (left, top - 40), (left + numbers + 11 * wide, top + 15 * high), (240,) * 3, -1)
    cv2.rectangle(
        screen, (left + numbers, top + high), (left + numbers + 11 * wide, top + 15 * high), (255,) * 3, -1
    )
    boxes = {
        (column, row): Box(left + numbers + column * wide + 1, top + (row + 1) * high + 1, wide - 1, high - 1)
        for column in range(11)
        for row in range(14)
    }
    for column in range(12):
        x = left + numbers + column * wide
        cv2.line(screen, (x, top), (x, top + 15 * high), (190,) * 3)
        if column < 11:
            _write(screen, LETTERS[column + first[0]], Point(x + wide // 2, top + high - 5 * scale), scale)
    for row in range(15):
        y = top + (row + 1) * high
        cv2.line(screen, (left, y), (left + numbers + 11 * wide, y), (190,) * 3)
        if row < 14:
            _write(screen, str(row + 1 + first[1]), Point(left + 10 * scale, y + high - 5 * scale), scale)
    for (column, row), text in texts.items():
        inside = boxes[column, row]
        _write(screen, text, Point(inside.x + inset, inside.bottom - 4 * scale), scale)
    return (255 - screen).astype(np.uint8) if dark else screen, boxes


def _write(screen: Pixels, text: str, at: Point, scale: float) -> None:
    cv2.putText(
        screen,
        text,
        (int(at.x), int(at.y)),
        cv2.FONT_HERSHEY_SIMPLEX,
        0.42 * scale,
        (20,) * 3,
        1,
        cv2.LINE_AA,
    )


@pytest.mark.parametrize(("scale", "dark"), [(1.25, False), (1.0, True), (1.4, True)])
@pytest.mark.parametrize("place", [(4, 6), (9, 12)])
def test_an_empty_cell_drawn_anew_is_found_and_holds_when_looked_at_again(
    place: tuple[int, int], scale: float, dark: bool
) -> None:
    screen, boxes = sheet()
    evidence = remember(screen, middle(boxes[place]))
    anew, there = sheet(scale, dark=dark)

    aim = reaim(evidence, anew)

    assert there[place].contains(aim.point)
    assert aim.representation == REDRAWN
    patch = aim.patch.clip(size_of(anew))
    assert verify(evidence, aim, cut(anew, patch).copy(), Point(patch.x, patch.y)).core >= 0.8


@pytest.mark.parametrize("scale", [1.25, 1.5])
def test_texts_that_touch_the_lines_are_read(scale: float) -> None:
    screen, boxes = sheet(inset=0)
    evidence = remember(screen, middle(boxes[4, 6]))
    anew, there = sheet(scale, inset=0)
    other, _ = sheet(scale, inset=0, texts={**TEXTS, (0, 6): "Tolls"})

    assert there[4, 6].contains(reaim(evidence, anew).point)
    with pytest.raises(Rejected):
        reaim(evidence, other)


@pytest.mark.parametrize("first", [(1, 0), (0, 1), (0, 10), (3, 2)])
@pytest.mark.parametrize("place", [(4, 6), (9, 12)])
def test_in_a_sheet_drawn_anew_that_was_scrolled_no_cell_is_clicked(
    place: tuple[int, int], first: tuple[int, int]
) -> None:
    screen, boxes = sheet()
    evidence = remember(screen, middle(boxes[place]))
    anew, _ = sheet(1.25, first=first, texts={})

    with pytest.raises(Rejected):
        reaim(evidence, anew)


@pytest.mark.parametrize("texts", [{(4, 6): "12"}, {(0, 6): "Tips"}, {(4, 2): "7"}])
def test_a_cell_drawn_anew_is_refused_where_it_or_what_leads_to_it_holds_something_else(texts: Texts) -> None:
    screen, boxes = sheet()
    evidence = remember(screen, middle(boxes[4, 6]))
    anew, _ = sheet(1.25, texts={**TEXTS, **texts})

    with pytest.raises(Rejected):
        reaim(evidence, anew)

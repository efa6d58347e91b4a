"""Buttons that show no more than a speck, in another size: a dot is no bar, and an icon is neither."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import Rejected
from ibtr.fields import same_content, written
from ibtr.geometry import Box
from ibtr.page import Page, Pair
from ibtr.pixels import Pixels, to_gray
from ibtr.sure import SURE
from tests.ibtr.drawing import INK, Sheet
from tests.ibtr.screens import middle


def keys(signs: Sequence[str], scale: float = 1.0) -> tuple[Pixels, dict[str, Box]]:
    """A keypad, on which a sign may be no more than a speck: `-` is a short bar, `.` a dot."""
    sheet = Sheet(scale)
    for index, sign in enumerate(signs):
        x, y = 100 + round(70 * scale) * (index % 5), 100 + round(40 * scale) * (index // 5)
        box = sheet.frame(Box(x, y, round(60 * scale), round(32 * scale)))
        sheet.boxes[sign] = box
        speck = {"-": (4, 2), ".": (2, 2)}.get(sign)
        at = middle(box)
        if speck is None:
            sheet.word(sign, x + round(14 * scale), round(at.y))
        else:
            wide, high = (round(side * scale) for side in speck)
            left, top = round(at.x) - wide // 2, round(at.y) - high // 2
            sheet.picture[top : top + high, left : left + wide] = INK
    return sheet.shown(), sheet.boxes


KEYS = ("MR", "MS", "sqrt", "log", "7", "8", "9", "+/-", "sin", "4", "5", "-", "cos", "tan", "x-y", "(a)")


def test_a_key_that_shows_a_speck_is_found_among_larger_keys() -> None:
    screen, boxes = keys(KEYS)
    evidence = remember(screen, middle(boxes["-"]))
    anew, there = keys(KEYS, 1.3)

    aim = reaim(evidence, anew)

    assert there["-"].contains(aim.point)


def test_a_speck_within_an_icon_is_not_what_a_button_shows() -> None:
    screen, boxes = keys(KEYS)
    box = boxes["sin"]
    x, y = (round(v) for v in middle(box))
    screen[box.y + 3 : box.bottom - 3, box.x + 3 : box.right - 3] = screen[box.y + 4, box.x + 4]
    for left, top, wide, high in ((-18, -10, 14, 20), (-3, -10, 20, 9)):
        screen[y + top : y + top + high, x + left : x + left + wide : 3] = INK
    screen[y + 8, x + 6 : x + 10] = INK
    page = Page(to_gray(screen), screen)
    smaller = cv2.resize(screen, None, fx=0.65, fy=0.65, interpolation=cv2.INTER_AREA)

    aim = reaim(remember(screen, middle(box)), np.asarray(smaller, np.uint8))

    assert max(max(page.box(mark)[2:]) for mark in written(page, box.grow(-2))) < 6
    assert (aim.point.x, aim.point.y) == pytest.approx([0.65 * v for v in middle(box)], abs=2)


@pytest.mark.parametrize("other", [".", "7", "E"])
def test_a_key_that_shows_another_sign_than_a_speck_is_refused(other: str) -> None:
    screen, boxes = keys(KEYS)
    evidence = remember(screen, middle(boxes["-"]))
    anew, _ = keys([other if sign == "-" else sign for sign in KEYS], 1.3)

    with pytest.raises(Rejected):
        reaim(evidence, anew)


@pytest.mark.parametrize(("sign", "same"), [("-", True), (".", False), ("7", False)])
def test_a_speck_is_known_by_its_shape(sign: str, same: bool) -> None:
    pages: list[Page] = []
    fields: list[Box] = []
    for shown, scale in (("-", 1.0), (sign, 1.3)):
        screen, boxes = keys([shown if one == "-" else one for one in KEYS], scale)
        pages.append(Page(to_gray(screen), screen))
        fields.append(boxes[shown].grow(-2))

    old, new = fields
    assert same_content(Pair(*pages), old, new, 1.3, SURE) is same

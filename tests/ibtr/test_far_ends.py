"""What tells a target may stand far from the click: the end of a text."""

import cv2
import numpy as np
import pytest

from ibtr import Evidence, reaim, remember
from ibtr.errors import Rejected
from ibtr.geometry import Box, Point
from ibtr.pixels import Pixels
from tests.ibtr.screens import button

LONG = "The whole answer to all of their questions, Order 117"


def write(screen: Pixels, text: str, x: int, y: int, size: float = 0.45) -> None:
    cv2.putText(screen, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, (30, 30, 30), 1, cv2.LINE_AA)


def page(text: str) -> Pixels:
    """A line of text with nothing behind it, and a button below."""
    screen: Pixels = np.full((420, 1200, 3), 250, np.uint8)
    write(screen, "All of this week", 30, 60)
    write(screen, text, 30, 94)
    button(screen, Box(330, 300, 90, 26), "Send")
    return screen


@pytest.mark.parametrize("x", [200, 250])
@pytest.mark.parametrize("now", [LONG[:-1] + "2", LONG + "0", "In" + LONG[3:], LONG[:-3] + "448"])
def test_a_text_is_read_to_both_its_ends(x: int, now: str) -> None:
    kept = remember(page(LONG), Point(x, 90))
    evidence = Evidence.from_parts(*kept.to_parts())

    with pytest.raises(Rejected):
        reaim(evidence, page(now))
    assert reaim(evidence, page(LONG)).point == pytest.approx((x, 90), abs=1)


def test_what_lies_over_the_far_end_of_a_text_does_not_make_it_another_one() -> None:
    now = page(LONG)
    now[:, 410:] = 90

    assert reaim(remember(page(LONG), Point(220, 90)), now).point == pytest.approx((220, 90), abs=1)


def roman(number: str) -> Pixels:
    screen: Pixels = np.full((300, 700, 3), 250, np.uint8)
    write(screen, "Plans of the house", 40, 60, 0.7)
    write(screen, "Phase", 40, 120, 0.7)
    for at in range(len(number)):
        screen[107:121, 106 + 7 * at : 108 + 7 * at] = 30
    write(screen, "Ready in summer", 40, 180, 0.7)
    return screen


@pytest.mark.parametrize("now", ["", "I", "III"])
def test_upright_bars_are_letters_and_no_carets(now: str) -> None:
    evidence = remember(roman("II"), Point(70, 114))

    with pytest.raises(Rejected):
        reaim(evidence, roman(now))

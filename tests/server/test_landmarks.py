"""Where a place of the recorded screen still looks as it did."""

import cv2
import numpy as np
import pytest

from ibtr import Aim, reaim, remember
from ibtr.geometry import Box, Point
from ibtr.pixels import Pixels
from server.replay.landmarks import ALIKE, still_shows

SIGN = Box(394, 294, 12, 12)


def window(sign: str, shade: int = 250) -> Pixels:
    """A window with a name to know it by, and a small button that shows a sign."""
    screen = np.full((600, 800, 3), 90, np.uint8)
    cv2.rectangle(screen, (100, 60), (700, 540), (250, 250, 250), -1)
    cv2.putText(screen, "Order supplies", (130, 110), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (20, 20, 20), 2)
    cv2.rectangle(screen, (376, 276), (424, 324), (shade, shade, shade), -1)
    cv2.line(screen, (395, 300), (405, 300), (120, 60, 40), 1)
    if sign == "+":
        cv2.line(screen, (400, 295), (400, 305), (120, 60, 40), 1)
    return screen


@pytest.fixture
def known() -> Aim:
    then = window("+")
    return reaim(remember(then, Point(200, 100)), then)


@pytest.mark.parametrize("shade", [250, 225, 200])
def test_a_small_sign_is_still_there_when_its_button_is_lit_up(known: Aim, shade: int) -> None:
    assert still_shows(window("+"), SIGN, known.transform, window("+", shade)) >= ALIKE


def test_half_of_a_small_sign_is_another_sign(known: Aim) -> None:
    assert still_shows(window("+"), SIGN, known.transform, window("-")) < ALIKE

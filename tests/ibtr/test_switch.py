"""A switch has no name of its own: what is written in its row says what it switches."""

from contextlib import suppress

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import Rejected
from ibtr.geometry import Box
from ibtr.pixels import Pixels, to_gray
from ibtr.switch import is_switch
from tests.ibtr.screens import button, middle

SETTINGS = (("Private entry", False), ("Ask before sending", True), ("Include pictures", True))


def switch(at: int) -> Box:
    return Box(400, 128 + 45 * at, 37, 19)


def painted(screen: Pixels, box: Box, *, on: bool) -> None:
    """A pill with a white disc at its right end, or at its left one."""
    half = box.height // 2
    y, colour = box.y + half, (60, 150, 90) if on else (150, 150, 150)
    for x in (box.x + half, box.right - 1 - half):
        cv2.circle(screen, (x, y), half, colour, -1, cv2.LINE_AA)
    cv2.rectangle(screen, (box.x + half, box.y), (box.right - 1 - half, box.bottom - 1), colour, -1)
    knob = box.right - 1 - half if on else box.x + half
    cv2.circle(screen, (knob, y), half - 3, (255, 255, 255), -1, cv2.LINE_AA)


def page(settings: tuple[tuple[str, bool], ...]) -> Pixels:
    screen: Pixels = np.full((480, 900, 3), 246, np.uint8)
    cv2.putText(screen, "Settings", (60, 80), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (30, 30, 30), 2, cv2.LINE_AA)
    for at, (name, on) in enumerate(settings):
        box = switch(at)
        place = (60, box.y + 15)
        cv2.putText(screen, name, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (30, 30, 30), 1, cv2.LINE_AA)
        painted(screen, box, on=on)
        cv2.line(screen, (50, box.y + 33), (460, box.y + 33), (210, 210, 210), 1)
    return screen


def test_a_switch_with_another_name_is_not_clicked() -> None:
    evidence = remember(page(SETTINGS), middle(switch(0)))

    assert reaim(evidence, page(SETTINGS)).point == pytest.approx(middle(switch(0)), abs=1)
    others_changed = (SETTINGS[0], ("Ask before sending", False), ("Show the date", True))
    assert reaim(evidence, page(others_changed)).point == pytest.approx(middle(switch(0)), abs=1)
    with suppress(Rejected):  # another one came in above
        aim = reaim(evidence, page((("Show the date", False), *SETTINGS)))
        assert aim.point == pytest.approx(middle(switch(1)), abs=1)
    with pytest.raises(Rejected):
        reaim(evidence, page((("Keep me informed", False), *SETTINGS[1:])))


@pytest.mark.parametrize("on", [True, False])
@pytest.mark.parametrize("dark", [True, False])
def test_a_pill_with_a_disc_at_one_end_is_a_switch(on: bool, dark: bool) -> None:
    screen: Pixels = np.full((200, 300, 3), 246, np.uint8)
    painted(screen, Box(100, 80, 37, 19), on=on)
    gray = to_gray(255 - screen if dark else screen)

    assert is_switch(gray, Box(100, 80, 37, 19))
    assert not is_switch(gray, Box(100, 80, 37, 37))
    assert not is_switch(gray, Box(10, 10, 37, 19))


@pytest.mark.parametrize("text", ["OK", "On", "o", "IO", "Go"])
def test_a_button_with_letters_is_none(text: str) -> None:
    screen: Pixels = np.full((200, 300, 3), 246, np.uint8)
    box = Box(100, 80, 44, 24)
    button(screen, box, text)

    assert not is_switch(to_gray(screen), box)

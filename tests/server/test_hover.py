"""What a pointer does to the screen by resting on it, and what it cannot have done."""

import cv2
import numpy as np
import pytest

from actionlens.frames import Pixels
from ibtr.geometry import Box, Point
from server.replay.hover import hovered

ROWS = ("Open...", "Open Recent", "Save", "Save As...", "Save All", "Revert", "Print...")
ROW = 24
SAVE = Box(20, 20 + 2 * ROW, 200, ROW)


def menu(rows: tuple[str, ...] = ROWS, lit: str = "") -> Pixels:
    screen = np.full((300, 400, 3), 255, np.uint8)
    for at, words in enumerate(rows):
        top = 20 + at * ROW
        if words == lit:
            cv2.rectangle(screen, (20, top), (219, top + ROW - 1), (228, 132, 53), -1)
        ink = (255, 255, 255) if words == lit else (40, 40, 40)
        cv2.putText(screen, words, (30, top + 17), cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, 1, cv2.LINE_AA)
    return screen


def test_the_same_screen_is_the_same_target() -> None:
    screen = menu()
    assert hovered(screen, screen, SAVE, SAVE.center).same
    assert hovered(screen, screen.copy(), SAVE, SAVE.center).same


def test_a_row_that_lights_up_under_the_pointer_is_still_the_target() -> None:
    assert hovered(menu(), menu(lit="Save"), SAVE, SAVE.center).same


def test_another_row_that_goes_dark_does_not_matter() -> None:
    assert hovered(menu(lit="Revert"), menu(lit="Save"), SAVE, SAVE.center).same


@pytest.mark.parametrize("lit", ["", "Save As...", "Save All"])
def test_a_list_that_moved_by_one_row_is_not_the_target(lit: str) -> None:
    moved = menu(ROWS[1:], lit=lit)
    assert not hovered(menu(), moved, SAVE, SAVE.center).same


def test_something_that_came_over_the_target_is_not_the_target() -> None:
    covered = menu()
    cv2.rectangle(covered, (10, 60), (260, 160), (240, 240, 240), -1)
    assert not hovered(menu(), covered, SAVE, SAVE.center).same


def test_a_screen_of_another_size_is_not_the_same() -> None:
    assert not hovered(menu(), menu()[:200], SAVE, Point(100, 80)).same

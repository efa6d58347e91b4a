"""A button that was pushed on by part of a pixel: its frame is drawn on one pixel, its text on another."""

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember, verify
from ibtr.errors import MissingTarget, Rejected
from ibtr.geometry import Box, Point
from ibtr.inlaid import INLAID
from ibtr.pixels import Pixels, cut
from tests.ibtr.screens import middle

EXPORT = Box(300, 200, 66, 21)


def page(label: str = "Export", *, down: tuple[int, int] = (0, 0), text: int = 0, right: int = 0) -> Pixels:
    """A page with three buttons; upper and lower side of one, its text and its right side moved so."""
    screen: Pixels = np.full((480, 900, 3), 246, np.uint8)
    write(screen, "Reports of this year", Point(60, 80))
    for name, box in (("Print", Box(180, 200, 66, 21)), (label, EXPORT), ("Close", Box(420, 200, 66, 21))):
        off = (down, text, right) if box == EXPORT else ((0, 0), 0, 0)
        corners = (box.x, box.y + off[0][0]), (box.right - 1 + off[2], box.bottom - 1 + off[0][1])
        cv2.rectangle(screen, *corners, (228, 228, 228), -1)
        cv2.rectangle(screen, *corners, (110, 110, 110), 1)
        write(screen, name, Point(box.x + 6, box.y + 14 + off[1]))
    return screen


def write(screen: Pixels, words: str, at: Point) -> None:
    place = (int(at.x), int(at.y))
    cv2.putText(screen, words, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (30, 30, 30), 1, cv2.LINE_AA)


MOVED = (((1, 1), 0, 0), ((0, 1), 0, 0), ((-1, 0), 0, 1), ((0, 0), 1, 0), ((1, 1), 1, -1), ((1, 1), 0, 1))


@pytest.mark.parametrize(("down", "text", "right"), MOVED)
def test_it_is_found_and_verified(down: tuple[int, int], text: int, right: int) -> None:
    evidence = remember(page(), middle(EXPORT))
    screen = page(down=down, text=text, right=right)

    aim = reaim(evidence, screen)

    assert aim.point == pytest.approx(middle(EXPORT), abs=1.5)
    patch = aim.patch.clip(evidence.crop.screen)
    corner = Point(patch.x, patch.y)
    assert verify(evidence, aim, cut(screen, patch).copy(), corner).core >= 0.8
    for other in (page("Import", down=down, text=text, right=right), np.full_like(screen, 246)):
        with pytest.raises(MissingTarget):
            verify(evidence, aim, cut(other, patch).copy(), corner)


def test_the_report_says_how() -> None:
    assert reaim(remember(page(), middle(EXPORT)), page(down=(1, 1))).representation == INLAID


@pytest.mark.parametrize("label", ["Import", "Exports", "Expert", "Expo"])
def test_another_text_in_such_a_frame_is_not_clicked(label: str) -> None:
    evidence = remember(page(), middle(EXPORT))

    with pytest.raises(Rejected):
        reaim(evidence, page(label, down=(1, 1)))


@pytest.mark.parametrize("down", [(-4, 4), (3, 3), (0, 5)])
def test_nor_is_the_text_in_another_frame(down: tuple[int, int]) -> None:
    evidence = remember(page(), middle(EXPORT))

    try:
        aim = reaim(evidence, page(down=down))
    except Rejected:
        return
    assert aim.representation != INLAID

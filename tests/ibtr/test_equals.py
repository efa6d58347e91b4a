"""One of several equal buttons: found among its neighbours, and refused where it is gone from among them."""

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import Rejected
from ibtr.geometry import Box
from ibtr.pixels import Pixels, cut
from tests.ibtr.screens import button, middle

NAMES = ("Clear", "Save", "Load", "Quit")


def place(index: int, x: int = 120, y: int = 200) -> Box:
    return Box(x + 100 * index, y, 80, 34)


def form(text: str = "", x: int = 120, y: int = 200) -> Pixels:
    """A long field, and four buttons of one size below it."""
    screen: Pixels = np.full((480, 800, 3), 242, np.uint8)
    cv2.rectangle(screen, (x, y - 60), (x + 380, y - 26), (255, 255, 255), -1)
    cv2.rectangle(screen, (x, y - 60), (x + 380, y - 26), (40, 40, 40), 1)
    cv2.putText(screen, text, (x + 8, y - 38), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (20, 20, 20), 1, cv2.LINE_AA)
    for index, name in enumerate(NAMES):
        button(screen, place(index, x, y), name)
    return screen


@pytest.mark.parametrize("index", range(4))
@pytest.mark.parametrize("text", ["", "Initech", "abc " * 12])
def test_each_is_found_whatever_stands_in_the_field(index: int, text: str) -> None:
    evidence = remember(form("Globex"), middle(place(index)), inputs=[Box(121, 141, 378, 32)])

    aim = reaim(evidence, form(text, 230, 250))

    assert place(index, 230, 250).contains(aim.point)


@pytest.mark.parametrize("index", range(4))
def test_one_that_is_gone_from_among_them_is_refused(index: int) -> None:
    evidence = remember(form("Globex"), middle(place(index)), inputs=[Box(121, 141, 378, 32)])
    now = form("Initech", 230, 250)
    cut(now, place(index, 230, 250).grow(2))[:] = 242

    with pytest.raises(Rejected):
        reaim(evidence, now)

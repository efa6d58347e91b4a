"""A plain spot behind the text of a row, in a window of another width: it is as far behind it as it was."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import Rejected
from ibtr.geometry import Point
from ibtr.pixels import Pixels
from tests.ibtr.test_reflow import write

MESSAGES = ("New file opened", "File settings.ini saved", "File total.py opened")
FIRST, PITCH = 400, 24


def messages(width: int, lines: Sequence[str] = MESSAGES, *, beside: bool = False) -> Pixels:
    """A pane of messages below a page, as wide as the window; `beside`: another one to its right."""
    screen: Pixels = np.full((520, width, 3), 250, np.uint8)
    write(screen, "def total(rows):", 30, 80)
    cv2.rectangle(screen, (10, FIRST - 30), (width - 12, FIRST + 90), (150, 150, 150), 1)
    for n, line in enumerate(lines):
        write(screen, line, 24, FIRST + PITCH * n)
        if beside:
            write(screen, line, 24 + width // 2, FIRST + PITCH * n)
    return screen


CLICK = Point(720, FIRST + PITCH - 4)


@pytest.mark.parametrize("width", [1300, 1000])
def test_the_spot_is_as_far_from_the_text_of_its_row(width: int) -> None:
    evidence = remember(messages(1500), CLICK)

    aim = reaim(evidence, messages(width))

    assert aim.point == pytest.approx(CLICK, abs=1)
    assert aim.representation == "by its row"


def test_a_row_that_reads_otherwise_is_not_clicked() -> None:
    evidence = remember(messages(1500), CLICK)

    with pytest.raises(Rejected):
        reaim(evidence, messages(1300, (MESSAGES[0], "File settings.ini closed", MESSAGES[2])))


def test_where_the_text_stands_twice_in_one_line_neither_spot_is_clicked() -> None:
    evidence = remember(messages(1500), CLICK)

    with pytest.raises(Rejected):
        reaim(evidence, messages(1300, beside=True))


def test_a_spot_beyond_the_end_of_its_pane_is_in_another_one() -> None:
    evidence = remember(messages(1500), CLICK)
    parted = messages(1500)
    cv2.line(parted, (500, FIRST - 30), (500, FIRST + 90), (150, 150, 150), 1)

    with pytest.raises(Rejected):
        reaim(evidence, parted[:, :1300].copy())

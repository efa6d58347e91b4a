"""What was clicked where its edges hang together with those of its button, its bar, its pane."""

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import Rejected
from ibtr.geometry import Box
from ibtr.pixels import Pixels, cut
from tests.ibtr.screens import middle
from tests.ibtr.test_reflow import write


def panel(ruler: str = "100", sign: str = "page") -> tuple[Pixels, Box]:
    """A pale icon in a button right beside a field and the border of its panel; behind that a ruler."""
    screen: Pixels = np.full((420, 700, 3), 222, np.uint8)
    cv2.rectangle(screen, (20, 20), (330, 400), (120, 120, 120), 1)
    for y, name in ((60, "Allow growing"), (100, "Fixed"), (180, "Position"), (220, "Size")):
        write(screen, name, 40, y)
    cv2.rectangle(screen, (40, 118), (290, 148), (150, 150, 150), 1)
    cv2.line(screen, (292, 118), (292, 148), (120, 120, 120), 1)
    for ends in (((294, 118), (326, 118)), ((294, 118), (294, 148)), ((326, 118), (326, 140))):
        cv2.line(screen, *ends, (120, 120, 120), 1)
    box = Box(301, 124, 16, 19)
    if sign == "page":
        cv2.rectangle(screen, (box.x + 2, box.y), (box.right - 3, box.bottom - 1), (180, 180, 180), 1)
        for y in (130, 134, 138):
            cv2.line(screen, (box.x + 5, y), (box.right - 6, y), (180, 180, 180), 1)
    else:
        cv2.circle(screen, (box.x + 8, box.y + 9), 7, (180, 180, 180), 1)
        cv2.line(screen, (box.x + 3, box.y + 4), (box.x + 12, box.y + 14), (180, 180, 180), 1)
    for y in range(24, 400, 6):
        cv2.line(screen, (332, y), (340, y), (60, 60, 60), 1)
    write(screen, ruler, 344, 140)
    return screen, box


def test_a_pale_icon_in_a_frame_is_the_widget_itself() -> None:
    screen, box = panel()
    core = remember(screen, middle(box)).crop

    found = core.core._replace(x=core.core.x + core.source.x, y=core.core.y + core.source.y)
    assert found.intersect(box.grow(3)) == found


def test_it_is_found_whatever_stands_beyond_the_border_and_no_other_icon_is_clicked() -> None:
    screen, box = panel()
    evidence = remember(screen, middle(box))
    gone = screen.copy()
    cut(gone, box)[:] = 222

    assert reaim(evidence, panel("250")[0]).point == pytest.approx(middle(box), abs=1)
    for other in (panel("250", "stop")[0], gone):
        with pytest.raises(Rejected):
            reaim(evidence, other)


def corner(ruler: str) -> tuple[Pixels, Box]:
    """A pale sign at the end of a ruler, whose numbers are other ones in another window."""
    screen: Pixels = np.full((300, 700, 3), 222, np.uint8)
    for x in range(40, 610, 5):
        cv2.line(screen, (x, 60), (x, 70), (60, 60, 60), 1)
    for n, number in enumerate(ruler.split()):
        write(screen, number, 60 + 90 * n, 66)
    for n, line in enumerate(("Brushes", "Hardness", "Spacing", "Opacity")):
        write(screen, line, 620, 100 + 30 * n)
        write(screen, line, 60, 140 + 30 * n)
    for x in (613, 621):
        for y in (53, 61):
            cut(screen, Box(x, y, 6, 6))[:] = np.array(180, np.uint8)
    return screen, Box(613, 53, 14, 14)


def test_what_stands_in_line_with_a_pale_icon_is_not_its_text() -> None:
    screen, box = corner("100 200 300 400 500 600")
    evidence = remember(screen, middle(box))

    assert evidence.crop.line is None
    assert reaim(evidence, corner("100 200 300 410 520 630")[0]).point == pytest.approx(middle(box), abs=1)

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


def menu(words: str) -> tuple[Pixels, Box]:
    """A pale entry between lines, in a frame: it cannot be used now."""
    screen: Pixels = np.full((300, 500, 3), 236, np.uint8)
    for n, line in enumerate(("Open", words, "Close", "Print")):
        shade = (180, 180, 180) if n == 1 else (40, 40, 40)
        cv2.putText(screen, line, (40, 60 + 24 * n), cv2.FONT_HERSHEY_SIMPLEX, 0.6, shade, 1, cv2.LINE_AA)
        cv2.line(screen, (20, 66 + 24 * n), (400, 66 + 24 * n), (150, 150, 150), 1)
    cv2.rectangle(screen, (20, 36), (400, 160), (150, 150, 150), 1)
    return screen, Box(40, 70, 24, 16)


@pytest.mark.parametrize(
    ("words", "other"), [("Go back", "Go on"), ("Do it", "Do not"), ("On now", "On hold")]
)
def test_a_short_word_of_a_pale_text_is_no_icon(words: str, other: str) -> None:
    screen, box = menu(words)
    evidence = remember(screen, middle(box))

    assert reaim(evidence, screen).point == pytest.approx(middle(box), abs=1)
    with pytest.raises(Rejected):
        reaim(evidence, menu(other)[0])

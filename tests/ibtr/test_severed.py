"""A window that is there again, but for what a straight line cuts off: which one is meant cannot be seen."""

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.compare import inside, likeness
from ibtr.errors import AmbiguousTarget
from ibtr.geometry import Box, Point
from ibtr.pixels import Pixels, cut
from ibtr.severed import Sides, is_cut_off
from ibtr.view import View
from ibtr.work import Scaling, Work

ZOOM = Point(800, 500)


def sheet() -> Pixels:
    """Empty cells with thin lines between them, and a bar below with a few words and a zoom."""
    screen: Pixels = np.full((540, 960, 3), 252, np.uint8)
    screen[:480:18] = 192
    screen[:480, 40::77] = 192
    screen[484:] = 246
    cv2.putText(screen, "Average 0.159", (610, 505), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (40, 40, 40), 1)
    cv2.line(screen, (752, 500), (848, 500), (120, 120, 120), 1)
    cv2.circle(screen, (815, 500), 4, (60, 60, 60), 1)
    for x, sign in ((738, "-"), (856, "+")):
        cv2.putText(screen, sign, (x, 505), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (40, 40, 40), 1)
    return screen


@pytest.mark.parametrize("left", [700, 710], ids=lambda left: f"from {left} on")
def test_a_window_is_there_twice_where_only_lines_are_cut_through(left: int) -> None:
    evidence, screen = remember(sheet(), ZOOM), sheet()
    window = Box(left, 330, 960 - left, 200)
    cut(screen, Box(left - 480, 107, *window[2:]))[:] = cut(screen, window).copy()

    with pytest.raises(AmbiguousTarget) as refused:
        reaim(evidence, screen)

    assert refused.value.evidence["rival_point"] == pytest.approx([320, 277], abs=1)


def test_a_zoom_of_another_sheet_is_told_by_its_words() -> None:
    evidence, screen = remember(sheet(), ZOOM), sheet()
    other = cut(screen, Box(640, 330, 320, 200)).copy()
    other[:150] = 252
    other[150:, :90] = 246
    cut(screen, Box(160, 107, 320, 200))[:] = other

    assert reaim(evidence, screen).point == pytest.approx(ZOOM, abs=1)


@pytest.mark.parametrize("below", [20, 300], ids=["all but a strip of it", "all of it"])
def test_a_side_is_cut_off_where_nothing_goes_on_though_things_are_there_further_on(below: int) -> None:
    screen = sheet()
    for y in range(30, 470, 40):
        cv2.putText(
            screen, "Amount due in March" * 3, (60, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (40, 40, 40), 1
        )
    click, seen = Point(480, 226), screen.copy()
    seen[:, :330] = 120
    seen[300 : 300 + below] = 120
    work = Work(remember(screen, click).crop, View(seen), Scaling(1.0, 1.0))

    assert is_cut_off(work, click)
    assert not is_cut_off(Work(work.anchor, View(screen), work.scaling), click)


def test_what_stands_before_a_line_now_but_did_not_is_not_cut_through() -> None:
    """The edge of a page in another window, right before where that ends, as all windows do."""
    known: Pixels = np.full((120, 200), 250, np.uint8)
    cut(known, Box(104, 0, 96, 120))[::4, ::6] = 40
    seen: Pixels = np.full((120, 200), 250, np.uint8)
    crossed = known.copy()
    cut(crossed, Box(94, 0, 5, 120))[::4] = cut(seen, Box(94, 0, 5, 120))[::4] = 120
    part, none = inside((120, 200), Box(0, 0, 100, 120)), np.zeros((120, 200), np.float32)

    def is_crossed(picture: Pixels) -> bool:
        return Sides(picture, seen, likeness(picture, seen).alike, part, none).is_crossed()

    assert is_crossed(crossed)
    assert not is_crossed(known)

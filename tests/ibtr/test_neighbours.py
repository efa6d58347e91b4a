"""What stands beside a target is not read as its name, though their edges hang together."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import Rejected
from ibtr.geometry import Box, Point
from ibtr.pixels import Pixels
from tests.ibtr.test_ends import frame
from tests.ibtr.test_reflow import write


def files(path: str, sign: str = "house") -> tuple[Pixels, Point]:
    """Icons in a toolbar, right before the field that shows the folder, framed together."""
    screen: Pixels = np.full((500, 1400, 3), 240, np.uint8)
    cv2.rectangle(screen, (8, 30), (1390, 66), (150, 150, 150), 1)
    for n, x in enumerate((30, 70, 110)):
        cv2.circle(screen, (x, 48), 9, (90, 60 + 40 * n, 40), 2)
        cv2.line(screen, (x + 14, 30), (x + 14, 66), (150, 150, 150), 1)
    if sign == "house":
        cv2.fillPoly(
            screen, [np.array([(140, 46), (152, 36), (164, 46), (160, 58), (144, 58)])], (60, 120, 60)
        )
    else:
        cv2.drawMarker(screen, (152, 48), (40, 40, 160), cv2.MARKER_STAR, 20, 2)
    frame(screen, Box(170, 31, 1200, 34))
    write(screen, path, 182, 54)
    for n, name in enumerate(("Pictures", "Papers", "Bills")):
        write(screen, name, 60 + 200 * n, 160)
    return screen, Point(152, 48)


def test_an_icon_does_not_hang_on_what_stands_in_the_field_beside_it() -> None:
    screen, click = files("/home/ada/papers")
    evidence = remember(screen, click)

    assert evidence.crop.cut_off
    assert reaim(evidence, files("/home/ada/bills/2026")[0]).point == pytest.approx(click, abs=1)


def test_another_icon_before_the_same_field_is_refused() -> None:
    screen, click = files("/home/ada/papers")

    with pytest.raises(Rejected):
        reaim(remember(screen, click), files("/home/ada/papers", "star")[0])


def manager(*names: str, place: str = "Home Folder") -> tuple[Pixels, Point]:
    """A list of places, and beside it what is in a folder; lines go from one to the other."""
    screen: Pixels = np.full((420, 1100, 3), 240, np.uint8)
    cv2.rectangle(screen, (20, 60), (170, 400), (150, 150, 150), 1)
    for y, ends in ((92, (20, 166)), (118, (20, 166)), (105, (166, 520))):
        cv2.line(screen, (ends[0], y), (ends[1], y), (150, 150, 150), 1)
    write(screen, "Places", 30, 82)
    cv2.circle(screen, (34, 105), 8, (160, 90, 30), -1)
    write(screen, place, 46, 110)
    for n, name in enumerate(names):
        cv2.rectangle(screen, (196 + 110 * n, 70), (236 + 110 * n, 100), (170, 120, 60), 1)
        write(screen, name, 190 + 110 * n, 116)
    return screen, Point(110, 106)


def test_an_item_of_a_sidebar_is_found_beside_another_folder() -> None:
    screen, click = manager("letters", "budget")
    evidence = remember(screen, click)

    assert evidence.crop.cut_off
    assert reaim(evidence, manager("archive", "letters")[0]).point == pytest.approx(click, abs=1)


@pytest.mark.parametrize("place", ["Home Holder", "Home Folders", "Hone Folder", "Documents"])
def test_another_item_in_its_place_is_refused(place: str) -> None:
    screen, click = manager("letters", "budget")

    with pytest.raises(Rejected):
        reaim(remember(screen, click), manager("letters", "budget", place=place)[0])


def table(*names: str) -> Pixels:
    """A table with lines: a number, a name in a wide cell, and a link in each row."""
    screen: Pixels = np.full((420, 900, 3), 255, np.uint8)
    for n, name in enumerate(names):
        y = 60 + 30 * n
        for x, wide in ((100, 80), (180, 300), (480, 80)):
            cv2.rectangle(screen, (x, y), (x + wide, y + 30), (140, 140, 140), 1)
        write(screen, str(n + 1), 110, y + 20)
        write(screen, name, 190, y + 20)
        write(screen, "open", 492, y + 20)
    return screen


NAMES = ("Globex", "Initech", "Umbrella", "Stark", "Wayne")


@pytest.mark.parametrize(
    "now",
    [("Globex", "Initech", "Soylent", "Stark", "Wayne"), ("Globex", "Umbrella", "Initech", "Stark", "Wayne")],
    ids=["another name", "moved up"],
)
def test_a_row_is_read_by_the_name_in_a_wide_cell_beside_its_link(now: tuple[str, ...]) -> None:
    click = Point(508, 135)
    evidence = remember(table(*NAMES), click)

    assert reaim(evidence, table(*NAMES)).point == pytest.approx(click, abs=1)
    try:
        aim = reaim(evidence, table(*now))
    except Rejected:
        return
    assert now[int(aim.point.y - 60) // 30] == "Umbrella"

"""What stands beside a target is not read as its name, though their edges hang together."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import Rejected
from ibtr.geometry import Box, Point
from ibtr.lists import equals, row_of
from ibtr.pixels import Pixels, cut, to_gray
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


def options(*names: str, ruler: int = 0) -> Pixels:
    """A name and a unit in each row of a narrow panel, a ruler close beside it; fields below the last."""
    screen: Pixels = np.full((500, 800, 3), 220, np.uint8)
    for n, name in enumerate(names):
        y = 140 + 56 * n
        write(screen, name, 6, y + 5)
        cv2.rectangle(screen, (132, y - 13), (182, y + 14), (60, 60, 60), 1)
        write(screen, "px", 144, y + 5)
    for x in (20, 104):
        frame(screen, Box(x, y + 19, 78, 22))
    cv2.line(screen, (187, 0), (187, 500), (90, 90, 90), 1)
    for y in range(10 + ruler, 490, 20):
        cv2.line(screen, (190, y), (190 + (y - ruler) % 30, y + 9), (60, 60, 60), 1)
    return screen


def test_a_row_ends_at_the_border_of_its_panel_however_close_something_stands_behind_that() -> None:
    gray = to_gray(options("Place:", "Size:"))

    row = row_of(gray, Box(131, 182, 53, 30), [-56], Box(75, 130, 165, 140), 22)

    assert row.x <= 6
    assert 184 <= row.right <= 190


@pytest.mark.parametrize("ruler", [0, 7])
def test_one_of_equals_in_a_panel_is_told_by_its_name_whatever_stands_beside_the_panel(ruler: int) -> None:
    click = Point(158, 196)
    evidence = remember(options("Place:", "Size:"), click)

    assert reaim(evidence, options("Place:", "Size:", ruler=ruler)).point == pytest.approx(click, abs=1)


@pytest.mark.parametrize("ruler", [0, 7])
@pytest.mark.parametrize(
    "now", [("Size:", "Place:"), ("Place:", "Site:"), ("Place:", ""), ("Place:", "Size: min")]
)
def test_one_of_equals_in_a_panel_is_refused_under_another_name(now: tuple[str, ...], ruler: int) -> None:
    evidence = remember(options("Place:", "Size:"), Point(158, 196))

    try:
        aim = reaim(evidence, options(*now, ruler=ruler))
    except Rejected:
        return
    assert now[round((aim.point.y - 140) / 56)] == "Size:"


def parted(*names: str, line: int) -> tuple[Pixels, Point]:
    """A list whose names stand before a line from top to bottom, and their buttons behind it."""
    screen: Pixels = np.full((600, 800, 3), 245, np.uint8)
    cv2.line(screen, (line, 20), (line, 580), (120, 120, 120), 1)
    for n, name in enumerate(names):
        y = 160 + 50 * n
        write(screen, name, 200, y + 5)
        frame(screen, Box(310, y - 13, 60, 26))
        write(screen, "Edit", 322, y + 5)
    return screen, Point(340, 260)


@pytest.mark.parametrize("line", [285, 295, 304])
@pytest.mark.parametrize(
    "now",
    [
        ("Globex", "Initech", "Soylent", "Stark"),
        ("Globex", "Umbrella", "Initech", "Stark"),
        ("", "", "Wayne", ""),
    ],
)
def test_a_line_between_the_names_and_the_buttons_of_a_list_hides_no_name(
    now: tuple[str, ...], line: int
) -> None:
    screen, click = parted("Globex", "Initech", "Umbrella", "Stark", line=line)
    evidence = remember(screen, click)

    try:
        aim = reaim(evidence, parted(*now, line=line)[0])
    except Rejected:
        return
    assert now[round((aim.point.y - 160) / 50)] == "Umbrella"


def faint(*shapes: str) -> Pixels:
    """Pale signs in a row, each right behind a dark line."""
    screen: Pixels = np.full((300, 900, 3), 220, np.uint8)
    for x, shape in zip((100, 400, 700), shapes, strict=True):
        screen[80:180, x : x + 2] = 30
        if shape == "round":
            cv2.circle(screen, (x + 14, 128), 6, (188, 188, 188), 1)
        elif shape:
            cv2.drawMarker(screen, (x + 14, 128), (188, 188, 188), cv2.MARKER_TILTED_CROSS, 12, 1)
    for n, name in enumerate(("Portrait", "Landscape", "Margins", "Paper")):
        write(screen, name, 60 + 200 * n, 40)
    return screen


def test_a_line_like_the_one_beside_a_widget_is_not_the_widget_again() -> None:
    screen = to_gray(faint("round", "", "cross"))
    core = Box(103, 120, 20, 16)

    assert equals(screen, core) == ([], [])
    screen[120:136, 403:423] = cut(screen, core)
    assert equals(screen, core).across == [300]


@pytest.mark.parametrize("now", [("cross", "", "round"), ("", "", "cross"), ("cross", "round", "")])
def test_a_sign_beside_a_line_is_not_taken_for_another_one(now: tuple[str, ...]) -> None:
    evidence = remember(faint("round", "", "cross"), Point(114, 128))

    assert reaim(evidence, faint("round", "", "cross")).point == pytest.approx((114, 128), abs=1)
    try:
        aim = reaim(evidence, faint(*now))
    except Rejected:
        return
    assert now[round((aim.point.x - 114) / 300)] == "round"


def test_a_click_beside_a_widget_may_leave_nothing_of_it_to_compare() -> None:
    gray: Pixels = np.full((200, 300), 250, np.uint8)
    gray[[49, 119], 103:120] = 40

    assert equals(gray, Box(101, 50, 30, 0)).down == [70]

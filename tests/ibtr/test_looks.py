"""What is kept of a target: its own field, what lasts around it, the box beside it, a second look."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from ibtr import probe, reaim, remember
from ibtr.errors import MissingTarget, Rejected
from ibtr.geometry import Box, Point
from ibtr.pixels import Pixels, cut
from ibtr.report import Aim
from tests.ibtr.screens import button, desktop, middle, window
from tests.ibtr.sheets import BUDGET, LEFT, TOP, sheet

FIELD, ADD = Box(150, 50, 240, 24), Box(250, 78, 80, 26)


def crowded(fill: tuple[int, int, int] = (236, 236, 236)) -> Pixels:
    """A window whose title, field and button nearly touch."""
    screen = desktop()
    cv2.rectangle(screen, (60, 24), (480, 300), (220, 220, 220), -1)
    cv2.rectangle(screen, (60, 24), (480, 46), (150, 90, 40), -1)
    put(screen, "New item", (70, 68))
    cv2.rectangle(screen, (FIELD.x, FIELD.y), (FIELD.right, FIELD.bottom), (255, 255, 255), -1)
    cv2.rectangle(screen, (FIELD.x, FIELD.y), (FIELD.right, FIELD.bottom), (120, 120, 120), 1)
    button(screen, ADD, "Add", fill)
    return screen


def put(screen: Pixels, text: str, at: tuple[int, int]) -> None:
    cv2.putText(screen, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (30, 30, 30), 1, cv2.LINE_AA)


def test_a_field_among_widgets_that_nearly_touch_it_is_kept_alone_and_found_when_one_of_them_lights_up() -> (
    None
):
    evidence = remember(crowded(), middle(FIELD))

    aim = reaim(evidence, crowded(fill=(250, 230, 200)))

    assert evidence.crop.core.height <= FIELD.height + 8
    assert abs(aim.point.x - middle(FIELD).x) <= 2
    assert abs(aim.point.y - middle(FIELD).y) <= 2


def test_what_lies_behind_something_that_varies_is_not_looked_for() -> None:
    screen = desktop()
    boxes = window(screen)
    above = Box(0, 0, 960, boxes["Undo"].y - 8)

    evidence = remember(screen, middle(boxes["Undo"]), vary=[above])

    assert evidence.crop.context.y + evidence.crop.source.y >= above.bottom


def test_a_target_whose_surroundings_lie_past_the_edge_of_the_screen_is_found_by_the_rest() -> None:
    screen = np.full((400, 700, 3), 232, np.uint8)
    cut(screen, Box(0, 0, 199, 400))[:] = 90  # what lies beside the window
    put(screen, "Sheet", (300, 140))
    button(screen, Box(200, 180, 130, 36), "Price of tea")
    put(screen, "in euros", (350, 203))
    moved = np.full_like(screen, 232)
    moved[:, :500] = screen[:, 200:]
    evidence = remember(screen, Point(262, 198))

    aim = reaim(evidence, moved)

    assert (round(aim.point.x), round(aim.point.y)) == (62, 198)


def test_a_box_beside_the_target_must_look_as_it_did() -> None:
    screen = np.full((400, 700, 3), 232, np.uint8)
    cv2.rectangle(screen, (60, 100), (78, 118), (90, 90, 90), 1)
    put(screen, "Send a reminder", (90, 114))
    ticked = screen.copy()
    cut(ticked, Box(64, 104, 11, 11))[:] = 30
    here = Point(150, 109)
    evidence = remember(screen, here, state=Box(58, 98, 23, 23))

    aim = reaim(evidence, screen)

    assert abs(aim.point.x - here.x) + abs(aim.point.y - here.y) < 2
    with pytest.raises(Rejected):
        reaim(evidence, ticked)


def test_a_target_is_found_by_either_of_its_looks_and_refused_without_both() -> None:
    screen = desktop()
    boxes = window(screen)
    other = screen.copy()
    button(other, boxes["Print"], "Halt", (60, 60, 200))
    gone = screen.copy()
    cut(gone, boxes["Print"])[:] = (222, 220, 218)
    looks = [remember(one, middle(boxes["Print"])).crop for one in (screen, other)]
    evidence = replace(remember(screen, middle(boxes["Print"])), anchors=tuple(looks))

    found = [reaim(evidence, one).point for one in (screen, other)]

    assert all(boxes["Print"].contains(point) for point in found)
    assert [
        aim.point for one in (screen, other) for aim in probe([evidence], one) if isinstance(aim, Aim)
    ] == found
    with pytest.raises(MissingTarget):
        reaim(evidence, gone)


def test_a_target_at_the_edge_of_its_window_is_found_where_that_is_the_edge_of_the_screen() -> None:
    """Beside it the dark desktop was seen, which no place at the edge of the screen shows."""
    field = Box(LEFT + 4, TOP - 44, 126, 34)
    screen = sheet(BUDGET)
    screen[:, :LEFT] = 0
    cv2.rectangle(screen, (field.x, field.y), (field.right, field.bottom), (255, 255, 255), -1)
    cv2.rectangle(screen, (field.x, field.y), (field.right, field.bottom), (190, 190, 190), 1)
    put(screen, "A1", (field.x + 10, field.y + 22))
    moved = np.zeros_like(screen)
    moved[:, :-LEFT] = screen[:, LEFT:]

    aim = reaim(remember(screen, middle(field), content=True), moved)

    assert (round(aim.point.x), round(aim.point.y)) == (middle(field).x - LEFT, middle(field).y)

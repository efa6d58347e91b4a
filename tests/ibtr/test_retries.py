import cv2
import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import MissingTarget, Rejected
from ibtr.geometry import Box
from ibtr.pixels import cut
from tests.ibtr.screens import button, desktop, middle, window

ARROW = np.array([(0, 0), (0, 17), (4, 13), (7, 19), (9, 18), (6, 12), (12, 12)], np.int32)


def test_inverted_colours_are_matched_as_such_and_named() -> None:
    screen = desktop()
    box = window(screen)["Options"]
    evidence = remember(screen, middle(box))

    aim = reaim(evidence, 255 - screen)

    assert aim.representation == "inverted"
    assert aim.point == pytest.approx(middle(box), abs=1)


def test_a_painted_pointer_may_hide_a_part_of_the_target() -> None:
    screen = desktop()
    box = window(screen)["Find next"]
    click = middle(box)._replace(x=box.x + 40)
    evidence = remember(screen, click)
    outline = ARROW + np.array([round(click.x), round(click.y)], np.int32)
    cv2.fillPoly(screen, [outline], (255, 255, 255))
    cv2.polylines(screen, [outline], isClosed=True, color=(0, 0, 0), thickness=1)

    aim = reaim(evidence, screen)

    assert aim.representation == "beside pointer"
    assert aim.point == pytest.approx(click, abs=1)


def test_a_pointer_on_an_erased_target_does_not_pass_for_it() -> None:
    screen = desktop()
    box = window(screen)["Find next"]
    click = middle(box)._replace(x=box.x + 40)
    evidence = remember(screen, click)
    cut(screen, box.grow(1))[:] = (222, 220, 218)
    outline = ARROW + np.array([round(click.x), round(click.y)], np.int32)
    cv2.fillPoly(screen, [outline], (0, 0, 0))
    cv2.polylines(screen, [outline], isClosed=True, color=(255, 255, 255), thickness=1)

    with pytest.raises(MissingTarget):
        reaim(evidence, screen)


def test_red_and_green_twins_of_equal_brightness_are_told_apart_by_colour() -> None:
    screen = desktop()
    window(screen)
    red, green = Box(520, 120, 90, 30), Box(520, 300, 90, 30)
    button(screen, red, "Lamp", (60, 60, 214))
    button(screen, green, "Lamp", (60, 137, 60))
    evidence = remember(screen, middle(red))
    swapped = desktop()
    window(swapped)
    button(swapped, red, "Lamp", (60, 137, 60))

    aim = reaim(evidence, screen)

    assert red.contains(aim.point)
    with pytest.raises(Rejected):
        reaim(evidence, swapped)


def test_pixels_known_to_vary_are_not_compared() -> None:
    before, after = desktop(), desktop()
    box = window(before)["Save as"]
    window(after)
    value = Box(box.x + 78, box.y + 6, 56, 18)
    cv2.putText(before, "1234", (value.x, value.bottom - 4), 0, 0.45, (40, 40, 40), 1, cv2.LINE_AA)
    cv2.putText(after, "9876", (value.x, value.bottom - 4), 0, 0.45, (40, 40, 40), 1, cv2.LINE_AA)

    aim = reaim(remember(before, middle(box), box, vary=[value.grow(3)]), after)

    assert aim.point == pytest.approx(middle(box), abs=1)
    with pytest.raises(Rejected):
        reaim(remember(before, middle(box), box), after)


def test_a_modal_on_top_of_the_target_is_not_clicked_through() -> None:
    screen = desktop()
    box = window(screen)["Undo"]
    evidence = remember(screen, middle(box))
    cv2.rectangle(screen, (box.x - 40, box.y - 30), (box.right + 40, box.bottom + 40), (245, 245, 245), -1)
    button(screen, Box(box.x + 20, box.y + 5, 80, 30), "OK")

    with pytest.raises(Rejected):
        reaim(evidence, screen)


def test_content_zoomed_on_an_unchanged_screen_is_found_by_the_sweep() -> None:
    before = desktop()
    box = window(before)["Replace"]
    evidence = remember(before, middle(box))
    frame = Box(110, 70, 350, 270)
    larger = cv2.resize(cut(before, frame), None, fx=1.25, fy=1.25, interpolation=cv2.INTER_LINEAR)
    after = desktop(seed=4)
    after[150 : 150 + larger.shape[0], 300 : 300 + larger.shape[1]] = larger

    aim = reaim(evidence, after)

    assert aim.scale.x == pytest.approx(1.25, abs=0.03)
    assert aim.point.x == pytest.approx(300 + (middle(box).x - 110) * 1.25, abs=2)
    assert aim.point.y == pytest.approx(150 + (middle(box).y - 70) * 1.25, abs=2)

"""How a click left its target is told by what stays of it; a target is compared with both of its looks."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from ibtr import Evidence, reaim, remember
from ibtr.errors import MissingTarget
from ibtr.geometry import Box
from ibtr.pixels import Pixels
from ibtr.state import left_by, state_of
from tests.ibtr.screens import button, desktop, middle, window

ON, OFF, LIT = (206, 209, 214), (236, 236, 236), (245, 245, 245)
LABEL = "Options"


def shown(fill: tuple[int, int, int] = OFF, x: int = 120, y: int = 80) -> tuple[Pixels, Box]:
    """A window whose button `Options` has this colour; where the button is."""
    screen = desktop()
    box = window(screen, x, y)[LABEL]
    button(screen, box, LABEL, fill)
    return screen, box


def ringed() -> Pixels:
    """The same with the keyboard on it."""
    screen, box = shown()
    cv2.rectangle(screen, (box.x + 3, box.y + 3), (box.right - 4, box.bottom - 4), (200, 120, 30), 2)
    return screen


def ticked(*, tick: bool, off: int = 0) -> tuple[Pixels, Box]:
    """A window with a box beside the label; drawn `off` pixels nearer to it."""
    screen, box = shown()
    cv2.rectangle(screen, (box.x - 1, box.y - 1), (box.right, box.bottom), (222, 220, 218), -1)
    at = (box.x + 30, box.y + box.height - 9)
    cv2.putText(screen, LABEL, at, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (40, 40, 40), 1, cv2.LINE_AA)
    square = Box(box.x + 12 + off, box.y + 8, 13, 13)
    cv2.rectangle(screen, (square.x, square.y), (square.right, square.bottom), (255, 255, 255), -1)
    if tick:
        ends = [(square.x + 3, square.y + 6), (square.x + 6, square.y + 10), (square.x + 11, square.y + 3)]
        cv2.polylines(screen, [np.array(ends, np.int32)], False, (20, 20, 20), 2)
    return screen, Box(box.x + 30, box.y, 50, box.height)


def learned(before: Pixels, box: Box, after: Pixels) -> Evidence:
    evidence = remember(before, middle(box))
    done = left_by(evidence.crop, [after], after)
    assert done is not None
    return Evidence((replace(evidence.crop, done=done),))


def test_a_button_that_stays_pressed_shows_it() -> None:
    (off, box), (on, _) = shown(OFF), shown(ON)

    evidence = learned(off, box, on)
    was, now = (state_of(evidence.crop, reaim(evidence, one), one) for one in (off, on))

    assert was is not None
    assert now is not None
    assert (was.is_done, now.is_done) == (False, True)
    assert was.before == now.done == 0.0


def test_a_tick_beside_the_label_shows_it_wherever_the_window_stands() -> None:
    (off, box), (on, _) = ticked(tick=False), ticked(tick=True)
    evidence = learned(off, box, on)
    aim = reaim(evidence, off)

    for tick in (False, True):
        for by in (-1, 0, 1):
            seen = state_of(evidence.crop, aim, ticked(tick=tick, off=by)[0])

            assert seen is not None
            assert seen.is_done is tick


def boxed(*, on: bool, label: str = LABEL) -> tuple[Pixels, Box]:
    """A window with a button that has a box in it, dark if it is on."""
    screen, box = shown()
    button(screen, box, "")
    at = (box.x + 30, box.y + box.height - 9)
    cv2.putText(screen, label, at, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (40, 40, 40), 1, cv2.LINE_AA)
    square = Box(box.x + 10, box.y + 8, 14, 14)
    fill = (90, 60, 30) if on else (255, 255, 255)
    cv2.rectangle(screen, (square.x, square.y), (square.right, square.bottom), fill, -1)
    cv2.rectangle(screen, (square.x, square.y), (square.right, square.bottom), (60, 60, 60), 1)
    return screen, box


def test_a_target_that_only_its_other_look_shows_is_found_as_switched() -> None:
    (off, box), (on, _) = boxed(on=False), boxed(on=True)
    evidence = learned(off, box, on)
    with pytest.raises(MissingTarget):
        reaim(remember(off, middle(box)), on)

    was, now = reaim(evidence, off), reaim(evidence, on)

    assert (was.switched, now.switched) == (False, True)
    assert now.representation == "switched, gray"
    assert box.contains(now.point)


def test_a_target_is_not_looked_for_as_switched_while_a_screen_settles() -> None:
    (off, box), (on, _) = boxed(on=False), boxed(on=True)

    with pytest.raises(MissingTarget):
        reaim(learned(off, box, on), on, thorough=False)


@pytest.mark.parametrize("label", ["Actions", ""])
def test_a_switched_target_with_another_label_is_refused(label: str) -> None:
    (off, box), (on, _) = boxed(on=False), boxed(on=True)

    with pytest.raises(MissingTarget):
        reaim(learned(off, box, on), boxed(on=True, label=label)[0])


@pytest.mark.parametrize("light", [LIT, (120, 160, 235)])
def test_a_look_that_is_neither_of_the_two_says_nothing(light: tuple[int, int, int]) -> None:
    (off, box), (on, _) = shown(OFF), shown(ON)
    evidence = learned(off, box, on)

    seen = state_of(evidence.crop, reaim(evidence, off), shown(light)[0])

    assert seen is not None
    assert not seen.is_done


def test_a_ring_that_shows_the_keyboard_is_no_state() -> None:
    off, box = shown()

    assert left_by(remember(off, middle(box)).crop, [ringed()], ringed()) is None


def test_a_button_that_is_disabled_by_its_click_is_not_switched() -> None:
    off, box = shown()
    grey = off.copy()
    part = grey[box.y : box.bottom, box.x : box.right]
    part[:] = (part.astype(int) // 3 + 150).astype(np.uint8)

    assert left_by(remember(off, middle(box)).crop, [grey], grey) is None


def test_what_only_a_later_click_has_changed_is_no_trace_of_this_one() -> None:
    (off, box), (on, _) = shown(OFF), shown(ON)

    assert left_by(remember(off, middle(box)).crop, [off], on) is None


def test_a_click_that_leads_to_another_page_is_no_switch() -> None:
    (off, box), (on, _) = shown(OFF), shown(ON)
    other = on.copy()
    other[box.bottom + 4 : box.bottom + 60] = 250

    assert left_by(remember(off, middle(box)).crop, [other], on) is None


def test_a_target_without_a_known_trace_has_no_state() -> None:
    off, box = shown()
    evidence = remember(off, middle(box))

    assert state_of(evidence.crop, reaim(evidence, off), off) is None


def test_how_a_click_left_its_target_survives_json_and_pictures() -> None:
    (off, box), (on, _) = shown(OFF), shown(ON)

    again = Evidence.from_parts(*learned(off, box, on).to_parts())
    seen = state_of(again.crop, reaim(again, on), on)

    assert seen is not None
    assert seen.is_done

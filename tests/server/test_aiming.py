"""Waiting for a target: sure in two grabs in a row, or refused in bounded time."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import cycle
from typing import cast

import anyio
import pytest

from actionlens.controller import Controller, Frame
from ibtr.errors import MissingTarget
from ibtr.geometry import Box, Point
from server.replay.aiming import Aimed, Waiting, aim, check_under_pointer, find_all
from tests.server.test_ahead import EVIDENCE, PLACES, frame

MOVING = [frame(PLACES[0]), frame(PLACES[12])]


@dataclass
class Shown:
    """An eye that sees one picture after the other."""

    frames: Iterator[Frame]

    async def capture(self) -> Frame:
        return replace(next(self.frames))


def _aim(frames: Iterator[Frame], waiting: Waiting, *, give_up: bool = False) -> None:
    eye = cast("Controller", Shown(frames))
    anyio.run(lambda: aim(eye, (EVIDENCE,), waiting, give_up=lambda _: give_up))


def test_a_target_that_never_holds_still_is_refused_in_bounded_time() -> None:
    with pytest.raises(MissingTarget) as no:
        _aim(cycle(MOVING), Waiting(longest_s=0.0))

    assert "point" in no.value.evidence


def test_a_wait_for_a_target_that_moves_can_be_broken_off() -> None:
    with pytest.raises(MissingTarget):
        _aim(cycle(MOVING), Waiting(longest_s=3600.0), give_up=True)


def test_a_target_that_has_just_come_is_looked_at_once_more_before_it_is_refused() -> None:
    _aim(cycle([MOVING[0]]), Waiting(longest_s=0.0, still_s=0.0), give_up=True)


@pytest.mark.parametrize("restless", [False, True])
def test_a_target_in_another_theme_is_found_on_a_screen_that_rests_and_on_one_that_never_does(
    restless: bool,
) -> None:
    """At a glance it is not to be seen; the retries that see it come a moment later."""
    dark = 255 - PLACES[0]
    blinks = dark.copy()
    blinks[:4, :4] = 255 - blinks[:4, :4]
    shown = [frame(dark), frame(blinks)] if restless else [frame(dark)]

    with pytest.raises(MissingTarget):
        find_all((EVIDENCE,), dark, thorough=False)
    _aim(cycle(shown), Waiting(longest_s=3600.0))


def test_the_other_end_of_a_drag_is_looked_at_once_more_too() -> None:
    here, gone = frame(PLACES[0]), frame(PLACES[12])
    (known,) = find_all((EVIDENCE,), here.pixels)
    away = replace(known, point=Point(5, 5), box=Box(0, 0, 10, 10))  # a plain place: it stays as it is
    check = check_under_pointer((EVIDENCE, EVIDENCE), Aimed((away, known), here, 0.0, 0.0))

    check(here)
    with pytest.raises(MissingTarget):
        check(gone)

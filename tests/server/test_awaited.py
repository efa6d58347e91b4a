"""How long a screen may rest before what comes next counts as not coming."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, repeat
from typing import cast

import anyio
import pytest

from actionlens.actions import ACTION, Action
from actionlens.controller import Controller, Frame
from actionlens.observation import Window
from ibtr.errors import MissingTarget
from ibtr.geometry import Box
from memory_store.models import Step, StepAction, StepEvidence, Surroundings
from server.replay.aiming import Aimed, Waiting, aim
from server.replay.awaited import MARGIN_S, WINDOW_S, awaited
from tests.server.test_ahead import BEFORE, EVIDENCE, HERE, PLACES, WINDOW, frame

QUESTION = Surroundings(application="Accounts", window_title="Question", dialog=True)
DIALOG = Window(id=2, title="Question", application="Accounts", box=Box(9, 9, 90, 60), dialog=True)
CLICK = {"action": "click", "x": 5, "y": 5}
_WAIT = {"action": "wait", "seconds": 9}


def _rest_s(
    *recorded: tuple[dict[str, object], Surroundings], front: Window | None, now: Window | None
) -> float:
    """Seconds of rest before the last of these steps, with `now` in front."""
    steps = [
        Step(action=StepAction.model_validate(action), evidence=StepEvidence(before=before))
        for action, before in recorded
    ]
    actions: list[Action] = [ACTION.validate_python(action) for action, _ in recorded]
    return awaited(steps, actions, len(steps) - 1, front)(replace(frame(BEFORE), window=now))


def test_a_window_that_is_expected_is_waited_for_until_it_has_come() -> None:
    steps = (CLICK, HERE), (CLICK, QUESTION)

    assert _rest_s(*steps, front=WINDOW, now=WINDOW) == WINDOW_S
    assert _rest_s(*steps, front=WINDOW, now=None) == WINDOW_S
    assert _rest_s(*steps, front=WINDOW, now=DIALOG) == 0
    assert _rest_s(*steps, front=WINDOW, now=WINDOW.model_copy(update={"title": "Accounts 2"})) == 0
    assert _rest_s(*steps, front=None, now=WINDOW) == 0


def test_where_the_same_window_stayed_in_front_nothing_more_is_expected() -> None:
    assert _rest_s((CLICK, HERE), (CLICK, HERE), front=WINDOW, now=WINDOW) == 0
    assert _rest_s((CLICK, HERE), front=None, now=WINDOW) == 0


def test_what_the_recording_waited_is_waited_again_and_some_more() -> None:
    steps = (CLICK, HERE), (_WAIT, HERE), (_WAIT, HERE), (CLICK, HERE)

    assert _rest_s(*steps, front=WINDOW, now=WINDOW) == 18 + MARGIN_S


@dataclass
class _Eye:
    frames: Iterator[Frame]

    async def capture(self) -> Frame:
        return next(self.frames)


def _aim(expected_s: float) -> Aimed:
    empty, come = frame(BEFORE), frame(PLACES[0])
    eye = cast("Controller", _Eye(chain(repeat(empty, 25), repeat(come))))  # 25 looks: longer than a rest

    async def look() -> Aimed:
        return await aim(eye, (EVIDENCE,), Waiting(longest_s=0, still_s=0), expected=lambda _: expected_s)

    return anyio.run(look)


def test_a_target_that_comes_late_is_found_where_something_is_expected_and_refused_elsewhere() -> None:
    assert _aim(3600).aims

    with pytest.raises(MissingTarget):
        _aim(0)

"""Expected effects: looked for after the last step, waited for, and what they mean for the ending."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from actionlens.controller import Frame
from actionlens.observation import Window
from ibtr.geometry import Box, Point, Size
from memory_store.models import Check, Condition, FileCondition, NoteCondition, Outcome, WindowCondition
from memory_store.quarantine import Ending
from server.replay.aiming import Waiting
from server.replay.checking import conclusion
from server.replay.effects import Effect, await_effects

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 11, 16, tzinfo=UTC)
QUICK = Waiting(longest_s=0.4, still_s=0.2, poll_s=0.01)
SAVED, GONE = Effect("window Saved", True), Effect("file /tmp/a", False)


def _frame(*titles: str) -> Frame:
    windows = tuple(Window(id=1, title=title, application="Form", box=Box(0, 0, 9, 9)) for title in titles)
    front = windows[-1] if windows else None
    return Frame(np.zeros((9, 9, 3), np.uint8), NOW, Size(9, 9), Point(0, 0), None, front, windows)


async def _look(conditions: tuple[Condition, ...], frames: list[Frame], **more: bool) -> tuple[Effect, ...]:
    rest: Iterator[Frame] = iter(frames)
    last = frames[-1:]

    async def capture() -> Frame:
        return next(rest, *last)

    return await await_effects(conditions, capture, {"client": "Globex"}, lambda _: b"", QUICK, **more)


async def test_notes_are_not_looked_for_and_without_more_nothing_is_captured() -> None:
    assert await _look((NoteCondition(text="the number is saved"),), []) == ()


async def test_a_window_that_comes_late_and_a_file_of_this_value_are_held(tmp_path: Path) -> None:
    (tmp_path / "Globex.txt").touch()
    expected = (WindowCondition(title_contains="Saved"), FileCondition(path=f"{tmp_path}/{{client}}.txt"))

    found = await _look(expected, [_frame("Form"), _frame("Form"), _frame("Form", "Saved")])

    assert [one.held for one in found] == [True, True]


async def test_what_does_not_come_is_not_held_when_its_time_is_over(tmp_path: Path) -> None:
    expected = (
        WindowCondition(title_contains="Saved"),
        WindowCondition(title_contains="Form", present=False),
        FileCondition(path=f"{tmp_path}/a.txt"),
    )

    patient, quick = (
        await _look(expected, [_frame("Form")]),
        await _look(expected, [_frame("Form")], patient=False),
    )

    assert [one.held for one in patient] == [one.held for one in quick] == [False, False, False]


def _check(outcome: Outcome, seen: str = "") -> Check:
    return Check(outcome=outcome, evidence={"seen": seen}, at=NOW)


@pytest.mark.parametrize(
    ("after", "effects", "ending"),
    [
        (None, (), Ending.DONE_UNVERIFIED),
        (None, (SAVED,), Ending.DONE_UNVERIFIED),
        (None, (SAVED, GONE), Ending.FAILED),
        (Outcome.PASSED, (SAVED,), Ending.VERIFIED),
        (Outcome.PASSED, (GONE,), Ending.VERIFIED),
        (Outcome.FAILED, (SAVED,), Ending.FAILED),
        (Outcome.COULD_NOT_RUN, (GONE,), Ending.FAILED),
        (Outcome.COULD_NOT_RUN, (SAVED,), Ending.DONE_UNVERIFIED),
    ],
)
async def test_an_effect_that_is_not_there_means_failed_unless_the_artifact_is_verified(
    after: Outcome | None, effects: tuple[Effect, ...], ending: Ending
) -> None:
    found = conclusion(_check(Outcome.FAILED), _check(after, "new") if after else None, None, effects)

    assert found.ending is ending
    assert found.evidence.get("effects", []) == [one.plain() for one in effects]
    if GONE in effects:
        assert GONE.what in f"{found.unproven} {found.verdict}"


async def test_an_artifact_that_was_so_before_does_not_make_up_for_an_effect() -> None:
    same = _check(Outcome.PASSED)

    assert conclusion(same, same, None, (GONE,)).ending is Ending.FAILED
    assert conclusion(same, same, None, (SAVED,)).ending is Ending.DONE_UNVERIFIED

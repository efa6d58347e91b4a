"""What speaks against a step having led where it led when it was recorded."""

from datetime import UTC, datetime

import numpy as np
import pytest

from actionlens.controller import Frame
from actionlens.observation import Window
from ibtr.geometry import Box, Point, Size
from memory_store.models import Step, StepAction, StepEvidence, Surroundings
from server.replay.transition import contradiction, is_other_window

MAIN, DIALOG = "*notes.txt - Mousepad", "Save As"


def window(number: int, title: str, application: str = "Mousepad") -> Window:
    return Window(id=number, title=title, application=application, box=Box(0, 0, 100, 100))


def frame(*windows: Window) -> Frame:
    return Frame(
        pixels=np.zeros((20, 20, 3), np.uint8),
        at=datetime.now(UTC),
        screen=Size(20, 20),
        origin=Point(0, 0),
        pointer=None,
        window=windows[-1],
        windows=windows,
    )


def step(before: str, after: str, application: str = "Mousepad") -> Step:
    def around(title: str) -> Surroundings:
        return Surroundings(application=application, window_title=title)

    evidence = StepEvidence(before=around(before), after=around(after))
    return Step(action=StepAction.model_validate({"action": "press", "key": "enter"}), evidence=evidence)


def test_a_window_that_nobody_expected_speaks_against_it() -> None:
    found = contradiction(step(MAIN, MAIN), frame(window(1, MAIN)), frame(window(1, MAIN), window(2, DIALOG)))
    assert found is not None
    assert found.kind == "window"


def test_a_dialog_that_came_late_in_the_recording_is_expected() -> None:
    before, after = frame(window(1, MAIN)), frame(window(1, MAIN), window(2, DIALOG))
    assert contradiction(step(MAIN, MAIN), before, after, then=step(DIALOG, DIALOG)) is None


def test_a_late_dialog_may_be_of_another_window_class() -> None:
    before = frame(window(1, MAIN))
    after = frame(window(1, MAIN), window(2, "Keep format?", "Soffice"))
    then = step("Keep format?", MAIN, "Soffice")
    assert contradiction(step(MAIN, MAIN), before, after, then) is None
    assert contradiction(step(MAIN, MAIN), before, after) is not None


@pytest.mark.parametrize(
    ("wanted", "active", "other"),
    [
        (DIALOG, MAIN, True),  # keys meant for the dialog must not go into the document
        (DIALOG, DIALOG, False),
        (DIALOG, "notes.txt - Mousepad", True),
        (MAIN, "*june.txt - Mousepad", False),
        (MAIN, "notes.txt - Mousepad", False),
        (MAIN, DIALOG, True),
        ("", MAIN, False),
    ],
)
def test_a_window_is_told_by_the_recorded_title_it_is_most_like(
    wanted: str, active: str, other: bool
) -> None:
    for same_kind in (True, False):
        found = is_other_window([MAIN, "notes.txt - Mousepad", DIALOG], wanted, active, same_kind=same_kind)
        assert found is other


@pytest.mark.parametrize("folder", ["", "/srv/", "/home/ada/work/office/mousepad/", "/a/b/c/d/e/f/g/h/"])
@pytest.mark.parametrize("active", ["Suchen und Ersetzen", "検索と置換", ""])
def test_a_title_that_is_like_none_of_the_recorded_ones_tells_nothing_and_its_kind_does(
    folder: str, active: str
) -> None:
    titles = [f"{folder}letter.txt - Mousepad", "Find and Replace"]

    assert not is_other_window(titles, "Find and Replace", active, same_kind=True)
    assert is_other_window(titles, "Find and Replace", active, same_kind=False)

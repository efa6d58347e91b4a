from pathlib import Path

import pytest

from actionlens.actions import Click, Hotkey, Move, Observe, Paste, Press, Scroll, Type, Wait
from actionlens.records import StepStatus
from ibtr.geometry import Box
from memory_store.consolidation.trace import trace_of
from memory_store.consolidation.view import Proposal, propose
from memory_store.models import StepRole
from tests.memory_store.recording import Recording, all_of, box, wipe, words

CTRL_A = Hotkey(keys=("ctrl", "a"))
CTRL_S = Hotkey(keys=("ctrl", "s"))


@pytest.fixture
def recording(tmp_path: Path) -> Recording:
    return Recording(tmp_path)


def _propose(recording: Recording) -> Proposal:
    return propose(trace_of(recording.read()))


def _kept(recording: Recording) -> list[int]:
    return [step.id for step in _propose(recording).selected.kept]


def test_looks_failures_and_unknown_outcomes_are_dropped_each_with_its_reason(recording: Recording) -> None:
    recording.do(Observe())
    recording.do(Click(x=5, y=5), status=StepStatus.ERROR)
    recording.do(Click(x=5, y=5), status=StepStatus.CANCELLED)
    recording.do(Click(x=50, y=50), box(40, 40, 80, 20))
    recording.do(Press(key="f5"), status=StepStatus.OUTCOME_UNKNOWN)

    proposal = _propose(recording)

    assert [step.id for step in proposal.selected.kept] == [4]
    assert proposal.selected.dropped == {
        1: "looks only",
        2: "error: it broke",
        3: "cancelled",
        5: "outcome unknown",
    }


def test_waits_moves_and_scrolls_stay_only_where_something_came_of_them(recording: Recording) -> None:
    for action in (Wait(seconds=1), Move(x=9, y=9), Scroll(x=9, y=9, dy=3)):
        recording.do(action)
    recording.do(Wait(seconds=1), box(10, 10, 60, 30))
    recording.do(Move(x=9, y=9), later=box(200, 10, 60, 30))
    recording.do(Scroll(x=9, y=9, dy=3), box(10, 200, 300, 100))

    assert _kept(recording) == [4, 5, 6]


def test_a_second_click_into_the_same_field_is_dropped_but_not_one_that_does_something(
    recording: Recording,
) -> None:
    recording.do(Click(x=50, y=50), box(40, 40, 80, 20, 200))
    recording.do(Click(x=52, y=51))
    recording.do(Click(x=300, y=50), box(300, 40, 80, 20))
    recording.do(Click(x=300, y=50), box(300, 80, 80, 20))

    assert _kept(recording) == [1, 3, 4]


def test_a_click_while_the_application_was_busy_is_dropped_for_its_repetition(recording: Recording) -> None:
    recording.do(Click(x=50, y=50))
    recording.do(Click(x=50, y=50))
    recording.do(Click(x=50, y=50), box(40, 40, 80, 20, 200))

    assert _kept(recording) == [3]


def test_a_click_whose_effect_came_late_stays(recording: Recording) -> None:
    recording.do(Click(x=50, y=50), later=box(100, 100, 200, 100))
    recording.do(Click(x=50, y=50), box(40, 40, 80, 20, 200))

    assert _kept(recording) == [1, 2]


def test_a_blinking_caret_and_known_flicker_are_no_change(recording: Recording) -> None:
    recording.do(Wait(seconds=1), box(100, 100, 2, 16))
    for shade in (60, 90, 120):
        recording.do(Wait(seconds=1), box(300, 100, 20, 20, shade), flicker=(Box(300, 100, 20, 20),))

    assert _kept(recording) == []


def test_a_small_change_that_settling_passed_over_once_is_a_change(recording: Recording) -> None:
    recording.do(Wait(seconds=1), words("text", 300, 100), flicker=(Box(300, 88, 40, 14),))

    assert _kept(recording) == [1]


def test_text_that_was_overwritten_is_dropped_and_the_selecting_stays(recording: Recording) -> None:
    recording.do(Click(x=50, y=50))
    recording.do(Type(text="wrong"), words("wrong", 40, 55))
    recording.do(CTRL_A, box(40, 40, 50, 20, 180))
    recording.do(Type(text="right"), all_of(wipe(40, 40, 60, 20), words("right", 40, 55)))

    assert _kept(recording) == [1, 3, 4]


def test_text_is_also_overwritten_after_a_click_into_it_but_not_into_another_field(
    recording: Recording,
) -> None:
    recording.do(Type(text="wrong"), words("wrong", 40, 55))
    recording.do(Click(x=60, y=50))
    recording.do(CTRL_A, box(40, 40, 50, 20, 180))
    recording.do(Paste(text="right"), all_of(wipe(40, 40, 60, 20), words("right", 40, 55)))
    recording.do(Click(x=60, y=250))
    recording.do(CTRL_A, box(40, 240, 50, 20, 180))
    recording.do(Type(text="other"), words("other", 40, 255))

    assert _kept(recording) == [2, 3, 4, 5, 6, 7]


def test_text_is_not_overwritten_where_ctrl_a_selects_nothing(recording: Recording) -> None:
    recording.do(Type(text="make test"), words("make test", 40, 55))
    recording.do(CTRL_A)
    recording.do(Type(text="sudo "), words("sudo", 140, 55))

    assert _kept(recording) == [1, 2, 3]


def test_text_that_was_committed_is_not_overwritten(recording: Recording) -> None:
    recording.do(Type(text="first"), words("first", 40, 55))
    recording.do(Press(key="enter"), box(40, 100, 200, 40))
    recording.do(CTRL_A)
    recording.do(Type(text="second"), words("second", 40, 155))

    assert 1 in _kept(recording)


def test_text_taken_back_letter_by_letter_goes_with_its_backspaces(recording: Recording) -> None:
    recording.do(Type(text="abc"), words("abc", 40, 55))
    recording.do(Press(key="backspace", presses=3), wipe(30, 40, 60, 20))
    recording.do(Type(text="abcd"), words("abcd", 40, 55))
    recording.do(Press(key="backspace", presses=2), wipe(60, 40, 60, 20))

    assert _kept(recording) == [3, 4]


def test_a_menu_that_was_left_with_escape_is_dropped_but_an_unnamed_click_only_doubted(
    recording: Recording,
) -> None:
    recording.do(Click(x=20, y=10), box(10, 20, 100, 200), target="File menu")
    recording.do(Press(key="escape"), wipe(10, 20, 100, 200))
    recording.do(Click(x=200, y=10), box(200, 20, 100, 200), target="Save")
    recording.do(Press(key="escape"), wipe(200, 20, 100, 200))

    proposal = _propose(recording)

    assert [step.id for step in proposal.selected.kept] == [3, 4]
    assert set(proposal.selected.doubts) == {3}


def test_what_was_undone_or_scrolled_back_is_dropped(recording: Recording) -> None:
    recording.do(Type(text="oops"), words("oops", 40, 55))
    recording.do(Hotkey(keys=("ctrl", "z")), wipe(30, 40, 100, 20))
    recording.do(Scroll(x=9, y=9, dy=3), box(10, 200, 300, 100))
    recording.do(Scroll(x=9, y=9, dy=-3), wipe(10, 200, 300, 100))
    recording.do(CTRL_S)

    assert _kept(recording) == [5]


def test_a_save_without_any_visible_change_stays(recording: Recording) -> None:
    recording.do(Type(text="a"), words("a", 40, 55))
    recording.do(CTRL_S)
    recording.do(CTRL_S)

    assert _kept(recording) == [1, 2, 3]


def test_steps_that_bring_the_application_up_are_startup_and_popups_that_came_by_themselves_guard(
    tmp_path: Path,
) -> None:
    recording = Recording(tmp_path, application="Panel")
    recording.do(Click(x=5, y=5), box(0, 20, 200, 200), target="Applications menu")
    recording.do(Type(text="editor"), words("editor", 10, 40))
    recording.do(Press(key="enter"), box(0, 0, 640, 360, 250), opens="Editor", later=box(200, 100, 200, 100))
    recording.do(Click(x=300, y=150), box(200, 100, 200, 100, 250), target="Close the tip")
    recording.do(Click(x=20, y=20), box(10, 30, 80, 100), target="File menu")
    recording.do(Click(x=20, y=60), box(100, 100, 300, 100), target="Save as")
    recording.do(Type(text="a.txt"), words("a.txt", 120, 120))
    recording.do(Press(key="enter"), box(100, 100, 300, 100, 250))

    proposal = _propose(recording)

    assert [proposal.roles[step] for step in (1, 2, 3)] == [StepRole.STARTUP] * 3
    assert proposal.roles[4] is StepRole.GUARD
    assert {proposal.roles[step] for step in (5, 6, 7, 8)} == {StepRole.REQUIRED}
    assert proposal.applications[0] == "Editor"


def test_work_in_another_application_is_required_even_if_it_came_first(tmp_path: Path) -> None:
    recording = Recording(tmp_path, application="Browser")
    recording.do(Click(x=50, y=50), box(40, 40, 100, 20), target="the price")
    recording.do(Hotkey(keys=("ctrl", "c")), opens="Sheet")
    for at in range(4):
        recording.do(Click(x=50, y=50 + at), box(40, 40 + 40 * at, 100, 20))

    assert set(_propose(recording).roles.values()) == {StepRole.REQUIRED}


def test_where_the_desktop_tells_no_application_every_step_is_required(tmp_path: Path) -> None:
    recording = Recording(tmp_path, application="")
    recording.do(Click(x=5, y=5), box(0, 20, 200, 200))

    assert set(_propose(recording).roles.values()) == {StepRole.REQUIRED}


def test_a_failed_step_that_changed_the_screen_is_pointed_out(recording: Recording) -> None:
    recording.do(Click(x=5, y=5), box(0, 20, 200, 200), status=StepStatus.ERROR)
    recording.do(Click(x=50, y=50), box(40, 240, 80, 20))

    assert any("step 1 failed" in warning for warning in _propose(recording).warnings)

"""Which later screen tells how a click left its target, and when none does."""

from pathlib import Path

from actionlens.actions import Action, Click, Hotkey, Type
from ibtr.crops import remember
from ibtr.evidence import CropAnchor
from ibtr.geometry import Box, Point
from memory_store.consolidation.done import as_left
from memory_store.consolidation.trace import Frames
from memory_store.crops import load_evidence
from tests.memory_store.consolidating import Shelf, button, consolidated
from tests.memory_store.recording import Paint, Recording, all_of, box, words

EXPRESS, SAVE = Click(x=165, y=113), Click(x=365, y=113)
PRESSED: Paint = all_of(box(121, 101, 88, 24, 170), words("Express", 132, 118))


def _recording(folder: Path) -> Recording:
    recording = Recording(folder / "runs", application="Orders")
    all_of(button("Express", 120, 100), button("Save", 320, 100))(recording.pixels)
    return recording


def _left(recording: Recording) -> CropAnchor | None:
    """How the first click left its target."""
    run = recording.read()
    frames, then = Frames(run), run.steps[1].action
    evidence = remember(frames[run.steps[0].before], Point(*run.steps[0].action.points()[0]))
    return as_left(evidence, run.steps, 0, then, frames).crop.done


def test_a_switch_is_told_by_the_screen_after_the_next_click(tmp_path: Path) -> None:
    recording = _recording(tmp_path)
    recording.do(EXPRESS, PRESSED)
    recording.do(SAVE, words("Saved", 450, 118))

    assert _left(recording) is not None


def test_the_last_click_of_a_run_tells_nothing(tmp_path: Path) -> None:
    """The pointer is still on it, and the keyboard too."""
    recording = _recording(tmp_path)
    recording.do(EXPRESS, PRESSED)
    recording.do(Hotkey(keys=("alt", "f4")))

    assert _left(recording) is None


def test_a_place_that_keys_follow_is_clicked_however_it_looks(tmp_path: Path) -> None:
    recording = _recording(tmp_path)
    recording.do(EXPRESS, PRESSED)
    recording.do(Type(text="x"))
    recording.do(SAVE)

    assert _left(recording) is None


def test_what_a_dialog_came_over_meanwhile_tells_nothing(tmp_path: Path) -> None:
    recording = _recording(tmp_path)
    recording.do(EXPRESS, PRESSED)
    recording.front = Box(300, 60, 200, 120)
    recording.do(SAVE)

    assert _left(recording) is None


def test_the_same_target_clicked_again_tells_nothing_of_the_first_click(tmp_path: Path) -> None:
    recording = _recording(tmp_path)
    recording.do(EXPRESS, PRESSED)
    recording.do(EXPRESS, button("Express", 120, 100))
    recording.do(SAVE)

    assert _left(recording) is None


def test_a_click_that_is_no_plain_one_tells_nothing(tmp_path: Path) -> None:
    actions: tuple[Action, ...] = (Click(x=165, y=113, clicks=2), Click(x=165, y=113, button="right"))
    for n, action in enumerate(actions):
        recording = _recording(tmp_path / str(n))
        recording.do(action, PRESSED)
        recording.do(SAVE)

        assert _left(recording) is None


def test_how_a_click_left_its_target_is_stored_exactly(tmp_path: Path, shelf: Shelf) -> None:
    recording = _recording(tmp_path)
    recording.do(EXPRESS, PRESSED, target="Express")
    recording.do(SAVE, words("Saved", 450, 118), target="Save")

    chosen: dict[str, object] = {
        "selected_step_ids": [1, 2],
        "dropped": [],
        "roles": {},
        "flexible_inputs": [],
    }
    more: dict[str, object] = {"preconditions": [], "expected_effects": [], "evaluator": None}
    memory = consolidated(recording.read(), shelf, **chosen, **more).memory

    kinds = [[anchor.kind for anchor in step.evidence.anchors] for step in memory.steps]
    assert ["done" in one for one in kinds] == [True, False]
    evidence = load_evidence(memory.steps[0].evidence.anchors, shelf.read)
    assert evidence.crop.done is not None
    assert 170 in evidence.crop.done.image

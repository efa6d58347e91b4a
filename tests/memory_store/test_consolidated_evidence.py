from pathlib import Path

import pytest

from actionlens.actions import Click, Drag, Type
from actionlens.observation import Popup
from actionlens.run_reader import Run
from ibtr import reaim
from ibtr.errors import Rejected
from ibtr.geometry import Box, Point
from memory_store.consolidate import consolidate
from memory_store.consolidation.again import again_at
from memory_store.consolidation.seen import on_screen
from memory_store.crops import load_evidence
from memory_store.dependence import inputs_of
from memory_store.models import Memory, TargetEnd
from tests.ibtr.sheets import BUDGET, cell, sheet
from tests.memory_store.consolidating import (
    CHOSEN,
    MEMORY,
    Shelf,
    button,
    consolidated,
    frame,
    hidden,
)
from tests.memory_store.recording import AT, Recording, all_of, blank, box, wipe, words


def both_steps(recording: Recording, shelf: Shelf, *, typed_at: int) -> Memory:
    """A memory of two steps, one of which types its only input."""
    chosen = CHOSEN | {
        "selected_step_ids": [1, 2],
        "dropped": [],
        "roles": {},
        "flexible_inputs": [{"action_index": typed_at, "name": "text"}],
        "preconditions": [],
        "expected_effects": [],
        "evaluator": {"kind": "file_contains", "path": "/tmp/kept.txt", "contains": "{text}"},
    }
    return consolidated(recording.read(), shelf, **chosen).memory


def test_the_text_of_an_input_is_masked_wherever_a_target_shows_it(run: Run, shelf: Shelf) -> None:
    memory = consolidated(run, shelf).memory

    field, row, phone, save = (shelf.evidence(memory.steps[at].evidence.anchors[0]) for at in (0, 3, 4, 7))
    assert hidden(field, on_screen(field.crop)) == 0.0  # it was empty
    assert hidden(row, Box(60, 108, 50, 12)) > 0.9
    assert hidden(row, Box(200, 108, 80, 12)) == 0.0
    assert hidden(phone, Box(106, 226, 60, 12)) > 0.9
    assert hidden(save, on_screen(save.crop)) == 0.0


def test_a_target_that_shows_an_input_is_warned_about_by_pixels_and_by_words(run: Run, shelf: Shelf) -> None:
    warnings = consolidated(run, shelf).warnings

    about_row = [text for text in warnings if text.startswith("step 4:")]
    assert any("appeared with the value of client" in text for text in about_row)
    assert any("reads the input client" in text for text in about_row)
    assert any("described by the value of the input client" in text for text in about_row)
    assert not any(text.startswith("step 9:") for text in warnings)


def test_the_button_that_came_with_a_search_depends_on_what_was_searched_for(
    tmp_path: Path, shelf: Shelf
) -> None:
    recording = Recording(tmp_path, application="Clients")
    all_of(words("Client", 22, 38), box(100, 46, 200, 1), button("Help", 500, 300))(recording.pixels)
    recording.do(Click(x=150, y=33), box(100, 46, 200, 1, 20))
    recording.do(Type(text="Globex"), all_of(words("Globex", 106, 38), button("Pay", 260, 140)))
    recording.do(Click(x=300, y=152), words("Paid", 60, 220))
    recording.do(Click(x=540, y=312), words("?", 60, 260))
    chosen: dict[str, object] = {
        "selected_step_ids": [1, 2, 3, 4],
        "dropped": [],
        "roles": {},
        "preconditions": [],
        "flexible_inputs": [{"action_index": 1, "name": "client"}],
        "expected_effects": [],
        "evaluator": None,
    }

    memory = consolidated(recording.read(), shelf, **chosen).memory

    assert [inputs_of(step.evidence) for step in memory.steps] == [[], [], ["client"], []]


def test_without_inputs_nothing_is_masked_but_what_came_where_nothing_was(run: Run, shelf: Shelf) -> None:
    memory = consolidated(run, shelf, flexible_inputs=[], expected_effects=[], evaluator=None).memory

    anchors = [anchor for step in memory.steps for anchor in step.evidence.anchors]
    found = [shelf.evidence(anchor) for anchor in anchors if anchor.kind == "crop"]
    assert len(found) >= 4
    assert all(hidden(one, on_screen(one.crop)) == 0.0 for one in found)


def test_a_target_that_cannot_be_told_from_its_twin_is_weak(tmp_path: Path, shelf: Shelf) -> None:
    recording = Recording(tmp_path)
    for y in range(20, 340, 40):
        for x in range(20, 600, 110):
            button("Edit", x, y)(recording.pixels)
    recording.do(Click(x=285, y=193), words("x", 600, 20))
    chosen = {**CHOSEN, "selected_step_ids": [1], "dropped": [], "roles": {}, "flexible_inputs": []}
    plain: dict[str, object] = {"preconditions": [], "expected_effects": [], "evaluator": None}

    made = consolidate(recording.read(), {**chosen, **plain}, memory_id=MEMORY, keep=shelf.keeper, at=AT)

    assert "weak crop" in made.memory.steps[0].evidence.weak
    assert any("weak crop" in text for text in made.warnings)


def test_what_lies_behind_a_menu_does_not_tell_its_items(tmp_path: Path, shelf: Shelf) -> None:
    menu = Box(180, 100, 160, 60)
    recording = Recording(tmp_path, popups=(Popup(box=menu, menu=True),))
    shown = all_of(box(*menu, 90), words("Folder", 200, 120, 250), words("Empty File", 200, 150, 250))
    all_of(shown, words("Globex.txt", 200, 173))(recording.pixels)
    recording.do(Click(x=240, y=146), words("x", 600, 20))
    chosen = {**CHOSEN, "selected_step_ids": [1], "dropped": [], "roles": {}, "flexible_inputs": []}
    plain: dict[str, object] = {"preconditions": [], "expected_effects": [], "evaluator": None}
    later = blank()
    all_of(shown, words("Initech.txt", 190, 173), words("Umbrella", 90, 130))(later)

    made = consolidate(recording.read(), {**chosen, **plain}, memory_id=MEMORY, keep=shelf.keeper, at=AT)

    evidence = shelf.evidence(made.memory.steps[0].evidence.anchors[0])
    assert hidden(evidence, Box(200, 160, 80, 14)) == 1.0
    assert hidden(evidence, Box(200, 140, 80, 12)) == 0.0
    found = reaim(evidence, later).point
    assert (round(found.x), round(found.y)) == (240, 146)


def test_a_drag_keeps_both_ends(tmp_path: Path, shelf: Shelf) -> None:
    recording = Recording(tmp_path, scale=2.0)
    all_of(button("Card", 40, 40), words("Done", 402, 218), frame(390, 190, 160, 100))(recording.pixels)
    recording.do(Drag(x=40, y=26, to_x=230, to_y=110), all_of(wipe(40, 40, 91, 27), button("Card", 420, 230)))
    chosen = {**CHOSEN, "selected_step_ids": [1], "dropped": [], "roles": {}, "flexible_inputs": []}
    plain: dict[str, object] = {"preconditions": [], "expected_effects": [], "evaluator": None}
    memory = consolidate(
        recording.read(), {**chosen, **plain}, memory_id=MEMORY, keep=shelf.keeper, at=AT
    ).memory

    step = memory.steps[0]
    assert list(dict.fromkeys(anchor.at for anchor in step.evidence.anchors)) == [
        TargetEnd.START,
        TargetEnd.END,
    ]
    assert (step.evidence.point_px, step.evidence.end_px) == ((80, 52), (460, 220))
    assert on_screen(shelf.evidence(step.evidence.anchors[0]).crop).contains(Point(80, 52))


def test_a_clock_that_changed_by_itself_is_masked_but_never_the_target(tmp_path: Path, shelf: Shelf) -> None:
    recording = Recording(tmp_path)
    all_of(button("Send", 40, 40), words("12:00", 150, 58))(recording.pixels)
    ticks = all_of(wipe(148, 40, 60, 24), words("12:01", 150, 58))
    recording.do(Click(x=300, y=200), words("a", 300, 200), later=all_of(ticks, button("Send!", 40, 40)))
    recording.do(Click(x=80, y=53), words("sent", 300, 250))
    chosen = {**CHOSEN, "selected_step_ids": [1, 2], "dropped": [], "roles": {}, "flexible_inputs": []}
    plain: dict[str, object] = {"preconditions": [], "expected_effects": [], "evaluator": None}
    memory = consolidate(
        recording.read(), {**chosen, **plain}, memory_id=MEMORY, keep=shelf.keeper, at=AT
    ).memory

    send = shelf.evidence(memory.steps[1].evidence.anchors[0])
    assert hidden(send, Box(152, 48, 38, 10)) > 0.9
    assert hidden(send, on_screen(send.crop)) < 0.5


def test_a_hint_that_fills_a_field_before_it_is_typed_into_stays_part_of_the_target(
    tmp_path: Path, shelf: Shelf
) -> None:
    recording = Recording(tmp_path)
    all_of(frame(60, 4, 400, 60), words("Search for a client", 106, 38, 150))(recording.pixels)
    recording.do(Click(x=180, y=33), target="the search field")
    typed = all_of(wipe(102, 22, 196, 22), words("Globex and Sons Ltd", 106, 38))
    recording.do(Type(text="Globex and Sons Ltd"), typed)
    inputs = [{"action_index": 1, "name": "client"}]
    chosen = {**CHOSEN, "selected_step_ids": [1, 2], "dropped": [], "roles": {}, "flexible_inputs": inputs}
    plain: dict[str, object] = {"preconditions": [], "expected_effects": [], "evaluator": None}
    memory = consolidate(
        recording.read(), {**chosen, **plain}, memory_id=MEMORY, keep=shelf.keeper, at=AT
    ).memory

    field = shelf.evidence(memory.steps[0].evidence.anchors[0])
    assert hidden(field, on_screen(field.crop)) == 0.0
    assert memory.steps[0].evidence.weak == ""


def test_what_lies_behind_a_dialog_is_no_part_of_a_target_in_it(tmp_path: Path, shelf: Shelf) -> None:
    recording = Recording(tmp_path, front=Box(200, 100, 240, 120))
    for y in range(20, 340, 30):
        words(f"a row of the sheet behind number {y}", 20, y)(recording.pixels)
    all_of(box(200, 100, 240, 120, 225), words("Keep the format?", 220, 130), button("Keep", 330, 180))(
        recording.pixels
    )
    recording.do(Click(x=375, y=193), words("kept", 220, 160))
    chosen = {**CHOSEN, "selected_step_ids": [1], "dropped": [], "roles": {}, "flexible_inputs": []}
    plain: dict[str, object] = {"preconditions": [], "expected_effects": [], "evaluator": None}
    memory = consolidate(
        recording.read(), {**chosen, **plain}, memory_id=MEMORY, keep=shelf.keeper, at=AT
    ).memory

    keep = shelf.evidence(memory.steps[0].evidence.anchors[0])
    assert hidden(keep, Box(200, 100, 240, 36)) == 0.0
    assert hidden(keep, on_screen(keep.crop)) == 0.0
    assert hidden(keep, Box(205, 60, 200, 38)) == 1.0
    assert hidden(keep, Box(445, 110, 100, 100)) == 1.0


@pytest.mark.parametrize(
    ("off", "weak", "strays"), [((0, 0), False, False), ((5, 0), True, False), ((0, 53), True, True)]
)
def test_a_target_that_is_taken_for_another_on_its_own_screen_blocks_its_memory(
    run: Run, shelf: Shelf, off: tuple[int, int], weak: bool, strays: bool
) -> None:
    memory = consolidated(run, shelf).memory
    save = shelf.evidence(memory.steps[7].evidence.anchors[0])

    again = again_at(save, Point(365 + off[0], 233 + off[1]))

    assert (bool(again.weak), again.strays) == (weak, strays)
    assert memory.reasoning.blockers == ()


def test_a_cell_of_a_sheet_that_is_typed_over_may_hold_any_value(tmp_path: Path, shelf: Shelf) -> None:
    """Its selection frames the whole of it, so all of it changes; its row and its heading name it."""
    inside, marked = cell(2, 3), cell(2, 3).grow(2)
    recording = Recording(tmp_path, application="Sheet", pixels=sheet(BUDGET))
    at = Click(x=inside.x + 40, y=inside.y + 10)
    recording.do(at, frame(marked.x, marked.y, marked.width, marked.height, 40))
    typed = all_of(box(*marked, shade=255), words("31", inside.x + 3, inside.y + 14))
    recording.do(Type(text="31"), typed)
    memory = both_steps(recording, shelf, typed_at=1)
    evidence = load_evidence(memory.steps[0].evidence.anchors, shelf.read)

    rows = [[*row] for row in BUDGET]
    rows[3][2] = "1,234"
    aim = reaim(evidence, sheet(rows, 25, 12))

    assert hidden(evidence, inside) == 1.0
    assert cell(2, 3, 25, 12).contains(aim.point)
    with pytest.raises(Rejected):
        reaim(evidence, sheet([*rows[:2], rows[3], rows[2], *rows[4:]]))


def test_a_typed_text_is_masked_with_the_letter_that_a_caret_stood_on(tmp_path: Path, shelf: Shelf) -> None:
    recording = Recording(tmp_path, application="Notes")
    caret = Box(60, 78, 2, 18)
    all_of(words("File", 62, 60), words("Edit", 120, 60), box(*caret))(recording.pixels)
    text = all_of(wipe(*caret), words("Globex: 555-0199", 60, 92))
    recording.do(Type(text="Globex: 555-0199"), text, flicker=(caret,))
    recording.do(Click(x=74, y=55), words("Save", 62, 130), target="the File menu")
    memory = both_steps(recording, shelf, typed_at=0)

    evidence = load_evidence(memory.steps[1].evidence.anchors, shelf.read)

    assert hidden(evidence, Box(60, 80, 8, 12)) > 0.9

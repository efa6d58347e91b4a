from pathlib import Path

import cv2
import numpy as np
import pytest

from actionlens.actions import Click, Drag, Hotkey, Press, Type, Wait
from actionlens.frames import Pixels
from actionlens.run_reader import Run
from ibtr import Evidence, reaim
from ibtr.geometry import Box, Point
from memory_store.bindings import bind
from memory_store.blobs import Blobs
from memory_store.consolidate import Consolidated, compact, consolidate, tool_name_of
from memory_store.consolidation.evidence import again_at, on_screen
from memory_store.crops import load_evidence
from memory_store.errors import SelectionRefused
from memory_store.evaluators import look_on
from memory_store.models import (
    Anchor,
    InputKind,
    MemoryId,
    RegionCondition,
    StepRole,
    TargetEnd,
)
from memory_store.repository import Repository
from memory_store.writing import Keeper
from tests.memory_store.recording import AT, Paint, Recording, all_of, box, wipe, words

MEMORY = MemoryId("m_0123456789abcdef")
CHOSEN: dict[str, object] = {
    "selected_step_ids": [1, 2, 3, 4, 5, 6, 7, 9],
    "dropped": [{"step_id": 8, "reason": "only waits"}],
    "roles": {1: "startup"},
    "flexible_inputs": [
        {"action_index": 1, "name": "client", "kind": "search_term", "description": "Whose phone"},
        {"action_index": 6, "name": "phone"},
    ],
    "task_intent": "Update the phone of a client",
    "query_phrases": ["change a client's phone number"],
    "preconditions": [
        "the client list is open",
        {"kind": "region", "step_id": 1, "box_px": [20, 20, 70, 24]},
    ],
    "expected_effects": [{"kind": "file", "path": "/tmp/{client}.txt"}],
    "viable": True,
    "recommendation": "promote",
    "evaluator": {"kind": "file_contains", "path": "/tmp/clients.csv", "contains": "{client},{phone}"},
}


def _frame(x: int, y: int, width: int, height: int, shade: int = 90) -> Paint:
    def paint(pixels: Pixels) -> None:
        cv2.rectangle(pixels, (x, y), (x + width, y + height), (shade, shade, shade), 1)

    return paint


def _button(text: str, x: int, y: int) -> Paint:
    return all_of(box(x, y, 90, 26, 205), _frame(x, y, 90, 26), words(text, x + 12, y + 18))


FORM = all_of(
    words("Client", 22, 38), _frame(100, 20, 200, 26), _button("Search", 320, 20), words("Phone", 22, 238)
)
DETAIL = all_of(_frame(100, 220, 200, 26), words("555-0100", 106, 238), _button("Save", 320, 220))


@pytest.fixture
def run(tmp_path: Path) -> Run:
    recording = Recording(
        tmp_path / "runs", goal="Set the phone of Globex to 555-0199", application="Clients"
    )
    FORM(recording.pixels)
    recording.do(Click(x=150, y=33), _frame(100, 20, 200, 26, 20), target="the Client field")
    recording.do(Type(text="Globex"), words("Globex", 106, 38))
    recording.do(Press(key="enter"), all_of(words("Globex", 60, 120), words("Springfield", 200, 120)))
    recording.do(Click(x=80, y=115), DETAIL, target="the row Globex")
    recording.do(Click(x=150, y=233), _frame(100, 220, 200, 26, 20), target="the Phone field")
    recording.do(Hotkey(keys=("ctrl", "a")), box(104, 224, 74, 18, 180))
    recording.do(Type(text="555-0199"), all_of(wipe(102, 222, 190, 22), words("555-0199", 106, 238)))
    recording.do(Wait(seconds=1))
    recording.do(Click(x=365, y=233), words("Saved", 450, 238), target="Save")
    return recording.read()


class Shelf:
    """Keeps pictures in a folder."""

    def __init__(self, folder: Path) -> None:
        self._blobs = Blobs(folder)
        self.keeper = Keeper(self._blobs)

    def evidence(self, anchor: Anchor) -> Evidence:
        return load_evidence([anchor], self._blobs.get)


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "blobs")


def _consolidate(run: Run, shelf: Shelf, **changes: object) -> Consolidated:
    return consolidate(run, {**CHOSEN, **changes}, memory_id=MEMORY, keep=shelf.keeper, at=AT)


def _hidden(evidence: Evidence, place: Box) -> float:
    """Share of a place on the screen that is marked as varying."""
    anchor = evidence.crop
    vary = anchor.vary if anchor.vary is not None else np.zeros(anchor.image.shape[:2], np.uint8)
    inner = Box(place.x - anchor.source.x, place.y - anchor.source.y, place.width, place.height).clip(
        anchor.size
    )
    return float((vary[inner.y : inner.bottom, inner.x : inner.right] > 0).mean())


def test_a_selection_becomes_a_candidate_with_its_inputs_roles_reasons_and_evidence(
    run: Run, shelf: Shelf
) -> None:
    memory = _consolidate(run, shelf).memory

    assert [step.source.step_id for step in memory.steps if step.source] == [1, 2, 3, 4, 5, 6, 7, 9]
    assert memory.steps[0].role is StepRole.STARTUP
    assert [(one.name, one.kind, one.default) for one in memory.inputs] == [
        ("client", InputKind.SEARCH_TERM, "Globex"),
        ("phone", InputKind.TEXT, "555-0199"),
    ]
    assert [drop.reason for drop in memory.reasoning.dropped] == ["only waits"]
    assert memory.tool_name == "update_the_phone_of_a_client"
    assert memory.application == "Clients"
    assert [len(step.evidence.anchors) for step in memory.steps] == [1, 0, 0, 2, 1, 0, 0, 1]
    assert memory.steps[4].evidence.point_px == pytest.approx((150, 233))
    assert bind(memory, {"client": "Initech"}).actions[1] == Type(text="Initech")


def test_the_candidate_goes_into_the_store_and_its_evidence_finds_its_targets(
    run: Run, tmp_path: Path
) -> None:
    with Repository(tmp_path / "store") as store:
        with store.writing() as keeper:
            made = consolidate(run, CHOSEN, memory_id=MEMORY, keep=keeper, at=AT)
            store.add(made.memory, at=AT)
        memory = store.get(MEMORY)
        assert store.verify().problems == ()

        anchor = memory.steps[-1].evidence.anchors[0]
        evidence = load_evidence([anchor], store.blob)
        region = memory.preconditions[1]
        assert isinstance(region, RegionCondition)
        found = look_on(run.frame(run.steps[0].before), store.blob)(region.anchors)

    aim = reaim(evidence, run.frame(run.steps[8].before))
    assert max(abs(aim.point.x - 365), abs(aim.point.y - 233)) <= 1
    assert abs(float(str(found["x_px"])) - 55) <= 1


def test_the_text_of_an_input_is_masked_wherever_a_target_shows_it(run: Run, shelf: Shelf) -> None:
    memory = _consolidate(run, shelf).memory

    field, row, phone, save = (shelf.evidence(memory.steps[at].evidence.anchors[0]) for at in (0, 3, 4, 7))
    assert _hidden(field, on_screen(field)) == 0.0  # it was empty
    assert _hidden(row, Box(60, 108, 50, 12)) > 0.9
    assert _hidden(row, Box(200, 108, 80, 12)) == 0.0
    assert _hidden(phone, Box(106, 226, 60, 12)) > 0.9
    assert _hidden(save, on_screen(save)) == 0.0


def test_a_target_that_shows_an_input_is_warned_about_by_pixels_and_by_words(run: Run, shelf: Shelf) -> None:
    warnings = _consolidate(run, shelf).warnings

    about_row = [text for text in warnings if text.startswith("step 4:")]
    assert any("appeared with the value of client" in text for text in about_row)
    assert any("reads the input client" in text for text in about_row)
    assert any("described by the value of the input client" in text for text in about_row)
    assert not any(text.startswith("step 9:") for text in warnings)


def test_without_inputs_nothing_is_masked(run: Run, shelf: Shelf) -> None:
    memory = _consolidate(run, shelf, flexible_inputs=[], expected_effects=[], evaluator=None).memory

    anchors = [anchor for step in memory.steps for anchor in step.evidence.anchors]
    assert all(shelf.evidence(anchor).crop.vary is None for anchor in anchors)


def test_a_target_that_cannot_be_told_from_its_twin_is_weak(tmp_path: Path, shelf: Shelf) -> None:
    recording = Recording(tmp_path)
    for y in range(20, 340, 40):
        for x in range(20, 600, 110):
            _button("Edit", x, y)(recording.pixels)
    recording.do(Click(x=285, y=193), words("x", 600, 20))
    chosen = {**CHOSEN, "selected_step_ids": [1], "dropped": [], "roles": {}, "flexible_inputs": []}
    plain: dict[str, object] = {"preconditions": [], "expected_effects": [], "evaluator": None}

    made = consolidate(recording.read(), {**chosen, **plain}, memory_id=MEMORY, keep=shelf.keeper, at=AT)

    assert "weak crop" in made.memory.steps[0].evidence.weak
    assert any("weak crop" in text for text in made.warnings)


def test_a_drag_keeps_both_ends(tmp_path: Path, shelf: Shelf) -> None:
    recording = Recording(tmp_path, scale=2.0)
    all_of(_button("Card", 40, 40), words("Done", 402, 218), _frame(390, 190, 160, 100))(recording.pixels)
    recording.do(
        Drag(x=40, y=26, to_x=230, to_y=110), all_of(wipe(40, 40, 91, 27), _button("Card", 420, 230))
    )
    chosen = {**CHOSEN, "selected_step_ids": [1], "dropped": [], "roles": {}, "flexible_inputs": []}
    plain: dict[str, object] = {"preconditions": [], "expected_effects": [], "evaluator": None}
    memory = consolidate(
        recording.read(), {**chosen, **plain}, memory_id=MEMORY, keep=shelf.keeper, at=AT
    ).memory

    step = memory.steps[0]
    assert [anchor.at for anchor in step.evidence.anchors] == [TargetEnd.START, TargetEnd.END]
    assert (step.evidence.point_px, step.evidence.end_px) == ((80, 52), (460, 220))
    assert on_screen(shelf.evidence(step.evidence.anchors[0])).contains(Point(80, 52))


def test_a_clock_that_changed_by_itself_is_masked_but_never_the_target(tmp_path: Path, shelf: Shelf) -> None:
    recording = Recording(tmp_path)
    all_of(_button("Send", 40, 40), words("12:00", 150, 58))(recording.pixels)
    ticks = all_of(wipe(148, 40, 60, 24), words("12:01", 150, 58))
    recording.do(Click(x=300, y=200), words("a", 300, 200), later=all_of(ticks, _button("Send!", 40, 40)))
    recording.do(Click(x=80, y=53), words("sent", 300, 250))
    chosen = {**CHOSEN, "selected_step_ids": [1, 2], "dropped": [], "roles": {}, "flexible_inputs": []}
    plain: dict[str, object] = {"preconditions": [], "expected_effects": [], "evaluator": None}
    memory = consolidate(
        recording.read(), {**chosen, **plain}, memory_id=MEMORY, keep=shelf.keeper, at=AT
    ).memory

    send = shelf.evidence(memory.steps[1].evidence.anchors[0])
    assert _hidden(send, Box(152, 48, 38, 10)) > 0.9
    assert _hidden(send, on_screen(send)) < 0.5


def test_a_hint_that_fills_a_field_before_it_is_typed_into_stays_part_of_the_target(
    tmp_path: Path, shelf: Shelf
) -> None:
    recording = Recording(tmp_path)
    all_of(_frame(60, 4, 400, 60), words("Search for a client", 106, 38, 150))(recording.pixels)
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
    assert _hidden(field, on_screen(field)) == 0.0
    assert memory.steps[0].evidence.weak == ""


def test_what_lies_behind_a_dialog_is_no_part_of_a_target_in_it(tmp_path: Path, shelf: Shelf) -> None:
    recording = Recording(tmp_path, front=Box(200, 100, 240, 120))
    for y in range(20, 340, 30):
        words(f"a row of the sheet behind number {y}", 20, y)(recording.pixels)
    all_of(box(200, 100, 240, 120, 225), words("Keep the format?", 220, 130), _button("Keep", 330, 180))(
        recording.pixels
    )
    recording.do(Click(x=375, y=193), words("kept", 220, 160))
    chosen = {**CHOSEN, "selected_step_ids": [1], "dropped": [], "roles": {}, "flexible_inputs": []}
    plain: dict[str, object] = {"preconditions": [], "expected_effects": [], "evaluator": None}
    memory = consolidate(
        recording.read(), {**chosen, **plain}, memory_id=MEMORY, keep=shelf.keeper, at=AT
    ).memory

    keep = shelf.evidence(memory.steps[0].evidence.anchors[0])
    assert _hidden(keep, Box(200, 100, 240, 120)) == 0.0
    assert _hidden(keep, Box(205, 60, 200, 38)) == 1.0
    assert _hidden(keep, Box(445, 110, 100, 100)) == 1.0


@pytest.mark.parametrize(
    ("off", "weak", "strays"), [((0, 0), False, False), ((5, 0), True, False), ((0, 53), True, True)]
)
def test_a_target_that_is_taken_for_another_on_its_own_screen_blocks_its_memory(
    run: Run, shelf: Shelf, off: tuple[int, int], weak: bool, strays: bool
) -> None:
    memory = _consolidate(run, shelf).memory
    save = shelf.evidence(memory.steps[7].evidence.anchors[0])

    again = again_at(save, Point(365 + off[0], 233 + off[1]))

    assert (bool(again.weak), again.strays) == (weak, strays)
    assert memory.reasoning.blockers == ()


def test_dropped_dependencies_and_values_of_inputs_in_fixed_texts_are_pointed_out(
    run: Run, shelf: Shelf
) -> None:
    made = _consolidate(
        run,
        shelf,
        selected_step_ids=[1, 2, 3, 5, 6, 7, 9],
        dropped=[{"step_id": 4, "reason": "not needed"}, {"step_id": 8, "reason": "only waits"}],
        flexible_inputs=[{"action_index": 1, "name": "client"}],
        preconditions=[{"kind": "window", "title_contains": "Globex - Clients"}],
        evaluator={"kind": "file_contains", "path": "/tmp/clients.csv", "contains": "Globex,555-0199"},
    )

    assert any(text.startswith("step 4 was dropped, but") for text in made.warnings)
    assert not any(text.startswith("step 8") for text in made.warnings)
    for where in ("preconditions.0.title_contains", "evaluator.contains"):
        assert any(text.startswith(where) and "{client}" in text for text in made.warnings)


def test_a_refused_selection_keeps_nothing(run: Run, shelf: Shelf) -> None:
    with pytest.raises(SelectionRefused) as refusal:
        _consolidate(run, shelf, selected_step_ids=[9, 1], task_intent="")

    problems = refusal.value.evidence["problems"]
    assert isinstance(problems, list)
    assert {"selected_step_ids", "dropped", "task_intent"} <= {one["field"] for one in problems}
    assert shelf.keeper.fresh == set()


def test_the_proposal_itself_is_a_selection_that_passes(run: Run, shelf: Shelf) -> None:
    seen = compact(run)
    steps, inputs = seen["steps"], seen["flexible_inputs"]
    assert isinstance(steps, list) and isinstance(inputs, list)
    dropped = [
        {"step_id": one["id"], "reason": one["drop"]}
        for one in steps
        if isinstance(one, dict) and "drop" in one
    ]
    chosen = {
        **CHOSEN,
        "selected_step_ids": [one["id"] for one in steps if isinstance(one, dict) and "drop" not in one],
        "dropped": dropped,
        "flexible_inputs": [
            {"name": one["name"], "kind": one["kind"], **place}
            for one in inputs
            if isinstance(one, dict) and isinstance(one["places"], list)
            for place in one["places"]
            if isinstance(place, dict)
        ],
        "expected_effects": [],
        "evaluator": None,
    }

    memory = consolidate(run, chosen, memory_id=MEMORY, keep=shelf.keeper, at=AT).memory

    assert [one.name for one in memory.inputs] == ["client", "phone"]
    assert len(memory.steps) == 8


def test_a_tool_gets_a_name_from_any_intent() -> None:
    assert tool_name_of("Update the phone, please!") == "update_the_phone_please"
    assert tool_name_of("日本") == "memory"
    assert len(tool_name_of("word " * 50)) <= 48


def test_the_same_run_gives_the_same_crops(run: Run, tmp_path: Path) -> None:
    one, other = Shelf(tmp_path / "one"), Shelf(tmp_path / "other")

    _consolidate(run, one)
    _consolidate(run, other)

    assert one.keeper.fresh == other.keeper.fresh

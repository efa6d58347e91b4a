"""What a run leaves behind, and what the next one makes of it: painted runs, real consolidation."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from actionlens.actions import Click, Press, Type
from actionlens.frames import Pixels
from ibtr import Evidence, reaim
from ibtr.crops import remember
from ibtr.errors import AmbiguousTarget, Rejected
from ibtr.geometry import Box, Point
from memory_store.consolidate import Consolidated, consolidate
from memory_store.consolidation.again import refused_on
from memory_store.consolidation.seen import on_screen
from memory_store.crops import load_evidence
from memory_store.models import NotAgainCause
from tests.memory_store.consolidating import CHOSEN, MEMORY, Shelf, button, frame, hidden
from tests.memory_store.recording import AT, Paint, Recording, all_of, box, wipe, words

PLAIN: dict[str, object] = {
    "roles": {},
    "dropped": [],
    "preconditions": [],
    "expected_effects": [],
    "evaluator": None,
}
FIELD = all_of(box(140, 60, 240, 26, 255), frame(140, 60, 240, 26))
TITLE = all_of(box(0, 0, 640, 24, 120), words("Visitors", 280, 17, 250))
ITEM = Type(text="buy tea")


def made(recording: Recording, shelf: Shelf, typed: int | None = 1) -> Consolidated:
    run = recording.read()
    inputs = [] if typed is None else [{"action_index": typed, "name": "item"}]
    ids = [int(step.id) for step in run.steps]
    chosen = {**CHOSEN, **PLAIN, "selected_step_ids": ids, "flexible_inputs": inputs}
    return consolidate(run, chosen, memory_id=MEMORY, keep=shelf.keeper, at=AT)


def evidence(found: Consolidated, shelf: Shelf, step: int) -> Evidence:
    """Every look of a step's target that was kept, as a replay loads it."""
    anchors = found.memory.steps[step].evidence.anchors
    return load_evidence(anchors, shelf.blob)


def painted(recording: Recording, *paints: Paint) -> Pixels:
    pixels = recording.pixels.copy()
    for paint in paints:
        paint(pixels)
    return pixels


def page(recording: Recording, field_y: int = 60) -> None:
    down = field_y - 60
    all_of(
        TITLE,
        words("New item", 40, 78 + down),
        box(140, 60 + down, 240, 26, 255),
        frame(140, 60 + down, 240, 26),
        button("Add", 400, 60 + down),
    )(recording.pixels)


def test_a_list_that_grows_below_is_no_part_of_what_is_looked_for(tmp_path: Path, shelf: Shelf) -> None:
    recording = Recording(tmp_path)
    page(recording)
    recording.do(Click(x=260, y=73), target="the field")
    recording.do(ITEM, words("buy tea", 146, 78))
    recording.do(Click(x=445, y=73), all_of(wipe(142, 62, 236, 22), FIELD, words("buy tea", 150, 120)))
    found = made(recording, shelf)
    more = [words(f"call somebody else number {n}", 150, 120 + 20 * n) for n in range(4)]
    later = painted(recording, wipe(140, 100, 300, 240), *more)

    aims = [reaim(evidence(found, shelf, step), later) for step in (0, 2)]

    assert [(round(aim.point.x), round(aim.point.y)) for aim in aims] == [(260, 73), (445, 73)]
    assert hidden(evidence(found, shelf, 2), Box(150, 108, 60, 14)) == 1.0
    assert found.memory.reasoning.not_again == ()


def test_items_that_push_a_field_down_are_looked_past(tmp_path: Path, shelf: Shelf) -> None:
    recording = Recording(tmp_path)
    page(recording)
    words("To do", 40, 48)(recording.pixels)
    recording.do(Click(x=260, y=73), target="the field")
    recording.do(ITEM, words("buy tea", 146, 78))
    recording.do(Click(x=445, y=73), lambda pixels: _list(pixels, "buy tea"))
    found = made(recording, shelf)
    later = recording.pixels.copy()
    _list(later, "buy tea", "call Ada Lovelace", "pay the rent")

    aim = reaim(evidence(found, shelf, 0), later)

    assert (round(aim.point.x), round(aim.point.y)) == (260, 133)


def _list(pixels: Pixels, *items: str) -> None:
    """The window with these items above its field."""
    pixels[:] = 240
    all_of(TITLE, words("To do", 40, 48))(pixels)
    for at, item in enumerate(items):
        words(item, 60, 68 + 20 * at)(pixels)
    down = 20 * len(items)
    all_of(
        words("New item", 40, 78 + down),
        box(140, 60 + down, 240, 26, 255),
        frame(140, 60 + down, 240, 26),
        button("Add", 400, 60 + down),
    )(pixels)


def test_another_item_in_the_same_place_is_not_looked_past(tmp_path: Path, shelf: Shelf) -> None:
    recording = Recording(tmp_path)
    item = all_of(TITLE, words("Request of Globex", 60, 80), words("420.00 EUR", 60, 104))
    all_of(item, button("Approve", 60, 130))(recording.pixels)
    next_one = all_of(wipe(50, 60, 300, 60), words("Request of Umbrella", 60, 80), words("7.50 EUR", 60, 104))
    recording.do(Click(x=105, y=143), next_one, target="Approve")

    found = made(recording, shelf, typed=None)

    approve = evidence(found, shelf, 0)
    assert approve.crop.vary is None or hidden(approve, Box(60, 66, 160, 42)) == 0.0
    assert len(approve.anchors) == 1


def test_a_box_that_the_click_ticks_is_not_ticked_back(tmp_path: Path, shelf: Shelf) -> None:
    recording = Recording(tmp_path)
    tick = all_of(box(62, 104, 10, 10, 30))
    page(recording)
    all_of(frame(58, 100, 18, 18), words("Send a reminder", 86, 114), button("Apply", 60, 300))(
        recording.pixels
    )
    recording.do(Click(x=300, y=109), tick, target="Send a reminder")
    recording.do(Click(x=105, y=313), target="Apply")

    found = made(recording, shelf, typed=None)

    (no,) = [one for one in found.memory.reasoning.not_again if one.step == 1]
    assert no.cause in NotAgainCause
    assert no.do
    assert any(f"({no.cause.value})" in text for text in found.warnings)
    with pytest.raises(Rejected):
        reaim(evidence(found, shelf, 0), recording.pixels)


def test_a_field_is_known_without_the_focus_if_its_value_is_typed_over(tmp_path: Path, shelf: Shelf) -> None:
    recording = Recording(tmp_path)
    page(recording)
    lit = all_of(frame(139, 59, 242, 28, 40), frame(140, 60, 240, 26, 40), frame(141, 61, 238, 24, 40))
    dim = all_of(box(139, 59, 244, 30, 240), FIELD)
    lit(recording.pixels)
    recording.do(Click(x=260, y=73, clicks=3), target="the field")
    recording.do(ITEM, words("buy tea", 146, 78))
    recording.do(Click(x=445, y=73), all_of(dim, words("buy tea", 146, 78)))
    found = made(recording, shelf)
    later = painted(recording, dim, words("walk the dog", 146, 78))

    aim = reaim(evidence(found, shelf, 0), later)

    assert (round(aim.point.x), round(aim.point.y)) == (260, 73)


def test_a_text_that_stays_in_its_field_is_warned_about(tmp_path: Path, shelf: Shelf) -> None:
    recording = Recording(tmp_path)
    page(recording)
    recording.do(Click(x=260, y=73), target="the field")
    recording.do(ITEM, words("buy tea", 146, 78))
    recording.do(Press(key="tab"))
    recording.do(Click(x=445, y=73), words("saved", 520, 78))

    (no,) = made(recording, shelf).memory.reasoning.not_again

    assert (no.step, no.cause) == (2, NotAgainCause.TEXT_STAYS)
    assert "Ctrl+A" in no.do


def test_rows_that_only_what_changed_tells_apart_stay_refused(tmp_path: Path, shelf: Shelf) -> None:
    recording = Recording(tmp_path)
    TITLE(recording.pixels)
    for at, amount in enumerate(("100", "250", "310")):
        all_of(words("Globex", 60, 80 + 40 * at), words(amount, 200, 80 + 40 * at))(recording.pixels)
        button("Edit", 300, 62 + 40 * at)(recording.pixels)
    all_of(box(140, 240, 240, 26, 255), frame(140, 240, 240, 26))(recording.pixels)
    recording.do(Click(x=345, y=115), target="Edit in the second row")
    recording.do(Click(x=260, y=253))
    typed = all_of(words("7777", 146, 258), wipe(196, 104, 60, 24), words("7777", 200, 120))
    recording.do(Type(text="7777"), typed)
    found = made(recording, shelf, typed=2)
    later = painted(recording, wipe(196, 104, 60, 24), words("8812", 200, 120))

    with pytest.raises((AmbiguousTarget, Rejected)):
        reaim(evidence(found, shelf, 0), later)

    assert on_screen(evidence(found, shelf, 0).crop).contains(Point(345, 115))


def test_the_next_run_is_rehearsed_with_what_is_kept_of_a_target() -> None:
    before, after = _form(lit=True), _form(lit=False)
    fresh = remember(before, Point(290, 77), content=True)

    assert reaim(fresh, after).representation == "reflowed, field"  # by small words around it, as they were
    assert refused_on(fresh, after, None)  # which lose too much when they are kept


def _form(*, lit: bool) -> Pixels:
    pixels = np.full((400, 640, 3), 243, np.uint8)
    for y in (60, 102):
        all_of(box(160, y, 257, 33, 255), frame(160, y, 257, 33, 190))(pixels)
    if lit:
        cv2.rectangle(pixels, (160, 60), (417, 93), (50, 130, 230), 2)
    for text, y in (("Client", 81), ("Amount", 123), ("Save", 168), ("Recent", 200)):
        cv2.putText(pixels, text, (40, y), cv2.FONT_HERSHEY_SIMPLEX, 0.35, (40, 40, 40), 1, cv2.LINE_AA)
    return pixels

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actionlens.actions import Click, Type
from actionlens.frames import Pixels
from actionlens.records import StepStatus
from ibtr.geometry import Box, Point
from memory_store.consolidation.screens import Change, change
from memory_store.consolidation.trace import Flicker, Trace, TracedStep
from memory_store.consolidation.vary import (
    TypedText,
    differences,
    softened,
    text_box,
    to_the_edge,
    unsteady,
    whole_word,
    without_caret,
)
from tests.memory_store.recording import SIZE, Paint, all_of, blank, box, wipe, words

FIELD = all_of(box(100, 40, 200, 1), box(100, 66, 200, 1), box(100, 40, 1, 27), box(299, 40, 1, 27))


def _screen(*paints: Paint) -> Pixels:
    pixels = blank()
    all_of(*paints)(pixels)
    return pixels


def _step(*boxes: Box, between: Change | None = None) -> TracedStep:
    return TracedStep(
        id=1,
        action=Type(text="Globex"),
        status=StepStatus.OK,
        during=Change(0.01, boxes),
        between=between or Change(),
        application="Crm",
        title="Crm",
    )


def test_a_text_is_sought_near_its_field_and_at_the_height_of_its_lines() -> None:
    typed, button, page = Box(105, 45, 60, 14), Box(105, 300, 60, 14), Box(0, 0, 600, 300)

    assert text_box((page, typed, button), Point(280, 50), "Globex") == typed
    assert text_box((page, button), Point(280, 50), "Globex") is None


def test_without_a_click_a_text_is_known_by_its_width() -> None:
    typed, title = Box(105, 45, 48, 14), Box(10, 5, 300, 14)

    assert text_box((title, typed), None, "Globex") == typed


def test_a_mask_takes_in_soft_edges_but_no_border() -> None:
    screen = _screen(FIELD, words("Globex", 105, 58))

    assert softened(screen, Box(105, 47, 50, 12)) == Box(103, 45, 54, 16)
    assert softened(screen, Box(101, 41, 50, 25)) == Box(101, 41, 52, 25)


def test_a_longer_text_gets_room_up_to_the_next_thing() -> None:
    screen = _screen(FIELD, words("Globex", 105, 58))

    assert to_the_edge(screen, Box(105, 47, 90, 12)).right == 299
    assert to_the_edge(screen, Box(105, 47, 50, 12)).width == 150
    assert to_the_edge(screen, Box(580, 47, 60, 12)) == Box(580, 47, 60, 12)


def test_the_letters_of_a_text_are_told_from_the_caret_behind_them() -> None:
    screen = _screen(words("Globex", 105, 58), box(164, 44, 2, 20, 0))

    letters = without_caret(screen, Box(103, 44, 63, 20))

    assert letters.right < 164
    assert letters.height < 16


def test_a_changed_digit_stands_for_its_whole_word_but_a_line_is_no_word() -> None:
    clock = _screen(words("12:00", 150, 58))
    ruled = _screen(words("12:00", 150, 58), box(0, 52, 640, 1))

    assert whole_word(clock, Box(183, 48, 8, 10)).x <= 152
    assert whole_word(ruled, Box(183, 48, 8, 10)) == Box(183, 48, 8, 10)


def test_the_same_letters_are_found_again_near_the_target_and_another_word_is_not() -> None:
    first = _screen(FIELD, words("Globex", 105, 58))
    typed = TypedText("client", "Globex", Box(104, 44, 52, 18), first, "Crm")
    results = _screen(words("Globex", 200, 120), words("Initech", 200, 150))

    shown = typed.shown_in(results, "Other", Point(220, 130))

    assert len(shown) == 1
    assert shown[0].intersect(Box(200, 108, 52, 12)).area > 0.9 * 52 * 12


def test_another_value_in_the_same_field_is_shown_but_not_an_empty_field_or_another_window() -> None:
    typed = TypedText(
        "phone", "5550199", Box(104, 44, 60, 18), _screen(FIELD, words("5550199", 105, 58)), "Crm"
    )
    old = _screen(FIELD, words("777", 105, 58))

    assert typed.shown_in(old, "Crm", Point(150, 55)) != []
    assert typed.shown_in(old, "Other", Point(150, 55)) == []
    assert typed.shown_in(_screen(FIELD), "Crm", Point(150, 55)) == []


def test_another_page_of_the_same_window_shows_no_value_where_a_field_of_the_last_page_was() -> None:
    typed = TypedText(
        "client", "Globex", Box(104, 44, 52, 18), _screen(FIELD, words("Globex", 105, 58)), "Crm"
    )
    focused = all_of(box(99, 39, 202, 3, 90), box(99, 65, 202, 3, 90), box(99, 40, 3, 27, 90))

    assert typed.shown_in(_screen(words("Phone", 105, 58), box(100, 72, 200, 1)), "Crm", Point(150, 55)) == []
    assert typed.shown_in(_screen(focused, words("777", 105, 58)), "Crm", Point(150, 55)) != []


def test_a_caret_varies_in_its_own_window_and_a_clock_in_all_but_never_a_target() -> None:
    clock = Change(0.0001, (Box(400, 20, 40, 12), Box(40, 40, 60, 20)))
    caret = Flicker(Box(150, 45, 2, 16), ("Crm", "Crm"))
    trace = Trace("r", "", (_step(between=clock),), flicker=(caret,))
    elsewhere = TracedStep(id=2, action=Click(x=1, y=1), status=StepStatus.OK, application="Other")
    target = [Point(60, 50)]

    assert unsteady(trace, _step(), blank(), target) == [caret.box, Box(400, 20, 40, 12)]
    assert unsteady(trace, elsewhere, blank(), target) == [Box(400, 20, 40, 12)]


def test_what_differs_between_two_uses_of_a_target_varies_unless_it_is_the_target() -> None:
    one, other = _screen(FIELD, words("a", 200, 58)), _screen(FIELD, words("b", 200, 58))
    off, on = _screen(box(90, 40, 60, 30, 100)), _screen(box(90, 40, 60, 30, 200))

    assert differences(one, other, Point(120, 55)) != []
    assert differences(off, on, Point(120, 55)) == []
    assert differences(one, np.zeros((10, 10, 3), np.uint8), Point(120, 55)) == []


@given(st.integers(0, 600), st.integers(0, 330), st.integers(4, 40), st.integers(1, 30))
def test_a_change_is_found_where_it_was_made(x: int, y: int, width: int, height: int) -> None:
    before, after = blank(), _screen(box(x, y, width, height))

    seen = change(before, after)

    assert seen.boxes == (Box(x, y, width, height).clip(SIZE),)
    assert seen.fraction == pytest.approx(seen.boxes[0].area / (640 * 360))


def test_a_screen_of_another_size_has_changed_all_over_and_flicker_does_not_count() -> None:
    small = np.zeros((100, 100, 3), np.uint8)
    blinking = _screen(box(100, 100, 20, 20))

    assert change(blank(), small).fraction == 1.0
    assert not change(blank(), blinking, [Box(100, 100, 20, 20)])
    assert not change(blank(), _screen(box(100, 100, 3, 20)))
    assert change(blank(), _screen(wipe(0, 0, 9, 9))) == Change()

"""A target that reads what an input was given, found by the letters that were typed."""

import pytest

from actionlens.frames import Pixels
from ibtr.errors import AmbiguousTarget, BadEvidence, MissingTarget
from ibtr.geometry import Point
from memory_store.echo import Echo, Letters, find, learn, letters_of, read_echo
from memory_store.models import Anchor
from tests.memory_store.recording import Paint, all_of, blank, box, words

FIELD = all_of(box(100, 40, 300, 1), box(100, 66, 300, 1), box(100, 40, 1, 27), box(399, 40, 1, 27))
FOCUS, ROW = Point(280, 52), Point(120, 136)


def _page(typed: str, *rows: Paint) -> Pixels:
    pixels = blank()
    caret = box(230, 44, 1, 20, 0)
    all_of(FIELD, *([words(typed, 105, 58), caret] if typed else []), *rows)(pixels)
    return pixels


def _typed(text: str, *rows: Paint) -> Letters:
    found = letters_of(_page("", *rows), _page(text, *rows), FOCUS, text)
    assert found is not None
    return found


def _learned() -> Echo:
    row = words("Globex", 104, 140, 90)
    echo = learn(_typed("Globex", row), _page("Globex", row), ROW, "client", 1)
    assert echo is not None
    return echo


def test_a_target_that_reads_what_was_typed_is_learned_as_an_echo_and_kept() -> None:
    echo = _learned()

    kept = echo.anchor()

    assert (echo.input, echo.typed_by) == ("client", 1)
    assert read_echo((kept,)) == echo


def test_a_target_that_reads_something_else_is_no_echo() -> None:
    row = words("Globex", 104, 140, 90)

    assert learn(_typed("Globex", row), _page("Globex", row), Point(300, 300), "client", 1) is None


def test_another_value_is_found_where_it_stands_now() -> None:
    rows = (words("Hooli", 104, 140, 90), words("Umbrella", 104, 220, 90))

    place, _ = find(_learned(), _typed("Umbrella", *rows), _page("Umbrella", *rows))

    assert place.box.contains(Point(120, 216))


@pytest.mark.parametrize("row", ["Umbrello", "Umbrella2", "Umbrellas", "Embrella"])
def test_a_word_with_one_other_letter_is_another_word(row: str) -> None:
    rows = (words(row, 104, 140, 90),)

    with pytest.raises(MissingTarget):
        find(_learned(), _typed("Umbrella", *rows), _page("Umbrella", *rows))


def test_the_same_word_in_other_colours_is_not_the_target() -> None:
    rows = (box(90, 120, 200, 40, 20), words("Umbrella", 104, 140, 230))

    with pytest.raises(MissingTarget):
        find(_learned(), _typed("Umbrella", *rows), _page("Umbrella", *rows))


def test_of_two_equal_words_the_one_beside_the_field_as_before_is_taken_and_otherwise_none() -> None:
    same, other, third = (words("Umbrella", x, y, 90) for x, y in ((104, 140), (104, 220), (300, 300)))

    place, _ = find(_learned(), _typed("Umbrella", same, other), _page("Umbrella", same, other))

    assert place.box.contains(Point(120, 136))
    with pytest.raises(AmbiguousTarget):
        find(_learned(), _typed("Umbrella", other, third), _page("Umbrella", other, third))


def test_a_text_that_is_not_painted_yet_or_too_short_has_no_letters() -> None:
    assert letters_of(_page(""), _page(""), FOCUS, "Globex") is None
    assert letters_of(_page(""), _page("ab"), FOCUS, "ab") is None


def test_an_echo_that_was_altered_is_refused() -> None:
    with pytest.raises(BadEvidence):
        read_echo((Anchor(kind="echo", data={"kind": "echo", "input": "client"}),))


def test_other_anchors_are_no_echo() -> None:
    assert read_echo((Anchor(kind="crop"),)) is None

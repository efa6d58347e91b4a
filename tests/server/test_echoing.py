"""A target that reads what this replay has typed, on pictures of a page."""

import pytest

from actionlens.frames import Pixels
from ibtr.crops import remember
from ibtr.errors import MissingTarget
from ibtr.geometry import Point
from memory_store.echo import Echo, learn, letters_of
from server.replay.aiming import find_all
from server.replay.echoing import Echoed, Typed
from tests.memory_store.recording import all_of, blank, box, words

FIELD = all_of(box(100, 40, 300, 1), box(100, 66, 300, 1), box(100, 40, 1, 27), box(399, 40, 1, 27))
FOCUS, ROW = Point(280, 52), Point(120, 136)


def _page(typed: str, row: str) -> Pixels:
    pixels = blank()
    all_of(FIELD, words(typed, 105, 58), words(row, 104, 140, 90))(pixels)
    return pixels


def _echo() -> Echo:
    letters = letters_of(_page("", "Globex"), _page("Globex", "Globex"), FOCUS, "Globex")
    assert letters is not None
    echo = learn(letters, _page("Globex", "Globex"), ROW, "client", 1)
    assert echo is not None
    return echo


def _echoed(after: Pixels, *, at_once: bool) -> Echoed:
    evidence = remember(_page("Globex", "Globex"), ROW)
    return Echoed(evidence, _echo(), Typed("Initech", _page("", "Hooli"), after, FOCUS), at_once=at_once)


def test_the_row_that_reads_the_new_value_is_the_target() -> None:
    screen = _page("Initech", "Initech")

    (aim,) = find_all((_echoed(screen, at_once=False),), screen)

    assert aim.box.contains(aim.point)
    assert aim.box.contains(ROW)
    assert aim.representation == "typed"


def test_a_row_that_reads_another_value_is_not() -> None:
    screen = _page("Initech", "Globex")

    with pytest.raises(MissingTarget):
        find_all((_echoed(screen, at_once=False),), screen)


def test_a_text_that_was_painted_late_is_read_on_the_screen_of_now_if_nothing_was_done_since() -> None:
    not_yet, screen = _page("", "Hooli"), _page("Initech", "Initech")

    (aim,) = find_all((_echoed(not_yet, at_once=True),), screen)

    assert aim.box.contains(ROW)
    with pytest.raises(MissingTarget):
        find_all((_echoed(not_yet, at_once=False),), screen)

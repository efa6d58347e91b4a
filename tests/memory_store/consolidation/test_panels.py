"""The dialog that a target stands in: a window that is one, or a sheet that came up; no menu, no page."""

import cv2
import pytest

from actionlens.frames import Pixels
from actionlens.observation import Observation, Window
from ibtr.geometry import Box, Point, Scale, Size
from memory_store.consolidation.panels import panel_of, sheet
from tests.memory_store.consolidating import button, frame
from tests.memory_store.recording import AT, SIZE, Paint, all_of, blank, box, words

SHEET = Box(150, 60, 320, 110)
YES = Point(400, 143)


def page(*paints: Paint, shade: int = 255) -> Pixels:
    screen = blank()
    rows = [words(f"order number {1041 + row}", 20, 30 + 28 * row) for row in range(11)]
    all_of(box(0, 0, *SIZE, shade), *rows, *paints)(screen)
    return screen


def ask(question: str, at: Box = SHEET) -> Paint:
    return all_of(
        box(*at, 255),
        frame(*at, 120),
        words(question, at.x + 20, at.y + 40),
        button("No", at.right - 220, at.bottom - 40),
        button("Yes", at.right - 110, at.bottom - 40),
    )


def test_a_sheet_that_came_up_over_a_page_is_a_dialog() -> None:
    found = sheet(page(), page(ask("Delete it?")), YES)

    assert found is not None
    assert max(abs(a - b) for a, b in zip(found, SHEET, strict=True)) <= 3


def test_it_is_one_also_over_a_page_that_was_dimmed() -> None:
    dimmed = (page() * 0.4).astype("uint8")
    ask("Delete it?")(dimmed)

    assert sheet(page(), dimmed, YES) is not None


def test_a_button_that_was_clicked_inside_of_its_letter_stands_in_its_dialog() -> None:
    yes = Box(SHEET.right - 110, SHEET.bottom - 40, 90, 26)
    answer = page(ask("Delete it?"), box(yes.x + 10, yes.y + 4, 64, 18, 205))
    ellipse = (yes.x + 30, yes.y + 13), (5, 7)
    cv2.ellipse(answer, *ellipse, 0, 0, 360, (20, 20, 20), 2, cv2.LINE_AA)

    found = sheet(page(), answer, Point(*ellipse[0]))

    assert found is not None
    assert max(abs(a - b) for a, b in zip(found, SHEET, strict=True)) <= 3


def _wide(*paints: Paint) -> Pixels:
    screen = blank(Size(1000, 700))
    all_of(*(words(f"order number {1041 + row}", 20, 30 + 28 * row) for row in range(24)), *paints)(screen)
    return screen


@pytest.mark.parametrize(("lines", "read"), [(2, True), (14, False)])
def test_a_large_sheet_is_a_dialog_if_it_says_little(lines: int, read: bool) -> None:
    at = Box(200, 100, 700, 500)
    said = [words("Everything that was sent today", at.x + 20, at.y + 70 + 24 * row) for row in range(lines)]

    found = sheet(_wide(), _wide(ask("Share it?", at), *said), Point(at.right - 65, at.bottom - 27))

    assert (found is not None) == read


NOTE = Box(120, 290, 400, 44)


def note(*paints: Paint) -> Paint:
    return all_of(box(*NOTE, 255), frame(*NOTE, 120), *paints)


def test_a_note_of_one_line_with_a_word_to_take_it_back_is_a_dialog() -> None:
    said = words("Message of Maria Costa deleted", 140, 317), words("Undo", 450, 317, shade=90)

    found = sheet(page(), page(note(*said)), Point(468, 312))

    assert found is not None
    assert max(abs(a - b) for a, b in zip(found, NOTE, strict=True)) <= 3


def test_a_word_that_nothing_stands_before_is_an_item_of_a_menu() -> None:
    assert (
        sheet(page(), page(note(words("Copy", 140, 317), words("Ctrl+C", 450, 317))), Point(158, 312)) is None
    )


def test_a_field_that_was_typed_into_is_no_note() -> None:
    typed = words("Message of Maria Costa", 140, 317), words("x", 480, 317)

    assert sheet(page(note()), page(note(*typed)), Point(484, 312)) is None


def test_a_question_of_two_words_makes_a_small_dialog() -> None:
    small = Box(200, 80, 140, 100)
    asked = all_of(
        box(*small, 255), frame(*small, 120), words("Delete 5?", 212, 110), button("Yes", 212, 140)
    )

    assert sheet(page(), page(asked), Point(235, 153)) is not None


def test_what_was_there_before_is_no_dialog_that_came_up() -> None:
    assert sheet(page(ask("Delete it?")), page(ask("Delete it?")), YES) is None


def test_a_page_that_took_the_place_of_another_is_no_dialog() -> None:
    other = blank()
    rows = [words(f"{row} clients of this year, by name", 40, 24 + 31 * row) for row in range(11)]
    all_of(*rows)(other)

    assert sheet(other, page(ask("Delete it?")), YES) is None


def test_an_item_of_a_menu_stands_in_no_dialog() -> None:
    rows = [
        words(text, 170, 90 + 24 * n) for n, text in enumerate(("Open notes.txt", "Open plan.txt", "Quit"))
    ]
    menu = all_of(box(*SHEET, 255), frame(*SHEET, 120), *rows)

    assert sheet(page(), page(menu), Point(200, 85)) is None


def test_an_empty_field_of_a_form_that_came_up_stands_in_no_dialog() -> None:
    form = all_of(box(*SHEET, 255), frame(*SHEET, 120), words("Name", 165, 100), frame(220, 84, 200, 26))

    assert sheet(page(), page(form), Point(300, 97)) is None


def test_a_window_that_is_a_dialog_is_one_whatever_was_there_before() -> None:
    whole = Window(id=1, box=Box(0, 0, *SIZE))
    dialog = Window(id=2, box=SHEET, dialog=True)
    seen = Observation(
        at=AT,
        image=SIZE,
        screen=SIZE,
        origin=Point(0, 0),
        scale=Scale(1, 1),
        window=dialog,
        windows=(whole, dialog),
        frame="0" * 64,
    )
    screen = page(ask("Delete it?"))

    assert panel_of(seen, screen, YES, None) == SHEET
    assert panel_of(seen, screen, Point(20, 300), None) is None
    assert Size(*SHEET[2:]) == (320, 110)

"""The dialog that a target stands in: a window that is one, or a sheet that came up; no menu, no page."""

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

from typing import Any

from bench.reaim.boxes import boxes_of, thinned
from ibtr.geometry import Box

WINDOW = Box(100, 100, 400, 300)
CAN = ("SHOWING", "SENSITIVE", "SELECTABLE")


def told(role: str, name: str, path: str, *box: int, states: tuple[str, ...] = CAN) -> dict[str, Any]:
    return {"role": role, "name": name, "path": [*map(int, path)], "box": [*box], "states": [*states]}


def frame(*rows: dict[str, Any]) -> list[dict[str, Any]]:
    return [told("application", "a", "0", 0, 0, 0, 0), told("frame", "w", "00", 99, 80, 402, 321), *rows]


def test_what_can_be_clicked_is_named_by_kind_and_equals_are_numbered() -> None:
    found = boxes_of(
        frame(
            told("push button", "Save", "000", 110, 110, 60, 30),
            told("push button", "Save", "001", 180, 110, 60, 30),
            told("push button", "Off", "002", 250, 110, 60, 30, states=("SHOWING",)),
            told("label", "Name", "003", 110, 150, 60, 30),
            told("text", "", "004", 180, 150, 90, 30, states=("SHOWING", "SENSITIVE", "EDITABLE")),
        ),
        WINDOW,
    )

    assert found.whole == {
        "button:Save": Box(110, 110, 60, 30),
        "button:Save 2": Box(180, 110, 60, 30),
        "field:": Box(180, 150, 90, 30),
    }


def test_what_is_cut_off_is_known_but_has_no_box() -> None:
    found = boxes_of(
        frame(
            told("scroll pane", "", "000", 100, 100, 200, 100),
            told("check box", "In", "0000", 110, 110, 50, 20),
            told("check box", "Out", "0001", 110, 190, 50, 20),
        ),
        WINDOW,
    )

    assert list(found.whole) == ["check:In"]
    assert found.cut == {"check:Out"}


def test_a_child_as_large_as_its_parent_lies_where_the_parent_does() -> None:
    found = boxes_of(
        frame(
            told("panel", "", "000", 100, 125, 400, 275),
            told("root pane", "", "0000", 100, 100, 400, 275),
            told("push button", "New", "00000", 104, 102, 44, 35),
            told("panel", "", "00001", 300, 200, 48, 100),
            told("panel", "", "000010", 300, 225, 48, 100),
            told("toggle button", "Side", "0000100", 302, 230, 36, 34),
        ),
        WINDOW,
    )

    assert found.whole == {"button:New": Box(104, 127, 44, 35), "toggle:Side": Box(302, 230, 36, 34)}


def test_the_inner_of_two_is_what_a_click_reaches_and_a_row_names_its_buttons() -> None:
    found = boxes_of(
        frame(
            told("table row", "", "000", 100, 110, 300, 30),
            told("static", "Globex", "0000", 102, 112, 60, 20),
            told("table cell", "Edit", "0001", 200, 110, 100, 30),
            told("push button", "Edit", "00010", 210, 112, 80, 26),
        ),
        WINDOW,
    )

    assert found.whole == {"button:Edit of Globex": Box(210, 112, 80, 26)}


def test_units_larger_than_pixels_are_taken_where_the_window_has_its_box_in_them() -> None:
    rows = [
        told("application", "a", "0", 0, 0, 0, 0),
        told("frame", "w", "00", 80, 80, 320, 240),
        told("push button", "Reload", "000", 88, 84, 24, 24),
    ]

    assert boxes_of(rows, WINDOW).whole == {}
    assert boxes_of(rows, WINDOW, 1.25).whole == {"button:Reload": Box(110, 105, 30, 30)}


def test_other_windows_of_the_application_are_left_out() -> None:
    rows = frame(told("push button", "Mine", "000", 110, 110, 60, 30))
    rows += [told("frame", "behind", "01", 0, 0, 900, 700), told("menu", "File", "010", 110, 110, 40, 20)]

    assert list(boxes_of(rows, WINDOW).whole) == ["button:Mine"]


def test_thinning_keeps_every_kind_and_spreads_over_the_many() -> None:
    boxes = {f"cell:{i}": Box(i, 0, 9, 9) for i in range(100)} | {"menu:File": Box(0, 0, 9, 9)}

    kept = thinned(boxes, 4)

    assert list(kept) == ["cell:0", "cell:25", "cell:50", "cell:75", "menu:File"]

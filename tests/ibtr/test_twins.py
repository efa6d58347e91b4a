"""Equal widgets in columns, rows and grids: the one that was clicked, or none."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibtr import reaim, remember
from ibtr.errors import AmbiguousTarget, MissingTarget, Rejected
from ibtr.geometry import Box, Point, Size
from ibtr.judge import DEFAULT
from ibtr.pixels import Pixels, cut
from ibtr.places import sights
from ibtr.view import View
from ibtr.work import Scaling, Work
from tests.ibtr.lists import Sheet, field, painted, scaled
from tests.ibtr.screens import LABELS, desktop, middle, window

sheets = st.builds(
    Sheet,
    rows=st.integers(2, 40),
    columns=st.sampled_from((1, 1, 1, 2, 7)),
    pitch=st.builds(Size, st.integers(16, 70), st.integers(12, 60)),
    glyph=st.sampled_from(("+", "", "OK", "x")),
    side=st.integers(9, 30),
    framed=st.booleans(),
    text=st.sampled_from((0, 20, 150, 280)),
).filter(lambda sheet: sheet.framed or sheet.glyph)


def shown(sheet: Sheet) -> int:
    """Rows that fit on the page."""
    return min(sheet.rows, (600 - 60) // sheet.pitch.height)


def assert_right_or_refused(recorded: Pixels, click: Point, screen: Pixels, goal: Point) -> None:
    try:
        aim = reaim(remember(recorded, click), screen)
    except Rejected:
        return
    assert abs(aim.point.x - goal.x) <= 3
    assert abs(aim.point.y - goal.y) <= 3


@given(
    sheet=sheets,
    which=st.floats(0, 0.999),
    column=st.floats(0, 0.999),
    by=st.sampled_from((1.0, 1.0, 0.6, 0.73, 0.9, 1.25, 1.6)),
    shift=st.sampled_from((0.0, 0.3, 0.5)),
)
@settings(max_examples=30, deadline=None, derandomize=True)
def test_of_equal_widgets_the_clicked_one_is_found_or_none(
    sheet: Sheet, which: float, column: float, by: float, shift: float
) -> None:
    recorded = painted(sheet)
    click = sheet.place(int(which * shown(sheet)), int(column * sheet.columns))
    goal = Point((click.x + 0.5) * by - 0.5 + shift, (click.y + 0.5) * by - 0.5 + shift)

    assert_right_or_refused(recorded, click, scaled(recorded, by, shift), goal)


@given(
    sheet=sheets.filter(lambda sheet: sheet.text > 0 and sheet.pitch.height >= 16),
    which=st.floats(0, 0.999),
    moved=st.sampled_from(
        ("first gone", "last gone", "it is gone", "one more on top", "one more below", "other order")
    ),
)
@settings(max_examples=30, deadline=None, derandomize=True)
def test_of_rows_that_moved_the_one_that_reads_the_same_is_found_or_none(
    sheet: Sheet, which: float, moved: str
) -> None:
    rows = list(range(shown(sheet)))
    item = int(which * len(rows))
    others = {
        "first gone": rows[1:],
        "last gone": rows[:-1],
        "it is gone": [row for row in rows if row != item],
        "one more on top": [77, *rows[:-1]],
        "one more below": [*rows, 78],
        "other order": rows[::-1],
    }[moved]
    evidence = remember(painted(sheet, rows), sheet.place(item))

    try:
        aim = reaim(evidence, painted(sheet, others))
    except Rejected:
        return

    assert item in others
    assert aim.point == pytest.approx(sheet.place(others.index(item)), abs=3)


@pytest.mark.parametrize("pitch", [31, 37, 41, 53])
@pytest.mark.parametrize("glyph", ["+", "OK"])
def test_every_twin_in_a_column_is_seen(pitch: int, glyph: str) -> None:
    sheet = Sheet(rows=9, pitch=Size(60, pitch), glyph=glyph, side=18)
    screen = painted(sheet)
    evidence = remember(screen, sheet.place(4))

    seen = sights(Work(evidence.crop, View(screen), Scaling(1.0, 1.0)), DEFAULT)

    places = {(round(s.point.x), round(s.point.y)) for s in seen if s.core > 0.95}
    assert {(int(p.x), int(p.y)) for p in map(sheet.place, range(9))} <= places


def test_twins_without_any_text_are_ambiguous() -> None:
    sheet = Sheet(rows=10, pitch=Size(60, 53), side=30)
    screen = painted(sheet)

    with pytest.raises(AmbiguousTarget):
        reaim(remember(screen, sheet.place(5)), screen)


def test_a_row_is_known_by_its_own_text() -> None:
    sheet = Sheet(rows=8, pitch=Size(60, 53), side=30, text=120)
    screen = painted(sheet)

    aim = reaim(remember(screen, sheet.place(5)), np.roll(screen, (7, 31), (0, 1)))

    assert aim.point == pytest.approx((sheet.place(5).x + 31, sheet.place(5).y + 7), abs=1)


def test_a_box_in_a_grid_is_known_by_its_row_and_its_column() -> None:
    sheet = Sheet(rows=6, columns=5, pitch=Size(90, 44), glyph="", side=16, text=60, headed=True)
    screen = painted(sheet)

    aim = reaim(remember(screen, sheet.place(3, 2)), np.roll(screen, (9, -23), (0, 1)))

    assert aim.point == pytest.approx((sheet.place(3, 2).x - 23, sheet.place(3, 2).y + 9), abs=1)


@pytest.mark.parametrize("at", [20, 135, 300])
def test_a_part_of_a_long_field_is_found_where_it_was_clicked_not_further_along(at: int) -> None:
    screen = desktop()
    for index, label in enumerate(("Client", "Amount", "Due date")):
        field(screen, Box(300, 120 + 68 * index, 340, 34), label)
    click = Point(300 + at, 120 + 68 + 17)

    aim = reaim(remember(screen, click), np.roll(screen, (-30, -60), (0, 1)))

    assert aim.point == pytest.approx((click.x - 60, click.y - 30), abs=2)


@pytest.mark.parametrize("at", [60, 170, 280])
@pytest.mark.parametrize("value", ["", "7", "555-0142", "0049 30 1234 5678"])
def test_a_long_field_is_found_whatever_value_it_holds(at: int, value: str) -> None:
    was = Box(306, 120 + 68 + 5, 230, 24)
    old, new = (form_with(text) for text in ("555-0101", value))
    click = Point(300 + at, 120 + 68 + 17)

    aim = reaim(remember(old, click, vary=[was]), np.roll(new, (-30, -60), (0, 1)))

    assert aim.point == pytest.approx((click.x - 60, click.y - 30), abs=2)


def test_a_value_does_not_make_a_field_its_neighbour() -> None:
    """Where the field and its label are gone, the one below is not taken for it."""
    old, new = form_with("555-0101"), form_with("555-0142")
    new[154:222, 280:660] = 250

    with pytest.raises(Rejected):
        reaim(remember(old, Point(470, 205), vary=[Box(306, 193, 230, 24)]), new)


def form_with(value: str) -> Pixels:
    """Three fields, the one in the middle with a value in it."""
    screen = desktop()
    for index, label in enumerate(("Client", "Phone", "Due date")):
        field(screen, Box(300, 120 + 68 * index, 340, 34), label)
    cv2.putText(screen, value, (308, 211), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20, 20, 20), 1, cv2.LINE_AA)
    return screen


@pytest.mark.parametrize("at", [108, 120, 150, 170])
def test_along_the_bare_edge_of_something_else_the_target_is_missing_not_many(at: int) -> None:
    """A notice lies over the whole window: its edge looks like the window's everywhere."""
    shown, covered = np.zeros((900, 1600, 3), np.uint8), np.zeros((900, 1600, 3), np.uint8)
    shown[:, 100:1500], covered[:, 100:1500] = 245, 140
    cv2.rectangle(shown, (105, 420), (230, 450), (200, 200, 200), 1)
    cv2.putText(shown, "A1", (112, 441), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (120, 120, 120), 1, cv2.LINE_AA)

    with pytest.raises(MissingTarget):
        reaim(remember(shown, Point(at, 435)), covered)


def test_a_sheet_of_equal_cells_that_fill_the_screen_is_still_ambiguous() -> None:
    sheet = Sheet(rows=40, columns=7, pitch=Size(70, 13), glyph="+", side=9, framed=True, text=0)
    screen = painted(sheet)

    with pytest.raises(AmbiguousTarget):
        reaim(remember(screen, sheet.place(5, 2)), screen)


@pytest.mark.parametrize("down", [0, 2])
def test_of_two_copies_of_a_window_in_one_row_none_is_clicked(down: int) -> None:
    """All around both is the same; that one of them is cut off further away does not make it another item."""
    screen = desktop()
    box = window(screen, labels=(*LABELS, "Import", "Export", "Close"))["Redo"]
    evidence = remember(screen, middle(box))
    part = Box(60, box.y - 75, 400, box.height + 150)
    cut(screen, Box(part.x + 470, part.y + down, *part[2:]))[:] = cut(screen, part).copy()

    with pytest.raises(AmbiguousTarget):
        reaim(evidence, screen)


@pytest.mark.parametrize("above", [45, 75])
def test_a_window_that_is_there_again_in_part_leaves_open_which_is_meant(above: int) -> None:
    screen = desktop()
    box = window(screen, labels=(*LABELS, "Import", "Export", "Close"))["Redo"]
    evidence = remember(screen, middle(box))
    part = Box(60, box.y - above, 250, box.height + 2 * above)
    cut(screen, Box(part.x + 500, part.y + 90, *part[2:]))[:] = cut(screen, part).copy()

    with pytest.raises(AmbiguousTarget):
        reaim(evidence, screen)

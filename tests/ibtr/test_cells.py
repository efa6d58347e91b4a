"""A cell of a sheet that may hold any value: known by its row's name and its column's heading, or refused."""

import pytest

from ibtr import reaim, remember
from ibtr.cells import cell_at
from ibtr.errors import Rejected
from ibtr.evidence import Evidence
from ibtr.geometry import Box
from ibtr.pixels import to_gray
from tests.ibtr.screens import middle
from tests.ibtr.sheets import BUDGET, Rows, cell, sheet
from tests.ibtr.test_covered import covered

COLUMN, ROW = 2, 3  # what the phone cost in April


def kept() -> Evidence:
    screen, point = sheet(BUDGET), middle(cell(COLUMN, ROW))
    return remember(screen, point, content=True, cell=cell_at(to_gray(screen), point))


def with_values(values: dict[tuple[int, int], str], rows: Rows = BUDGET) -> Rows:
    """The rows, with other texts in some cells, by column and row."""
    return [
        [values.get((column, row), text) for column, text in enumerate(texts)]
        for row, texts in enumerate(rows)
    ]


def with_column(at: int, texts: Rows) -> Rows:
    return [[*row[:at], *more, *row[at:]] for row, more in zip(BUDGET, texts, strict=True)]


def test_a_cell_is_named_by_what_stands_before_it_and_by_the_heading() -> None:
    inside = cell(COLUMN, ROW)

    found = cell_at(to_gray(sheet(BUDGET)), middle(inside))

    assert found is not None
    assert found.inside.intersect(inside) == inside
    assert found.names.right <= inside.x
    assert found.names.x <= cell(0, ROW).x
    assert found.heading.y <= cell(COLUMN, 0).y
    assert found.heading.intersect(cell(COLUMN, 1)).height <= 2  # the first value is none


@pytest.mark.parametrize("value", ["31", "505", "", "12,345.6"])
@pytest.mark.parametrize("moved", [(0, 0), (37, 22), (-60, 5)])
def test_a_cell_is_found_whatever_it_holds(value: str, moved: tuple[int, int]) -> None:
    now = sheet(with_values({(COLUMN, ROW): value}), *moved)

    aim = reaim(kept(), now)

    assert cell(COLUMN, ROW, *moved).contains(aim.point)


def test_it_is_found_where_other_values_of_its_column_have_changed() -> None:
    now = with_values({(COLUMN, ROW): "7", (COLUMN, 1): "880", (COLUMN, 2): "4", (COLUMN, 4): "61"})

    aim = reaim(kept(), sheet(now))

    assert cell(COLUMN, ROW).contains(aim.point)


@pytest.mark.parametrize(
    "now",
    [
        pytest.param([BUDGET[0], *BUDGET[:0:-1]], id="rows turned around"),
        pytest.param([BUDGET[0], BUDGET[2], BUDGET[1], *BUDGET[4:], BUDGET[3]], id="sorted anew"),
        pytest.param([*BUDGET[:2], ("Books", "25", "26", "25"), *BUDGET[2:]], id="a row came in above"),
        pytest.param([*BUDGET[:2], *BUDGET[3:]], id="a row went away above"),
        pytest.param(with_values({(0, ROW): "Photo"}), id="another name"),
        pytest.param(with_values({(0, ROW): ""}), id="no name"),
        pytest.param(with_values({(2, 0): "May", (3, 0): "April"}), id="columns changed places"),
        pytest.param(with_values({(2, 0): "Apr 1"}), id="another heading"),
        pytest.param(with_column(1, [("Feb",), *[row[2:3] for row in BUDGET[1:]]]), id="a column came in"),
        pytest.param(with_column(2, [row[2:3] for row in BUDGET]), id="a copy of the column"),
    ],
)
def test_no_cell_is_clicked_but_the_one_with_its_name_and_heading(now: Rows) -> None:
    names = [row[0] if row else "" for row in now]
    meant = [
        cell(column, names.index("Phone"))
        for column, heading in enumerate(now[0])
        if "Phone" in names and heading == "April"
    ]

    try:
        aim = reaim(kept(), sheet(now))
    except Rejected:
        return

    assert len(meant) == 1
    assert meant[0].contains(aim.point)


@pytest.mark.parametrize(("column", "row"), [(0, ROW), (COLUMN, 9)], ids=["first", "in an empty row"])
def test_a_cell_with_nothing_but_a_number_before_it_is_told_by_what_it_holds(column: int, row: int) -> None:
    assert cell_at(to_gray(sheet(BUDGET)), middle(cell(column, row))) is None


def test_a_field_of_its_own_is_no_cell() -> None:
    screen = sheet(())
    field = Box(600, 430, 120, 24)
    screen[field.y - 1 : field.bottom + 1, field.x - 1 : field.right + 1] = 120
    screen[field.y : field.bottom, field.x : field.right] = 255

    assert cell_at(to_gray(screen), middle(field)) is None


@pytest.mark.parametrize("right", range(100, 250, 15), ids=lambda right: f"up to {right}")
@pytest.mark.parametrize(
    "now",
    [
        pytest.param([BUDGET[0], *BUDGET[:0:-1]], id="rows turned around"),
        pytest.param([*BUDGET[:2], ("Books", "25", "26", "25"), *BUDGET[2:]], id="a row came in above"),
        pytest.param(with_values({(0, ROW): "Photo"}), id="another name"),
    ],
)
def test_where_another_window_hides_the_names_no_other_row_is_clicked(now: Rows, right: int) -> None:
    names = [row[0] for row in now]
    try:
        aim = reaim(kept(), covered(sheet(now), right))
    except Rejected:
        return

    assert "Phone" in names
    assert cell(COLUMN, names.index("Phone")).contains(aim.point)


BLANK = (6, 9)
"""A cell that nothing is written in, nor in its row or column."""


@pytest.mark.parametrize("at", [BLANK, (0, 8), (5, 2)], ids=str)
@pytest.mark.parametrize("moved", [(0, 0), (37, 22)])
def test_an_empty_cell_is_told_by_the_letter_above_and_the_number_before(
    at: tuple[int, int], moved: tuple[int, int]
) -> None:
    evidence = remember(sheet(BUDGET), middle(cell(*at)))

    aim = reaim(evidence, sheet(BUDGET, *moved))

    assert aim.point == pytest.approx(middle(cell(*at, *moved)), abs=1)


@pytest.mark.parametrize(("across", "down"), [(1, 0), (0, 1), (3, 2)])
def test_where_a_sheet_was_scrolled_no_other_empty_cell_is_clicked(across: int, down: int) -> None:
    evidence = remember(sheet(BUDGET), middle(cell(*BLANK)))

    with pytest.raises(Rejected):
        reaim(evidence, sheet(BUDGET, first=(across, down)))


def test_an_empty_cell_that_is_filled_now_is_not_clicked() -> None:
    evidence = remember(sheet(BUDGET), middle(cell(*BLANK)))
    rows = [*BUDGET, *[("",) * 7] * 3, ("",) * 6 + ("12.50",)]

    with pytest.raises(Rejected):
        reaim(evidence, sheet(rows))

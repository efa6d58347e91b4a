import json
from pathlib import Path

import pytest

from memory_store.evaluators import Limits, Scene, problems_of
from memory_store.models import Outcome
from tests.memory_store.evaluators.checks import run, with_inputs

CLIENTS = {
    "clients": [{"name": "Globex", "phone": "555-0199", "seats": 12}, {"name": "Initech", "paid": True}]
}


@pytest.fixture
def clients(tmp_path: Path) -> str:
    (tmp_path / "clients.json").write_text(json.dumps(CLIENTS))
    return f"{tmp_path}/clients.json"


@pytest.fixture
def sheet(tmp_path: Path) -> str:
    (tmp_path / "a.csv").write_text(
        '\ufeffClient,Phone,Total\nGlobex,"555-0199, ext 2",1200.00\nInitech,,7\n'
    )
    return f"{tmp_path}/a.csv"


@pytest.mark.parametrize(
    ("at", "equals", "outcome"),
    [
        ("clients[0].phone", "555-0199", Outcome.PASSED),
        ("$.clients[0]['phone']", "555-0199", Outcome.PASSED),
        (["clients", {"where": {"name": "{client}"}}, "phone"], "{phone}", Outcome.PASSED),
        (["clients", 0, "seats"], "12", Outcome.PASSED),
        (["clients", 0, "seats"], 12, Outcome.PASSED),
        (["clients", 1, "paid"], True, Outcome.PASSED),
        (["clients", 1, "paid"], 1, Outcome.FAILED),
        (["clients", 0, "seats"], 13, Outcome.FAILED),
        (["clients", 0, "fax"], "1", Outcome.FAILED),
        (["clients", 9], "1", Outcome.FAILED),
        (["clients", {"where": {"name": "Hooli"}}, "phone"], "1", Outcome.FAILED),
    ],
)
def test_a_json_value_is_reached_by_its_path(
    clients: str, at: object, equals: object, outcome: Outcome
) -> None:
    scene = with_inputs(client="Globex", phone="555-0199")

    assert run(scene, kind="json_value", path=clients, at=at, equals=equals).outcome is outcome


def test_a_value_cannot_add_steps_to_a_json_path(clients: str) -> None:
    check = run(
        with_inputs(key="clients[0].phone"), kind="json_value", path=clients, at="{key}", equals="555-0199"
    )

    assert check.outcome is Outcome.FAILED


def test_what_is_not_json_could_not_be_checked(tmp_path: Path) -> None:
    for text in ("{", "[" * 100_000):
        (tmp_path / "a.json").write_text(text)
        assert (
            run(kind="json_value", path=f"{tmp_path}/a.json", at="a", equals="1").outcome
            is Outcome.COULD_NOT_RUN
        )


@pytest.mark.parametrize(
    ("cell", "outcome"),
    [
        ({"row": 1, "column": "Phone", "equals": "555-0199, ext 2"}, Outcome.PASSED),
        ({"where": {"Client": "{client}"}, "column": "Phone", "equals": "555-0199, ext 2"}, Outcome.PASSED),
        ({"where": {"Client": "Initech"}, "column": 3, "equals": "7"}, Outcome.PASSED),
        ({"where": {"Client": "Initech"}, "column": "Phone", "equals": ""}, Outcome.PASSED),
        ({"row": 1, "column": "Total", "equals": "1200"}, Outcome.FAILED),
        ({"row": 1, "column": "Total", "equals": "1200", "as_number": True}, Outcome.PASSED),
        ({"row": 9, "column": "Total", "equals": "1"}, Outcome.FAILED),
        ({"row": 1, "column": "Fax", "equals": "1"}, Outcome.FAILED),
        ({"where": {"Client": "Hooli"}, "column": 1, "equals": "1"}, Outcome.FAILED),
    ],
)
def test_a_csv_cell_is_found_by_row_or_by_what_stands_in_it(
    sheet: str, cell: dict[str, object], outcome: Outcome
) -> None:
    assert run(with_inputs(client="Globex"), kind="csv_cell", path=sheet, **cell).outcome is outcome


def test_a_table_without_headings_is_read_by_numbers(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("Globex;1\nInitech;2\n")

    check = run(
        kind="csv_cell",
        path=f"{tmp_path}/a.csv",
        header=False,
        delimiter=";",
        where={"1": "Initech"},
        column=2,
        equals="2",
    )

    assert check.outcome is Outcome.PASSED
    assert check.evidence["row"] == 2


def test_two_rows_that_fit_are_not_one(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("Client,Phone\nGlobex,1\nGlobex,1\n")

    check = run(
        kind="csv_cell", path=f"{tmp_path}/a.csv", where={"Client": "Globex"}, column="Phone", equals="1"
    )

    assert check.outcome is Outcome.FAILED


def test_broken_quotes_and_endless_tables_could_not_be_checked(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('a\n"b"c\n')
    (tmp_path / "b.csv").write_text("a\n" * 100)
    few = Scene(limits=Limits(rows=50))

    broken = run(kind="csv_cell", path=f"{tmp_path}/a.csv", where={"a": "b"}, column="a", equals="1")
    endless = run(few, kind="csv_cell", path=f"{tmp_path}/b.csv", where={"a": "b"}, column="a", equals="1")

    assert broken.outcome is endless.outcome is Outcome.COULD_NOT_RUN


@pytest.mark.parametrize("bad", [{"where": {"0": "b"}}, {"where": {"Phone": "b"}}, {"column": "0", "row": 1}])
def test_columns_without_headings_are_numbers_from_one(tmp_path: Path, bad: dict[str, object]) -> None:
    (tmp_path / "a.csv").write_text("a,b\nc,d\n")
    spec = {"kind": "csv_cell", "path": f"{tmp_path}/a.csv", "header": False, "equals": "a"}

    problems = problems_of({**spec, "column": 1, **bad})  # type: ignore[dict-item]

    assert len(problems) == 1
    assert "counted from 1" in problems[0]
    assert run(**spec, column="1", where={"2": "b"}).outcome is Outcome.PASSED

import io
import time
import zipfile
from datetime import date
from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from memory_store.evaluators import Limits, Scene
from memory_store.models import Outcome
from tests.memory_store.evaluators.checks import run, with_inputs


@pytest.fixture
def book(tmp_path: Path) -> str:
    workbook = Workbook()
    sheet = workbook.active
    assert isinstance(sheet, Worksheet)
    sheet.title = "Clients"
    for row in (["Client", "Phone", "Total", "Since"], ["Globex", "555-0199", 0.1 + 0.2, date(2026, 11, 16)]):
        sheet.append(row)
    sheet.append(["Initech", None, "=1+1", True])
    workbook.create_sheet("Empty")
    workbook.save(tmp_path / "a.xlsx")
    return f"{tmp_path}/a.xlsx"


@pytest.mark.parametrize(
    ("cell", "equals", "outcome"),
    [
        ("B2", "{phone}", Outcome.PASSED),
        ("b2", "555-0100", Outcome.FAILED),
        ("C2", "0.3", Outcome.PASSED),
        ("D2", "2026-11-16", Outcome.PASSED),
        ("D3", "TRUE", Outcome.PASSED),
        ("B3", "", Outcome.PASSED),
        ("Z99", "1", Outcome.FAILED),
        ("C3", "2", Outcome.COULD_NOT_RUN),
    ],
)
def test_a_cell_is_compared_by_its_stored_value(book: str, cell: str, equals: str, outcome: Outcome) -> None:
    check = run(with_inputs(phone="555-0199"), kind="xlsx_cell", path=book, cell=cell, equals=equals)

    assert check.outcome is outcome


def test_a_cell_is_found_by_what_stands_in_its_row(book: str) -> None:
    spec = {"kind": "xlsx_row", "path": book, "sheet": "Clients", "where": {"Client": "{client}"}}

    right = run(with_inputs(client="Globex"), **spec, column="Phone", equals="555-0199")
    wrong = run(with_inputs(client="Hooli"), **spec, column="Phone", equals="555-0199")

    assert (right.outcome, wrong.outcome) == (Outcome.PASSED, Outcome.FAILED)
    assert right.evidence["row"] == 1


def test_a_sheet_that_is_not_there_fails(book: str) -> None:
    check = run(kind="xlsx_cell", path=book, sheet="Suppliers", cell="A1", equals="x")

    assert check.outcome is Outcome.FAILED
    assert check.artifact_sha256 is not None


def test_what_is_no_workbook_could_not_be_checked(tmp_path: Path, book: str) -> None:
    cut = Path(book).read_bytes()
    for data in (b"", b"PK\3\4", b"hello", cut[: len(cut) // 2], _zip({"a.txt": b"hello"})):
        (tmp_path / "b.xlsx").write_bytes(data)
        check = run(kind="xlsx_cell", path=f"{tmp_path}/b.xlsx", cell="A1", equals="x")
        assert check.outcome is Outcome.COULD_NOT_RUN
        assert check.evidence["field"] == "path"


def test_a_workbook_that_unpacks_to_too_much_is_never_unpacked(tmp_path: Path) -> None:
    (tmp_path / "bomb.xlsx").write_bytes(_zip({"xl/worksheets/sheet1.xml": b"\0" * 30_000_000}))

    check = run(kind="xlsx_cell", path=f"{tmp_path}/bomb.xlsx", cell="A1", equals="x")

    assert check.outcome is Outcome.COULD_NOT_RUN
    assert check.evidence["unpacked"] == 30_000_000


def test_a_workbook_with_entities_or_too_many_members_is_refused(tmp_path: Path, book: str) -> None:
    entities = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>'
    for name, data in (("a", entities.encode()), ("b", entities.encode("utf-16"))):
        (tmp_path / f"{name}.xlsx").write_bytes(_zip({"xl/workbook.xml": data}))
        check = run(kind="xlsx_cell", path=f"{tmp_path}/{name}.xlsx", cell="A1", equals="x")
        assert check.outcome is Outcome.COULD_NOT_RUN

    check = run(Scene(limits=Limits(xlsx_members=3)), kind="xlsx_cell", path=book, cell="A1", equals="x")
    assert check.outcome is Outcome.COULD_NOT_RUN


def _zip(members: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return data.getvalue()


def test_one_deadline_holds_over_all_that_a_check_reads(tmp_path: Path) -> None:
    book = Workbook(write_only=True)
    rows = book.create_sheet("S")
    for number in range(60_000):
        rows.append([number])
    book.save(tmp_path / "long.xlsx")
    slow = Scene(limits=Limits(seconds=0.2))
    path = f"{tmp_path}/long.xlsx"

    for spec in (
        {"kind": "xlsx_cell", "cell": "A60000"},
        {"kind": "xlsx_cell", "cell": "D9"},
        {"kind": "xlsx_row", "column": 1, "row": 59_000},
    ):
        begun = time.monotonic()
        check = run(slow, path=path, equals="x", **spec)
        assert check.outcome is Outcome.COULD_NOT_RUN
        assert check.evidence["seconds"] == 0.2
        assert time.monotonic() - begun < 2


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/styles.xml", "[Content_Types].xml"])
def test_a_part_of_a_million_tags_is_refused_before_it_becomes_a_tree(book: str, part: str) -> None:
    with zipfile.ZipFile(book) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    mixed = b"".join(b"<a/><b/><b/>" if digit == "1" else b"<a/><a/><b/>" for digit in bin(7**140_000)[2:])
    parts[part] = b"<x>" + mixed + b"</x>"
    with zipfile.ZipFile(book, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)

    check = run(kind="xlsx_cell", path=book, cell="A1", equals="x")

    assert check.outcome is Outcome.COULD_NOT_RUN
    assert check.evidence["tags"] == mixed.count(b"<") + 2

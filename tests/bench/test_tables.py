from pathlib import Path

import pytest

from bench.tables import fill, keep, rows, write_documents


def test_a_kept_table_goes_between_its_markers_and_nowhere_else(tmp_path: Path) -> None:
    results, docs = tmp_path / "results", tmp_path / "docs"
    docs.mkdir()
    page = docs / "actionlens.md"
    page.write_text("above\n<!-- bench:capture -->\nold\n<!-- /bench:capture -->\nbelow\n")
    keep("capture", "| a |\n", conditions="two of them", results=results)

    written = write_documents(results, docs)

    assert written == ["capture"]
    head, measured, rest = page.read_text().partition("Measured ")
    assert head == "above\n<!-- bench:capture -->\n"
    assert measured
    assert rest.endswith("; two of them.\n\n| a |\n<!-- /bench:capture -->\nbelow\n")


def test_a_document_without_the_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="bench:peers"):
        fill("no place here", "peers", "| a |")


def test_nested_figures_are_rows_of_one_table() -> None:
    table = rows({"n": 3, "fit": {"slope": 0.1, "intercept": 2}})

    assert table.splitlines()[2:] == ["| n | 3 |", "| fit: slope | 0.1 |", "| fit: intercept | 2 |"]

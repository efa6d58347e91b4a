"""Whose document a window shows: names in titles, and what processes name."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from server.replay.document import Shown, by_process, by_title, document_of, names_whole


@pytest.mark.parametrize(
    ("title", "name", "holds"),
    [
        ("stock.xlsx — LibreOffice Calc", "stock.xlsx", True),
        ("*stock.xlsx - Editor", "stock.xlsx", True),
        ("[Stock.xlsx]", "stock.xlsx", True),
        ("~/books/east/stock.xlsx - Mousepad", "stock.xlsx", True),
        ("livestock.xlsx - Editor", "stock.xlsx", False),
        ("old-stock.xlsx - Editor", "stock.xlsx", False),
        ("stock.xlsx.bak - Editor", "stock.xlsx", False),
        ("inbox-archive", "inbox", False),
        ("inbox/old - Files", "inbox", False),
        ("inbox", "inbox", True),
        ("anything", "", False),
    ],
)
def test_a_name_counts_only_by_itself(title: str, name: str, holds: bool) -> None:
    assert names_whole(title, name) is holds


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("stock.xlsx - Calc", Shown.UNKNOWN),
        ("~/books/east/stock.xlsx - Mousepad", Shown.OURS),
        ("/home/me/books/east/stock.xlsx - Mousepad", Shown.OURS),
        ("stock.xlsx (~/books/east) - gedit", Shown.OURS),
        ("~/books/west/stock.xlsx - Mousepad", Shown.OTHER),
        ("~/books/east/old/stock.xlsx - Mousepad", Shown.OTHER),
        ("stock.xlsx (~/books/west) - gedit", Shown.OTHER),
        ("west/stock.xlsx", Shown.OTHER),
        ("east/stock.xlsx", Shown.UNKNOWN),
        ("notes.txt - Calc", Shown.OTHER),
    ],
)
def test_a_title_tells_a_folder_where_it_shows_one(
    title: str, shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/me")

    assert by_title(title, "/home/me/books/east/stock.xlsx") is shown


def test_the_document_is_the_argument_that_the_title_names() -> None:
    assert document_of(["calc", "--norestore", "/a/Stock.xlsx"], "stock.xlsx") == "/a/Stock.xlsx"
    assert document_of(["/bin/calc", "--view"], "calc") is None


@contextmanager
def _process(*words: str, cwd: Path) -> Iterator[int]:
    """A process that has come so far as to run its program."""
    held = "import sys; held = [open(one[5:]) for one in sys.argv if one[:5] == 'hold:']"
    argv = [sys.executable, "-c", f"{held}; print(flush=True); input()", *words]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=cwd) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process.pid
        process.communicate(b"\n")


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["{east}"], Shown.OURS),
        (["east/stock.xlsx"], Shown.OURS),
        (["--file={east}"], Shown.OURS),
        (["file://{east}"], Shown.OURS),
        (["{linked}"], Shown.OURS),
        (["{west}"], Shown.OTHER),
        (["west/stock.xlsx"], Shown.OTHER),
        (["{east}", "{west}"], Shown.BOTH),
        (["{east}", "hold:{west}"], Shown.OTHER),
        (["hold:{east}"], Shown.OURS),
        (["--calc"], Shown.UNKNOWN),
    ],
)
def test_a_process_tells_by_what_it_holds_and_else_by_what_it_was_started_with(
    words: list[str], shown: Shown, tmp_path: Path
) -> None:
    for folder in ("east", "west"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "stock.xlsx").write_text("tea")
    (tmp_path / "linked").symlink_to(tmp_path / "east")
    paths = {name: tmp_path / name / "stock.xlsx" for name in ("east", "west", "linked")}

    with _process(*(word.format(**paths) for word in words), cwd=tmp_path) as pid:
        assert by_process(pid, str(paths["east"])) is shown


def test_a_process_that_is_gone_or_not_known_tells_nothing(tmp_path: Path) -> None:
    with _process(cwd=tmp_path) as pid:
        pass

    assert by_process(pid, str(tmp_path / "stock.xlsx")) is Shown.UNKNOWN
    assert by_process(None, str(tmp_path / "stock.xlsx")) is Shown.UNKNOWN

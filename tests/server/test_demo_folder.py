from pathlib import Path

import pytest

from server.demo_folder import MARK, made_ready
from server.errors import FolderTaken


def test_the_demo_takes_no_folder_that_holds_what_it_did_not_make(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years")
    (tmp_path / "home").mkdir()

    with pytest.raises(FolderTaken):
        made_ready(tmp_path)

    assert (tmp_path / "thesis.txt").read_text() == "years"
    assert (tmp_path / "home").is_dir()


def test_the_demo_removes_its_own_files_of_last_time_and_no_others(tmp_path: Path) -> None:
    out = made_ready(tmp_path / "new" / "demo")
    (out / "home" / "runs").mkdir(parents=True)
    (out / "clients.txt").touch()
    (out / "mine.txt").touch()

    assert made_ready(out) == out
    assert {path.name for path in out.iterdir()} == {MARK, "mine.txt"}

"""`echopath panic`: it stops, or says that it could not; never a traceback."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from server.commands.panic import command


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("ECHOPATH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ECHOPATH_CONFIG", str(tmp_path / "file"))


def test_a_config_folder_that_is_none_does_not_keep_anybody_from_stopping(tmp_path: Path) -> None:
    stopped = CliRunner().invoke(command)
    there = (tmp_path / "home" / "panic").exists()
    cleared = CliRunner().invoke(command, ["--clear"])

    assert (stopped.exit_code, there) == (0, True)
    assert str(tmp_path / "home" / "panic") in stopped.output
    assert cleared.exit_code == 0
    assert not (tmp_path / "home" / "panic").exists()


def test_damaged_settings_do_not_keep_anybody_from_stopping(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (config := tmp_path / "config").mkdir()
    (config / "echopath.toml").write_text("= nonsense")
    monkeypatch.setenv("ECHOPATH_CONFIG", str(config))

    assert CliRunner().invoke(command).exit_code == 0
    assert (config / "panic").exists()


def test_where_nothing_can_be_written_it_says_that_nothing_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ECHOPATH_HOME", str(tmp_path / "file"))

    result = CliRunner().invoke(command)

    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert "nothing was stopped" in result.output
    assert str(tmp_path / "file") in result.output

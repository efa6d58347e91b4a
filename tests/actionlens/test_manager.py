"""The window manager of a private desktop does not stop to read the keys anew while we bind spare ones."""

from pathlib import Path

import pytest

from actionlens.errors import DesktopUnusable
from actionlens.manager import manager_command

SYSTEM = "<openbox_config><keyboard>\n<keybind key='A-F4'/></keyboard><mouse/></openbox_config>"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A search path of which we are the only owner."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_openbox_keeps_the_systems_bindings_and_never_reads_them_anew(path: Path) -> None:
    install(path, "openbox")
    config = path / "rc.xml"
    config.write_text(SYSTEM)

    argv = manager_command(path, config)

    ours = Path(argv[-1]).read_text()
    assert argv[:3] == [str(path / "openbox"), "--sm-disable", "--config-file"]
    assert "<rebindOnMappingNotify>no</rebindOnMappingNotify>" in ours
    assert "<keybind key='A-F4'/></keyboard><mouse/>" in ours
    assert config.read_text() == SYSTEM


def test_openbox_without_a_system_configuration_starts_all_the_same(path: Path) -> None:
    install(path, "openbox")

    assert manager_command(path, path / "missing.xml") == [str(path / "openbox"), "--sm-disable"]


def test_another_window_manager_is_taken_where_openbox_is_missing(path: Path) -> None:
    install(path, "fluxbox")

    assert manager_command(path) == [str(path / "fluxbox")]


def test_a_machine_without_any_is_told_what_to_install(path: Path) -> None:
    with pytest.raises(DesktopUnusable, match="apt-get install openbox"):
        manager_command(path)


# -- helpers ----


def install(folder: Path, program: str) -> None:
    (folder / program).write_text("#!/bin/sh\n")
    (folder / program).chmod(0o700)

"""The folder of locks: the same for every process of a user, and nobody else's."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from actionlens import lock
from actionlens.errors import DesktopUnusable, EvidenceUnwritable
from actionlens.held import HeldJournal
from actionlens.lock import DesktopLock, lock_folder
from actionlens.run_log import now
from tests.server.processes import ROOT


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(lock, "SESSIONS", tmp_path / "run")
    monkeypatch.setattr(lock, "SHARED", tmp_path)
    return tmp_path / f"echopath-{os.getuid()}"


def test_the_folder_is_the_same_whatever_the_environment(tmp_path: Path) -> None:
    program = "from actionlens.lock import lock_folder; print(lock_folder())"

    told = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"], **more},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for more in ({}, {"TMPDIR": str(tmp_path)}, {"XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path)})
    }

    assert len(told) == 1


def test_the_session_folder_is_taken_where_it_is_private(shared: Path, tmp_path: Path) -> None:
    (session := tmp_path / "run" / str(os.getuid())).mkdir(parents=True, mode=0o755)

    assert lock_folder() == shared
    session.chmod(0o700)
    assert lock_folder() == session / "echopath"


def test_a_folder_that_others_could_enter_is_closed_to_them(shared: Path) -> None:
    shared.mkdir(mode=0o777)
    shared.chmod(0o777)

    assert lock_folder().stat().st_mode & 0o777 == 0o700


def test_a_link_in_place_of_the_folder_is_refused(shared: Path, tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    shared.symlink_to(tmp_path / "theirs")

    with pytest.raises(DesktopUnusable, match="not a folder of this user's own"):
        DesktopLock(":7", "me", now).take("click")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_that_somebody_else_made_is_refused(shared: Path) -> None:
    shared.mkdir()
    os.chown(shared, 12345, 12345)

    with pytest.raises(DesktopUnusable):
        DesktopLock(":7", "me", now).take("click")


def test_a_link_in_place_of_a_lock_or_a_journal_is_not_followed(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (victim := tmp_path / "victim").write_text("precious")
    shared.mkdir(mode=0o700)
    (shared / "desktop_7.lock").symlink_to(victim)
    (shared / "held_7.me").symlink_to(victim)
    monkeypatch.setattr("actionlens.held.identity", lambda: "me")

    with pytest.raises(EvidenceUnwritable, match="desktop_7"):
        DesktopLock(":7", "me", now).take("click")
    with pytest.raises(OSError, match="symbolic links"):
        HeldJournal(":7")

    assert victim.read_text() == "precious"

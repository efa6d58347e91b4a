"""What a user types: clear answers, one line for what is wrong, never a traceback."""

import io
import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

from actionlens.actions import Click
from actionlens.observation import Observation
from actionlens.records import Request, RunStatus, StepEnded, StepStarted, StepStatus
from actionlens.run_log import RunLog
from ibtr.geometry import Point, Scale, Size
from server.cli import main

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("ECHOPATH_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("ECHOPATH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ECHOPATH_CONFIG", str(tmp_path / "config"))
    return tmp_path / "home"


def record(home: Path, at: datetime = AT) -> RunLog:
    log = RunLog.create(
        home / "runs", source_agent="claude", task_goal="save it", controller="virtual :9", at=at
    )
    step, size = log.allocate_step(), Size(64, 48)
    frame = log.keep(np.full((48, 64, 3), 200, np.uint8))
    seen = Observation(at=at, image=size, screen=size, origin=Point(0, 0), scale=Scale(), frame=frame)
    log.step(StepStarted(step=step, at=at, request=Request(action=Click(x=3, y=4), target="OK"), before=seen))
    log.step(StepEnded(step=step, at=at, status=StepStatus.OK, duration_s=0.1, after=seen))
    log.seal(RunStatus.FINISHED, at=at)
    return log


def typed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Exit code, output, errors."""
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    told = capsys.readouterr()
    code = ended.value.code
    return (code if isinstance(code, int) else 0), told.out, told.err


def test_runs_are_listed_shown_and_verified(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_id = record(home).run_id

    listed, shown, verified = (
        typed(capsys, "runs", *words) for words in (("list",), ("show", run_id), ("verify",))
    )

    assert (listed[0], shown[0], verified[0]) == (0, 0, 0)
    assert run_id in listed[1]
    assert "save it" in listed[1]
    assert "x=3 y=4" in shown[1]
    assert f"{run_id}: whole" in verified[1]


def test_everything_that_lists_speaks_json(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_id = record(home).run_id

    rows = json.loads(typed(capsys, "runs", "list", "--json")[1])
    shown = json.loads(typed(capsys, "runs", "show", run_id, "--json")[1])
    verified = json.loads(typed(capsys, "runs", "verify", "--json")[1])

    assert [(row["run_id"], row["status"], row["steps"]) for row in rows] == [(run_id, "finished", 1)]
    assert shown["steps"][0]["started"]["request"]["target"] == "OK"
    assert verified == {run_id: []}


def test_a_contact_sheet_is_a_picture(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_id, sheet = record(home).run_id, tmp_path / "sheet.png"

    code, out, _ = typed(capsys, "runs", "show", run_id, "--sheet", str(sheet))

    picture = cv2.imread(str(sheet))
    assert code == 0
    assert str(sheet) in out
    assert sheet.stat().st_mode & 0o777 == 0o600
    assert picture is not None
    assert picture.shape[1] > 1000


def test_a_changed_byte_is_found_and_the_exit_code_says_so(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = record(home)
    steps = log.path / "steps.jsonl"
    steps.write_bytes(steps.read_bytes().replace(b'"x":3', b'"x":4'))

    code, out, _ = typed(capsys, "runs", "verify", log.run_id)

    assert code == 1
    assert "steps.jsonl: line 1 was altered" in out


def test_purge_deletes_what_is_named_or_old_and_asks_first(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = record(home), record(home, at=datetime.now(UTC))

    monkeypatch.setattr("sys.stdin", io.StringIO())
    asked = typed(capsys, "runs", "purge", first.run_id)  # nobody says yes
    old = typed(capsys, "runs", "purge", "--older-than", "1", "--yes", "--json")
    named = typed(capsys, "runs", "purge", second.run_id, "--yes")

    assert asked[0] == 1
    assert json.loads(old[1]) == {"purged": [first.run_id]}
    assert named[0] == 0
    assert list((home / "runs").iterdir()) == []


def test_a_run_that_is_being_written_is_not_purged(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = RunLog.create(home / "runs", source_agent="a", task_goal="g", controller="c", at=AT)

    typed(capsys, "runs", "purge", log.run_id, "--yes")

    assert log.path.is_dir()
    log.seal(RunStatus.FINISHED, at=AT)


def test_no_runs_is_said_and_no_error(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert typed(capsys, "runs", "list")[1].startswith("no runs yet")
    assert typed(capsys, "runs", "list", "--json")[1].strip() == "[]"


@pytest.mark.parametrize("name", ["nope", "../home", "..", "/etc", ".", ""])
@pytest.mark.parametrize("verb", ["show", "verify", "purge"])
def test_a_run_that_is_none_is_named_in_one_line(
    home: Path, capsys: pytest.CaptureFixture[str], verb: str, name: str
) -> None:
    (home / "runs").mkdir(parents=True)

    code, out, err = typed(capsys, "runs", verb, name)

    assert (code, out) == (1, "")
    assert err.startswith("echopath: no run is called")
    assert err.count("\n") == 1
    assert home.is_dir()


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("ECHOPATH_SCREEN", "wide", "screen"),
        ("ECHOPATH_SCREEN", "10x10", "screen"),
        ("ECHOPATH_DESKTOP", "cloud", "desktop"),
        ("ECHOPATH_AGENT", "a" * 99, "agent"),
    ],
)
def test_a_bad_setting_is_named_in_one_line(
    home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
    value: str,
    said: str,
) -> None:
    monkeypatch.setenv(variable, value)

    code, _, err = typed(capsys, "runs", "list")

    assert code == 1
    assert said in err
    assert err.count("\n") == 1


def test_a_store_that_would_depend_on_the_working_folder_is_refused_with_the_path_to_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ECHOPATH_HOME", "here/home")

    with pytest.raises(SystemExit) as end:
        main(["memories", "list"])

    said = capsys.readouterr().err
    assert end.value.code == 1
    assert str(tmp_path / "here" / "home") in said
    assert "ECHOPATH_HOME" in said
    assert not (tmp_path / "here").exists()


@pytest.mark.parametrize("text", ["screen = ", "colour = 'red'", "screen = 5"])
def test_a_bad_settings_file_is_named_in_one_line(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "echopath.toml").write_text(text)

    code, _, err = typed(capsys, "runs", "list")

    assert code == 1
    assert err.startswith("echopath: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("words", [("fly",), ("runs", "fly"), ("runs", "purge"), ("runs", "show")])
def test_a_wrong_command_line_says_how_it_is_called(
    home: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    code, _, err = typed(capsys, *words)

    assert code == 2
    assert "Usage" in err
    assert "Traceback" not in err


@pytest.mark.desktop
def test_doctor_tries_the_desktops_and_speaks_json(
    home: Path, x_server: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("XDG_SESSION_TYPE", raising=False)

    code, out, _ = typed(capsys, "doctor", "--json")

    found = {one["what"]: one for one in json.loads(out)}
    assert code == 0
    assert found["virtual desktop"]["works"]
    assert not found["local desktop"]["works"]
    assert "DISPLAY" in found["local desktop"]["detail"]


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_doctor_elsewhere_than_on_linux_says_what_does_not_work(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    import server.doctor  # noqa: F401 - what it loads must be loaded on the real platform

    monkeypatch.setattr(sys, "platform", platform)

    code, out, err = typed(capsys, "doctor")

    assert code == 1
    assert f"driving a desktop on {platform} does not work yet" in out
    assert "apt-get" not in out
    assert "Traceback" not in err


def test_doctor_without_a_package_manager_still_says_what_to_install(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_SESSION_TYPE", "wayland")
    monkeypatch.delenv("DISPLAY", raising=False)

    code, out, _ = typed(capsys, "doctor")

    assert code == 1
    assert "this system's package manager: xvfb" in out
    assert "Wayland" in out


@pytest.mark.parametrize("module", ["server.cli", "server.stdio", "actionlens", "ibtr"])
def test_nothing_heavy_is_loaded_before_it_is_needed(module: str) -> None:
    heavy = "cv2", "numpy", "pyautogui", "Xlib", "mss", "sqlite_utils"
    script = f"import sys, {module}; sys.exit(' '.join({heavy!r} & sys.modules.keys()) or 0)".replace(
        repr(heavy), f"set({heavy!r})"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


def test_every_name_that_actionlens_offers_is_there() -> None:
    import actionlens

    assert sorted(actionlens._HOMES) == sorted(actionlens.__all__)
    assert all(getattr(actionlens, name) for name in actionlens.__all__)
    with pytest.raises(AttributeError, match="no_such_name"):
        actionlens.no_such_name  # noqa: B018

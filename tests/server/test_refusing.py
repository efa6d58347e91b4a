import json
from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError

from actionlens.errors import DesktopUnusable
from memory_store.evaluators import CouldNotRun
from server.cli import main
from server.refusing import refusal_of


class _Number(BaseModel):
    number: int


def test_every_refusal_is_told_and_a_mistake_of_ours_is_not_hidden() -> None:
    with pytest.raises(ValidationError) as wrong:
        _Number.model_validate({"number": "x"})
    lost = ExceptionGroup("tasks", [ExceptionGroup("inner", [DesktopUnusable("no Xvfb: install it")])])

    told = {name: refusal_of(exc) for name, exc in {"value": wrong.value, "group": lost}.items()}

    assert told["value"] is not None
    assert told["value"].message.startswith("number: ")
    assert told["group"] is not None
    assert told["group"].message == "no Xvfb: install it"
    assert refusal_of(MemoryError()) is not None
    assert refusal_of(KeyError("x")) is None
    assert refusal_of(ExceptionGroup("both", [DesktopUnusable("x"), KeyError("x")])) is None


def test_a_refusal_in_json_carries_its_evidence() -> None:
    told = refusal_of(CouldNotRun("path", "is too large", "check less", bytes=9))

    assert told is not None
    assert json.loads(told.as_json())["evidence"] == {"bytes": 9}


@pytest.mark.parametrize("words", [("runs", "list"), ("memories", "list"), ("replays", "list"), ("doctor",)])
def test_bad_settings_are_json_where_json_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("ECHOPATH_SCREEN", "huge")

    with pytest.raises(SystemExit) as ended:
        main([*words, "--json"])

    told = capsys.readouterr()
    assert ended.value.code == 1
    assert json.loads(told.out)["error"] == "BadSettings"
    assert told.err == ""


def test_a_demo_without_a_desktop_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(SystemExit) as ended:
        main(["demo", "--out", str(tmp_path / "out")])

    told = capsys.readouterr().err
    assert ended.value.code == 1
    assert told.startswith("echopath: ")
    assert "xvfb" in told
    assert told.count("\n") == 1

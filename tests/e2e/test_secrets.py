"""A secret in a field that shows it: in no picture, in nothing that is kept, and no hindrance to a replay."""

from base64 import b64decode
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from mcp import Client

from actionlens.frames import Pixels, crop
from actionlens.run_reader import read_run
from ibtr.geometry import Box
from memory_store.images import decode
from server.build import build_app, build_server
from server.settings import Settings
from tests.e2e.stage import SIZE, Stage

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]
PIN, OTHER = "tr0ub4dor3x", "correcthorsebattery9"
VARIABLE = "ECHOPATH_TEST_PIN"


@pytest.fixture(scope="module")
async def stage(x_server: None, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    folder = tmp_path_factory.mktemp("secrets")
    config = pytest.MonkeyPatch()
    config.setenv("ECHOPATH_CONFIG", str(folder / "config"))
    app = build_app(Settings(home=folder / "home", desktop="virtual", screen=SIZE, agent="test"))
    async with Client(build_server(app)) as client:
        yield Stage(app, client, folder)
    config.undo()


@pytest.mark.parametrize("shift", [[0, 0], [0, -17]])
async def test_a_memory_with_a_visible_secret_replays_with_another_value(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, shift: list[int]
) -> None:
    monkeypatch.setenv(VARIABLE, PIN)
    name = await _record(stage, f"save_secret{-shift[1]}", shift=shift)
    recorded = await _letters(stage, PIN)
    log = await stage.form(shift=shift)
    monkeypatch.setenv(VARIABLE, OTHER)

    report = await stage.call(name)

    assert report["ending"] == "verified", str(report)
    assert stage.out.read_text() == OTHER
    assert log.clicks == ["Clear", "Save"]
    replayed = await _letters(stage, OTHER)
    assert not _left_in(stage.folder / "home", [recorded, replayed])


async def test_a_secret_is_hidden_after_its_run_where_it_is_shown_again_and_where_it_moved(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, PIN)
    await stage.form(suggests=True)
    await stage.call("start_run", goal="Type a secret")
    await stage.call("act", action="type", text_ref=f"env:{VARIABLE}", look=True)
    pictures = [_picture(stage)]
    await stage.call("finish_run")
    letters = await _letters(stage, PIN)
    await stage.call("observe")
    pictures.append(_picture(stage))

    await stage.call("act", action="click", look=True, **await stage.aim("Load"))
    twice = _count(await _screen(stage), letters)
    pictures.append(_picture(stage))
    await stage.form(at=[620, 430], text=PIN)
    elsewhere = _count(await _screen(stage), letters)
    await stage.call("observe")
    pictures.append(_picture(stage))

    assert (twice, elsewhere) == (2, 1)
    assert [_count(picture, letters) for picture in pictures] == [0, 0, 0, 0]
    assert not _left_in(stage.folder / "home", [letters])


async def test_a_secret_that_is_not_set_is_noticed_before_the_first_click(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, PIN)
    name = await _record(stage, "unset_secret")
    log = await stage.form()
    monkeypatch.delenv(VARIABLE)

    report = await stage.call(name)

    assert (report["ending"], report["cause"]) == ("rejected", "parameter_conflict")
    assert report["next"] == ["describe_memory", "run_memory"]
    assert f"the variable {VARIABLE} is not set for this server" in report["summary"]
    assert log.clicks == []


async def test_a_repaired_branch_holds_no_secret_and_replays_with_another(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, PIN)
    name = await _record(stage, "mended_secret")
    await stage.form(look="other")
    report = await stage.call(name)

    for button in ("Clear", "Save"):
        await stage.call("rejection_detail", replay_id=report["replay_id"])
        pictures, frame_id = [_picture(stage)], stage.facts["frame_id"].split()[0]
        where = await stage.aim(button) | {"frame_id": frame_id}
        report = await stage.call("repair_step", replay_id=report["replay_id"], located=True, **where)
    letters = await _letters(stage, PIN)
    branch = report["evidence"]["repaired_branch"]
    await stage.call("promote_memory", memory=branch)
    await stage.form(look="other")
    monkeypatch.setenv(VARIABLE, OTHER)

    report = await stage.call(branch)

    assert not _count(pictures[0], letters)
    assert report["ending"] == "verified", str(report)
    assert stage.out.read_text() == OTHER
    assert not _left_in(stage.folder / "home", [letters, await _letters(stage, OTHER)])


async def _record(stage: Stage, name: str, **plan: Any) -> str:
    """Clear, type a secret, Save: made a memory with the secret as its input."""
    await stage.form(**plan)
    down = plan.get("shift", [0, 0])[1]
    check: dict[str, Any] = {"kind": "file_exists", "path": str(stage.out)}
    await stage.call("start_run", goal="Save a secret", evaluator=check)
    for button in ("Clear", "Save"):
        where = await stage.aim(button)
        await stage.call("act", action="click", target=button, **where | {"y": where["y"] + down})
        if button == "Clear":
            await stage.call("act", action="type", text_ref=f"env:{VARIABLE}", target="the field")
    finished = await stage.call("finish_run", evaluator=check)
    selection = {
        "selected_step_ids": [1, 2, 3],
        "task_intent": f"Save a secret in the form as {name}",
        "query_phrases": ["enter a secret"],
        "viable": True,
        "recommendation": "promote",
        "tool_name": name,
        "evaluator": check,
    }
    made = await stage.call("consolidate_run", run_id=finished["run_id"], selection=selection)
    await stage.call("promote_memory", memory=made["memory"])
    return name


async def _screen(stage: Stage) -> Pixels:
    """What stands on the screen, uncovered."""
    return (await (await stage.app.operator.desktop()).capture()).pixels


async def _letters(stage: Stage, text: str) -> Pixels:
    """The text as it stands in the field, in the form's letters of six pixels."""
    desktop = await stage.app.operator.desktop()
    frame = await desktop.capture()
    form = next(one.box for one in frame.windows if one.title == "Form")
    return _gray(crop(frame.pixels, Box(form.x + 28, form.y + 30, 6 * len(text), 12)))


def _picture(stage: Stage) -> Pixels:
    return np.asarray(decode(b64decode(stage.images[0].data), stage.images[0].mime_type), np.uint8)


def _left_in(home: Path, letters: list[Pixels]) -> list[str]:
    """Files and frames below a folder that show or hold a secret."""
    files = [file for file in home.rglob("*") if file.is_file()]
    told = [str(file) for file in files for text in (PIN, OTHER) if text.encode() in file.read_bytes()]
    shown = [name for name, picture in _kept(home, files) for one in letters if _count(picture, one)]
    return told + shown


def _kept(home: Path, files: list[Path]) -> Iterator[tuple[str, Pixels]]:
    for file in files:
        picture = cv2.imdecode(np.frombuffer(file.read_bytes() or b"-", np.uint8), cv2.IMREAD_COLOR)
        if picture is not None:
            yield str(file), np.asarray(picture, np.uint8)
    for folder in (home / "runs").iterdir():
        run = read_run(folder)
        seen = [one for step in run.steps for one in (step.before, step.after) if one]
        for one in {one.frame: one for one in [*seen, *(look.seen for look in run.observations)]}.values():
            yield f"{folder.name}: {one.frame[:12]}", run.frame(one)


def _count(picture: Pixels, letters: Pixels) -> int:
    """How often a picture shows these letters, dark on light or light on dark."""
    gray = _gray(picture)
    if gray.shape[0] < letters.shape[0] or gray.shape[1] < letters.shape[1] or letters.std() < 8:
        return 0
    scores = np.nan_to_num(np.abs(cv2.matchTemplate(gray, letters, cv2.TM_CCOEFF_NORMED)))
    places, _ = cv2.connectedComponents(
        cv2.dilate((scores > 0.9).astype(np.uint8), np.ones((9, 9), np.uint8))
    )
    return places - 1


def _gray(pixels: Pixels) -> Pixels:
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)

"""Steps after the first: what they click is in the right window, and keys go where the last click said."""

from base64 import b64decode
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from actionlens.actions import Click, Press
from actionlens.desk import open_local
from actionlens.frames import Pixels
from actionlens.run_reader import read_run
from memory_store.images import decode
from server.build import build_app, build_server
from server.settings import Settings
from tests.e2e.stage import SIZE, Stage

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]


@pytest.fixture(scope="module")
async def stage(x_server: None, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """One server with one memory in use."""
    folder = tmp_path_factory.mktemp("windows")
    config = pytest.MonkeyPatch()
    config.setenv("ECHOPATH_CONFIG", str(folder / "config"))
    app = build_app(Settings(home=folder / "home", desktop="virtual", screen=SIZE, agent="test"))
    async with Client(build_server(app)) as client:
        stage = Stage(app, client, folder)
        await stage.record("save_client")
        yield stage
    config.undo()


@pytest.mark.parametrize("application", ["Other", "Form"])
async def test_a_target_in_a_window_behind_is_not_clicked(
    stage: Stage, application: str, tmp_path: Path
) -> None:
    await stage.memory()
    wake = str(tmp_path / "wake")
    log = await stage.form(leaves=wake)
    twin = {"class": application, "at": [700, 450], "wakes": wake, "text": "Initech"}
    behind = await stage.beside(**twin)

    report = await stage.run(client="Initech")

    assert (report["ending"], report["cause"], report["step"]) == ("stopped", "focus_drift", 3)
    assert report["evidence"]["reached"] == application
    assert report["next"] == ["rejection_detail", "repair_step"]
    assert log.clicks == ["Clear"]
    assert behind.clicks == []


async def test_a_popup_of_another_application_is_not_clicked(stage: Stage, tmp_path: Path) -> None:
    await stage.memory()
    wake = str(tmp_path / "wake")
    log = await stage.form(leaves=wake)
    twin = {"class": "Other", "at": [130, 330], "wakes": wake, "text": "Initech", "popup": True}
    over = await stage.another_window(**twin)

    report = await stage.run(client="Initech")

    assert (report["ending"], report["cause"], report["step"]) == ("stopped", "missing_target", 3)
    assert (report["evidence"]["reached"], report["evidence"]["recorded"]) == ("Other", "Form")
    assert log.clicks == ["Clear"]
    assert over.clicks == []


@pytest.mark.parametrize("at", [[700, 450], [130, 330]])
async def test_a_menu_of_the_application_is_clicked_wherever_it_lies(stage: Stage, at: list[int]) -> None:
    """One that has neither class nor name, beside the window or partly over it."""
    await stage.memory()
    log = await stage.form(menu_at=at)

    report = await stage.run(client="Initech")

    assert report["ending"] == "verified"
    assert log.clicks == ["Clear", "Save"]


async def test_keys_are_held_back_once_somebody_else_has_clicked_or_typed(stage: Stage) -> None:
    await stage.memory()
    log = await stage.form()
    desktop = await stage.app.operator.desktop()
    person = await open_local(desktop.display, desktop.authority)
    await stage.memory()
    stopped = await stage.call("run_memory", memory=stage.name, inputs={"client": "Initech"}, max_steps=1)
    window = (await desktop.capture()).window
    assert window is not None

    await person.perform(Click(x=window.box.x + 60, y=window.box.y + 180))  # another field, for all we know
    await person.perform(Press(key="tab"))
    await person.close()
    refused = await stage.call("run_memory", resume=stopped["replay_id"], max_steps=9)
    again = await stage.call("run_memory", resume=stopped["replay_id"], max_steps=9)
    keys = log.keys
    await stage.call("rejection_detail", replay_id=stopped["replay_id"])
    frame_id = stage.facts["frame_id"].split()[0]
    where = await stage.aim("Clear") | {"frame_id": frame_id}
    repair = {"replay_id": stopped["replay_id"], "located": True, "role": "repair_action", **where}
    done = await stage.call("repair_step", **repair)

    assert stopped["cause"] == "budget_exhausted"
    assert (refused["cause"], refused["step"], refused["evidence"]["presses"]) == ("focus_drift", 2, 2)
    assert again["cause"] == "focus_drift"
    assert keys == ""
    assert done["ending"] == "verified"
    assert stage.out.read_text() == "Initech"


async def test_a_secret_is_in_no_picture_of_a_refusal_and_in_no_frame_that_is_kept(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ECHOPATH_TEST_PIN", "HHHHHHHHHH")
    name = await _record_a_secret(stage)
    await stage.form(without=["Save"])

    refused = await stage.call(name)
    desktop = await stage.app.operator.desktop()
    plain = (await desktop.capture()).pixels
    await stage.call("rejection_detail", replay_id=refused["replay_id"])
    picture = decode(b64decode(stage.images[0].data), stage.images[0].mime_type)
    lens = await stage.app.operator.lens()
    assert lens.run is not None
    kept = read_run(stage.app.settings.runs / lens.run.run_id)

    assert (refused["ending"], refused["cause"], refused["step"]) == ("stopped", "missing_target", 3)
    assert _letters(plain)
    assert not _letters(picture)
    assert kept.observations
    assert not any(_letters(kept.frame(looked.seen)) for looked in kept.observations)


async def _record_a_secret(stage: Stage) -> str:
    """Clear, type a secret, Save."""
    await stage.form()
    check: dict[str, Any] = {"kind": "file_exists", "path": str(stage.out)}
    await stage.call("start_run", goal="Save a secret", evaluator=check)
    await stage.call("act", action="click", target="Clear", **await stage.aim("Clear"))
    await stage.call("act", action="type", text_ref="env:ECHOPATH_TEST_PIN", target="the field")
    await stage.call("act", action="click", target="Save", **await stage.aim("Save"))
    finished = await stage.call("finish_run", evaluator=check)
    selection = {
        "selected_step_ids": [1, 2, 3],
        "task_intent": "Save a secret in the form",
        "query_phrases": ["enter a secret"],
        "viable": True,
        "recommendation": "promote",
        "tool_name": "save_secret",
        "evaluator": check,
    }
    made = await stage.call("consolidate_run", run_id=finished["run_id"], selection=selection)
    await stage.call("promote_memory", memory=made["memory"])
    return "save_secret"


def _letters(pixels: Pixels) -> bool:
    """Whether letters stand in the field of the form, whatever frame the window has."""
    dark = pixels[100:170, 130:200].astype(int).mean(axis=2) < 0x50
    lines = dark.all(axis=1)  # the border of the field
    return bool(dark[~lines].sum() > 40)

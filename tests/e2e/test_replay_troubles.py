"""What comes between during a replay: a person, another driver, the host itself, a display that dies."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from actionlens.actions import Click
from actionlens.lock import DesktopLock
from actionlens.run_log import now
from memory_store.models import Lifecycle, StepAction, StepEvidence
from memory_store.transfer import new_memory_id
from server.build import build_app, build_server
from server.settings import Settings
from tests.e2e.stage import SIZE, Stage

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]

MOVING = Path(__file__).parent.parent / "desktop" / "moving.py"


@asynccontextmanager
async def staged(folder: Path, **settings: Any) -> AsyncIterator[Stage]:
    app = build_app(Settings(home=folder / "home", desktop="virtual", screen=SIZE, agent="test", **settings))
    async with Client(build_server(app)) as client:
        yield Stage(app, client, folder)


@pytest.fixture(scope="module")
async def stage(x_server: None, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """One server with one memory in use."""
    folder = tmp_path_factory.mktemp("troubles")
    config = pytest.MonkeyPatch()
    config.setenv("ECHOPATH_CONFIG", str(folder / "config"))
    async with staged(folder) as stage:
        await stage.record("save_client")
        yield stage
    config.undo()


async def test_an_action_that_this_version_cannot_aim_is_refused_before_anything_is_touched(
    stage: Stage,
) -> None:
    recorded = await stage.app.memories.use(lambda store: store.get("save_client"))
    blind = recorded.steps[0].model_copy(
        update={
            "evidence": StepEvidence.model_validate(recorded.steps[0].evidence.model_dump() | {"anchors": ()})
        }
    )
    memory = recorded.model_copy(
        update={
            "id": new_memory_id(),
            "tool_name": "save_blindly",
            "steps": (blind, *recorded.steps[1:]),
            "lifecycle": Lifecycle.CANDIDATE,
        }
    )
    await stage.app.memories.use(lambda store: store.add(memory, at=now()))
    await stage.call("promote_memory", memory="save_blindly")
    log = await stage.form()
    pointer = (await (await stage.app.operator.desktop()).capture()).pointer

    report = await stage.call("run_memory", memory="save_blindly", inputs={"client": "Initech"})

    assert (report["ending"], report["cause"], report["step"]) == ("rejected", "unsupported_action", 1)
    assert report["next"] == ["rejection_detail", "plan_step"]
    assert (log.clicks, log.keys) == ([], "")
    assert (await (await stage.app.operator.desktop()).capture()).pointer == pointer

    again = await stage.call("plan_step", replay_id=report["replay_id"], resume_at=1)

    assert again["cause"] == "unsupported_action"
    assert log.clicks == []


async def test_a_hotkey_that_the_policy_refuses_is_unsafe_before_anything_is_touched(stage: Stage) -> None:
    recorded = await stage.app.memories.use(lambda store: store.get("save_client"))
    closing = recorded.steps[1].model_copy(
        update={"action": StepAction.model_validate({"action": "hotkey", "keys": ["alt", "f4"]})}
    )
    memory = recorded.model_copy(
        update={
            "id": new_memory_id(),
            "tool_name": "save_and_close",
            "steps": (recorded.steps[0], closing, recorded.steps[2]),
            "inputs": (),
            "lifecycle": Lifecycle.CANDIDATE,
        }
    )
    await stage.app.memories.use(lambda store: store.add(memory, at=now()))
    await stage.call("promote_memory", memory="save_and_close")
    log = await stage.form()
    policy = stage.folder / "config" / "policy.toml"
    policy.parent.mkdir(exist_ok=True)
    policy.write_text('hotkeys_refused = ["alt+f4"]\n')

    report = await stage.call("run_memory", memory="save_and_close")
    policy.unlink()

    assert (report["ending"], report["cause"]) == ("rejected", "unsafe_action")
    assert report["evidence"]["rule"] == "hotkeys_refused"
    assert (log.clicks, log.keys) == ([], "")


async def test_the_host_cannot_act_while_its_replay_runs_and_can_cancel_it(stage: Stage) -> None:
    await stage.memory()
    log = await stage.form(without=["Save"])
    desktop = await stage.app.operator.desktop()
    await desktop.launch([sys.executable, str(MOVING), "corner"])  # never still: Save is waited for
    with anyio.fail_after(20):
        while not any(window.title == "corner" for window in (await desktop.capture()).windows):
            await anyio.sleep(0.01)
    form = next(window for window in (await desktop.capture()).windows if window.title == "Form")
    await desktop.activate(form.id)
    ended: list[dict[str, Any]] = []
    async with anyio.create_task_group() as group:

        async def replay() -> None:
            ended.append(await stage.run(client="Initech"))

        group.start_soon(replay)
        await log.until_keys("Initech")

        refused = await stage.refusal("act", action="type", text="in between")
        row = await stage.app.memories.use(lambda store: store.replays(limit=1)[0])
        cancelled = await stage.call("cancel_replay", replay_id=row.id)
    await desktop.activate(form.id)
    after = await stage.call("act", action="type", text="x")

    assert "replay" in refused
    assert "save_client" in refused
    assert cancelled["ending"] == ended[0]["ending"] == "cancelled"
    assert after["status"] == "ok"
    await log.until_keys("Initechx")
    assert log.clicks == ["Clear"]


async def test_a_replay_is_told_who_drives(stage: Stage) -> None:
    await stage.memory()
    log = await stage.form()
    other = DesktopLock((await stage.app.operator.desktop()).place, "codex", now)
    other.take("recording: fill the form")

    refused = await stage.run(client="Initech")
    other.drop()
    report = await stage.call("run_memory", resume=refused["replay_id"])

    assert (refused["ending"], refused["cause"]) == ("rejected", "desktop_busy")
    assert (refused["evidence"]["who"], refused["evidence"]["doing"]) == ("codex", "recording: fill the form")
    assert report["ending"] == "verified"
    assert log.clicks == ["Clear", "Save"]


async def test_a_replay_that_was_stopped_goes_on_from_the_failed_step(stage: Stage) -> None:
    await stage.memory()
    log = await stage.form(dialog_after="Clear")
    stopped = await stage.run(client="Initech")
    desktop = await stage.app.operator.desktop()
    dialog = next(one for one in (await desktop.capture()).windows if one.title == "Are you sure?")
    await desktop.perform(Click(x=round(dialog.box.center.x), y=round(dialog.box.center.y)))
    with anyio.fail_after(20):
        while (window := (await desktop.capture()).window) is None or window.title != "Form":
            await anyio.sleep(0.01)

    report = await stage.call("run_memory", resume=stopped["replay_id"])

    assert (stopped["ending"], stopped["cause"], stopped["step"]) == ("stopped", "contradicted_transition", 2)
    assert report["ending"] == "verified"
    assert log.clicks == ["Clear", "Save"]
    assert stage.out.read_text() == "Initech"


async def test_a_person_at_the_mouse_is_waited_for(stage: Stage) -> None:
    await stage.memory()
    log = await stage.form(warp_after="Clear", warp_to=[900, 600])

    report = await stage.run(client="Initech")

    assert report["ending"] == "verified"
    assert log.clicks == ["Clear", "Save"]


async def test_a_person_at_the_mouse_ends_the_replay_where_that_is_set(stage: Stage) -> None:
    await stage.memory()
    async with staged(stage.folder, person_at_the_mouse="refuse") as strict:
        strict.count = 1000
        log = await strict.form(warp_after="Clear", warp_to=[900, 600])

        report = await strict.call("run_memory", memory=stage.name, inputs={"client": "Initech"})

    assert (report["ending"], report["cause"]) == ("stopped", "person_at_the_mouse")
    assert report["evidence"]["pointer"] == [900, 600]
    assert log.clicks == ["Clear"]


async def test_a_display_that_dies_ends_the_replay_and_the_next_call_has_a_new_one(stage: Stage) -> None:
    await stage.memory()
    desktop = await stage.app.operator.desktop()
    log = await stage.form(kill_after="Clear", kill=desktop.pid)

    report = await stage.run(client="Initech")
    await stage.call("observe")

    assert (report["ending"], report["cause"]) == ("stopped", "desktop_lost")
    assert report["next"] == ["observe", "run_memory"]
    assert log.clicks[:1] == ["Clear"]
    assert stage.images
    assert (await stage.app.operator.desktop()).pid != desktop.pid


async def test_a_replay_does_not_begin_while_a_menu_of_its_program_is_open(stage: Stage) -> None:
    await stage.memory()
    log = await stage.form(open_menu=[650, 420])

    report = await stage.run(client="Initech")

    assert (report["ending"], report["cause"]) == ("rejected", "state_mismatch")
    assert report["evidence"]["menu"] == [650, 420, 160, 120]
    assert "plan_step" in report["next"]
    assert log.clicks == []

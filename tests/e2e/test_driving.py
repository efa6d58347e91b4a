"""One replay has the desktop: planned acts, verdicts and other replays wait for nobody and disturb nobody."""

import json
import os
import sys
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest

from actionlens.run_reader import read_run, verify_run
from memory_store.ledger import Replay
from memory_store.quarantine import Ending
from memory_store.repository import Repository
from server.replay.telling import report_of
from tests.e2e.leaving import never_still
from tests.e2e.stage import FORM, Log, Stage
from tests.e2e.test_replay_troubles import staged

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]


@pytest.fixture(scope="module")
async def stage(x_server: None, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """One server with one memory in use."""
    folder = tmp_path_factory.mktemp("driving")
    config = pytest.MonkeyPatch()
    config.setenv("ECHOPATH_CONFIG", str(folder / "config"))
    async with staged(folder) as stage:
        await stage.record("save_client")
        yield stage
    config.undo()


async def refused_replay(stage: Stage) -> str:
    """A replay that was refused at its first step."""
    await stage.memory()
    await stage.form(without=["Clear"])
    report = await stage.run(client="Initech")
    assert report["ending"] == "rejected"
    return str(report["replay_id"])


@asynccontextmanager
async def replay_under_way(stage: Stage, ended: list[dict[str, Any]]) -> AsyncGenerator[Log]:
    """A replay that has typed and now waits for a target which is not there; cancelled at the end."""
    name = await stage.memory()
    log = await stage.form(without=["Save"])
    await never_still(await stage.app.operator.desktop())

    async def replay() -> None:
        ended.append(await stage.call("run_memory", memory=name, inputs={"client": "Initech"}))

    async with anyio.create_task_group() as group:
        group.start_soon(replay)
        await log.until_keys("Initech")
        yield log
        row = await stage.app.memories.use(lambda store: store.replays(limit=1)[0])
        await stage.call("cancel_replay", replay_id=row.id)


async def test_a_planned_act_for_one_replay_does_not_go_into_another(stage: Stage) -> None:
    replay_id = await refused_replay(stage)
    ended: list[dict[str, Any]] = []

    async with replay_under_way(stage, ended) as log:
        refused = await stage.call("plan_step", replay_id=replay_id, action="type", text="INTRUDER")
        judged = await stage.call(
            "report_verdict", replay_id=replay_id, of="goal", status="succeeded", goal_completed=True
        )
        keys = log.keys

    assert (refused["status"], refused["cause"]) == ("refused", "desktop_busy")
    assert "save_client" in refused["evidence"]["doing"]
    assert judged["cause"] == "desktop_busy"
    assert keys == "Initech"
    assert ended[0]["ending"] == "cancelled"
    row = await stage.app.memories.use(lambda store: store.replay(ended[0]["replay_id"]))
    assert row is not None
    assert row.events_sent == 2


async def test_a_second_replay_is_told_who_drives_since_when(stage: Stage) -> None:
    ended: list[dict[str, Any]] = []

    async with replay_under_way(stage, ended):
        second = await stage.call("run_memory", memory=stage.name, inputs={"client": "Umbrella"})
        cancelled = await stage.app.memories.use(lambda store: store.replays(limit=2)[1])
        await stage.call("cancel_replay", replay_id=cancelled.id)

    assert (second["ending"], second["cause"]) == ("rejected", "desktop_busy")
    assert cancelled.id in second["evidence"]["doing"]
    assert second["evidence"]["since"]


async def test_a_planned_act_is_counted_noted_and_leaves_no_run_open(stage: Stage) -> None:
    replay_id = await refused_replay(stage)

    for _ in range(3):
        await stage.call("plan_step", replay_id=replay_id, action="press", key="a", target="the field")
    await stage.call("rejection_detail", replay_id=replay_id)
    told = stage.text
    row = await stage.app.memories.use(lambda store: store.replay(replay_id))  # type: ignore[arg-type]
    after = await stage.call("act", action="press", key="b")

    assert '"ending": "stopped"' in told
    assert row is not None
    assert (row.ending, row.cause, row.events_sent) == (Ending.STOPPED, "host_plans", 3)
    assert after["status"] == "ok"
    session = stage.app.mender.session(replay_id)
    assert report_of(session).may_have_changed == ["planned: press the field"] * 3
    runs = [read_run(stage.folder / "home" / "runs" / run) for run in session.runs]
    assert [run.status for run in runs[1:]] == ["finished"] * 3
    assert [verify_run(run.path) for run in runs] == [[]] * 4


async def test_what_the_policy_refuses_of_a_plan_is_an_answer_with_its_cause(stage: Stage) -> None:
    replay_id = await refused_replay(stage)
    policy = stage.folder / "config" / "policy.toml"
    policy.parent.mkdir(exist_ok=True)
    policy.write_text('hotkeys_refused = ["alt+f4"]\n')

    refused = await stage.call("plan_step", replay_id=replay_id, action="hotkey", keys=["alt", "f4"])
    policy.unlink()

    assert (refused["status"], refused["cause"]) == ("refused", "unsafe_action")
    assert refused["evidence"]["rule"] == "hotkeys_refused"
    assert stage.app.mender.session(replay_id).planned == []


async def test_a_host_cannot_plan_for_ever(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    replay_id = await refused_replay(stage)
    monkeypatch.setattr("server.replay.session.MAX_PLANNED", 1)

    await stage.call("plan_step", replay_id=replay_id, action="press", key="a")
    refused = await stage.call("plan_step", replay_id=replay_id, action="press", key="a")

    assert (refused["cause"], refused["evidence"]) == ("budget_exhausted", {"max_planned": 1})


async def test_planned_acts_count_to_the_steps_that_a_replay_may_take(stage: Stage) -> None:
    name = await stage.memory()
    log = await stage.form(without=["Save"])
    stopped = await stage.call("run_memory", memory=name, inputs={"client": "Initech"}, max_steps=3)
    assert stopped["cause"] == "missing_target"

    await stage.call("plan_step", replay_id=stopped["replay_id"], action="press", key="x")
    refused = await stage.call("plan_step", replay_id=stopped["replay_id"], action="press", key="y")

    assert (refused["cause"], refused["evidence"]) == ("budget_exhausted", {"max_steps": 3})
    assert log.keys == "Initechx"


async def test_a_replay_does_not_end_the_recording_of_its_own_host(stage: Stage) -> None:
    name = await stage.memory()
    log = await stage.form()
    run_id = (await stage.call("start_run", goal="by hand"))["run_id"]

    refused = await stage.call("run_memory", memory=name, inputs={"client": "Initech"})
    await stage.call("act", action="press", key="a")
    finished = await stage.call("finish_run")
    after = await stage.call("run_memory", resume=refused["replay_id"])

    assert (refused["ending"], refused["cause"]) == ("rejected", "recording_open")
    assert refused["evidence"]["run_id"] == run_id
    assert refused["next"] == ["finish_run", "run_memory"]
    assert (finished["run_id"], finished["steps"]) == (run_id, 1)
    assert after["ending"] == "verified"
    assert log.clicks == ["Clear", "Save"]


async def test_a_verdict_on_a_replay_leaves_a_recording_alone(stage: Stage) -> None:
    replay_id = await refused_replay(stage)
    run_id = (await stage.call("start_run", goal="by hand"))["run_id"]

    refused = await stage.call(
        "report_verdict", replay_id=replay_id, of="goal", status="succeeded", goal_completed=True
    )
    planned = await stage.call("plan_step", replay_id=replay_id, action="press", key="a")
    resumed = await stage.call("plan_step", replay_id=replay_id, resume_at=1)
    finished = await stage.call("finish_run")

    assert {one["cause"] for one in (refused, planned, resumed)} == {"recording_open"}
    assert finished["run_id"] == run_id


async def test_the_last_acts_that_were_not_there_are_said(stage: Stage) -> None:
    await stage.form()
    await stage.call("act", action="press", key="a")

    finished = await stage.call("finish_run", last=500, goal="press a")

    assert finished["steps"] < 500
    assert f"only {finished['steps']} acts" in finished["note"]


async def test_a_goal_that_only_the_host_reached_is_no_verified_replay_and_makes_no_branch(
    stage: Stage,
) -> None:
    await stage.memory()
    log = await stage.form(look="other")
    replay_id = (await stage.run(client="Initech"))["replay_id"]
    await stage.call("rejection_detail", replay_id=replay_id)
    frame_id, where = stage.facts["frame_id"].split()[0], await stage.aim("Clear")
    place = {"x": where["x"], "y": where["y"], "frame_id": frame_id}
    stopped = await stage.call("repair_step", replay_id=replay_id, located=True, confidence=0.9, **place)
    assert (stopped["cause"], stopped["step"]) == ("missing_target", 3)
    known = len(await stage.app.memories.use(lambda store: store.memories()))

    stage.out.write_text("Initech")
    report = await stage.call(
        "report_verdict", replay_id=replay_id, of="goal", status="succeeded", goal_completed=True
    )

    assert log.clicks == ["Clear"]
    assert (report["ending"], report["cause"]) == ("stopped", "host_plans")
    assert report["evidence"] == {"reached_by": "plan", "steps_not_replayed": [3]}
    assert "all 3 steps done" not in report["summary"]
    assert report["verdict"].startswith("passed")
    assert len(await stage.app.memories.use(lambda store: store.memories())) == known
    row = await stage.app.memories.use(lambda store: store.replay(replay_id))
    assert row is not None
    assert row.ending is Ending.STOPPED
    run = read_run(stage.folder / "home" / "runs" / str(row.detail["runs"][1]))  # type: ignore[index]
    (clicked,) = [step for step in run.steps if step.action.action == "click"]
    assert clicked.request.source["confidence"] == 0.9


async def test_a_host_that_is_not_sure_clicks_nothing(stage: Stage) -> None:
    await stage.memory()
    log = await stage.form(look="other")
    replay_id = (await stage.run(client="Initech"))["replay_id"]
    await stage.call("rejection_detail", replay_id=replay_id)
    frame_id, where = stage.facts["frame_id"].split()[0], await stage.aim("Clear")

    refused = await stage.call(
        "repair_step",
        replay_id=replay_id,
        located=True,
        confidence=0.4,
        x=where["x"],
        y=where["y"],
        frame_id=frame_id,
    )

    assert refused["evidence"] == {"confidence": 0.4, "needed": 0.7}
    assert (log.clicks, stage.app.mender.session(replay_id).repairs) == ([], {})


async def test_what_was_found_failed_is_not_made_verified_by_a_word(stage: Stage) -> None:
    await stage.memory()
    await stage.form(late_s=30)
    failed = await stage.run(client="Initech")
    assert failed["ending"] == "failed"
    stage.out.write_text("Initech")

    resumed = await stage.call("run_memory", resume=failed["replay_id"])
    judged = await stage.call(
        "report_verdict", replay_id=failed["replay_id"], of="goal", status="succeeded", goal_completed=True
    )

    assert resumed["ending"] == "failed"
    assert (judged["ending"], judged["cause"]) == ("stopped", "host_plans")


async def test_a_step_that_succeeded_is_asked_on_to_the_goal(stage: Stage) -> None:
    replay_id = await refused_replay(stage)

    said = await stage.call("report_verdict", replay_id=replay_id, of="step", status="succeeded")

    assert "Save the name of a client" in said["how"]
    row = await stage.app.memories.use(lambda store: store.replay(replay_id))  # type: ignore[arg-type]
    assert row is not None
    assert row.detail["host_verdicts"] == [{"of": "step", "status": "succeeded"}]


async def test_a_cancel_before_the_first_step_is_heard(stage: Stage) -> None:
    name = await stage.memory()
    await stage.form(without=["Clear"])
    ended: list[dict[str, Any]] = []

    async def replay() -> None:
        ended.append(await stage.call("run_memory", memory=name, inputs={"client": "Initech"}))

    async with anyio.create_task_group() as group:
        group.start_soon(replay)
        with anyio.fail_after(20):
            while not (running := await stage.app.memories.use(_running)):
                await anyio.sleep(0.01)
        cancelled = await stage.call("cancel_replay", replay_id=running[0].id)

    assert cancelled["ending"] == ended[0]["ending"] == "cancelled"
    assert "may_have_changed" not in cancelled


async def test_a_text_that_was_broken_off_is_told_and_not_typed_again(stage: Stage) -> None:
    name, text = await stage.memory(), "abc " * 1500
    log = await stage.form()
    ended: list[dict[str, Any]] = []

    async def replay() -> None:
        ended.append(await stage.call("run_memory", memory=name, inputs={"client": text}))

    async with anyio.create_task_group() as group:
        group.start_soon(replay)
        with anyio.fail_after(40):
            while len(log.keys) < 5:
                await anyio.sleep(0.005)
        thief = {"log": str(stage.folder / "thief"), "out": "-", "class": "Thief", "at": [600, 300]}
        desktop = await stage.app.operator.desktop()
        env = {**os.environ, "DISPLAY": desktop.display, "XAUTHORITY": desktop.authority}
        process = await anyio.open_process([sys.executable, str(FORM), json.dumps(thief)], env=env)
    (stopped,) = ended
    process.terminate()
    await process.aclose()
    with anyio.fail_after(20):  # the form comes to its keys a little later
        while not await desktop.caught_up():
            pass
    sent = len(log.keys)
    again = [
        await stage.call("run_memory", resume=stopped["replay_id"]),
        await stage.call("plan_step", replay_id=stopped["replay_id"], resume_at=2),
        await stage.call("plan_step", replay_id=stopped["replay_id"], memory_target_id="s2"),
    ]

    assert (stopped["ending"], stopped["cause"], stopped["steps_done"]) == ("stopped", "action_failed", 1)
    assert stopped["may_have_changed"] == ["1: click Clear", "2: type the name field (in part)"]
    assert stopped["evidence"] == {"sent_in_part": 2}
    assert [one["summary"] for one in again] == [stopped["summary"]] * 3
    assert "plan_step" in stopped["summary"]
    assert len(log.keys) == sent < len(text)


def _running(store: Repository) -> list[Replay]:
    return [row for row in store.replays(limit=5) if row.ending is Ending.RUNNING]


async def test_a_recording_ends_with_its_budget(stage: Stage) -> None:
    await stage.form()
    await stage.call("start_run", goal="press a", max_steps=1)
    done = await stage.call("act", action="press", key="a")

    refused = await stage.call("act", action="press", key="b")
    finished = await stage.call("finish_run")

    assert done["status"] == "ok"
    assert (refused["status"], refused["cause"]) == ("refused", "budget_exhausted")
    assert refused["evidence"] == {"max_steps": 1}
    assert finished["steps"] == 1


async def test_a_replay_that_nobody_waits_for_stops_between_two_steps_and_can_be_resumed(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, text = await stage.memory(), "abc " * 1000 + "end"
    await stage.form()
    monkeypatch.setattr("server.replay.engine.CALL_S", 0.3)
    monkeypatch.setattr("server.replay.session.LEASE_S", 0.2)

    running = await stage.call("run_memory", memory=name, inputs={"client": text})
    waited = await stage.call("wait_replay", replay_id=running["replay_id"], seconds=0.1)
    with anyio.fail_after(40):
        while await stage.app.memories.use(_running):
            await anyio.sleep(0.01)
    monkeypatch.undo()
    stopped = await stage.call("wait_replay", replay_id=running["replay_id"])
    report = await stage.call("run_memory", resume=running["replay_id"])

    assert (running["ending"], running["next"]) == ("running", ["wait_replay"])
    assert waited["ending"] == "running"
    assert (stopped["ending"], stopped["cause"], stopped["step"]) == ("stopped", "lease_expired", 3)
    assert report["ending"] == "verified"
    assert stage.out.read_text() == text

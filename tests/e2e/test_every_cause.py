"""Every tool of the fallback after every cause: an answer or a refusal in words, never a fault of ours."""

import logging
from collections.abc import AsyncIterator
from secrets import token_hex
from typing import Any

import pytest

from actionlens.run_log import now
from ibtr.errors import RejectCause, Rejected
from memory_store.bindings import bind
from memory_store.models import ReplayId
from server.fallback import StopCause
from server.replay.aiming import Waiting
from server.replay.manners import Manners
from server.replay.session import Session
from server.replay.stopped import Stopped
from server.tokens import text_tokens
from tests.e2e.stage import Stage
from tests.e2e.test_replay_troubles import staged

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]

TOOLS: dict[str, tuple[str, dict[str, Any]]] = {
    "detail": ("rejection_detail", {}),
    "not located": ("repair_step", {"located": False}),
    "located": ("repair_step", {"located": True, "frame_id": "f0", "x": 1, "y": 1}),
    "look": ("plan_step", {}),
    "act": ("plan_step", {"action": "press", "key": "shift"}),
    "stored": ("plan_step", {"memory_target_id": "s1"}),
    "resume_at": ("plan_step", {"resume_at": 1}),
    "step verdict": ("report_verdict", {"of": "step", "status": "blocked"}),
    "goal verdict": ("report_verdict", {"of": "goal", "status": "succeeded", "goal_completed": True}),
    "resume": ("run_memory", {}),
}
CAUSES = [*RejectCause, *StopCause]


@pytest.fixture(scope="module")
async def stage(x_server: None, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """One server with one memory in use."""
    folder = tmp_path_factory.mktemp("causes")
    config = pytest.MonkeyPatch()
    config.setenv("ECHOPATH_CONFIG", str(folder / "config"))
    async with staged(folder) as stage:
        await stage.record("save_client")
        yield stage
    config.undo()


async def refused_for(stage: Stage, cause: RejectCause | StopCause) -> str:
    """A replay that was refused for a cause: by its arguments, or as a gate or a stop would have it."""
    if cause == RejectCause.PARAMETER_CONFLICT:
        report = await stage.call("run_memory", memory="save_client", inputs={"colour": "red"})
        return str(report["replay_id"])
    engine = stage.app.replaying.engine
    memory = await stage.app.memories.use(lambda store: store.get("save_client"))
    replay_id = ReplayId(f"r-{token_hex(6)}")
    session = Session(replay_id, memory, bind(memory, {"client": "Initech"}), now())
    if isinstance(cause, StopCause):
        session.stop(Stopped(cause, "as told"))
    else:
        (kind,) = [one for one in Rejected.__subclasses__() if one.cause is cause]
        session.refuse(kind("as told"))
    engine.remember(session)
    return replay_id


@pytest.mark.parametrize("name", TOOLS)
async def test_every_tool_of_the_fallback_answers_after_every_cause(
    stage: Stage, name: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    hasty = Manners(waiting=Waiting(longest_s=0.1, still_s=0.0), focus_s=0.0, artifact_s=0.0)
    monkeypatch.setattr(stage.app.replaying.engine.course, "_manners", hasty)
    tool, given = TOOLS[name]
    await stage.form(without=["Clear", "Save", "Load"])
    said: dict[str, str] = {}
    for cause in CAUSES:
        replay_id = await refused_for(stage, cause)
        named = {"resume": replay_id} if tool == "run_memory" else {"replay_id": replay_id}
        result = await stage.client.call_tool(tool, named | given)
        said[cause] = str(getattr(result.content[0], "text", ""))

    faults = [one for one in caplog.records if one.name == "echopath" and one.levelno >= logging.ERROR]
    assert faults == []
    assert not [text for text in said.values() if "Error:" in text or "Exception" in text]


async def test_what_the_arguments_ruled_out_stays_ruled_out_and_says_how_to_call_again(stage: Stage) -> None:
    log = await stage.form()
    replay_id = await refused_for(stage, RejectCause.PARAMETER_CONFLICT)

    reports = [
        await stage.call("run_memory", resume=replay_id),
        await stage.call("plan_step", replay_id=replay_id, resume_at=1),
        await stage.call("plan_step", replay_id=replay_id, memory_target_id="s1"),
    ]
    await stage.call("plan_step", replay_id=replay_id)

    assert {one["cause"] for one in reports} == {"parameter_conflict"}
    assert reports[0]["next"] == ["describe_memory", "run_memory"]
    assert 's2: type "the name field" ' in stage.text
    assert (log.clicks, log.keys) == ([], "")


@pytest.mark.parametrize("plan", [{"without": ["Clear"]}, {"look": "other"}, {"dialog_after": "Clear"}])
async def test_a_refusal_on_a_real_desktop_costs_at_most_600_tokens(
    stage: Stage, plan: dict[str, Any]
) -> None:
    await stage.memory()
    await stage.form(**plan)

    report = await stage.run(client="Initech Holdings of the Far and Middle West, limited")

    assert report["cause"]
    assert text_tokens(report) <= 600

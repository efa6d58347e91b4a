"""The whole path over MCP on real windows, and every cause provoked for real: nothing wrong is clicked."""

from collections.abc import AsyncIterator
from functools import partial
from typing import Literal

import anyio
import pytest
from click.testing import CliRunner
from mcp import Client

from ibtr.geometry import Box, Point, Size
from memory_store.gates import Gate
from memory_store.images import decode
from memory_store.ledger import Replay
from memory_store.models import Memory
from memory_store.repository import Repository
from server.build import build_app, build_server
from server.cli import cli
from server.replay.start_state import stood
from server.replay.targets import load_targets
from server.settings import Settings
from server.tokens import image_tokens
from tests.e2e.stage import SIZE, Stage

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]


@pytest.fixture(scope="module", params=["auto", "legacy"])
async def stage(
    request: pytest.FixtureRequest, x_server: None, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Stage]:
    """One server for a module, in each protocol era, with one memory in use."""
    mode: Literal["auto", "legacy"] = request.param
    folder = tmp_path_factory.mktemp("stage")
    config = pytest.MonkeyPatch()
    config.setenv("ECHOPATH_CONFIG", str(folder / "config"))
    (folder / "config").mkdir()
    app = build_app(Settings(home=folder / "home", desktop="virtual", screen=SIZE, agent="test"))
    async with Client(build_server(app), mode=mode) as client:
        stage = Stage(app, client, folder)
        await stage.record("save_client")
        yield stage
    config.undo()


async def test_the_tool_appears_and_runs_elsewhere_with_another_value(stage: Stage) -> None:
    await stage.memory()
    listed = {tool.name: tool for tool in (await stage.client.list_tools()).tools}
    await (await stage.app.operator.desktop()).resize(Size(1024, 768))
    log = await stage.form(at=[420, 300])

    report = await stage.run(client="Initech")
    await (await stage.app.operator.desktop()).resize(SIZE)

    assert listed[stage.name].input_schema["properties"].keys() == {"client"}
    assert report["ending"] == "verified"
    assert stage.out.read_text() == "Initech"
    assert log.clicks == ["Clear", "Save"]


async def test_an_artifact_that_is_written_late_is_waited_for(stage: Stage) -> None:
    await stage.memory()
    await stage.form(late_s=1.0)

    report = await stage.run(client="Initech")

    assert report["ending"] == "verified"
    assert stage.out.read_text() == "Initech"


async def test_a_target_that_is_gone_is_not_clicked(stage: Stage) -> None:
    await stage.memory()
    log = await stage.form(without=["Clear"])

    report = await stage.run(client="Initech")

    assert (report["ending"], report["cause"], report["step"]) == ("rejected", "missing_target", 1)
    assert report["next"] == ["rejection_detail", "repair_step"]
    assert log.clicks == []
    assert log.keys == ""


async def test_the_page_of_a_refusal_shows_the_screen_of_then_and_the_recorded_target(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.memory()
    await stage.form(without=["Clear"])
    report = await stage.run(client="Initech")
    page = stage.folder / "refused.html"
    monkeypatch.setenv("ECHOPATH_HOME", str(stage.folder / "home"))

    done = CliRunner().invoke(cli, ["report", report["replay_id"], "--html", str(page)])

    text = page.read_text()
    assert done.exit_code == 0
    assert page.stat().st_mode & 0o777 == 0o600
    assert text.count("data:image/jpeg") == 1
    assert text.count("data:image/png") == 1
    assert "the screen at the refusal: Form" in text
    assert "the target as it was recorded" in text
    assert "{" not in text.partition("<pre>")[2].partition("</pre>")[0]


async def test_a_target_that_is_there_twice_is_not_clicked(stage: Stage) -> None:
    await stage.memory()
    log = await stage.form(twice=["Clear", "Save", "Load", "Quit"])

    report = await stage.run(client="Initech")

    assert (report["ending"], log.clicks) in (("rejected", []), ("verified", ["Clear", "Save"]))
    assert report.get("cause") in ("ambiguous_target", "missing_target", None)


async def test_another_application_in_front_is_refused(stage: Stage) -> None:
    await stage.memory()
    desktop = await stage.app.operator.desktop()
    log = await stage.form()
    await desktop.launch(["galculator"], env={"HOME": str(stage.folder)})
    with anyio.fail_after(20):
        while (window := (await desktop.capture()).window) is None or window.title == "Form":
            await anyio.sleep(0.02)

    report = await stage.run(client="Initech")

    assert (report["ending"], report["cause"]) == ("rejected", "state_mismatch")
    assert log.clicks == []


async def test_a_dialog_on_top_is_refused(stage: Stage) -> None:
    await stage.memory()
    log = await stage.form(dialog=True)

    report = await stage.run(client="Initech")

    assert report["ending"] == "rejected"
    assert report["cause"] in ("missing_target", "state_mismatch")
    assert log.clicks == []


async def test_keys_do_not_go_to_a_window_that_took_the_focus(stage: Stage) -> None:
    await stage.memory()
    log = await stage.form(thief_after="Clear")

    report = await stage.run(client="Initech")

    assert report["ending"] == "stopped"
    assert report["cause"] in ("focus_drift", "contradicted_transition")
    assert report["may_have_changed"] == ["1: click Clear"]
    assert log.keys == ""


async def test_what_comes_to_the_front_after_the_last_step_is_left_to_the_evaluator(stage: Stage) -> None:
    await stage.memory()
    await stage.form(thief_after="Save")

    report = await stage.run(client="Initech")

    assert report["ending"] == "verified"


async def test_an_unexpected_window_of_the_same_application_stops_before_the_keys(stage: Stage) -> None:
    await stage.memory()
    log = await stage.form(dialog_after="Clear")

    report = await stage.run(client="Initech")

    assert (report["ending"], report["cause"]) == ("stopped", "contradicted_transition")
    assert log.keys == ""


async def test_an_undeclared_argument_is_a_conflict(stage: Stage) -> None:
    await stage.memory()
    log = await stage.form()

    report = await stage.call("run_memory", memory=stage.name, inputs={"client": "a", "colour": "red"})

    assert (report["ending"], report["cause"]) == ("rejected", "parameter_conflict")
    assert report["evidence"]["problems"][0]["input"] == "colour"
    assert log.clicks == []


async def test_what_the_policy_refuses_is_unsafe(stage: Stage) -> None:
    await stage.memory()
    log = await stage.form()
    policy = stage.folder / "config" / "policy.toml"
    policy.write_text('applications_refused = ["Form"]\n')

    report = await stage.run(client="Initech")
    policy.unlink()

    assert (report["ending"], report["cause"]) == ("rejected", "unsafe_action")
    assert log.clicks == []


async def test_a_host_repairs_a_step_and_the_repair_becomes_a_branch(stage: Stage) -> None:
    await stage.memory()
    parent = await stage.app.memories.use(lambda store: store.get(stage.name))
    log = await stage.form(look="other")
    refused = await stage.run(client="Initech")
    assert refused["cause"] == "missing_target"

    report = refused
    for button in ("Clear", "Save"):
        await stage.call("rejection_detail", replay_id=report["replay_id"])
        assert '"next": ["repair_step"' in stage.text  # more where this memory was quarantined
        assert len(stage.images) == 2
        frame_id = stage.facts["frame_id"].split()[0]
        where = await stage.aim(button)
        report = await stage.call(
            "repair_step",
            replay_id=report["replay_id"],
            located=True,
            frame_id=frame_id,
            x=where["x"],
            y=where["y"],
            reason=f"the button that says {button.upper()}",
        )

    assert report["ending"] == "verified"
    assert stage.out.read_text() == "Initech"
    assert log.clicks == ["Clear", "Save"]
    branch = await stage.app.memories.use(lambda store: store.get(report["evidence"]["repaired_branch"]))
    assert branch.lifecycle.value == "candidate"
    assert (await stage.app.memories.use(lambda store: store.get(stage.name))).steps == parent.steps
    for index in (0, 2):  # the frame of a mended step is the screen that its crops were cut from
        assert await stage.app.memories.use(partial(_stands_on_its_frame, branch, index))
        assert branch.steps[index].evidence.frames["before"] != parent.steps[index].evidence.frames["before"]
    row = await stage.app.memories.use(lambda store: store.replay(report["replay_id"]))
    assert row is not None
    assert _phases_s(row) == pytest.approx(row.detail["wall_s"], abs=0.01)
    assert row.host_tokens > 4 * image_tokens(Size(1280, 720))  # two looks, with two pictures each


def _phases_s(row: Replay) -> float:
    phases = row.detail["phases_s"]
    assert isinstance(phases, dict)
    return sum(float(str(one)) for one in phases.values())


def _stands_on_its_frame(memory: Memory, index: int, store: Repository) -> bool:
    evidence = memory.steps[index].evidence
    assert evidence.point_px is not None
    assert evidence.box_px is not None
    kept, target = evidence.frames["before"], load_targets(memory, store.blob)[index][0]
    boxed = Box(*evidence.box_px).contains(Point(*evidence.point_px))
    return boxed and stood(target, decode(store.blob(kept.sha256), kept.media_type))


async def test_a_repair_in_a_window_behind_is_refused_until_that_window_is_brought_forward(
    stage: Stage,
) -> None:
    await stage.memory()
    log = await stage.form(look="other")
    replay_id = (await stage.run(client="Initech"))["replay_id"]
    clear, blank = await stage.aim("Clear"), await stage.aim("Load")
    await stage.another_window(at=[700, 420], look="other")

    async def repair(place: dict[str, int], **more: str) -> dict[str, object]:
        await stage.call("rejection_detail", replay_id=replay_id)
        frame_id = stage.facts["frame_id"].split()[0]
        return {"replay_id": replay_id, "located": True, **place, "frame_id": frame_id, **more}

    elsewhere = await stage.refusal("repair_step", **await repair(clear) | {"frame_id": clear["frame_id"]})
    unknown = await stage.refusal("repair_step", **await repair(clear) | {"frame_id": "f0"})
    refusal = await stage.refusal("repair_step", **await repair(clear))
    before = list(log.clicks)
    await stage.call("repair_step", **await repair(blank, role="repair_action"))
    await stage.call("repair_step", **await repair(clear))

    for wrong in (elsewhere, unknown):
        assert "call rejection_detail" in wrong
    assert refusal.startswith("x, y: ")
    assert "repair_action" in refusal
    assert before == []
    assert log.clicks == ["Load", "Clear"]


async def test_a_step_is_repaired_at_most_twice(stage: Stage) -> None:
    await stage.memory()
    await stage.form(without=["Clear"])
    report = await stage.run(client="Initech")
    await stage.call("rejection_detail", replay_id=report["replay_id"])

    given_up = await stage.call("repair_step", replay_id=report["replay_id"], located=False)
    refusal = await stage.refusal(
        "repair_step", replay_id=report["replay_id"], located=True, frame_id="f0", x=1, y=1
    )

    assert given_up["next"] == ["rejection_detail", "plan_step"]
    assert "plan_step" in refusal


async def test_a_host_plans_around_a_dialog_and_the_replay_goes_on(stage: Stage) -> None:
    await stage.memory()
    log = await stage.form(dialog=True)
    report = await stage.run(client="Initech")
    assert report["ending"] == "rejected"
    await stage.call("plan_step", replay_id=report["replay_id"])
    where = await stage.aim("Clear")

    await stage.call("plan_step", replay_id=report["replay_id"], action="click", target="the tip", **where)
    done = await stage.call("plan_step", replay_id=report["replay_id"], resume_at=1)

    assert done["ending"] == "verified"
    assert stage.out.read_text() == "Initech"
    assert log.clicks == ["Clear", "Save"]


async def test_a_budget_stops_between_two_steps_and_the_replay_can_be_resumed(stage: Stage) -> None:
    await stage.memory()
    log = await stage.form()

    stopped = await stage.call("run_memory", memory=stage.name, inputs={"client": "Initech"}, max_steps=1)
    done_before = list(log.clicks)
    done = await stage.call("run_memory", resume=stopped["replay_id"])

    assert (stopped["ending"], stopped["cause"], stopped["step"]) == ("stopped", "budget_exhausted", 2)
    assert done_before == ["Clear"]
    assert done["ending"] == "verified"
    assert stage.out.read_text() == "Initech"


async def test_the_ledger_accounts_for_the_whole_time(stage: Stage) -> None:
    await stage.memory()
    await stage.form()

    report = await stage.run(client="Initech")

    row = await stage.app.memories.use(lambda store: store.replay(report["replay_id"]))
    assert row is not None
    assert _phases_s(row) == pytest.approx(row.detail["wall_s"], abs=0.01)
    assert row.detail["re_aimed"] == 2
    assert row.events_sent == 3


async def test_every_gate_is_named_in_the_ledger_in_its_order(stage: Stage) -> None:
    await stage.memory()
    await stage.form()

    report = await stage.run(client="Initech")

    row = await stage.app.memories.use(lambda store: store.replay(report["replay_id"]))
    assert row is not None
    gates = row.detail["gates"]
    assert isinstance(gates, list)
    assert [str(one).partition(":")[0] for one in gates][: len(Gate)] == [gate.value for gate in Gate]
    assert "intent: passed by choice" in gates
    assert "start, target 1: there" in gates

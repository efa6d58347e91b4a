"""The whole path over MCP on real windows, and every cause provoked for real: nothing wrong is clicked."""

import anyio
import pytest
from click.testing import CliRunner

from ibtr.geometry import Size
from memory_store.gates import Gate
from server.cli import cli
from tests.e2e.stage import SIZE, Stage, phases_s

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]


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


async def test_it_runs_again_and_again_in_the_window_that_it_has_left(stage: Stage) -> None:
    await stage.memory()
    log = await stage.form()

    reports = [await stage.run(client=name) for name in ("Initech", "Umbrella", "Wayne and Sons")]

    assert [report["ending"] for report in reports] == ["verified"] * 3, reports[-1]
    assert stage.out.read_text() == "Wayne and Sons"
    assert log.clicks == ["Clear", "Save"] * 3


async def test_an_artifact_that_is_written_late_is_waited_for(stage: Stage) -> None:
    await stage.memory()
    await stage.form(late_s=1.0)

    report = await stage.run(client="Initech")

    assert report["ending"] == "verified"
    assert stage.out.read_text() == "Initech"


async def test_a_program_that_is_busy_with_its_last_click_is_waited_for(stage: Stage) -> None:
    await stage.memory()
    await stage.form(busy_s=6.0)

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
    log = await stage.form(whole_twice=220, height=440)

    report = await stage.run(client="Initech")

    assert (report["ending"], report["cause"], report["step"]) == ("rejected", "ambiguous_target", 1)
    assert report["evidence"]["margin"] < 0.02
    assert report["next"] == ["rejection_detail", "repair_step"]
    assert (log.clicks, log.keys) == ([], "")


async def test_a_target_whose_twin_stands_in_other_surroundings_is_not_clicked_either(stage: Stage) -> None:
    await stage.memory()
    log = await stage.form(twice=["Clear", "Save", "Load", "Quit"])

    report = await stage.run(client="Initech")

    assert report["ending"] == "rejected"
    assert report["cause"] in ("ambiguous_target", "missing_target")
    assert log.clicks == []


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


async def test_a_budget_stops_between_two_steps_and_the_replay_can_be_resumed(stage: Stage) -> None:
    await stage.memory()
    log = await stage.form()

    stopped = await stage.call("run_memory", memory=stage.name, inputs={"client": "Initech"}, max_steps=1)
    done_before = list(log.clicks)
    again = await stage.call("run_memory", resume=stopped["replay_id"])
    done = await stage.call("run_memory", resume=stopped["replay_id"], max_steps=2)

    for out_of_steps in (stopped, again):  # its budget stays its own until it is given more
        assert (out_of_steps["ending"], out_of_steps["cause"]) == ("stopped", "budget_exhausted")
        assert out_of_steps["step"] == 2
    assert done_before == ["Clear"]
    assert done["ending"] == "verified"
    assert stage.out.read_text() == "Initech"


async def test_the_ledger_accounts_for_the_whole_time(stage: Stage) -> None:
    await stage.memory()
    await stage.form()

    report = await stage.run(client="Initech")

    row = await stage.app.memories.use(lambda store: store.replay(report["replay_id"]))
    assert row is not None
    assert phases_s(row) == pytest.approx(row.detail["wall_s"], abs=0.01)
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

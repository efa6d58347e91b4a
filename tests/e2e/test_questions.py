"""A button that answers a question is clicked where that very question is asked, and nowhere else."""

import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from server.build import build_app, build_server
from server.settings import Settings
from tests.e2e.stage import SIZE, Log, Stage

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]

ASKING = Path(__file__).parent.parent / "desktop" / "asking.py"
DELETE, YES, IN_SHEET = (70, 317), (295, 99), (385, 159)


@pytest.fixture(scope="module")
async def stage(x_server: None, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """One server, with a memory for a dialog, one for a sheet, and one whose question reads an input."""
    folder = tmp_path_factory.mktemp("questions")
    config = pytest.MonkeyPatch()
    config.setenv("ECHOPATH_CONFIG", str(folder / "config"))
    app = build_app(Settings(home=folder / "home", desktop="virtual", screen=SIZE, agent="test"))
    async with Client(build_server(app)) as client:
        yield Stage(app, client, folder)
    config.undo()


async def asking(stage: Stage, question: str, **plan: Any) -> Log:
    """The window that asks, alone and in front."""
    stage.count += 1
    log = Log(stage.folder / f"asking-{stage.count}.jsonl")
    desktop = await stage.app.operator.desktop()
    await desktop.end_programs()
    stage.out.unlink(missing_ok=True)
    whole = {"log": str(log.path), "out": str(stage.out), "question": question, **plan}
    await desktop.launch([sys.executable, str(ASKING), json.dumps(whole)])
    await log.until("shown")
    with anyio.fail_after(20):
        while (window := (await desktop.capture()).window) is None or window.title != "Orders":
            await anyio.sleep(0.01)
    return log


async def record(
    stage: Stage, name: str, question: str, yes: tuple[int, int], *, then: str = "", **plan: Any
) -> None:
    """[Type a name,] Delete, Yes[, a key]: a memory of that, in use; once."""
    if name in [tool.name for tool in (await stage.client.list_tools()).tools]:
        return
    log = await asking(stage, question, **plan)
    typed = "{}" in question
    check = {"kind": "file_exists", "path": str(stage.out)}
    await stage.call("start_run", goal="Delete what is selected", evaluator=check)
    if typed:
        await stage.call("act", action="type", text="notes.txt", target="the field")
    await _click(stage, "Delete", DELETE)
    await _asked(stage, log, "Orders" if plan.get("sheet") else "Confirm")
    await _click(stage, "Yes", yes)
    if then:
        await stage.call("act", action="press", key=then)
    finished = await stage.call("finish_run", evaluator=check)
    inputs = [{"action_index": 0, "name": "file", "description": "Which."}] if typed else []
    selection = {
        "selected_step_ids": [1, 2, 3][: 2 + typed + bool(then)],
        "flexible_inputs": inputs,
        "task_intent": f"Delete what is selected, {name}",
        "query_phrases": [f"{name} please"],
        "viable": True,
        "recommendation": "promote",
        "tool_name": name,
        "evaluator": check,
    }
    made = await stage.call("consolidate_run", run_id=finished["run_id"], selection=selection)
    await stage.call("promote_memory", memory=made["memory"])


async def _asked(stage: Stage, log: Log, title: str) -> None:
    """Until the question is drawn, in the window that is in front."""
    desktop = await stage.app.operator.desktop()
    draws = 1 if title == "Orders" else 2  # once more when the dialog is on the screen
    with anyio.fail_after(20):
        while [one["event"] for one in log.events].count("asked") < draws:
            await anyio.sleep(0.01)
        while (window := (await desktop.capture()).window) is None or window.title != title:
            await anyio.sleep(0.01)


async def _click(stage: Stage, target: str, at: tuple[int, int]) -> None:
    await stage.call("observe")
    left, top = (int(part) for part in stage.facts["window at"].split()[0].split(","))
    where = {"frame_id": stage.facts["frame_id"], "x": left + at[0], "y": top + at[1]}
    await stage.call("act", action="click", target=target, **where)


ASKED = "Do you want to approve the order 'notes.txt'?"


@pytest.mark.parametrize(
    ("sheet", "question"),
    [
        (False, ASKED),
        (False, ASKED.replace("approve", "delete")),
        (True, ASKED),
        (True, ASKED.replace("notes", "notez")),
    ],
    ids=["dialog", "dialog with another word", "sheet", "sheet with another letter"],
)
async def test_only_the_question_that_was_recorded_is_answered(
    stage: Stage, sheet: bool, question: str
) -> None:
    name = "approve_in_sheet" if sheet else "approve_in_dialog"
    await record(stage, name, ASKED, IN_SHEET if sheet else YES, sheet=sheet)
    log = await asking(stage, question, sheet=sheet, deaf_s=0.5)  # as browsers are: nobody has read it yet

    report = await stage.call(name)

    if question == ASKED:
        assert report["ending"] == "verified"
        assert log.clicks == ["Delete", "Yes"]
    else:
        assert (report["ending"], report["cause"], report["step"]) == ("stopped", "missing_target", 2)
        assert "the dialog says something else than recorded" in report["summary"]
        assert log.clicks == ["Delete"]


async def test_a_question_may_read_an_input(stage: Stage) -> None:
    await record(stage, "delete_file", "Do you want to delete the file {}?", YES)
    log = await asking(stage, "Do you want to delete the file {}?")

    report = await stage.call("delete_file", file="invoice.txt")

    assert report["ending"] == "verified"
    assert log.clicks == ["Delete", "Yes"]
    assert stage.out.read_text() == "Do you want to delete the file invoice.txt?"


async def test_a_dialog_that_does_not_close_is_no_success_and_not_clicked_twice(stage: Stage) -> None:
    await record(stage, "approve_and_go_on", ASKED, IN_SHEET, then="home", sheet=True)
    log = await asking(stage, ASKED, sheet=True, deaf=True)

    report = await stage.call("approve_and_go_on")

    assert (report["ending"], report["cause"]) == ("stopped", "contradicted_transition")
    assert (report["evidence"]["kind"], report["evidence"]["after_step"]) == ("dialog", 2)
    assert log.clicks == ["Delete", "Yes"]

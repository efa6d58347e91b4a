"""Menus that slide and windows that glide: what is clicked is what was meant, or nothing is."""

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

DRAWER = Path(__file__).parent.parent / "desktop" / "drawer.py"


@pytest.fixture(scope="module")
async def stage(x_server: None, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """One server with one memory: Open, then Print, recorded on a menu that is there at once."""
    folder = tmp_path_factory.mktemp("moving")
    config = pytest.MonkeyPatch()
    config.setenv("ECHOPATH_CONFIG", str(folder / "config"))
    app = build_app(Settings(home=folder / "home", desktop="virtual", screen=SIZE, agent="test"))
    async with Client(build_server(app)) as client:
        stage = Stage(app, client, folder)
        await record(stage)
        yield stage
    config.undo()


async def drawer(stage: Stage, how: str, **plan: Any) -> Log:
    """The drawer, alone and in front."""
    stage.count += 1
    log = Log(stage.folder / f"drawer-{stage.count}.jsonl")
    desktop = await stage.app.operator.desktop()
    await desktop.end_programs()
    stage.out.unlink(missing_ok=True)
    whole = {"log": str(log.path), "out": str(stage.out), "how": how, **plan}
    await desktop.launch([sys.executable, str(DRAWER), json.dumps(whole)])
    await log.until("shown")
    with anyio.fail_after(20):
        while (window := (await desktop.capture()).window) is None or window.title != "Drawer":
            await anyio.sleep(0.01)
    return log


async def record(stage: Stage) -> None:
    await drawer(stage, "still")
    check = {"kind": "file_equals", "path": str(stage.out), "equals": "printed"}
    await stage.call("start_run", goal="Print from the menu", evaluator=check)
    for x, y, target in ((70, 29, "Open"), (130, 350, "Print")):
        await stage.call("observe")
        left, top = (int(part) for part in stage.facts["window at"].split()[0].split(","))
        at = {"frame_id": stage.facts["frame_id"], "x": left + x, "y": top + y}
        await stage.call("act", action="click", target=target, **at)
    run = await stage.call("finish_run", evaluator=check)
    await stage.call("consolidate_run", run_id=run["run_id"])
    selection = {
        "selected_step_ids": [1, 2],
        "task_intent": "Print from the menu of the drawer",
        "query_phrases": ["print"],
        "viable": True,
        "recommendation": "promote",
        "tool_name": "print_from_menu",
        "evaluator": check,
    }
    made = await stage.call("consolidate_run", run_id=run["run_id"], selection=selection)
    await stage.call("promote_memory", memory=made["memory"])


@pytest.mark.parametrize("picture_s", [0.004, 0.016, 0.033])
@pytest.mark.parametrize("how", ["slides", "glides"])
async def test_what_comes_moving_is_clicked_once_it_rests(stage: Stage, how: str, picture_s: float) -> None:
    log = await drawer(stage, how, picture_s=picture_s, at=[60, 140])

    report = await stage.call("print_from_menu")

    assert log.clicks == ["Open", "Print"]
    assert report["ending"] == "verified"


async def test_in_a_menu_that_swings_for_ever_nothing_else_is_hit(stage: Stage) -> None:
    log = await drawer(stage, "swings", at=[60, 140])

    report = await stage.call("print_from_menu")

    assert log.clicks in (["Open"], ["Open", "Print"])
    assert report["ending"] in ("stopped", "verified")

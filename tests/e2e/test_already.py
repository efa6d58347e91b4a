"""A switch that is on already is not switched off by the click that once switched it on."""

from collections.abc import AsyncIterator

import pytest
from mcp import Client

from actionlens.actions import Move
from server.build import build_app, build_server
from server.settings import Settings
from tests.e2e.stage import BUTTON, SIZE, Stage

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]


Look = dict[str, bool]


@pytest.fixture(scope="module", params=[{}, {"ticks": True}], ids=["stays pressed", "has a box"])
def look(request: pytest.FixtureRequest) -> Look:
    """How the switch shows that it is on: found in either look, or only in the one that it has."""
    found: Look = request.param
    return found


@pytest.fixture(scope="module")
async def stage(x_server: None, tmp_path_factory: pytest.TempPathFactory, look: Look) -> AsyncIterator[Stage]:
    """One server with a memory that switches something on, and saves."""
    folder = tmp_path_factory.mktemp("already")
    config = pytest.MonkeyPatch()
    config.setenv("ECHOPATH_CONFIG", str(folder / "config"))
    app = build_app(Settings(home=folder / "home", desktop="virtual", screen=SIZE, agent="test"))
    async with Client(build_server(app)) as client:
        stage = Stage(app, client, folder)
        await _record(stage, look)
        yield stage
    config.undo()


async def _record(stage: Stage, look: Look) -> None:
    check = {"kind": "file_equals", "path": str(stage.out), "equals": "on"}
    await stage.form(switch="off", **look)
    await stage.call("start_run", goal="Switch clearing on", evaluator=check)
    await stage.call("act", action="click", target="Clear", **await stage.aim("Clear"))
    await stage.call("act", action="click", target="Save", **await stage.aim("Save"))
    finished = await stage.call("finish_run", evaluator=check)
    selection = {
        "selected_step_ids": [1, 2],
        "task_intent": "Switch clearing on, and save",
        "query_phrases": ["clear from now on"],
        "viable": True,
        "recommendation": "promote",
        "tool_name": "switch_on",
        "evaluator": check,
    }
    await stage.call("consolidate_run", run_id=finished["run_id"], selection=selection)
    await stage.call("promote_memory", memory="switch_on")


async def test_a_switch_that_is_off_is_switched_on_and_left_on_by_the_next_run(
    stage: Stage, look: Look
) -> None:
    """The pointer still rests on the last button then, and the keyboard too: that one is clicked again."""
    log = await stage.form(switch="off", **look)

    first = await stage.call("switch_on")
    after_one = [*log.clicks]
    second = await stage.call("switch_on")

    assert (first["ending"], after_one) == ("verified", ["Clear", "Save"])
    assert (second["ending"], log.clicks[2:]) == ("verified", ["Save"])
    assert "step 1 left out" in second["summary"]
    assert stage.out.read_text() == "on"


async def test_a_switch_under_the_pointer_is_looked_at_without_it(stage: Stage, look: Look) -> None:
    log = await stage.form(switch="on", **look)
    desktop = await stage.app.operator.desktop()
    window = (await desktop.capture()).window
    assert window is not None
    at = BUTTON["Clear"]
    await desktop.perform(Move(x=round(window.box.x + at.x), y=round(window.box.y + at.y)))

    report = await stage.call("switch_on")

    assert (report["ending"], log.clicks) == ("verified", ["Save"])
    assert stage.out.read_text() == "on"

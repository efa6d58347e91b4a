"""Recorded through the tools on a real application, checked, consolidated, promoted: then it is a tool."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, types

from ibtr.geometry import Size
from memory_store.repository import Repository
from server.app import App
from server.build import build_app, build_server
from server.settings import Settings
from tests.conftest import Screen
from tests.server.conftest import ask, refusal, text_of
from tests.server.played import Played

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]
PHONE = "555-0199"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("ECHOPATH_CONFIG", str(tmp_path / "config"))
    return Settings(home=tmp_path / "home", desktop="virtual", screen=Size(1280, 800))


@pytest.fixture
def app(settings: Settings) -> App:
    return build_app(settings, Played())


@pytest.fixture
def era() -> Any:
    return "auto"


@pytest.fixture
async def client(app: App, era: Any, x_server: None) -> AsyncIterator[Client]:
    async with Client(build_server(app), mode=era) as connected:
        yield connected


@pytest.fixture
async def note(app: App, client: Client, tmp_path: Path) -> Path:
    """An empty file, open in Mousepad."""
    file = tmp_path / "note.txt"
    file.touch()
    folder = tmp_path / "screen"
    folder.mkdir()
    await Screen(await app.operator.desktop(), folder).mousepad(file)
    return file


async def _write(client: Client, note: Path) -> None:
    """What a host does by hand: look, click into the page, type, save."""
    seen = text_of(await client.call_tool("observe", {}))
    frame_id = seen.split("frame_id: ")[1].split()[0]
    left, top = map(int, seen.split("window at: ")[1].split()[0].split(","))
    page = {"x": left + 200, "y": top + 150, "frame_id": frame_id}
    await ask(client, "act", action="click", target="the page", **page)
    await ask(client, "act", action="type", text=PHONE, target="the page", expect="the number is there")
    await ask(client, "act", action="hotkey", keys=["ctrl", "s"])
    with anyio.fail_after(20):
        while not _count(note):
            await anyio.sleep(0.02)


def _count(note: Path) -> int:
    return note.read_text().count(PHONE)


def _selection(steps: list[dict[str, Any]]) -> dict[str, Any]:
    ids = [step["id"] for step in steps]
    return {
        "selected_step_ids": ids,
        "flexible_inputs": [
            {"action_index": 1, "name": "phone", "kind": "text", "description": "the number to write"}
        ],
        "task_intent": "Write a phone number into the note",
        "query_phrases": ["put a phone number into the note"],
        "tool_name": "write_phone",
        "viable": True,
        "recommendation": "promote",
        "summary": "click, type, save",
    }


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_a_recorded_run_becomes_a_typed_tool(client: Client, app: App, note: Path) -> None:
    check = {"kind": "file_contains", "path": str(note), "contains": "{phone}"}
    started = await ask(
        client,
        "start_run",
        goal="Write a phone number into the note",
        evaluator=check,
        inputs={"phone": PHONE},
    )
    assert started["before"]["outcome"] == "failed"

    await _write(client, note)
    finished = await ask(client, "finish_run", outputs=[str(note)])
    assert finished["verdict"]["outcome"] == "passed"
    assert finished["steps"] == 3

    read = await ask(client, "consolidate_run", run_id=finished["run_id"])
    assert read["how"].startswith("Turn this recorded run into a memory")
    assert [step["do"].split()[0] for step in read["steps"]] == ["click", "type", "hotkey"]
    assert read["evaluator"] == check

    wrong = await refusal(
        client, "consolidate_run", run_id=finished["run_id"], selection={"selected_step_ids": [99]}
    )
    assert {"selected_step_ids", "task_intent", "viable"} <= {
        line.split(":")[0].split(".")[1] for line in wrong.splitlines()
    }

    made = await ask(
        client, "consolidate_run", run_id=finished["run_id"], selection=_selection(read["steps"])
    )
    assert made["state"] == "candidate"
    assert made["blockers"] == []
    assert made["verdict"]["outcome"] == "passed"

    promoted = await ask(client, "promote_memory", memory="write_phone")
    assert promoted["promoted"] is True
    tool = {one.name: one for one in (await client.list_tools()).tools}["write_phone"]
    assert tool.input_schema["properties"]["phone"]["default"] == PHONE
    assert (await ask(client, "write_phone", phone="555-0000"))["ending"] == "verified"

    shown = await client.call_tool("describe_memory", {"memory": "write_phone", "preview": True})
    assert [type(block) for block in shown.content] == [types.TextContent, types.ImageContent]
    assert "2. type {phone}" in text_of(shown)
    assert "nothing was touched" in text_of(shown)
    assert _count(note) == 1


@pytest.mark.parametrize("era", ["legacy"])
async def test_the_last_acts_are_kept_though_nobody_said_start(
    client: Client, app: App, note: Path, settings: Settings
) -> None:
    nothing = await ask(client, "finish_run")
    await ask(client, "act", action="wait", seconds=0.01)
    await _write(client, note)

    check = {"kind": "file_contains", "path": str(note), "contains": PHONE}
    kept = await ask(client, "finish_run", last=3, goal="Write a number", evaluator=check)
    read = await ask(client, "consolidate_run", run_id=kept["run_id"])
    made = await ask(client, "consolidate_run", run_id=kept["run_id"], selection=_selection(read["steps"]))
    refused = await ask(client, "promote_memory", memory="write_phone")
    await anyio.Path(note).write_text("as it was before")
    promoted = await ask(client, "promote_memory", memory="write_phone", check_again=True)

    assert nothing["run_id"] is None
    assert [one["code"] for one in refused["blockers"]] == ["before_unknown"]
    assert promoted["promoted"] is True
    assert kept["steps"] == 3
    assert read["goal"] == "Write a number"
    assert len(read["steps"]) == 3
    assert any("nobody looked before" in text for text in made["warnings"])
    assert any("uses no input" in text for text in made["warnings"])
    with Repository(settings.home) as store:
        assert store.get("write_phone").keys.task_intent == "Write a phone number into the note"


async def test_what_was_already_true_cannot_promote(client: Client, app: App, note: Path) -> None:
    check = {"kind": "file_exists", "path": str(note)}
    started = await ask(client, "start_run", goal="Write a number", evaluator=check)

    await _write(client, note)
    finished = await ask(client, "finish_run")
    read = await ask(client, "consolidate_run", run_id=finished["run_id"])
    made = await ask(
        client, "consolidate_run", run_id=finished["run_id"], selection=_selection(read["steps"])
    )
    refused = await ask(client, "promote_memory", memory="write_phone")

    assert "warning" in started
    assert (await ask(client, "start_run", goal="One more")).keys() == {"run_id", "note", "next"}
    assert finished["run_id"] not in (await ask(client, "start_run", goal="Another"))["finished"]
    assert finished["verdict"]["already_true"] is True
    assert made["next"] == ["review_memory"]
    assert [one["code"] for one in refused["blockers"]] == ["already_true"]

import base64
import json
from pathlib import Path

import pytest
from mcp import Client, MCPError, types

from actionlens.actions import Click, Type
from memory_store.quarantine import Ending
from memory_store.repository import Repository
from server.settings import Settings
from tests.memory_store.making import add_active, later, replay
from tests.memory_store.recording import Recording, words

pytestmark = pytest.mark.anyio


def _record(runs: Path) -> str:
    recording = Recording(runs, goal="Write a word")
    recording.do(Click(x=40, y=50), words("A", 20, 40), target="the page")
    recording.do(Type(text="hello"), words("hello", 20, 80))
    return recording.read().manifest.run_id


async def _json(client: Client, uri: str) -> dict[str, object]:
    content = (await client.read_resource(uri)).contents[0]
    assert isinstance(content, types.TextResourceContents)
    data: dict[str, object] = json.loads(content.text)
    return data


async def test_memories_runs_and_replays_are_listed_and_read(
    client: Client, store: Repository, settings: Settings
) -> None:
    memory = add_active(store)
    store.record_replay(replay(memory.id, 1, Ending.VERIFIED), at=later(3))
    run = _record(settings.runs)

    uris = [one.uri for one in (await client.list_resources()).resources]

    assert uris == [
        f"echopath://memories/{memory.id}",
        "echopath://replays/replay-0001",
        f"echopath://runs/{run}",
    ]
    assert (await _json(client, uris[0]))["tool_name"] == "update_phone"
    assert (await _json(client, uris[1]))["ending"] == "verified"
    steps = (await _json(client, uris[2]))["steps"]
    assert isinstance(steps, list) and len(steps) == 2


async def test_evidence_comes_back_byte_for_byte(
    client: Client, store: Repository, settings: Settings
) -> None:
    memory = add_active(store)
    ref = next(iter(memory.steps[0].evidence.anchors[0].blobs.values()))
    run = _record(settings.runs)
    steps = (await _json(client, f"echopath://runs/{run}"))["steps"]
    assert isinstance(steps, list)

    blob = (await client.read_resource(f"echopath://blobs/{ref.sha256}")).contents[0]
    frame = (await client.read_resource(f"echopath://runs/{run}/frames/{steps[0]['before']}")).contents[0]

    assert isinstance(blob, types.BlobResourceContents)
    assert base64.b64decode(blob.blob) == store.blob(ref.sha256)
    assert isinstance(frame, types.BlobResourceContents)
    assert base64.b64decode(frame.blob).startswith(b"\x89PNG")


async def test_the_templates_say_what_can_be_read(client: Client) -> None:
    templates = (await client.list_resource_templates()).resource_templates

    kinds = {one.uri_template.split("/")[2] for one in templates}
    assert kinds == {"memories", "runs", "replays", "blobs"}


@pytest.mark.parametrize(
    "uri",
    [
        "echopath://memories/no_such_memory",
        "echopath://runs/../../etc",
        "echopath://runs/20200101-000000-abcdef",
        "echopath://replays/none",
        "echopath://blobs/" + "0" * 64,
        "echopath://blobs/" + "0" * 64 + "/frames/" + "0" * 64,
        "file:///etc/passwd",
        "echopath://secrets/x",
    ],
)
async def test_what_is_not_there_is_refused_by_name(client: Client, uri: str) -> None:
    with pytest.raises(MCPError, match="uri"):
        await client.read_resource(uri)


async def test_what_is_too_large_is_not_sent(client: Client, store: Repository, settings: Settings) -> None:
    with store.writing() as keeper:
        sha256 = keeper.keep(b"\0" * 5_000_000)

    with pytest.raises(MCPError, match="5000000 bytes"):
        await client.read_resource(f"echopath://blobs/{sha256}")

"""The main paths through a real `echopath serve` process, in both eras."""

import os
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters

from memory_store.repository import Repository
from tests.memory_store.making import add_active
from tests.server.conftest import ask, text_of
from tests.server.processes import ECHOPATH, environment

pytestmark = pytest.mark.anyio


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Repository(tmp_path / "home") as opened:
        yield opened


@pytest.fixture
def heard() -> list[str]:
    return []


@pytest.fixture
async def serving(tmp_path: Path, era: Any, heard: list[str]) -> AsyncIterator[Client]:
    async def hear(message: Any) -> None:
        heard.append(getattr(message, "method", ""))

    command, *arguments = ECHOPATH
    env = environment(tmp_path, ECHOPATH_FOLLOW_S="0.05")
    server = StdioServerParameters(command=command, args=[*arguments, "serve"], env=env)
    async with Client(server, mode=era, message_handler=hear) as client:
        yield client


async def test_a_real_process_lists_finds_describes_and_follows_the_store(
    serving: Client, store: Repository, era: Any, heard: list[str]
) -> None:
    add_active(store)
    names = [tool.name for tool in (await serving.list_tools()).tools]
    found = await ask(serving, "find_memory", goal="change the phone number of a client")
    said = text_of(await serving.call_tool("describe_memory", {"memory": "update_phone"}))
    prompts = (await serving.list_prompts()).prompts
    resources = (await serving.list_resources()).resources

    assert "update_phone" in names
    assert found["candidates"][0]["memory"] == "update_phone"
    assert "Change a client's phone number" in said
    assert len(prompts) == 10
    assert len(resources) == 1

    with anyio.fail_after(20):
        if era == "legacy":
            add_active(store, "second", seed=7)
            while "notifications/tools/list_changed" not in heard:
                await anyio.sleep(0.01)
        else:
            async with serving.listen(tools_list_changed=True) as events:
                add_active(store, "second", seed=7)
                async for _ in events:
                    break
    assert "second" in [tool.name for tool in (await serving.list_tools()).tools]


def test_somebody_who_starts_it_at_a_terminal_is_told_what_it_waits_for(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    server = subprocess.Popen(
        [*ECHOPATH, "serve"],
        stdin=theirs,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    )
    try:
        assert server.stderr is not None
        assert b"waiting for an MCP host" in server.stderr.readline()
    finally:
        server.terminate()
        server.communicate()
        os.close(ours)
        os.close(theirs)

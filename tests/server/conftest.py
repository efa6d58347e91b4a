"""A server over a store in a temporary folder, without a desktop, and a client of either era."""

import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from blockbuster import BlockBuster
from mcp import Client, types

from memory_store.repository import Repository
from server.app import App
from server.build import build_app, build_server
from server.settings import Settings
from tests.server.played import Played

ERAS = ("auto", "legacy")


@pytest.fixture(params=ERAS)
def era(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("ECHOPATH_CONFIG", str(tmp_path / "config"))
    return Settings(home=tmp_path / "home", desktop="virtual", follow_s=0.02)


@pytest.fixture
def store(settings: Settings) -> Iterator[Repository]:
    """The same store as the server's, as another process would have it open."""
    with Repository(settings.home) as opened:
        yield opened


@pytest.fixture
def played() -> Played:
    return Played()


@pytest.fixture
def app(settings: Settings, played: Played) -> App:
    return build_app(settings, played)


@pytest.fixture
async def client(app: App, era: Any) -> AsyncIterator[Client]:
    async with Client(build_server(app), mode=era) as connected:
        yield connected


def text_of(result: types.CallToolResult) -> str:
    """The words of an answer."""
    return "\n".join(block.text for block in result.content if isinstance(block, types.TextContent))


async def ask(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured answer of a tool that must not fail."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    assert result.structured_content is not None
    answer: dict[str, Any] = result.structured_content
    return answer


async def refusal(client: Client, tool: str, **arguments: Any) -> str:
    """The words of a tool that must fail."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    assert result.structured_content is None
    return text_of(result)


@pytest.fixture(autouse=True)
def nothing_of_the_server_blocks_the_loop() -> Iterator[None]:
    """What a tool does runs in the server's own tasks; what a test itself calls may block."""
    guard = BlockBuster(["actionlens", "memory_store", "server"])
    for function in guard.functions.values():
        allowed = function.can_block_predicate
        function.can_block_predicate = partial(_from_a_test_or, allowed)
    guard.activate()
    yield
    guard.deactivate()


def _from_a_test_or(allowed: Callable[..., bool], *args: Any, **named: Any) -> bool:
    here = inspect.currentframe()
    frame = here.f_back if here else None  # this file is a test's too
    while frame:
        if "/tests/" in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return allowed(*args, **named)

"""A server with one memory in use, for the tests of a module."""

from collections.abc import AsyncIterator
from typing import Literal

import pytest
from mcp import Client

from server.build import build_app, build_server
from server.settings import Settings
from tests.e2e.stage import SIZE, Stage


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

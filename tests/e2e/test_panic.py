"""`echopath panic` while a host's text is being typed."""

from pathlib import Path

import anyio
import pytest
from mcp import Client

from server.build import build_app, build_server
from server.panic import start_panic
from server.settings import Settings
from tests.e2e.stage import SIZE, Stage

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]


async def test_panic_breaks_off_a_text_that_is_being_typed(
    x_server: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ECHOPATH_CONFIG", str(tmp_path / "config"))
    app = build_app(Settings(home=tmp_path / "home", desktop="virtual", screen=SIZE, agent="test"))
    answers: list[dict[str, object]] = []
    async with Client(build_server(app)) as client:
        stage = Stage(app, client, tmp_path)
        log = await stage.form()

        async def act() -> None:
            answers.append(await stage.call("act", action="type", text="x" * 15_000))

        async with anyio.create_task_group() as group:
            group.start_soon(act)
            await log.until("key")
            start_panic(tmp_path / "config", "a test said so")
        refused = await stage.call("act", action="press", key="a")

    (answer,) = answers
    assert answer["status"] == "error"
    assert "the user stopped everything" in str(answer["error"])
    assert "of 15000 characters were sent" in str(answer["error"])
    assert refused["evidence"]["rule"] == "panic_file"

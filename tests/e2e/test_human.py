"""A memory whose check is a person's word: asked at the end of every replay, which does not run again."""

from collections.abc import AsyncIterator
from typing import Any, Literal

import pytest
from mcp import Client, types

from server.build import build_app, build_server
from server.settings import Settings
from tests.e2e.stage import SIZE, Stage

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]
CHECK = {"kind": "human", "question": "Is {client} saved?"}


class User:
    """Says yes or no, and remembers what was asked."""

    def __init__(self) -> None:
        self.ok, self.asked = True, list[str]()

    async def __call__(self, context: Any, params: Any) -> types.ElicitResult:
        self.asked.append(params.message)
        return types.ElicitResult(action="accept", content={"ok": self.ok})


@pytest.fixture(scope="module", params=["auto", "legacy"])
async def asked(
    request: pytest.FixtureRequest, x_server: None, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[Stage, User]]:
    """A server of each era, with a memory that asks, and somebody to be asked."""
    mode: Literal["auto", "legacy"] = request.param
    folder, user = tmp_path_factory.mktemp("human"), User()
    config = pytest.MonkeyPatch()
    config.setenv("ECHOPATH_CONFIG", str(folder / "config"))
    app = build_app(Settings(home=folder / "home", desktop="virtual", screen=SIZE, agent="test"))
    async with Client(build_server(app), mode=mode, elicitation_callback=user) as client:
        stage = Stage(app, client, folder)
        await stage.record("save_client", check=CHECK)
        yield stage, user
    config.undo()


@pytest.mark.parametrize("tool", ["save_client", "run_memory"])
@pytest.mark.parametrize(("ok", "ending"), [(True, "verified"), (False, "failed")])
async def test_the_user_is_asked_once_and_the_replay_runs_once(
    asked: tuple[Stage, User], tool: str, ok: bool, ending: str
) -> None:
    stage, user = asked
    log = await stage.form()
    user.asked.clear()
    user.ok = ok
    given: dict[str, Any] = {"client": "Initech"}

    report = await stage.call(
        tool, **(given if tool != "run_memory" else {"memory": "save_client", "inputs": given})
    )

    assert report["ending"] == ending
    assert len(user.asked) == 1
    assert user.asked[0].startswith("Is Initech saved?")
    assert log.clicks == ["Clear", "Save"]
    row = await stage.app.memories.use(lambda store: store.replay(report["replay_id"]))
    assert row is not None
    assert row.ending == ending


async def test_where_nobody_can_be_asked_nothing_is_verified(asked: tuple[Stage, User]) -> None:
    stage, _ = asked
    app = build_app(stage.app.settings)

    async with Client(build_server(app)) as silent:
        alone = Stage(app, silent, stage.folder, count=50)
        log = await alone.form()
        told = await alone.call("run_memory", memory="save_client", inputs={"client": "Initech"})

    assert told["ending"] == "done_unverified"
    assert "could not ask" in told["summary"]
    assert told["verdict"].startswith("could_not_run")
    assert log.clicks == ["Clear", "Save"]

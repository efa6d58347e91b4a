from collections.abc import Mapping
from contextvars import copy_context
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, types

from ibtr.errors import EchoPathError
from memory_store.models import Memory, ReplayId
from memory_store.repository import Repository
from server import asking, bounds
from server.build import build_app, build_server
from server.replayer import Progress
from server.report import Report
from server.settings import Settings
from tests.memory_store.making import add_active

pytestmark = pytest.mark.anyio
MODES = pytest.mark.parametrize("mode", ["auto", "legacy"])
CALLS = pytest.mark.parametrize("tool", ["update_phone", "run_memory"])


class User:
    """Somebody at the host who answers what is asked."""

    def __init__(self, action: str = "accept", ok: bool = True) -> None:
        self.action, self.ok = action, ok
        self.asked: list[str] = []

    async def __call__(self, context: Any, params: Any) -> types.ElicitResult:
        self.asked.append(params.message)
        content = {"ok": self.ok} if self.action == "accept" else None
        return types.ElicitResult.model_validate({"action": self.action, "content": content})


class Asked:
    """A replayer that only says that it was asked: nothing is to be replayed here."""

    async def run(
        self,
        memory: Memory,
        inputs: Mapping[str, object],
        *,
        max_steps: int | None = None,
        max_seconds: float | None = None,
        progress: Progress | None = None,
    ) -> Report:
        raise EchoPathError("it would run")

    async def wait(self, replay_id: ReplayId, seconds: float = 45.0) -> Report:
        raise NotImplementedError

    async def cancel(self, replay_id: ReplayId) -> Report:
        raise NotImplementedError

    async def resume(
        self,
        replay_id: ReplayId,
        *,
        max_steps: int | None = None,
        max_seconds: float | None = None,
        progress: Progress | None = None,
    ) -> Report:
        raise NotImplementedError


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("ECHOPATH_CONFIG", str(tmp_path / "config"))
    (tmp_path / "config").mkdir()
    with Repository(tmp_path / "home") as store:
        add_active(store, "update_phone", seed=1)
    return Settings(home=tmp_path / "home", desktop="virtual")


def write_policy(tmp_path: Path, text: str) -> None:
    (tmp_path / "config" / "policy.toml").write_text(text)


async def call(settings: Settings, mode: str, tool: str, user: User | None) -> types.CallToolResult:
    server = build_server(build_app(settings, Asked()))
    given = {"memory": "update_phone"} if tool == "run_memory" else {}
    async with Client(server, mode=mode, elicitation_callback=user) as client:
        await client.list_tools()
        return await client.call_tool(tool, given)


def got_through(result: types.CallToolResult) -> bool:
    """The replayer was asked."""
    return bool(result.is_error) and "it would run" in getattr(result.content[0], "text", "")


@MODES
@CALLS
async def test_a_memory_runs_once_the_user_said_yes(
    settings: Settings, tmp_path: Path, mode: str, tool: str
) -> None:
    write_policy(tmp_path, 'confirm = ["update_phone"]')
    user = User()

    result = await call(settings, mode, tool, user)

    assert got_through(result)
    assert len(user.asked) == 1
    assert "update_phone" in user.asked[0]


@MODES
@CALLS
@pytest.mark.parametrize(
    "user", [User(ok=False), User("decline"), User("cancel")], ids=["no", "decline", "cancel"]
)
async def test_a_memory_does_not_run_without_the_users_yes(
    settings: Settings, tmp_path: Path, mode: str, tool: str, user: User
) -> None:
    write_policy(tmp_path, 'confirm = ["all"]')

    result = await call(settings, mode, tool, user)

    told = result.structured_content or {}
    assert not result.is_error
    assert (told["ending"], told["cause"]) == ("rejected", "unsafe_action")
    assert told["evidence"] == {"rule": "confirm", "answer": False}


@CALLS
async def test_a_user_who_does_not_answer_holds_a_call_no_longer_than_calls_may_take(
    settings: Settings, tmp_path: Path, tool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_policy(tmp_path, 'confirm = ["all"]')
    monkeypatch.setattr(asking, "ASK_S", 0.2)

    class Away(User):
        async def __call__(self, context: Any, params: Any) -> types.ElicitResult:
            await anyio.sleep_forever()
            raise AssertionError

    with anyio.fail_after(20):
        result = await call(settings, "legacy", tool, Away())

    told = result.structured_content or {}
    assert (told["ending"], told["evidence"]) == ("rejected", {"rule": "confirm", "answer": None})
    assert "did not answer" in told["summary"]


def test_the_parts_of_one_call_share_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("server.bounds.time.monotonic", lambda: now[0])

    def parts() -> list[float]:
        bounds.begin_call()
        first = bounds.left_s(bounds.ASK_S)
        now[0] += first
        return [first, bounds.left_s(bounds.CALL_S), bounds.left_s(2.0)]

    assert bounds.ASK_S + bounds.left_s(bounds.CALL_S) > bounds.CALL_S
    assert copy_context().run(parts) == [40.0, 5.0, 2.0]


@MODES
async def test_a_memory_that_needs_no_yes_asks_nobody(settings: Settings, tmp_path: Path, mode: str) -> None:
    write_policy(tmp_path, 'confirm = ["another"]')
    user = User()

    assert got_through(await call(settings, mode, "update_phone", user))
    assert user.asked == []


@MODES
async def test_where_nobody_can_be_asked_the_hosts_own_prompt_decides_or_the_policy_refuses(
    settings: Settings, tmp_path: Path, mode: str
) -> None:
    write_policy(tmp_path, 'confirm = ["all"]')
    assert got_through(await call(settings, mode, "update_phone", None))

    write_policy(tmp_path, 'confirm = ["all"]\nconfirm_otherwise = "refuse"')
    told = (await call(settings, mode, "update_phone", None)).structured_content or {}

    assert told["evidence"] == {"rule": "confirm", "answer": None}


async def test_an_answer_to_another_question_is_none_to_this(settings: Settings, tmp_path: Path) -> None:
    write_policy(tmp_path, 'confirm = ["all"]')
    server = build_server(build_app(settings, Asked()))
    forged: dict[str, Any] = {
        "run": types.ElicitResult(action="accept", content={"ok": True}),
    }

    async with Client(server, elicitation_callback=User(ok=False)) as client:
        await client.list_tools()
        result = await client.session.call_tool(
            "update_phone",
            {},
            input_responses=forged,
            request_state="something else",
            allow_input_required=True,
        )

    assert isinstance(result, types.InputRequiredResult)

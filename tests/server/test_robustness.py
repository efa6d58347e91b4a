import json
import logging
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio import to_thread
from mcp import Client, MCPError, StdioServerParameters
from Xlib.display import Display

from actionlens.desk import Desktop
from actionlens.lock import DesktopLock
from actionlens.run_log import now
from actionlens.run_reader import read_run, verify_run
from server.logs import Discreet
from tests.conftest import Screen
from tests.server.processes import ECHOPATH, Serving, environment, serving
from tests.server.raw import Raw

GARBAGE = [
    b"",
    b"garbage",
    b"{",
    b"null",
    b"[]",
    b"42",
    b'"text"',
    b"\xff\xfe\x00\x01",
    b'{"jsonrpc": "2.0"}',
    b'{"jsonrpc": "1.0", "id": 1, "method": "tools/list"}',
    b'{"jsonrpc": "2.0", "id": {}, "method": 7}',
    b'{"jsonrpc": "2.0", "id": 990, "method": "no/such", "params": []}',
    b'{"jsonrpc": "2.0", "id": 991, "method": "tools/call"}',
    b'{"jsonrpc": "2.0", "id": 992, "method": "tools/call", "params": {"name": "act", "arguments": [1]}}',
    b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 12345}}',
    b'{"jsonrpc": "2.0", "id": 12345, "result": {}}',
    b"[" * 100_000,
    b"x" * 1_000_000,
    b'{"jsonrpc": "2.0", "id": 1e400, "method": "ping"}',
    b'{"jsonrpc": "2.0", "id": 993, "method": "\\ud800"}',
]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Serving]:
    with serving(tmp_path, ECHOPATH_LOG="DEBUG") as started:
        yield started


def test_garbage_is_passed_over_before_and_after_the_handshake(server: Serving) -> None:
    raw = Raw(server)
    for line in GARBAGE:
        raw.send(line)
    assert raw.begin()["result"]["serverInfo"]["name"] == "echopath"

    for line in GARBAGE:
        raw.send(line)
    tools = raw.ask("tools/list", {})["result"]["tools"]

    assert "act" in {tool["name"] for tool in tools}


def test_ten_megabytes_of_arguments_are_refused_by_field(server: Serving) -> None:
    raw = Raw(server)
    raw.begin()

    text = raw.call("act", action="type", text="x" * 10_000_000)
    extra = raw.call("act", action="wait", seconds=1, **{"n" * 10_000_000: 1})
    unknown = raw.ask("tools/call", {"name": "t" * 10_000_000, "arguments": {}})

    assert text["isError"]
    assert "text" in text["content"][0]["text"]
    assert extra["isError"]
    assert "error" in unknown
    assert max(len(json.dumps(one)) for one in (text, extra, unknown)) < 20_000
    assert "result" in raw.ask("tools/list", {})


@pytest.mark.anyio
@pytest.mark.desktop
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_thousand_calls_at_once_are_all_answered(tmp_path: Path, mode: str, x_server: None) -> None:
    command = StdioServerParameters(
        command=ECHOPATH[0],
        args=[*ECHOPATH[1:], "serve"],
        env=environment(tmp_path) | {"ECHOPATH_LOG": "CRITICAL"},
    )
    answers: list[bool] = []
    kinds: list[tuple[str, dict[str, Any]]] = [
        ("act", {"action": "fly"}),
        ("find_memory", {"goal": ""}),
        ("no_such_tool", {}),
        ("act", {"action": "wait", "seconds": 0.001}),
    ]

    with anyio.fail_after(120):
        async with Client(command, mode=mode) as client:

            async def call(number: int) -> None:
                name, given = kinds[3 if number % 100 == 0 else number % 3]
                try:
                    answers.append(bool((await client.call_tool(name, given)).is_error))
                except MCPError:
                    answers.append(True)

            async with anyio.create_task_group() as group:
                for number in range(1000):
                    group.start_soon(call, number)
            alive = await client.list_tools()

    assert len(answers) == 1000
    assert answers.count(False) == 10
    assert alive.tools


@pytest.fixture
def screen_of_others(virtual: Desktop, tmp_path: Path) -> Screen:
    (folder := tmp_path / "screen").mkdir()
    return Screen(virtual, folder)


def on(desktop: Desktop) -> dict[str, str]:
    return {
        "DISPLAY": desktop.display,
        "XAUTHORITY": desktop.authority,
        "ECHOPATH_DESKTOP": "local",
    }


@pytest.mark.anyio
@pytest.mark.desktop
async def test_a_second_host_is_told_who_drives_and_touches_nothing(
    screen_of_others: Screen, tmp_path: Path
) -> None:
    probe = await screen_of_others.show()
    place = on(screen_of_others.desktop)
    with (
        serving(tmp_path, "--agent", "claude-code", **place) as one,
        serving(tmp_path, "--agent", "codex", **place) as other,
    ):
        first, second = Raw(one), Raw(other)
        for raw in (first, second):
            await to_thread.run_sync(raw.begin)
        started = await to_thread.run_sync(lambda: first.call("start_run", goal="fill the form"))

        refused = await to_thread.run_sync(lambda: second.call("act", action="type", text="intruder"))
        looked = await to_thread.run_sync(lambda: second.call("observe"))
        typed = await to_thread.run_sync(lambda: first.call("act", action="type", text="mine"))
        await to_thread.run_sync(lambda: first.call("finish_run"))
        free = await to_thread.run_sync(lambda: second.call("act", action="type", text="now"))

    assert not started.get("isError")
    said = refused["content"][0]["text"]
    assert re.search(r"claude-code.*since \d\d:\d\d:\d\d UTC.*fill the form", said), said
    assert not looked.get("isError")
    assert typed["structuredContent"]["status"] == free["structuredContent"]["status"] == "ok"
    assert "".join(one["char"] for one in probe.of("down")) == "minenow"


@pytest.mark.anyio
@pytest.mark.desktop
async def test_two_hosts_never_interleave_their_keys(screen_of_others: Screen, tmp_path: Path) -> None:
    probe = await screen_of_others.show()
    place = on(screen_of_others.desktop)
    typed: dict[str, int] = {}

    async def hammer(raw: Raw, letter: str) -> None:
        typed[letter] = 0
        while typed[letter] < 4:  # the desktop is busy in between
            done = await to_thread.run_sync(lambda: raw.call("act", action="type", text=letter * 5))
            typed[letter] += "structuredContent" in done and done["structuredContent"]["status"] == "ok"

    with (
        serving(tmp_path, "--agent", "claude-code", **place) as one,
        serving(tmp_path, "--agent", "codex", **place) as other,
    ):
        first, second = Raw(one), Raw(other)
        for raw in (first, second):
            await to_thread.run_sync(raw.begin)
        with anyio.fail_after(120):
            async with anyio.create_task_group() as group:
                group.start_soon(hammer, first, "a")
                group.start_soon(hammer, second, "b")

    arrived = "".join(one["char"] for one in probe.of("down"))
    assert re.fullmatch("(a{5}|b{5})*", arrived), arrived
    assert (arrived.count("a"), arrived.count("b")) == (20, 20)


@pytest.mark.anyio
@pytest.mark.desktop
@pytest.mark.parametrize("signals", [(signal.SIGTERM,), (signal.SIGINT, signal.SIGTERM)])
async def test_a_signal_in_the_middle_of_typing_releases_seals_and_leaves(
    screen_of_others: Screen, tmp_path: Path, signals: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    probe = await screen_of_others.show()
    place = on(screen_of_others.desktop)
    with serving(tmp_path, **place) as server:
        raw = Raw(server)
        await to_thread.run_sync(raw.begin)
        run_id = (await to_thread.run_sync(lambda: raw.call("start_run", goal="type much")))[
            "structuredContent"
        ]["run_id"]
        text = "ABCDEFGH" * 2_000
        raw.start("tools/call", {"name": "act", "arguments": {"action": "type", "text": text}})
        await probe.until(lambda events: len([one for one in events if one["event"] == "down"]) > 20)

        for number in signals:  # Claude Code sends one after the other
            server.process.send_signal(number)
        code = await to_thread.run_sync(server.process.wait, 20)

    assert code == 0
    monkeypatch.setenv("XAUTHORITY", place["XAUTHORITY"])
    display = Display(place["DISPLAY"])
    try:
        assert not any(display.query_keymap())
        assert not display.screen().root.query_pointer().mask & 0x1FFF
    finally:
        display.close()
    arrived = len([one for one in probe.of("down") if one["char"]])
    assert arrived < len(text)
    run = read_run(tmp_path / "home" / "runs" / run_id)
    assert run.status == "cancelled"
    assert verify_run(tmp_path / "home" / "runs" / run_id) == []
    assert DesktopLock(place["DISPLAY"], "test", now).holder() is None


@pytest.mark.anyio
@pytest.mark.desktop
async def test_hanging_up_ends_the_server_and_its_desktop(tmp_path: Path, x_server: None) -> None:
    with serving(tmp_path) as server:
        raw = Raw(server)
        await to_thread.run_sync(raw.begin)
        await to_thread.run_sync(lambda: raw.call("observe"))
        below = _below(server.process.pid)
        assert below

        assert server.process.stdin
        server.process.stdin.close()
        code = await to_thread.run_sync(lambda: server.process.wait(20))

    assert code == 0
    with anyio.fail_after(20):
        while any(is_there(pid) for pid in below):
            await anyio.sleep(0.01)


def is_there(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def _below(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    found = [int(one) for task in tasks for one in task.read_text().split()]
    return found + [deeper for one in found for deeper in _below(one)]


@pytest.mark.anyio
@pytest.mark.desktop
async def test_the_log_holds_neither_typed_text_nor_the_environment(tmp_path: Path, x_server: None) -> None:
    canaries = {"CANARY_KEY": "canary-of-the-environment", "CANARY_PIN": "canary-of-a-secret"}
    with serving(tmp_path, ECHOPATH_LOG="DEBUG", **canaries) as server:
        raw = Raw(server)

        def work() -> None:
            raw.begin()
            raw.call("start_run", goal="type canary-of-a-goal")
            raw.call("act", action="type", text="canary-of-typing")
            raw.call("act", action="paste", text="canary-of-pasting")
            raw.call("act", action="type", text_ref="env:CANARY_PIN")
            raw.call("act", action="type", text="canary-of-typing", key=["canary-of-typing"])
            raw.call("act", action="type", text_ref="env:canary-of-typing")
            raw.ask("tools/call", {"name": "canary-of-a-tool", "arguments": {"canary-of-typing": 1}})
            raw.send(b'{"jsonrpc": "2.0", "id": 1, "method": "canary-of-garbage"')
            raw.call("finish_run")

        await to_thread.run_sync(work)
        await to_thread.run_sync(server.end)

    assert "canary" not in server.log, server.log


def test_an_exception_is_logged_by_type_and_place_without_its_text() -> None:
    try:
        raise ExceptionGroup("canary", [ValueError("canary"), KeyError("canary")])
    except ExceptionGroup:
        record = logging.LogRecord(
            "echopath", logging.ERROR, __file__, 1, "tool %s", ("act",), sys.exc_info()
        )

    text = Discreet("%(message)s").format(record)

    assert "canary" not in text.replace(Path(__file__).name, "")
    assert "ValueError" in text
    assert "KeyError" in text
    assert text.startswith("tool act")

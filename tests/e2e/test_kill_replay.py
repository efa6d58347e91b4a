"""A server killed during a replay: no orphan, a valid store, and the next start says what was cut off.

`ECHOPATH_STRESS=full` (make stress) kills more of them.
"""

import json
import os
import random
import secrets
import signal
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio import to_thread
from click.testing import CliRunner
from mcp import Client

from actionlens.desk import Desktop, open_virtual
from actionlens.run_reader import read_run, verify_run
from memory_store.models import ReplayId
from memory_store.quarantine import Ending
from memory_store.repository import Repository
from server.build import build_app, build_server
from server.cli import cli
from server.settings import Settings
from tests.actionlens.test_kill import MARK, held, nothing_left_of
from tests.desktop.host import Host
from tests.e2e.leaving import never_still
from tests.e2e.stage import FORM, SIZE, Log, Stage

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]

KILLS = 25 if os.environ.get("ECHOPATH_STRESS") == "full" else 4
RECORDS = 6  # of a healthy replay of the form: two for each of its three steps


@pytest.fixture
async def home(x_server: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with one active memory."""
    monkeypatch.setenv("ECHOPATH_CONFIG", str(tmp_path / "config"))
    app = build_app(Settings(home=tmp_path / "home", desktop="virtual", screen=SIZE, agent="test"))
    async with Client(build_server(app)) as client:
        await Stage(app, client, tmp_path).record("save_client")
    return tmp_path / "home"


@pytest.fixture
async def desk(x_server: None) -> AsyncIterator[Desktop]:
    desktop = await open_virtual(SIZE)
    yield desktop
    await desktop.close()


@pytest.mark.timeout(1800)
async def test_a_server_killed_during_a_replay_leaves_everything_in_order(
    home: Path, desk: Desktop, tmp_path: Path
) -> None:
    interrupted = 0
    for seed in range(KILLS):
        known = set((home / "runs").iterdir())
        mark, log = secrets.token_hex(8), Log(tmp_path / f"kill-{seed}.jsonl")
        await show_form(desk, log, tmp_path / "out.txt")
        env = {"ECHOPATH_HOME": str(home), "DISPLAY": desk.display, "XAUTHORITY": desk.authority, MARK: mark}
        host = await Host.start("--desktop", "local", **env)
        await host.call("observe")
        async with anyio.create_task_group() as group:
            over = anyio.Event()
            group.start_soon(call_until_killed, host, over)
            chance = random.Random(seed)
            await records_written(home, known, seed % RECORDS, over)
            await anyio.sleep(chance.uniform(0, 0.05))  # not a wait: a random point between two records
            host.process.kill()
        await nothing_left_of(mark)
        await host.process.aclose()

        assert held(desk) == (set(), 0)
        interrupted += check_store(home, log)
        cut = running(home)
        for said in await told_of(home, desk, cut):
            expect_accounted_for(home, log, said)
        assert running(home) == []

    print(f"{KILLS} replays killed, {interrupted} of them cut off")


async def records_written(home: Path, known: set[Path], count: int, over: anyio.Event) -> None:
    """Until the new replay has written so many records of its steps, or is over."""
    with anyio.fail_after(120):
        while not over.is_set():
            runs = [path for path in (home / "runs").iterdir() if path not in known and path.name[0] != "."]
            steps = [path / "steps.jsonl" for path in runs if (path / "steps.jsonl").exists()]
            if steps and sum(file.read_bytes().count(b"\n") for file in steps) >= count:
                return
            await anyio.sleep(0.002)


def expect_accounted_for(home: Path, log: Log, said: dict[str, Any]) -> None:
    """What was clicked and typed before the kill is in the answer and in the ledger."""
    assert said["cause"] == "interrupted"
    touched = bool(log.clicks or log.keys)
    with Repository(home) as store:
        row = store.replay(said["replay_id"])
    assert row is not None
    assert row.ending.value == said["ending"]
    if touched:
        assert said["ending"] == "stopped"
        assert said["may_have_changed"][0] == "1: click Clear" or "in part" in said["may_have_changed"][0]
    assert row.events_sent >= len(log.clicks) + bool(log.keys)
    assert said.get("steps_done", 0) <= row.events_sent
    if log.keys:
        assert said["steps_done"] >= 1  # whoever types has clicked before


async def told_of(home: Path, desk: Desktop, replays: list[str]) -> list[dict[str, Any]]:
    """What the next server says of replays that were cut off."""
    if not replays:
        return []
    env = {"ECHOPATH_HOME": str(home), "DISPLAY": desk.display, "XAUTHORITY": desk.authority}
    host = await Host.start("--desktop", "local", **env)
    said = [(await host.call("wait_replay", replay_id=one))["structuredContent"] for one in replays]
    host.process.terminate()
    await host.process.wait()
    await host.process.aclose()
    return said


def check_store(home: Path, log: Log) -> int:
    """Whether the store is sound, every run readable, every click accounted for; replays cut off."""
    with Repository(home) as store:
        assert store.verify().problems == ()
        newest = store.replays(limit=1)
    sent = 0
    for path in (home / "runs").glob("[0-9]*"):  # a name with a dot was not begun yet
        run = read_run(path)
        verify_run(path)
        if newest and run.manifest.detail.get("replay") == newest[0].id:
            sent += sum(step.action.action == "click" for step in run.steps)
    assert len(log.clicks) <= sent or not newest
    return sum(row.ending is Ending.RUNNING for row in newest)


async def test_the_next_start_says_which_replay_was_cut_off(
    home: Path, desk: Desktop, tmp_path: Path
) -> None:
    await show_form(desk, Log(tmp_path / "form.jsonl"), tmp_path / "out.txt")
    env = {"ECHOPATH_HOME": str(home), "DISPLAY": desk.display, "XAUTHORITY": desk.authority}
    host = await Host.start("--desktop", "local", **env)
    await host.call("observe")
    hands = desks_of(host.process.pid)
    async with anyio.create_task_group() as group:
        group.start_soon(call_until_killed, host, anyio.Event())
        for pid in hands:
            os.kill(pid, signal.SIGSTOP)  # the replay can begin and cannot end
        with anyio.fail_after(30):
            while not running(home):
                await anyio.sleep(0.01)
        host.process.kill()
    for pid in hands:
        os.kill(pid, signal.SIGCONT)
    await host.process.aclose()
    (cut,) = running(home)

    (said,) = await told_of(home, desk, [cut])

    assert (said["cause"], said["ending"]) == ("interrupted", "rejected")  # its hand was held
    assert running(home) == []


@pytest.mark.parametrize("looks", ["the next server", "replays list", "doctor"])
async def test_a_replay_that_was_killed_after_it_typed_reads_stopped_whoever_looks_first(
    home: Path, desk: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, looks: str
) -> None:
    log = Log(tmp_path / "form.jsonl")
    await show_form(desk, log, tmp_path / "out.txt", without=["Save"])
    await never_still(desk)
    env = {"ECHOPATH_HOME": str(home), "DISPLAY": desk.display, "XAUTHORITY": desk.authority}
    host, known = await Host.start("--desktop", "local", **env), set((home / "runs").iterdir())
    async with anyio.create_task_group() as group:
        over = anyio.Event()
        group.start_soon(call_until_killed, host, over)
        await records_written(home, known, 4, over)  # both ends of two steps; the third cannot begin
        host.process.kill()
    await host.process.aclose()
    (cut,) = running(home)
    monkeypatch.setenv("ECHOPATH_HOME", str(home))

    if looks == "the next server":
        host = await Host.start("--desktop", "local", **env)
        await host.ask("tools/list")
        with anyio.fail_after(20):
            while running(home):
                await anyio.sleep(0.02)
        host.process.terminate()
        await host.process.wait()
        await host.process.aclose()
    else:
        command = ["replays", "list", "--json"] if looks == "replays list" else ["doctor"]
        await to_thread.run_sync(lambda: CliRunner().invoke(cli, command))

    with Repository(home) as store:
        row = store.replay(ReplayId(cut))
    assert row is not None
    assert (row.ending, row.cause, row.events_sent) == (Ending.STOPPED, "interrupted", 2)
    assert row.steps_done == 2
    assert [note["action"] for note in row.detail["steps"]] == ["click", "type"]  # type: ignore[union-attr, index, call-overload]


def desks_of(pid: int) -> list[int]:
    """The processes that own the displays of a server."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(one) for task in tasks for one in task.read_text().split()]


def running(home: Path) -> list[str]:
    with Repository(home) as store:
        return [row.id for row in store.replays(limit=20) if row.ending is Ending.RUNNING]


async def show_form(desk: Desktop, log: Log, out: Path, **more: object) -> None:
    await desk.end_programs()
    plan = {"log": str(log.path), "out": str(out), **more}
    await desk.launch([sys.executable, str(FORM), json.dumps(plan)])
    await log.until("shown")
    with anyio.fail_after(20):
        while (await desk.capture()).window is None:
            await anyio.sleep(0.01)


async def call_until_killed(host: Host, over: anyio.Event) -> None:
    try:
        said = await host.call(
            "run_memory", memory="save_client", inputs={"client": f"I {datetime.now(UTC):%S}"}
        )
        print(said["structuredContent"].get("cause") or said["structuredContent"]["ending"])
        over.set()
    except (anyio.EndOfStream, anyio.IncompleteRead, anyio.BrokenResourceError, anyio.ClosedResourceError):
        return

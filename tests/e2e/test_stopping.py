"""A server that is told to stop in the middle of a replay: let go, sealed, in the ledger, gone."""

import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest
from mcp import Client

from actionlens.desk import Desktop, open_virtual
from actionlens.run_reader import read_run, verify_run
from memory_store.quarantine import Ending
from memory_store.repository import Repository
from server.build import build_app, build_server
from server.settings import Settings
from tests.actionlens.test_kill import held, nothing_left_of
from tests.desktop.host import Host
from tests.e2e.leaving import at_work, never_still, replay
from tests.e2e.stage import SIZE, Log, Stage
from tests.e2e.test_kill_replay import desks_of, show_form

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]


@pytest.fixture(scope="module")
async def home(x_server: None, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Path]:
    """A store with one active memory."""
    folder = tmp_path_factory.mktemp("stopping")
    config = pytest.MonkeyPatch()
    config.setenv("ECHOPATH_CONFIG", str(folder / "config"))
    app = build_app(Settings(home=folder / "home", desktop="virtual", screen=SIZE, agent="test"))
    async with Client(build_server(app)) as client:
        await Stage(app, client, folder).record("save_client")
    yield folder / "home"
    config.undo()


@pytest.fixture(scope="module")
async def desk(x_server: None) -> AsyncIterator[Desktop]:
    desktop = await open_virtual(SIZE)
    yield desktop
    await desktop.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_while_a_replay_waits_for_a_target(
    home: Path, desk: Desktop, tmp_path: Path, number: signal.Signals
) -> None:
    log = Log(tmp_path / "form.jsonl")
    await show_form(desk, log, tmp_path / "out.txt", without=["Save"])
    await never_still(desk)
    host = await at_work(home, desk, mark := os.urandom(8).hex())
    await replay(host, client="Initech")
    await log.until_keys("Initech")

    host.process.send_signal(number)
    code = await _gone(host, mark)

    _assert_in_order(home, desk, code)
    assert log.clicks == ["Clear"]


async def test_a_signal_while_a_replay_types_a_long_text(home: Path, desk: Desktop, tmp_path: Path) -> None:
    log, text = Log(tmp_path / "form.jsonl"), "abcdefgh" * 400
    await show_form(desk, log, tmp_path / "out.txt")
    host = await at_work(home, desk, mark := os.urandom(8).hex())
    await replay(host, client=text)
    with anyio.fail_after(40):
        while len(log.keys) < 5:
            await anyio.sleep(0.005)

    host.process.terminate()
    code = await _gone(host, mark)

    _assert_in_order(home, desk, code)
    assert log.clicks == ["Clear"]


async def test_a_host_that_hangs_up_ends_the_replay_between_two_keys(
    home: Path, desk: Desktop, tmp_path: Path
) -> None:
    log, text = Log(tmp_path / "form.jsonl"), "abcdefgh" * 400
    await show_form(desk, log, tmp_path / "out.txt")
    host = await at_work(home, desk, mark := os.urandom(8).hex())
    await replay(host, client=text)
    with anyio.fail_after(40):
        while len(log.keys) < 5:
            await anyio.sleep(0.005)

    assert host.process.stdin
    await host.process.stdin.aclose()
    code = await _gone(host, mark)

    _assert_in_order(home, desk, code)
    assert log.clicks == ["Clear"]


@pytest.mark.parametrize("how", ["terminate", "hang up"])
async def test_a_desktop_that_hangs_does_not_hold_a_server_that_is_to_leave(
    home: Path, desk: Desktop, tmp_path: Path, how: str
) -> None:
    log = Log(tmp_path / "form.jsonl")
    await show_form(desk, log, tmp_path / "out.txt")
    host = await at_work(home, desk, mark := os.urandom(8).hex())
    await host.call("start_run", goal=(goal := f"a recording, to be ended: {how}"))
    for pid in desks_of(host.process.pid):
        os.kill(pid, signal.SIGSTOP)

    if how == "terminate":
        host.process.terminate()
    else:
        assert host.process.stdin
        await host.process.stdin.aclose()
    code = await _gone(host, mark)

    assert code == 0
    (path,) = [one for one in (home / "runs").glob("[0-9]*") if read_run(one).manifest.task_goal == goal]
    assert read_run(path).status == "cancelled"
    assert verify_run(path) == []


async def _gone(host: Host, mark: str) -> int:
    with anyio.fail_after(20):
        code = await host.process.wait()
    await nothing_left_of(mark)
    await host.process.aclose()
    return code


def _assert_in_order(home: Path, desk: Desktop, code: int) -> None:
    assert code == 0
    assert held(desk) == (set(), 0)
    with Repository(home) as store:
        (row, *_) = store.replays(limit=1)
    assert row.ending is Ending.CANCELLED
    for path in (home / "runs").glob("[0-9]*"):
        assert verify_run(path) == []
        assert read_run(path).status != "running"

"""Whatever dies, whenever: the evidence can be read, nothing stays behind, nothing is held or locked.

Victims carry a mark in their environment that every process they start inherits.
"""

import os
import random
import secrets
import signal
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest
from Xlib import display as xdisplay

from actionlens.actions import Drag, Press
from actionlens.desk import Desktop, open_local, open_virtual
from actionlens.errors import DesktopLost
from actionlens.records import RunStatus, StepStatus
from actionlens.run_reader import Run, read_run, verify_run
from tests.conftest import SIZE, Probe, Screen
from tests.desktop import plan
from tests.desktop.host import Host

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]

KILLS = 25 if os.environ.get("ECHOPATH_STRESS") == "full" else 10
ACTING_S, STARTING_S = 0.9, 1.5  # a victim dies at a random point of these spans
MARK = "LC_ECHOPATH_TEST"  # programs on a desktop inherit LC_* and little else


@dataclass
class Lane:
    """A screen that outlives the victims on it, and a window that sees what they do."""

    screen: Screen
    probe: Probe
    read: int = 0

    @property
    def display(self) -> tuple[str, str]:
        return self.screen.desktop.display, self.screen.desktop.authority

    async def news(self) -> list[dict[str, Any]]:
        """What reached the window since the last time; F12, once it is up again, is our own full stop."""
        await self.screen.desktop.perform(Press(key="f12"))
        new = await self.probe.until(lambda events: any(map(full_stop, events[self.read :])))
        stop = next(n for n in range(self.read, len(new)) if full_stop(new[n]))
        told, self.read = new[self.read : stop], stop + 1
        return [one for one in told if one.get("key") != "F12"]


def full_stop(event: dict[str, Any]) -> bool:
    return (event.get("key"), event["event"]) == ("F12", "up")


@pytest.fixture(scope="module")
async def lanes(x_server: None, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[list[Lane]]:
    ready: list[Lane] = []
    for n in range(2):
        screen = Screen(await open_virtual(SIZE), tmp_path_factory.mktemp(f"lane{n}"))
        ready.append(Lane(screen, await screen.show(at=(0, 0), size=SIZE)))
    yield ready
    for lane in ready:
        await lane.screen.desktop.close()


@pytest.mark.timeout(1800)
async def test_a_recorder_killed_at_any_point_leaves_readable_evidence_and_nothing_else(
    lanes: list[Lane], tmp_path: Path
) -> None:
    await share(lanes, lambda lane, seed: kill_a_recorder(lane, seed, tmp_path / str(seed)))


@pytest.mark.timeout(1800)
async def test_a_server_killed_at_any_point_leaves_readable_evidence_and_nothing_else(
    lanes: list[Lane], tmp_path: Path
) -> None:
    await share(lanes, lambda lane, seed: kill_a_server(lane, seed, tmp_path / str(seed)))


async def kill_a_recorder(lane: Lane, seed: int, folder: Path) -> None:
    """Every fifth has a desktop of its own, every fifth dies while it starts."""
    own, starting = seed % 5 == 4, seed % 5 == 3
    (folder / "runs").mkdir(parents=True)
    argv = [sys.executable, "-m", "tests.desktop.victim", str(folder / "runs"), str(seed)]
    mark = secrets.token_hex(8)
    victim = await anyio.open_process(
        [*argv, *(() if own else lane.display)], env={**os.environ, MARK: mark}, stderr=None
    )
    if not starting:
        assert victim.stdout
        assert (await victim.stdout.receive()).strip() == b"acting"
    await anyio.sleep(random.Random(seed).uniform(0, STARTING_S if starting else ACTING_S))
    victim.kill()

    await nothing_left_of(mark)
    await victim.aclose()
    run = the_run(folder / "runs", must_exist=not starting)
    if own:
        told = Probe(folder / "probe.jsonl", "own").events
        assert accounted_for(run, plan.seen(told), whole=False)  # the window died with its desktop
    else:
        assert accounted_for(run, plan.seen(await lane.news()))
        assert held(lane.screen.desktop) == (set(), 0)


async def kill_a_server(lane: Lane, seed: int, folder: Path) -> None:
    """Every fifth has a desktop of its own."""
    own, mark = seed % 5 == 4, secrets.token_hex(8)
    env = {"ECHOPATH_HOME": str(folder), MARK: mark}
    if not own:
        env |= {"DISPLAY": lane.display[0], "XAUTHORITY": lane.display[1]}
    host = await Host.start("--desktop", "virtual" if own else "local", "--screen", "1280x800", **env)
    await host.call("start_run", goal="to be killed")
    async with anyio.create_task_group() as group:
        group.start_soon(drive, host, seed)
        await anyio.sleep(random.Random(seed).uniform(0, ACTING_S))
        host.process.kill()

    await nothing_left_of(mark)
    await host.process.aclose()
    run = the_run(folder / "runs")
    if not own:
        assert accounted_for(run, plan.seen(await lane.news()))
        assert held(lane.screen.desktop) == (set(), 0)


async def drive(host: Host, seed: int) -> None:
    try:
        frame_id = await host.look()  # 1280 wide: the picture's coordinates are the screen's
        for action in plan.actions(seed):
            said = action.model_dump(mode="json", exclude_defaults=True, exclude={"duration_s"})
            aimed = {"frame_id": frame_id} if "x" in said else {}
            await host.call("act", **said, **aimed, action=action.action)
    except (anyio.EndOfStream, anyio.IncompleteRead, anyio.BrokenResourceError, anyio.ClosedResourceError):
        return


@pytest.mark.parametrize(
    ("number", "doing"),
    [
        (signal.SIGTERM, {"action": "wait", "seconds": 40}),
        (signal.SIGINT, {"action": "type", "text": "abcdefgh" * 5000}),
    ],
)
async def test_a_server_told_to_stop_lets_go_seals_the_run_and_exits(
    lanes: list[Lane], tmp_path: Path, number: signal.Signals, doing: dict[str, Any]
) -> None:
    lane, mark = lanes[0], secrets.token_hex(8)
    env = {"DISPLAY": lane.display[0], "XAUTHORITY": lane.display[1], "ECHOPATH_HOME": str(tmp_path)}
    host = await Host.start("--desktop", "local", **env, **{MARK: mark})
    await host.call("start_run", goal="told to stop")
    await host.send({"id": 99, "method": "tools/call", "params": {"name": "act", "arguments": doing}})
    with anyio.fail_after(20):
        while not the_run(tmp_path / "runs", ended=False).steps:
            await anyio.sleep(0.01)

    host.process.send_signal(number)
    with anyio.fail_after(20):
        code = await host.process.wait()

    await nothing_left_of(mark)
    await host.process.aclose()
    (path,) = (tmp_path / "runs").iterdir()
    run = read_run(path)
    assert code == 0
    assert run.status is RunStatus.CANCELLED
    assert verify_run(path) == []
    assert run.steps[0].status in (StepStatus.CANCELLED, StepStatus.ERROR)
    assert held(lane.screen.desktop) == (set(), 0)
    assert len(plan.seen(await lane.news())) < 40_000


async def test_what_a_killed_desk_held_on_the_users_screen_is_let_go_by_the_next(
    lanes: list[Lane],
) -> None:
    lane = lanes[0]
    desk = await open_local(*lane.display)
    drag = Drag(x=200, y=200, to_x=600, to_y=500, duration_s=5, hold=("ctrl", "shift"))

    async with anyio.create_task_group() as group:
        group.start_soon(fail_with_desktop_lost, desk, drag)
        await lane.probe.until(
            lambda events: sum(one["event"] == "motion" for one in events[lane.read :]) > 3
        )
        os.kill(desk.pid, signal.SIGKILL)
    left = held(lane.screen.desktop)
    await desk.close()
    after = await open_local(*lane.display)

    assert len(left[0]) == 2
    assert left[1] != 0
    assert held(lane.screen.desktop) == (set(), 0)
    await after.close()
    await lane.news()


async def fail_with_desktop_lost(desk: Desktop, drag: Drag) -> None:
    with pytest.raises(DesktopLost):
        await desk.perform(drag)


# -- helpers -------------------------------------------------------------------------------------


async def share(lanes: list[Lane], kill: Callable[[Lane, int], Any]) -> None:
    """Two victims at a time, each on its own lane."""

    async def work(lane: Lane, seeds: range) -> None:
        for seed in seeds:
            with anyio.fail_after(60):
                await kill(lane, seed)

    async with anyio.create_task_group() as group:
        for n, lane in enumerate(lanes):
            group.start_soon(work, lane, range(n, KILLS, len(lanes)))


async def nothing_left_of(mark: str) -> None:
    with anyio.fail_after(20):
        while living(mark):
            await anyio.sleep(0.01)


def living(mark: str) -> list[str]:
    """Processes that carry the mark; a zombie has no environment any more."""
    found: list[str] = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() in (place / "environ").read_bytes():
                found.append((place / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return found


def the_run(runs: Path, *, must_exist: bool = True, ended: bool = True) -> Run:
    """The one run of a victim, every frame of it whole."""
    folders = [path for path in runs.glob("*") if path.name[0] != "."]
    if not folders and not must_exist:
        return None  # type: ignore[return-value]
    (path,) = folders
    run = read_run(path)
    if ended:
        allowed = ("has no end", "never sealed", "cut short")
        assert run.status is RunStatus.INTERRUPTED
        assert [line for line in verify_run(path) if not any(word in line for word in allowed)] == []
    return run


def accounted_for(run: Run | None, seen: list[tuple[object, ...]], *, whole: bool = True) -> bool:
    """Every finished step was seen whole, and nothing was seen that no step tells of."""
    steps = run.steps if run else ()
    done = [event for step in steps if step.ended for event in plan.expected(step.action)]
    begun = [event for step in steps if not step.ended for event in plan.expected(step.action)]
    assert all(step.status is StepStatus.OK for step in steps if step.ended)
    assert not [step for step in steps[:-1] if not step.ended]
    assert seen == (done + begun)[: len(seen)]
    assert not whole or len(seen) >= len(done)
    return True


def held(desktop: Desktop) -> tuple[set[int], int]:
    """Key codes that are down, and the mask of buttons and modifiers."""
    os.environ["XAUTHORITY"], before = desktop.authority, os.environ.get("XAUTHORITY")
    try:
        display = xdisplay.Display(desktop.display)
    finally:
        os.environ.pop("XAUTHORITY")
        if before is not None:
            os.environ["XAUTHORITY"] = before
    down = {code for code in range(8, 256) if display.query_keymap()[code // 8] & 1 << code % 8}
    mask = int(display.screen().root.query_pointer().mask) & ~(1 << 4)  # Num Lock may be on
    display.close()
    return down, mask

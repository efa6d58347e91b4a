"""How long a server takes to leave when told to, in the middle of something, with everything put in order.

While it types, against a bare desktop of the same kind that is only ended: what our own closing adds to it.
And on somebody else's desktop: in a recording, while a screen settles, while a replay waits for its target.
"""

import signal
import statistics
import tempfile
import time
from pathlib import Path

import anyio
import click
from mcp import Client

from actionlens.desk import open_virtual
from actionlens.run_reader import read_run
from bench.tables import keep, rows
from ibtr.geometry import Size
from server.build import build_app, build_server
from server.settings import Settings
from tests.desktop.host import Host
from tests.e2e.leaving import at_work, never_still, replay
from tests.e2e.stage import SIZE as WIDE
from tests.e2e.stage import Log, Stage
from tests.e2e.test_kill_replay import show_form
from tests.server.processes import serving
from tests.server.raw import Raw

GOAL_S = 1.0
SIZE = Size(800, 600)


@click.command()
@click.option("--times", default=7, show_default=True)
def main(times: int) -> None:
    """Measure in turns, print the medians."""
    ours, bare = [], []
    for _ in range(times):
        ours.append(_stop_while_typing())
        bare.append(anyio.run(_end_a_desktop))
    others = anyio.run(_elsewhere, times)
    median, reference = statistics.median(ours), statistics.median(bare)
    table = rows(
        {
            "a server told to stop while it types has left after, s (median)": f"{median:.3f}",
            f"the longest, s (goal: < {GOAL_S:g})": f"{max(ours):.3f}",
            "a bare virtual desktop ends after, s (median)": f"{reference:.3f}",
            "ratio": f"{median / reference:.2f}",
            **{
                f"{words}: median, longest, s": f"{statistics.median(spent):.3f}, {max(spent):.3f}"
                for words, spent in others.items()
            },
        }
    )
    print(table)
    keep("stopping", table, conditions=f"{times} times")


def _stop_while_typing() -> float:
    with tempfile.TemporaryDirectory() as name:
        with serving(folder := Path(name)) as server:
            raw = Raw(server)
            raw.begin()
            run_id = raw.call("start_run", goal="type much")["structuredContent"]["run_id"]
            text = "abcd" * 10_000
            raw.start("tools/call", {"name": "act", "arguments": {"action": "type", "text": text}})
            steps = folder / "home" / "runs" / run_id / "steps.jsonl"
            while not steps.exists() or not steps.stat().st_size:
                time.sleep(0.005)
            begun = time.monotonic()
            server.process.send_signal(signal.SIGTERM)
            server.process.wait(20)
            spent = time.monotonic() - begun
        if read_run(folder / "home" / "runs" / run_id).status != "cancelled":
            raise click.ClickException("the run was not sealed")
        return spent


async def _elsewhere(times: int) -> dict[str, list[float]]:
    """Stop servers that drive a desktop of somebody else's, each in the middle of something."""
    scenes = {"in a recording": _record, "while a screen settles": _settle, "in a replay that waits": _wait}
    found: dict[str, list[float]] = {words: [] for words in scenes}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        app = build_app(Settings(home=folder / "home", desktop="virtual", screen=WIDE, agent="bench"))
        async with Client(build_server(app)) as client:
            await Stage(app, client, folder).record("save_client")
        desk = await open_virtual(WIDE)
        for turn in range(times):
            for words, scene in scenes.items():
                log = Log(folder / f"{turn}-{len(words)}.jsonl")
                await show_form(desk, log, folder / "out.txt", without=["Save"])
                await never_still(desk)
                host = await at_work(folder / "home", desk)
                await scene(host, log)
                begun = time.monotonic()
                host.process.terminate()
                await host.process.wait()
                found[words].append(time.monotonic() - begun)
                await host.process.aclose()
        await desk.close()
    return found


async def _record(host: Host, _: Log) -> None:
    await host.call("start_run", goal="to be ended")


async def _settle(host: Host, log: Log) -> None:
    """A click on the form, beside something that never rests."""
    await host.call("start_run", goal="to be ended")
    place = {"x": 160, "y": 190, "frame_id": await host.look()}
    params = {"name": "act", "arguments": {"action": "click", **place}}
    await host.send({"id": 98, "method": "tools/call", "params": params})
    await log.until("click")


async def _wait(host: Host, log: Log) -> None:
    await replay(host, client="Initech")
    await log.until_keys("Initech")


async def _end_a_desktop() -> float:
    desktop = await open_virtual(SIZE)
    begun = time.monotonic()
    await desktop.close()
    return time.monotonic() - begun


if __name__ == "__main__":
    main()

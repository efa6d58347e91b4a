"""How long a server takes to leave when it is told to, in the middle of typing, with everything put in order.

Against a bare desktop of the same kind that is only ended: what our own closing adds to it.
"""

import signal
import statistics
import tempfile
import time
from pathlib import Path

import anyio
import click

from actionlens.desk import open_virtual
from actionlens.run_reader import read_run
from bench.tables import keep, rows
from ibtr.geometry import Size
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
    median, reference = statistics.median(ours), statistics.median(bare)
    table = rows(
        {
            "a server told to stop while it types has left after, s (median)": f"{median:.3f}",
            f"the longest, s (goal: < {GOAL_S:g})": f"{max(ours):.3f}",
            "a bare virtual desktop ends after, s (median)": f"{reference:.3f}",
            "ratio": f"{median / reference:.2f}",
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


async def _end_a_desktop() -> float:
    desktop = await open_virtual(SIZE)
    begun = time.monotonic()
    await desktop.close()
    return time.monotonic() - begun


if __name__ == "__main__":
    main()

"""Records actions until it is killed: `python -m tests.desktop.victim RUNS SEED [DISPLAY AUTHORITY]`.

Without a display it opens a virtual desktop of its own, with a probe window that logs next to the runs.
"""

import sys
from pathlib import Path

import anyio

from actionlens.desk import open_local, open_virtual
from actionlens.recorder import ActionLens
from actionlens.records import Request
from actionlens.settle import Patience
from ibtr.geometry import Size
from tests.desktop.plan import actions

PROBE = Path(__file__).with_name("probe.py")


async def main(runs: Path, seed: int, *display: str) -> None:
    if display:
        desktop = await open_local(*display)
    else:
        desktop = await open_virtual(Size(1280, 800))
        place = ("0", "0", "1280", "800")
        await desktop.launch([sys.executable, str(PROBE), str(runs / "../probe.jsonl"), "own", *place])
        while not (await desktop.capture()).window:
            await anyio.sleep(0.01)
    lens = ActionLens(desktop, runs, agent=f"victim {seed}", patience=Patience(quiet_s=0.02))
    await lens.start_run("to be killed")
    print("acting", flush=True)
    for action in actions(seed):
        await lens.act(Request(action=action))


if __name__ == "__main__":
    anyio.run(main, Path(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])

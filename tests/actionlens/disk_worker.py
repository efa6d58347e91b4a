"""Acts on a desktop while the disk for its evidence is full again and again: `python -m ... RUNS PLACE`."""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

import anyio

from actionlens.actions import Press
from actionlens.desk import open_virtual
from actionlens.errors import EvidenceUnwritable
from actionlens.recorder import ActionLens
from actionlens.records import Request, StepStatus
from actionlens.run_reader import read_run, verify_run
from ibtr.geometry import Size
from tests.conftest import Screen
from tests.e2e.stage import FORM

BLOCK = 4096


@dataclass
class Disk:
    """A small file system, and a file that takes its room away."""

    folder: Path
    refusals: list[str] = field(default_factory=list[str])

    def leave(self, blocks: int) -> None:
        """Take all the room but so much."""
        with (self.folder / "filler").open("wb", buffering=0) as filler:
            try:
                while filler.write(b"x" * BLOCK) == BLOCK:
                    pass
            except OSError:
                filler.truncate(max(0, filler.tell() // BLOCK - blocks) * BLOCK)

    def free(self) -> None:
        """Give it back."""
        (self.folder / "filler").unlink()


async def main(folder: Path, place: Path) -> dict[str, object]:
    """Press a key until there is no room, with more and more of it; then count what came and what is told."""
    disk = Disk(folder)
    desktop = await open_virtual(Size(640, 400))
    log_of_form = place / "form.jsonl"
    plan = {"log": str(log_of_form), "out": str(place / "out")}
    await desktop.launch([sys.executable, str(FORM), json.dumps(plan)])
    await Screen(desktop, place).until(lambda frame: frame.window is not None and bool(frame.window.title))
    lens = ActionLens(desktop, folder / "runs", agent="test")
    log = await lens.start_run("press keys on a full disk")
    pressed = 0
    for blocks in range(14):
        disk.leave(blocks)
        try:
            for key in "abcdefgh":
                done = await lens.act(
                    Request(action=Press(key=key, presses=1 + blocks % 3), target="x" * 400)
                )
                pressed += done.status is StepStatus.OK
        except EvidenceUnwritable as exc:
            disk.refusals.append(str(exc))
        disk.free()
        await lens.act(Request(action=Press(key="z")))
        pressed += 1
    disk.leave(0)
    for call in (lens.finish_run, lambda: lens.start_run("another")):
        try:
            await call()
        except EvidenceUnwritable as exc:
            disk.refusals.append(str(exc))
    still = lens.run is log
    disk.free()
    manifest = await lens.finish_run()
    disk.leave(1)
    try:
        await lens.start_run("without room")
        begun = True
    except EvidenceUnwritable:
        begun = False
    held = lens._lock.holder() is not None  # pyright: ignore[reportPrivateUsage]
    left = sorted(path.name for path in (folder / "runs").iterdir())
    disk.free()
    run = read_run(log.path)
    await desktop.close()
    return {
        "begun": begun,
        "held": held,
        "keys": log_of_form.read_text().count('"key"'),
        "left": left == [log.run_id],
        "names_folder": all(str(folder / "runs") in one for one in disk.refusals),
        "ok": pressed,
        "problems": [one for one in verify_run(log.path) if "has no end" not in one],
        "recorded": sum(getattr(step.action, "presses", 0) for step in run.steps),
        "refused": len(disk.refusals),
        "sealed": manifest is not None and manifest.counts["actions"] == len(run.steps),
        "still": still,
    }


if __name__ == "__main__":
    print(json.dumps(anyio.run(main, Path(sys.argv[1]), Path(sys.argv[2]))))

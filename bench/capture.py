"""What ActionLens costs: a capture, a recorded click, the bytes of a run; each against bare PyAutoGUI.

`make bench-capture` prints the table of docs/actionlens.md. Ours and the yardstick take turns
in the same minute on the same screen, so only the ratios mean anything.
"""

import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import median

import anyio
from PIL import Image

from actionlens.actions import Action, Click, Hotkey, Press, Type
from actionlens.desk import Desktop, open_virtual
from actionlens.recorder import ActionLens
from actionlens.records import Request
from actionlens.run_reader import Run, read_run
from actionlens.settle import Patience
from bench.tables import keep
from ibtr.geometry import Size

SCREEN = Size(1920, 1080)
ROUNDS, REPEATS = 8, 6
LINES = "\n".join(
    f"{n:3d}  the quick brown fox jumps over the lazy dog, and writes it down" for n in range(30)
)

Figures = dict[str, list[float]]


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        desktop = await open_virtual(SCREEN)
        await open_mousepad(desktop, Path(folder))
        figures = await against_pyautogui(desktop, Path(folder))
        run = await twelve_steps(desktop, Path(folder))
        sizes = bytes_of(run)
        await desktop.close()
    table = render(figures, *sizes)
    print(table)
    conditions = f"{SCREEN.width}x{SCREEN.height}, medians of {ROUNDS * REPEATS}"
    keep("capture", table, conditions=conditions)


async def open_mousepad(desktop: Desktop, folder: Path) -> None:
    note = folder / "note.txt"
    note.write_text(LINES)
    home = folder / "home"
    home.mkdir()
    argv = ["mousepad", "--disable-server", str(note)]
    await desktop.launch(argv, env={"HOME": str(home), "GSETTINGS_BACKEND": "memory"})
    with anyio.fail_after(30):
        window = None
        while window is None or window.application != "Mousepad":
            window = (await desktop.capture()).window
    await anyio.sleep(1)  # let it paint: this is a bench, not a test


async def against_pyautogui(desktop: Desktop, folder: Path) -> Figures:
    """Rounds of the yardstick and of ours in turns; every click goes to a place of its own."""
    frame = await desktop.capture()
    assert frame.window
    box = frame.window.box
    raw = subprocess.Popen(  # noqa: ASYNC220
        [sys.executable, "-m", "bench.capture_raw"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "DISPLAY": desktop.display, "XAUTHORITY": desktop.authority},
    )
    assert raw.stdin and raw.stdout
    lens = ActionLens(desktop, folder / "runs", agent="bench", patience=Patience(quiet_s=0.05))
    await lens.start_run("clicks")
    figures: Figures = defaultdict(list)
    for n in range(ROUNDS + 1):  # the first warms up
        places = [(box.x + 60 + 7 * k + 3 * n, box.y + 60 + 17 * k) for k in range(REPEATS)]
        raw.stdin.write(" ".join(f"{x},{y}" for x, y in places).encode() + b"\n")
        raw.stdin.flush()
        told = json.loads(raw.stdout.readline())
        ours = await our_round(lens, places)
        for name, values in {**told, **ours}.items():
            figures[name] += values if n else []
    raw.stdin.close()
    raw.wait()
    await lens.finish_run()
    return figures


async def our_round(lens: ActionLens, places: list[tuple[int, int]]) -> Figures:
    ours: Figures = defaultdict(list)
    for x, y in places:
        await lens.desktop.perform(
            Click(x=x + 1, y=y)
        )  # unmeasured: the caret goes there, the screen changes
        for name in ("capture", "capture_same"):
            begun = time.perf_counter()
            await lens.desktop.capture()
            ours[name].append((time.perf_counter() - begun) * 1000)
    for x, y in places:
        begun = time.perf_counter()
        done = await lens.act(Request(action=Click(x=x, y=y), target="somewhere in the text"))
        whole = (time.perf_counter() - begun) * 1000
        # Settling apart; of its grabs the last is the frame after, so one capture is counted back in.
        ours["act"].append(whole - done.timings_s["settle"] * 1000 + median(ours["capture"]))
        for phase in ("capture_before", "record_started", "perform", "record_ended"):
            ours[phase].append(done.timings_s.get(phase, 0.0) * 1000)
    return ours


async def twelve_steps(desktop: Desktop, folder: Path) -> Run:
    """An ordinary piece of work: look around in the menus, write, find, save."""
    window = (await desktop.capture()).window
    assert window
    x, y = window.box.x, window.box.y
    steps: list[Action] = [
        Click(x=x + 300, y=y + 200),
        Hotkey(keys=("ctrl", "end")),
        Type(text="\nGlobex: phone 555-0199\n"),
        Click(x=x + 20, y=y + 12),
        Press(key="escape"),
        Hotkey(keys=("ctrl", "f")),
        Type(text="fox"),
        Press(key="enter"),
        Press(key="escape"),
        Click(x=x + 60, y=y + 12),
        Press(key="escape"),
        Hotkey(keys=("ctrl", "s")),
    ]
    lens = ActionLens(desktop, folder / "runs", agent="bench")
    log = await lens.start_run("write a note")
    for action in steps:
        await lens.act(Request(action=action, target="as the bench says", expect="something visible"))
    await lens.finish_run()
    return read_run(log.path)


def bytes_of(run: Run) -> tuple[int, int]:
    """Bytes of the run directory, and of two PNGs at level 6 for every step."""
    ours = sum(file.stat().st_size for file in run.path.rglob("*") if file.is_file())
    theirs = 0
    for step in run.steps:
        assert step.after
        for seen in (step.before, step.after):
            png = io.BytesIO()
            Image.fromarray(run.frame(seen)[:, :, ::-1]).save(png, "PNG", compress_level=6)
            theirs += png.tell()
    return ours, theirs


def render(figures: Figures, ours: int, theirs: int) -> str:
    at = {name: median(values) for name, values in figures.items()}
    added = at["act"] - at["click_mss"]
    rows = [
        ("one capture, the screen has changed", "PIL `ImageGrab`", at["capture"], at["grab_pil"], 3),
        ("one capture, the screen has changed", "mss to numpy", at["capture"], at["grab_mss"], 3),
        ("one capture, nothing has changed", "PIL `ImageGrab`", at["capture_same"], at["grab_pil"], 3),
        ("one recorded click", "PIL grab, PyAutoGUI click, PIL grab", at["act"], at["click_pil"], 3),
        ("one recorded click", "mss grab, PyAutoGUI click, mss grab", at["act"], at["click_mss"], 3),
    ]
    lines = ["| ours | yardstick | ours ms | yardstick ms | ratio | goal |", "|---|---|---|---|---|---|"]
    lines += [f"| {a} | {b} | {c:.1f} | {d:.1f} | {c / d:.2f} | <= {g} |" for a, b, c, d, g in rows]
    lines.append(
        f"| bytes of a 12-step Mousepad run | two PNGs (level 6) a step | {ours / 1024:.0f} kB | "
        f"{theirs / 1024:.0f} kB | {ours / theirs:.2f} | <= 0.33 |"
    )
    phases = ", ".join(
        f"{name} {at[name]:.1f}" for name in ("capture_before", "record_started", "perform", "record_ended")
    )
    return (
        "\n".join(lines) + "\n\n"
        f"Against the quickest yardstick (mss), ActionLens adds {added:.1f} ms to a click, settling apart. "
        f"Where a click's time goes (ms): {phases}.\n"
    )


if __name__ == "__main__":
    anyio.run(main)

"""Frames of real toolkits, captured on a private Xvfb, with the true box of every widget."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import mss
import numpy as np

from ibtr.geometry import Box, Size
from ibtr.pixels import Pixels

ROOT = Path(__file__).parents[2]
FULL_HD = Size(1920, 1080)


@dataclass(frozen=True)
class Look:
    """How a window is shown."""

    name: str
    screen: Size = FULL_HD
    at: tuple[int, int] = (300, 150)
    rows: str = "Globex,Initech,Umbrella,Hooli,Stark,Wayne"
    font: str = "DejaVu Sans 10"
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Frame:
    """A screenshot and where everything on it is."""

    look: Look
    image: Pixels
    boxes: dict[str, Box]


GTK = (
    Look("base"),
    Look("moved", at=(902, 421)),
    Look("other resolution", screen=Size(1600, 900), at=(211, 97)),
    Look("other content", rows="Globex,Acme,Umbrella,Soylent,Hooli,Stark,Wayne"),
    Look("125 %", environment={"GDK_DPI_SCALE": "1.25"}),
    Look("150 %", environment={"GDK_DPI_SCALE": "1.5"}),
    Look("200 %, everything", screen=Size(3840, 2160), environment={"GDK_SCALE": "2"}),
    Look("dark theme", environment={"GTK_THEME": "Adwaita:dark"}),
    Look("other font", font="Nimbus Sans 11"),
)
TK = (
    Look("base"),
    Look("moved", at=(902, 421)),
    Look("other resolution", screen=Size(1600, 900), at=(211, 97)),
    Look("other content", rows="Globex,Acme,Umbrella,Soylent,Hooli,Stark,Wayne"),
    Look("125 %", environment={"TK_SCALE": "1.25"}),
    Look("dark theme", environment={"TK_DARK": "1"}),
    Look("other font", font="Nimbus Sans 11"),
)


@contextmanager
def display(size: Size) -> Iterator[dict[str, str]]:
    """A screen of our own with a window manager; the environment to use it."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size.width}x{size.height}x24",
         "-dpi", "96", "-noreset", "-nolisten", "tcp"],
        pass_fds=[writing], stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writing)
    with os.fdopen(reading) as number:
        name = f":{number.readline().strip()}"
    environment = {**os.environ, "DISPLAY": name, "NO_AT_BRIDGE": "1", "GDK_BACKEND": "x11"}
    manager = subprocess.Popen(
        ["openbox"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield environment
    finally:
        for process in (manager, server):
            process.terminate()
            process.wait(10)


def capture(script: str, look: Look, source: str = "", labels: dict[str, str] | None = None) -> Frame:
    """Show the window as `look` says, with new `labels` where given; its picture once it is painted."""
    with display(look.screen) as environment, tempfile.TemporaryDirectory() as home:
        settings = Path(home) / "gtk-3.0" / "settings.ini"
        settings.parent.mkdir()
        settings.write_text(
            f"[Settings]\ngtk-font-name={look.font}\ngtk-cursor-blink=0\ngtk-enable-animations=0\n"
        )
        environment |= {"XDG_CONFIG_HOME": home, "TK_FONT": look.font, **look.environment}
        command = [
            sys.executable, "-m", f"bench.reaim.{script}", *map(str, look.at), source or look.rows,
            json.dumps({"labels": labels or {}}),
        ]  # fmt: skip
        window = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT
        )
        try:
            assert window.stdout is not None
            boxes = json.loads(window.stdout.readline())
            image = still(environment["DISPLAY"])
        finally:
            window.kill()
            window.wait(10)
        whole = Box(0, 0, *look.screen)
    found = {name: Box(*numbers) for name, numbers in boxes.items()}
    return Frame(look, image, {n: b for n, b in found.items() if min(b[2:]) >= 8 and b.intersect(whole) == b})


def still(name: str) -> Pixels:
    """The screen of display `name` once two pictures in a row are the same."""
    with mss.mss(display=name) as grabber:
        last = np.zeros(0, np.uint8)
        for _ in range(50):
            now = np.asarray(grabber.grab(grabber.monitors[0]), np.uint8)[..., :3].copy()
            if now.shape == last.shape and np.array_equal(now, last):
                return now
            last = now
            time.sleep(0.1)
    return last


def main(toolkit: str, folder: Path, *names: str) -> None:
    """Write frames as NAME.png and their boxes as NAME.json."""
    for look in GTK if toolkit == "gtk" else TK:
        if not names or look.name in names:
            frame = capture(f"{toolkit}_window", look)
            cv2.imwrite(str(folder / f"{look.name}.png"), frame.image)
            (folder / f"{look.name}.json").write_text(json.dumps(frame.boxes))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:])

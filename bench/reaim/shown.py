"""Real applications on a virtual desktop of ours: their frames, with the boxes they tell themselves."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import cv2
import numpy as np
from anyio import to_thread

from actionlens import Desktop, Window, open_virtual
from actionlens.actions import Hotkey, Move
from bench.reaim.boxes import boxes_of
from bench.reaim.toolkits import Frame, Look
from bench.study.stage import put
from ibtr.geometry import Box
from ibtr.pixels import Pixels

SYSTEM = Path("/usr/bin/python3")
TOLD = Path(__file__).with_name("told.py")
QUIET = {
    "GSETTINGS_BACKEND": "keyfile", "SAL_USE_VCLPLUGIN": "gtk3", "GTK_MODULES": "gail:atk-bridge",
    "ACCESSIBILITY_ENABLED": "1", "GNOME_ACCESSIBILITY": "1", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
    "GDK_BACKEND": "x11", "QT_QPA_PLATFORMTHEME": "gtk3", "LC_ALL": "C.UTF-8",
}  # fmt: skip
"""Settings from the fresh home alone; GTK 2, Qt and browsers tell of their widgets only when asked to."""
_DARK_GTK2 = """style "dark" { bg[NORMAL]="#2b2b2b" bg[ACTIVE]="#202020" bg[PRELIGHT]="#3a3a3a"
fg[NORMAL]="#eeeeee" fg[ACTIVE]="#eeeeee" fg[PRELIGHT]="#ffffff" base[NORMAL]="#1e1e1e"
text[NORMAL]="#eeeeee" bg[INSENSITIVE]="#2b2b2b" fg[INSENSITIVE]="#808080" }
class "GtkWidget" style "dark"
"""
_START_S = 60.0


@dataclass(frozen=True)
class Shown(Look):
    """How an application is shown; those that differ in place alone are of one run of it."""

    dpi: int = 96
    dark: bool = False
    other: bool = False
    """With other content."""
    zoom: int = 0
    """Steps of the page's zoom."""
    maximised: bool = False

    @property
    def start(self) -> tuple[object, ...]:
        """What needs another run of the application."""
        return self.font, self.dpi, self.dark, self.other, self.zoom


@dataclass(frozen=True)
class App:
    """A real application in one state."""

    name: str
    argv: tuple[str, ...]
    application: str
    fill: Callable[[Path, Shown], None]
    """Put its documents and settings into a fresh home."""
    size: tuple[int, int] = (1200, 660)
    keys: tuple[tuple[str, ...], ...] = ()
    """Pressed once it is there, to bring up the window that is meant."""
    rest_s: float = 0.8
    dark: tuple[str, ...] = ()
    """Arguments for its own dark theme."""
    shows_page: bool = False
    """Whether what it shows can be zoomed."""


@dataclass(frozen=True)
class Seen(Frame):
    """A frame of an application, and what is on it only in part."""

    cut: frozenset[str] = frozenset()


@asynccontextmanager
async def running(app: App, look: Shown, home: Path) -> AsyncIterator[Desktop]:
    """The application, started in a fresh home on a desktop of its own."""
    _furnish(home, look)
    app.fill(home, look)
    desktop = await open_virtual(look.screen)
    try:
        os.environ["DISPLAY"], os.environ["XAUTHORITY"] = desktop.display, desktop.authority
        await to_thread.run_sync(_set_dpi, look.dpi)
        env = {**QUIET, "HOME": str(home)}
        env |= {"GTK_THEME": "Adwaita:dark"} if look.dark else {}
        argv = [part.format(home=home) for part in (*app.argv, *(app.dark if look.dark else ()))]
        await desktop.launch(argv, env=env, cwd=home)
        await _window(desktop, app)
        await _still(desktop, 2 * app.rest_s)
        for keys in (*app.keys, *[("ctrl", "plus")] * look.zoom):
            await desktop.perform(Hotkey(keys=keys))
            await _still(desktop, app.rest_s)
        yield desktop
    finally:
        await desktop.close()


async def frame_of(desktop: Desktop, app: App, look: Shown, file: Path) -> Seen:
    """Put the window where `look` wants it; its picture and boxes once it is painted."""
    if (await desktop.capture()).screen != look.screen:
        await desktop.resize(look.screen)
    window = await _window(desktop, app)
    place = Box(*look.at, *app.size)
    for box in (None,) if look.maximised else (place._replace(x=place.x + 8), place):
        await to_thread.run_sync(put, window.id, box)  # twice: some learn where they are only then
        await _still(desktop, 0.3)
    await desktop.perform(Move(x=look.screen.width - 3, y=look.screen.height // 2))
    await _still(desktop, app.rest_s)
    before = await desktop.capture()
    told = await _told(desktop, file)
    after = await _still(desktop, 0.3)
    if after.shape != before.pixels.shape or (after != before.pixels).mean() > 0.01:
        print(f"{app.name}, {look.name}: the screen changed while it was read")
    assert before.window is not None
    return Seen(look, after, *boxes_of(told, before.window.box, look.dpi / 96))


async def _window(desktop: Desktop, app: App) -> Window:
    """Its window, once it is in front."""
    with anyio.fail_after(_START_S):
        while True:
            window = (await desktop.capture()).window
            if window is not None and window.application.casefold() == app.application:
                return window
            await anyio.sleep(0.05)


async def _still(desktop: Desktop, seconds: float, cap_s: float = 15) -> Pixels:
    """The screen once nothing has changed for a while."""
    seen, since = (await desktop.capture()).pixels, anyio.current_time()
    end = since + cap_s
    while anyio.current_time() < min(end, since + seconds):
        await anyio.sleep(0.05)
        pixels = (await desktop.capture()).pixels
        if pixels is not seen:
            seen, since = pixels, anyio.current_time()
    return seen


async def _told(desktop: Desktop, file: Path) -> list[dict[str, object]]:
    await to_thread.run_sync(file.write_text, "[]")
    pid = await desktop.launch([str(SYSTEM), "-I", str(TOLD), str(file)])
    with anyio.fail_after(_START_S):
        while (end := await desktop.ended(pid)) is None:  # noqa: ASYNC110 - the desktop has no event for it
            await anyio.sleep(0.05)
    told: list[dict[str, object]] = json.loads(await to_thread.run_sync(file.read_text))
    if not told:
        raise RuntimeError(
            f"the widgets were not told: {end} (scripts/bench-setup.sh installs what tells them)"
        )
    return told


def _furnish(home: Path, look: Shown) -> None:
    """A fresh home with what a desktop environment would set: font, a still caret, the theme of GTK 2."""
    shutil.rmtree(home, ignore_errors=True)
    settings = home / ".config" / "gtk-3.0" / "settings.ini"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        f"[Settings]\ngtk-font-name={look.font}\ngtk-cursor-blink=0\ngtk-enable-animations=0\n"
    )
    plain = f'gtk-font-name="{look.font}"\ngtk-cursor-blink=0\n'
    (home / ".gtkrc-2.0").write_text(plain + (_DARK_GTK2 if look.dark else ""))


def _set_dpi(dpi: int) -> None:
    """The text size of everything that is started from now on."""
    from Xlib import Xatom
    from Xlib import display as xdisplay

    display = xdisplay.Display()
    said = f"Xft.dpi:\t{dpi}\n".encode()
    display.screen().root.change_property(Xatom.RESOURCE_MANAGER, Xatom.STRING, 8, said)
    display.sync()
    display.close()


def keep_frame(frame: Seen, folder: Path) -> None:
    """Picture, boxes, and the boxes drawn on the picture for a person to look at."""
    folder.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(folder / f"{frame.look.name}.png"), frame.image)
    told = {"boxes": frame.boxes, "cut": sorted(frame.cut)}
    (folder / f"{frame.look.name}.json").write_text(json.dumps(told))
    drawn = frame.image.copy()
    for box in frame.boxes.values():
        cv2.rectangle(drawn, box[:2], (box.right - 1, box.bottom - 1), (0, 0, 255), 1)
    cv2.imwrite(str(folder / f"{frame.look.name} - boxes.png"), drawn)


def kept_frame(look: Look, folder: Path) -> Seen | None:
    """A frame that was kept."""
    file = folder / f"{look.name}.json"
    if not file.exists():
        return None
    told = json.loads(file.read_text())
    image = np.asarray(cv2.imread(str(file.with_suffix(".png"))), np.uint8)
    boxes = {name: Box(*box) for name, box in told["boxes"].items()}
    return Seen(look, image, boxes, frozenset(told["cut"]))

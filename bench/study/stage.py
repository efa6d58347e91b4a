"""The desktop that the study plays on: applications in fresh homes, windows where a repetition wants them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio

from actionlens.desk import Desktop
from actionlens.errors import DesktopUnusable
from actionlens.observation import Window
from bench.study.site import Site
from ibtr.geometry import Box, Size
from server.app import App

_START_S = 40.0
QUIET = {"GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1", "SAL_USE_VCLPLUGIN": "gtk3"}
"""No settings from outside, no accessibility bus: an application as it is the first time."""


@dataclass(slots=True)
class Stage:
    """What a task may reach when it starts."""

    app: App
    out: Path
    site: Site
    environment: dict[str, str] = field(default_factory=dict[str, str])
    """What programs are started with beside the usual: a theme, a language."""

    async def desktop(self) -> Desktop:
        desktop = await self.app.operator.desktop()
        os.environ["DISPLAY"], os.environ["XAUTHORITY"] = desktop.display, desktop.authority
        return desktop

    def folder(self, name: str) -> Path:
        """Where a task keeps its artifacts: the same in every pass, for the stored evaluator."""
        folder = self.out / "work" / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    async def clear(self, size: Size | None = None) -> None:
        """End every program; another size of screen, if wanted."""
        desktop = await self.desktop()
        await desktop.end_programs()
        if size is not None and (await desktop.capture()).screen != size:
            await desktop.resize(size)
        await self.until(lambda windows: not windows, "the windows did not go")

    async def launch(
        self, argv: list[str], box: Box | None, application: str = "", rest_s: float = 0.6
    ) -> None:
        """Start a program in a fresh home and put its window in the box, painted and still for a while."""
        desktop = await self.desktop()
        home = self.out / "homes" / str(time.monotonic_ns())
        home.mkdir(parents=True)
        env = {**QUIET, "HOME": str(home), **self.environment}
        name = (application or Path(argv[0]).name).casefold()
        await desktop.launch(argv, env=env, cwd=home)
        windows = await self.until(
            lambda windows: bool(windows and windows[-1].application.casefold() == name),
            f"{argv[0]} showed no window",
        )
        if box is not None:  # twice: some programs learn where they are only from a second move
            for place in (box._replace(x=box.x + 8), box):
                await self.still(0.25)
                await anyio.to_thread.run_sync(put, windows[-1].id, place)
        await self.still(rest_s)

    async def until(self, true: Callable[[tuple[Window, ...]], bool], otherwise: str) -> tuple[Window, ...]:
        desktop = await self.desktop()
        with anyio.move_on_after(_START_S):
            while True:
                frame = await desktop.capture()
                front = (
                    *(w for w in frame.windows if w != frame.window),
                    *((frame.window,) if frame.window else ()),
                )
                if true(front):
                    return front
                await anyio.sleep(0.02)
        raise DesktopUnusable(f"{otherwise} within {_START_S:g} s")

    async def still(self, seconds: float = 0.6) -> None:
        """Wait until nothing has changed for a while: painted, not only mapped."""
        desktop = await self.desktop()
        seen: object = None
        since = time.monotonic()
        with anyio.move_on_after(10):
            while time.monotonic() - since < seconds:
                pixels = (await desktop.capture()).pixels
                if pixels is not seen:
                    seen, since = pixels, time.monotonic()
                await anyio.sleep(0.03)


def put(window_id: int, box: Box | None) -> None:
    """Ask the window manager to move and size a window, maximised before or not; a zero size leaves it.

    Without a box it is maximised.
    """
    from Xlib import X
    from Xlib import display as xdisplay
    from Xlib.protocol import event

    display: Any = xdisplay.Display()
    root, window = display.screen().root, display.create_resource_object("window", window_id)
    state, wide, high = (
        display.intern_atom(f"_NET_WM_STATE{name}") for name in ("", "_MAXIMIZED_HORZ", "_MAXIMIZED_VERT")
    )
    told = (32, [int(box is None), wide, high, 1, 0])
    plain = event.ClientMessage(window=window, client_type=state, data=told)
    root.send_event(plain, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
    display.sync()
    if box is not None:
        size = {"width": box.width, "height": box.height} if box.width else {}
        window.configure(x=box.x, y=box.y, **size)
        display.sync()
    display.close()

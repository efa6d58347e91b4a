"""The desktop that this server drives: opened when first needed, seen and touched through ActionLens only."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING

import anyio

from actionlens.errors import DesktopLost, DesktopUnusable
from server.bounds import ANSWER_S, CLOSE_S
from server.claims import Claims
from server.settings import Settings

if TYPE_CHECKING:
    from actionlens.controller import Frame
    from actionlens.desk import Desktop
    from actionlens.mask import Masks
    from actionlens.pictures import Pictures
    from actionlens.recorder import ActionLens
    from actionlens.stop_sign import StopSign


class Operator:
    """Holds the one desktop of the server; nothing heavy is imported before it is asked for."""

    def __init__(self, settings: Settings, sign: StopSign | None = None) -> None:
        """`sign` tells of the user's stop, while events are sent."""
        self._settings, self._sign = settings, sign
        self.claims = Claims()
        self.tokens = 0
        """Estimated tokens that calls and answers have cost the host since the last recording began."""
        self._opening = anyio.Lock()
        self._desktop: Desktop | None = None
        self._lens: ActionLens | None = None
        self._pictures: Pictures | None = None

    async def lens(self) -> ActionLens:
        """The hand and the recorder; opens the desktop the first time.

        Raises:
            DesktopUnusable: there is none; says what to install or set.
            DesktopLost: it went away since the last call; its run was sealed, the next call opens another.
        """
        async with self._opening:
            if self._desktop is not None and not self._desktop.alive:
                name = self._desktop.name
                await self.close()
                raise DesktopLost(f"the desktop {name} is gone (its process ended); call again for a new one")
            if self._lens is None:
                self._desktop = await open_desktop(self._settings)
                from actionlens.recorder import ActionLens

                self._lens = ActionLens(
                    self._desktop, self._settings.runs, agent=self._settings.agent, sign=self._sign
                )
            return self._lens

    @property
    def runs(self) -> Path:
        """Where the runs are kept."""
        return self._settings.runs

    async def desktop(self) -> Desktop:
        """The desktop itself, for launching and resizing."""
        await self.lens()
        assert self._desktop is not None
        return self._desktop

    def recorded_tokens(self, runs: tuple[str, ...]) -> int | None:
        """What the first pass of a memory cost its host, if its run is still here. Blocks."""
        from actionlens.errors import RunUnreadable
        from actionlens.run_reader import read_manifest

        for run in runs:
            with suppress(RunUnreadable):
                tokens = read_manifest(self._settings.runs / run).detail.get("host_tokens")
                return tokens if isinstance(tokens, int) else None
        return None

    def pictures(self) -> Pictures:
        """The pictures that the host was shown."""
        if self._pictures is None:
            from actionlens.pictures import Pictures

            self._pictures = Pictures()
        return self._pictures

    async def look(self, note: str | None = None, *, hide: Masks | None = None) -> Frame:
        """Observe; a desktop that was lost is given up, so that the next call opens a new one."""
        try:
            return await (await self.lens()).observe(note, hide=hide)
        except DesktopLost:
            await self.close()
            raise

    async def close(self) -> None:
        """Release keys, seal the run, end the desktop."""
        lens, desktop = self._lens, self._desktop
        self._lens = self._desktop = None
        with anyio.move_on_after(CLOSE_S, shield=True):
            if lens is not None and desktop is not None:
                with killed_after(ANSWER_S, desktop):
                    await lens.close()
                await desktop.close()

    def halt(self) -> None:
        """Break off the act under way, between two input events, and let no other begin; `close` follows."""
        if self._lens is not None:
            self._lens.halt()


@contextmanager
def killed_after(seconds: float, desktop: Desktop) -> Generator[None]:
    """Whoever waits for a desktop that hangs is let go: its process is killed, and every call on it fails."""
    timer = Timer(seconds, desktop.kill)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


async def open_desktop(settings: Settings) -> Desktop:
    """The desktop that the settings ask for.

    Raises:
        DesktopUnusable: neither screen nor virtual desktop; says what to install or set.
    """
    from actionlens.desk import open_local, open_virtual

    if settings.desktop == "virtual":
        return await open_virtual(settings.screen)
    if settings.desktop == "local":
        return await open_local()
    try:
        return await open_local()
    except DesktopUnusable as local:
        try:
            return await open_virtual(settings.screen)
        except DesktopUnusable as virtual:
            raise DesktopUnusable(f"no desktop to drive. Local: {local}. Virtual: {virtual}") from virtual

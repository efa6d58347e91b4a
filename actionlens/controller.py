"""The Controller protocol: an eye and a hand on one desktop."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, Protocol

from pydantic import JsonValue

from actionlens.actions import Action
from actionlens.frames import Pixels, size_of
from actionlens.observation import Observation, Popup, Under, Window
from ibtr.geometry import Box, Point, Scale, Size, scale_of


@dataclass(frozen=True, slots=True)
class Frame:
    """One grab of the whole screen and what the platform told of it. The pixels are BGR and read-only."""

    pixels: Pixels
    at: datetime
    screen: Size
    origin: Point
    pointer: Point | None
    window: Window | None
    windows: tuple[Window, ...]
    hints: tuple[Box, ...] = ()
    """Tooltips that lie over the screen, in controller units."""
    popups: tuple[Popup, ...] = ()
    """What the window in front has laid over the screen beside them: menus, lists."""
    presses: int | None = None
    """Buttons and keys that others have pressed on this desktop so far, where the platform tells it."""

    @property
    def image(self) -> Size:
        """Pixels of the grab: the order of trust for the screen's size begins here."""
        return size_of(self.pixels)

    @property
    def scale(self) -> Scale:
        """Image pixels per controller unit."""
        return scale_of(self.image, self.screen)

    @property
    def bounds(self) -> Box:
        """The screen in controller units."""
        return Box(round(self.origin.x), round(self.origin.y), *self.screen)

    def observation(self, digest: str, hidden: tuple[Box, ...] = ()) -> Observation:
        """What is written down of it, once its pixels are stored, less the `hidden`, under `digest`."""
        return Observation(
            at=self.at,
            image=self.image,
            screen=self.screen,
            origin=self.origin,
            scale=self.scale,
            pointer=self.pointer,
            window=self.window,
            windows=self.windows,
            hints=self.hints,
            popups=self.popups,
            hidden=hidden,
            frame=digest,
        )


class ProgramEnd(NamedTuple):
    """How a program ended."""

    code: int
    """Its exit code; below 0: the signal that ended it."""
    said: str = ""
    """The last line that it wrote on its standard error, where that is known."""

    def __str__(self) -> str:
        """In words."""
        how = f"with exit code {self.code}" if self.code >= 0 else f"by signal {-self.code}"
        return f"ended {how}" + (f": {self.said}" if self.said else "")


class Controller(Protocol):
    """An eye and a hand on one desktop.

    A call returns only once the desktop has the event, even if the caller was cancelled meanwhile: the
    evidence must never claim less than what was done.
    """

    @property
    def name(self) -> str:
        """What runs call this desktop: `virtual` or `local`, with its display."""
        ...

    @property
    def place(self) -> str:
        """Identity of the desktop across processes, for the lock."""
        ...

    async def capture(self) -> Frame:
        """Grab the whole screen."""
        ...

    async def front(self) -> Window | None:
        """The window that has the keyboard at this moment; no grab."""
        ...

    async def under(self, point: Point) -> Under | None:
        """What a click at `point` would reach; None for the bare screen."""
        ...

    async def perform(
        self,
        action: Action,
        *,
        secret: str | None = None,
        into: int | None = None,
        presses: int | None = None,
        corner: bool = False,
    ) -> dict[str, JsonValue]:
        """Send the input events of an action; what there is to say about it comes back.

        `into` is the window that must get them: it is looked for right before the first of them, and keys
        that would go to another application break off. With `presses`, keys go only as long as others have
        pressed no more than so much: a person who clicks may have taken them to another field. With
        `corner`, a pointer that somebody throws into a corner of the screen meanwhile breaks it off.

        Raises:
            Elsewhere: another window would get them; no button or key went down.
        """
        ...

    async def caught_up(self) -> bool:
        """Whether every program that got our keys has read them; waits some seconds for one that hangs."""
        ...

    def interrupt(self) -> None:
        """Break off what was asked for so far, between two input events; each such `perform` fails."""
        ...

    async def release(self) -> None:
        """Let go of every key and button that we hold."""
        ...

    async def launch(
        self, argv: Sequence[str], *, cwd: Path | None = None, env: Mapping[str, str] | None = None
    ) -> int:
        """Start a program on this desktop, with a clean environment; its pid."""
        ...

    async def ended(self, pid: int) -> ProgramEnd | None:
        """How a program ended that was launched here; None while it, or something that it started, runs."""
        ...

    async def activate(self, window_id: int) -> None:
        """Ask the window manager to bring a window to the front."""
        ...

    async def resize(self, size: Size) -> None:
        """Change the screen's size while everything runs, where the desktop is ours."""
        ...

    async def close(self) -> None:
        """Release everything and end what belongs to the desktop."""
        ...

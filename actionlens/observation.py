"""What was seen, without the pixels: sizes, scale, pointer, window, and the digest of the screenshot."""

from datetime import datetime
from typing import Annotated

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from ibtr.geometry import Box, Point, Scale, Size

BARE = 0
"""The number of no window: the bare screen."""


class Record(BaseModel):
    """Base of everything that is written down."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Window(Record):
    """A top-level window as the window manager tells it."""

    id: int
    title: str = ""
    application: Annotated[str, Field(description="WM_CLASS class, or the process name.")] = ""
    pid: int | None = None
    box: Annotated[Box, Field(description="Controller units, without the frame.")]
    dialog: Annotated[bool, Field(description="It belongs to another window, or says it is a dialog.")] = (
        False
    )


class Popup(Record):
    """What the window in front has laid over the screen, past the window manager: a menu, a list."""

    box: Annotated[Box, Field(description="Controller units.")]
    menu: Annotated[bool, Field(description="A menu, or the list of a box: the next click closes it.")] = (
        False
    )


class Under(Record):
    """What a click at one place would reach: a window that is managed, or one past the window manager."""

    id: int
    application: str = ""
    pid: int | None = None
    managed: bool = False
    standing: Annotated[bool, Field(description="Part of the desktop itself: a panel, or its ground.")] = (
        False
    )
    hint: Annotated[bool, Field(description="A tooltip.")] = False
    owners: Annotated[
        tuple[int, ...],
        Field(
            description="Other managed windows that it goes with: of one client or process, or named by it."
        ),
    ] = ()


class Observation(Record):
    """One look at the desktop, with the coordinate context of paper B.1."""

    at: AwareDatetime
    image: Annotated[Size, Field(description="Pixels of the screenshot.")]
    screen: Annotated[Size, Field(description="Logical size, in controller units.")]
    origin: Annotated[Point, Field(description="Top left of the whole virtual screen; may be negative.")]
    scale: Annotated[Scale, Field(description="Image pixels per controller unit.")]
    pointer: Point | None = None
    region: Annotated[
        Box | None, Field(description="Part of the screen that was captured; all if absent.")
    ] = None
    window: Annotated[Window | None, Field(description="The active window, where the platform tells it.")] = (
        None
    )
    windows: Annotated[tuple[Window, ...], Field(description="All managed windows, bottom to top.")] = ()
    hints: Annotated[
        tuple[Box, ...], Field(description="Tooltips that lie over it, in controller units.")
    ] = ()
    popups: Annotated[
        tuple[Popup, ...], Field(description="Menus and the like of the active window that lie over it.")
    ] = ()
    hidden: Annotated[
        tuple[Box, ...], Field(description="Pixels that were painted over because they showed a secret.")
    ] = ()
    frame: Annotated[str, Field(description="Digest of the pixels; the run's reader finds them by it.")]

    @property
    def bounds(self) -> Box:
        """The whole screen in controller units."""
        return Box(round(self.origin.x), round(self.origin.y), *self.screen)


def utc(at: datetime) -> str:
    """Time of day for people."""
    return at.strftime("%Y-%m-%d %H:%M:%S")

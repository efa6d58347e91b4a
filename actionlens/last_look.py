"""The last looks of one act: its record is on the disk, and the next thing is the input event."""

import time

import anyio
from anyio import to_thread

from actionlens.actions import Move
from actionlens.controller import Controller
from actionlens.looks import Hover, Looks
from actionlens.observation import BARE, Under
from actionlens.step import StepUnderWay
from ibtr.geometry import Point

_FRESH_S, _VERIFIED = 0.05, 3  # what took longer to verify is looked at again, so often at most
_HINT_S = 0.6  # how long a tooltip may take to go


async def last_look(desktop: Controller, step: StepUnderWay, looks: Looks) -> int | None:
    """Ask every look; the number of the window that the events must reach.

    Raises:
        Rejected: one of them said no.
    """
    into = None
    if looks.hover is not None or looks.over is not None:
        point = step.request.action.points()[0]
        await desktop.perform(Move(x=round(point.x), y=round(point.y)))
        if looks.over is not None:
            found = await _under(desktop, point)
            looks.over(found)
            into = found.id if found else BARE
        if looks.hover is not None:
            await _verify(desktop, step, looks.hover)
    if looks.front is not None:
        looks.front(window := await desktop.front())
        into = window.id if window else None
        step.lap("front")
    return into


async def _verify(desktop: Controller, step: StepUnderWay, hover: Hover) -> None:
    """Judge what is under the pointer; what took long to judge must still be what is seen."""
    frame = await desktop.capture()
    step.lap("hover")
    for _ in range(_VERIFIED):
        begun = time.monotonic()
        await to_thread.run_sync(hover, frame)
        if time.monotonic() - begun <= _FRESH_S:
            break
        seen, frame = frame, await desktop.capture()
        if frame.pixels is seen.pixels:
            break
    step.lap("verify")


async def _under(desktop: Controller, point: Point) -> Under | None:
    """What a click would reach; a tooltip goes as the pointer comes, but not at once."""
    end = time.monotonic() + _HINT_S
    while True:
        found = await desktop.under(point)
        if found is None or not found.hint or time.monotonic() > end:
            return found
        await anyio.sleep(0.01)

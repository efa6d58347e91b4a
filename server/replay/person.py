"""Somebody at the mouse: a replay waits until they have stopped, or refuses to go on."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import anyio

from server.fallback import StopCause
from server.panic import kept_inside
from server.replay.stopped import Stopped

if TYPE_CHECKING:
    from actionlens.actions import Action
    from actionlens.controller import Controller, Frame
    from ibtr.geometry import Point
    from server.replay.manners import Manners

_MOVED_PX = 3.0


def left_at(action: Action, before: Frame) -> Point | None:
    """Where an action leaves the pointer: at its own last point, or where it was."""
    points = action.points()
    return kept_inside(points[-1], before.bounds) if points else before.pointer


def moved(frame: Frame, ours: Point | None) -> bool:
    """Whether the pointer is somewhere else than where we left it."""
    return ours is not None and frame.pointer is not None and not _near(frame.pointer, ours)


async def give_way(eye: Controller, manners: Manners, ours: Point | None, frame: Frame) -> Frame:
    """Wait while somebody moves the mouse; the screen to act on.

    Raises:
        Stopped: they keep moving it, or the settings say to refuse at once.
    """
    if not moved(frame, ours) or frame.pointer is None:
        return frame
    if manners.person == "refuse":
        raise Stopped(StopCause.PERSON, "somebody moved the mouse", pointer=[*frame.pointer])
    begun = still = time.monotonic()
    last = frame.pointer
    while time.monotonic() - still < manners.person_still_s:
        if time.monotonic() - begun > manners.person_longest_s:
            raise Stopped(StopCause.PERSON, "somebody kept moving the mouse", pointer=[*last])
        await anyio.sleep(manners.waiting.poll_s)
        frame = await eye.capture()
        if frame.pointer is not None and not _near(frame.pointer, last):
            last, still = frame.pointer, time.monotonic()
    return frame


def _near(one: Point, other: Point) -> bool:
    return max(abs(one.x - other.x), abs(one.y - other.y)) <= _MOVED_PX

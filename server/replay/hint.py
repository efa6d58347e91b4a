"""A hint that came up for what the pointer rests on may lie over the next target: the pointer moves aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from actionlens.actions import Move
from ibtr.geometry import Point, xy_to_px

if TYPE_CHECKING:
    from actionlens.controller import Frame


def hint_came_up(before: Frame | None, now: Frame, left_at: Point | None) -> bool:
    """Whether something small came up close to where we left the pointer, since before the last click."""
    from memory_store.consolidation.screens import change
    from memory_store.consolidation.vary import hints

    if before is None or left_at is None or before.pixels.shape != now.pixels.shape:
        return False
    return bool(hints(change(before.pixels, now.pixels), xy_to_px(left_at, now.scale, now.origin)))


def aside(frame: Frame) -> Move | None:
    """To the upper edge of the active window, where nothing lights up; without a window, nowhere."""
    if frame.window is None:
        return None
    box = frame.window.box
    return Move(x=round(box.x + box.width / 2), y=box.y + 1)

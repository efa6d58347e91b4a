"""A tooltip for what the pointer rests on may lie over the next target: the pointer moves aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from actionlens.actions import Move

if TYPE_CHECKING:
    from actionlens.controller import Frame


def aside(frame: Frame) -> Move | None:
    """Where no tooltip belongs: the upper edge of the active window. Nowhere, if there is no tooltip."""
    if not frame.hints or frame.window is None:
        return None
    box = frame.window.box
    return Move(x=round(box.x + box.width / 2), y=box.y + 1)

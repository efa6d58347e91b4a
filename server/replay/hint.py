"""Where the pointer rests something changes: a tooltip comes, a button lights up. It moves aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from actionlens.actions import Move

if TYPE_CHECKING:
    from actionlens.controller import Frame


def aside(frame: Frame) -> Move | None:
    """Where no tooltip belongs. Nowhere, if there is no tooltip."""
    return upper_edge(frame) if frame.hints else None


def upper_edge(frame: Frame) -> Move | None:
    """Onto the upper edge of the active window, where hardly ever anything lights up."""
    if frame.window is None:
        return None
    box = frame.window.box
    return Move(x=round(box.x + box.width / 2), y=box.y + 1)

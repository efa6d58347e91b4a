"""A pointer that somebody throws into a corner of the screen means stop, also in the middle of an action."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from actionlens.errors import ActionFailed
from ibtr.geometry import Box, Point

_NEAR = 2  # controller units from a corner; a pointer that is thrown there ends up in the last pixel
_LOOK_S = 0.02  # a thrown pointer stays for longer, and a key takes less


def in_corner(pointer: Point, screen: Box | None) -> bool:
    """Whether the pointer is in a corner; of a screen that is not known, the top left one."""
    if screen is None:
        return abs(pointer.x) <= _NEAR and abs(pointer.y) <= _NEAR
    across = min(abs(pointer.x - screen.x), abs(pointer.x - (screen.right - 1)))
    down = min(abs(pointer.y - screen.y), abs(pointer.y - (screen.bottom - 1)))
    return across <= _NEAR and down <= _NEAR


def is_near(one: Point | None, other: Point) -> bool:
    """The same place, for a pointer."""
    return one is not None and abs(one.x - other.x) <= _NEAR and abs(one.y - other.y) <= _NEAR


class Corner:
    """Asked between two input events of one action; runs inside the desk's process."""

    def __init__(self, root: Any, clock: Callable[[], float] = time.monotonic) -> None:
        self._root, self._clock = root, clock
        self._screen: Box | None = None
        self._ours: tuple[Point, ...] = ()
        self._looked = 0.0

    def begin(self, points: Sequence[Point], screen: Box, *, heeded: bool) -> None:
        """A new action: where the pointer is now, and where the action takes it, means nothing."""
        self._screen = screen if heeded else None
        self._ours = (self._at(), *points) if heeded else ()

    def check(self) -> None:
        """Go on, or not.

        Raises:
            ActionFailed: the pointer is in a corner to which we did not move it.
        """
        if self._screen is None or (now := self._clock()) - self._looked < _LOOK_S:
            return
        self._looked, at = now, self._at()
        if in_corner(at, self._screen) and not any(is_near(one, at) for one in self._ours):
            raise ActionFailed(
                f"broken off before its last input event: the pointer was thrown into the corner at {at.x:g},"
                f"{at.y:g}, which means stop"
            )

    def _at(self) -> Point:
        at = self._root.query_pointer()
        return Point(int(at.root_x), int(at.root_y))

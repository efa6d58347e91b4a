"""Windows that come up while a text is typed: some are gone before anybody asks.

A dialog takes the keys that its program has not read yet, and a space among them presses its button: it may
come and go between two looks. The X server tells of each window all the same.
"""

from contextlib import suppress
from typing import Any

from Xlib import X
from Xlib import error as xerror

from ibtr.geometry import Size

_SMALLEST = Size(40, 20)
"""Windows that people see; programs make smaller ones for themselves."""


class Arrivals:
    """Listens from `begin` to `end`, over a connection of its own."""

    def __init__(self, display: Any) -> None:
        self._display = display
        self._root = display.screen().root
        self._clients = ~int(display.display.info.resource_id_mask)
        self._of = 0
        self._there: set[int] = set()
        self._shown: set[int] = set()
        self._told: set[int] = set()
        self._state, self._modal = (
            display.intern_atom(name) for name in ("_NET_WM_STATE", "_NET_WM_STATE_MODAL")
        )

    def begin(self, window_id: int) -> None:
        """Listen for windows of the program that this one is of."""
        self._drain()
        self._of = window_id & self._clients
        for known in (self._there, self._shown, self._told):
            known.clear()
        self._root.change_attributes(event_mask=X.SubstructureNotifyMask)
        self._display.sync()

    def end(self) -> None:
        """Listen no more."""
        self._root.change_attributes(event_mask=0)
        self._display.sync()
        self._drain()

    def came_and_went(self) -> bool:
        """Whether a window came up and is gone again."""
        for _ in range(self._display.pending_events()):
            event = self._display.next_event()
            if event.type in (X.CreateNotify, X.ReparentNotify) and self._counts(event):
                self._there.add(int(event.window.id))
        return any(self._is_gone(one) for one in self._there)

    def newcomers(self) -> set[int]:
        """Those that have come since the last question."""
        new = self._there - self._told
        self._told |= new
        return new

    def is_modal(self, window_id: int) -> bool:
        """Whether a window says that its program takes no other keys while it is there."""
        window = self._display.create_resource_object("window", window_id)
        with suppress(xerror.BadWindow, xerror.BadDrawable):
            state = window.get_full_property(self._state, X.AnyPropertyType)
            return bool(state and self._modal in state.value)
        return True

    def _counts(self, event: Any) -> bool:
        """Not a menu, a tooltip or a list of proposals: those lie outside of what a window manager sees."""
        if event.override or int(event.window.id) & self._clients != self._of:
            return False
        if event.type == X.ReparentNotify:  # made earlier, and shown now
            return bool(event.parent != self._root)
        return bool(event.width >= _SMALLEST.width and event.height >= _SMALLEST.height)

    def _is_gone(self, window_id: int) -> bool:
        window = self._display.create_resource_object("window", window_id)
        try:
            shown = window.get_attributes().map_state == X.IsViewable
        except (xerror.BadWindow, xerror.BadDrawable):
            return True
        if shown:
            self._shown.add(window_id)
        return not shown and window_id in self._shown

    def _drain(self) -> None:
        for _ in range(self._display.pending_events()):
            self._display.next_event()

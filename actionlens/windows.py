"""What the window manager tells (EWMH): the active window and all others. Loose Xlib types stop here."""

from contextlib import suppress
from typing import Any

from Xlib import X
from Xlib import error as xerror
from Xlib.protocol import event as xevent

from actionlens.observation import Window
from ibtr.geometry import Box


class Windows:
    """Reads window properties over one display connection."""

    def __init__(self, display: Any) -> None:
        self._display = display
        self._root = display.screen().root
        self._atoms = {
            name: display.intern_atom(name)
            for name in (
                "_NET_ACTIVE_WINDOW", "_NET_CLIENT_LIST_STACKING", "_NET_WM_NAME", "_NET_WM_PID",
                "_NET_WM_WINDOW_TYPE", "_NET_WM_WINDOW_TYPE_DIALOG",
            )
        }  # fmt: skip

    def active(self) -> Window | None:
        """The window that has the keyboard, if a window manager says so."""
        ids = self._ids("_NET_ACTIVE_WINDOW")
        return self._describe(ids[0]) if ids and ids[0] else None

    def all(self) -> tuple[Window, ...]:
        """Every managed window, bottom to top."""
        found = (self._describe(one) for one in self._ids("_NET_CLIENT_LIST_STACKING"))
        return tuple(window for window in found if window)

    def activate(self, window_id: int) -> None:
        """Ask for a window to be raised and given the keyboard, as a pager would."""
        window = self._display.create_resource_object("window", window_id)
        data = (32, [2, X.CurrentTime, 0, 0, 0])
        message = xevent.ClientMessage(
            window=window, client_type=self._atoms["_NET_ACTIVE_WINDOW"], data=data
        )
        mask = X.SubstructureRedirectMask | X.SubstructureNotifyMask
        self._root.send_event(message, event_mask=mask)
        self._display.sync()

    def _ids(self, name: str) -> list[int]:
        value = self._root.get_full_property(self._atoms[name], X.AnyPropertyType)
        return [int(one) for one in value.value] if value else []

    def _describe(self, window_id: int) -> Window | None:
        window = self._display.create_resource_object("window", window_id)
        with suppress(xerror.BadWindow, xerror.BadDrawable):  # it may close between two questions
            size = window.get_geometry()
            at = window.translate_coords(self._root, 0, 0)
            name = window.get_wm_class()
            return Window(
                id=window_id,
                title=self._title(window),
                application=name[1] if name else "",
                pid=self._number(window, "_NET_WM_PID"),
                box=Box(-at.x, -at.y, size.width, size.height),
                dialog=self._is_dialog(window),
            )
        return None

    def _title(self, window: Any) -> str:
        value = window.get_full_property(self._atoms["_NET_WM_NAME"], X.AnyPropertyType)
        if value:
            raw = value.value
            return raw.decode(errors="replace") if isinstance(raw, bytes) else str(raw)
        plain = window.get_wm_name()
        return plain.decode(errors="replace") if isinstance(plain, bytes) else plain or ""

    def _is_dialog(self, window: Any) -> bool:
        kind = self._number(window, "_NET_WM_WINDOW_TYPE")
        return kind == self._atoms["_NET_WM_WINDOW_TYPE_DIALOG"] or bool(window.get_wm_transient_for())

    def _number(self, window: Any, name: str) -> int | None:
        value = window.get_full_property(self._atoms[name], X.AnyPropertyType)
        return int(value.value[0]) if value and len(value.value) else None

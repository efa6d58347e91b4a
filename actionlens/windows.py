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
                "_NET_WM_WINDOW_TYPE", "_NET_WM_WINDOW_TYPE_DIALOG", "_NET_WM_WINDOW_TYPE_TOOLTIP",
            )
        }  # fmt: skip
        self._hints: dict[int, bool] = {}
        """Of windows that no window manager knows: whether they are tooltips."""

    def active(self) -> Window | None:
        """The window that has the keyboard, if a window manager says so."""
        ids = self._ids("_NET_ACTIVE_WINDOW")
        return self._describe(ids[0]) if ids and ids[0] else None

    def all(self) -> tuple[Window, ...]:
        """Every managed window, bottom to top."""
        found = (self._describe(one) for one in self._ids("_NET_CLIENT_LIST_STACKING"))
        return tuple(window for window in found if window)

    def hints(self) -> tuple[Box, ...]:
        """Where tooltips lie over the screen."""
        there = {int(child.id): child for child in self._root.query_tree().children}
        self._hints = {one: known for one, known in self._hints.items() if one in there}
        found = (self._hint(window) for one, window in there.items() if self._hints.get(one, True))
        return tuple(box for box in found if box)

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

    def _hint(self, window: Any) -> Box | None:
        with suppress(xerror.BadWindow, xerror.BadDrawable):  # it may close between two questions
            shown = window.get_attributes()
            if not shown.override_redirect or shown.win_class == X.InputOnly:
                self._hints[int(window.id)] = False
            if shown.map_state != X.IsViewable or self._hints.get(int(window.id)) is False:
                return None
            kind = self._number(window, "_NET_WM_WINDOW_TYPE")
            self._hints[int(window.id)] = kind == self._atoms["_NET_WM_WINDOW_TYPE_TOOLTIP"]
            place = window.get_geometry()
            if self._hints[int(window.id)]:
                return Box(place.x, place.y, place.width, place.height)
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

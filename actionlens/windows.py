"""What the window manager tells (EWMH): the active window and all others. Loose Xlib types stop here."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from Xlib import X
from Xlib import error as xerror
from Xlib.protocol import event as xevent

from actionlens.observation import Under, Window
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
                "_NET_WM_WINDOW_TYPE_DOCK", "_NET_WM_WINDOW_TYPE_DESKTOP",
            )
        }  # fmt: skip
        self._clients = ~int(display.display.info.resource_id_mask)
        self._hints: dict[int, bool] = {}
        """Of windows that no window manager knows: whether they are tooltips."""

    def active(self) -> Window | None:
        """The window that has the keyboard, if a window manager says so."""
        ids = self._ids("_NET_ACTIVE_WINDOW")
        return self.described(ids[0]) if ids and ids[0] else None

    def all(self) -> tuple[Window, ...]:
        """Every managed window, bottom to top."""
        found = (self.described(one) for one in self._ids("_NET_CLIENT_LIST_STACKING"))
        return tuple(window for window in found if window)

    def hints(self) -> tuple[Box, ...]:
        """Where tooltips lie over the screen."""
        there = {int(child.id): child for child in self._root.query_tree().children}
        self._hints = {one: known for one, known in self._hints.items() if one in there}
        found = (self._hint(window) for one, window in there.items() if self._hints.get(one, True))
        return tuple(box for box in found if box)

    def active_id(self) -> int | None:
        """The window that has the keyboard, by its number only."""
        ids = self._ids("_NET_ACTIVE_WINDOW")
        return ids[0] or None if ids else None

    def focused(self) -> int | None:
        """The window that gets the keys, often one inside of another, as the X server itself sees it."""
        focus = self._display.get_input_focus().focus  # a number when no window has it
        return int(focus.id) if hasattr(focus, "query_tree") else None

    def managed_around(self, window_id: int) -> int | None:
        """The managed window that one lies in, if any."""
        managed = self._ids("_NET_CLIENT_LIST_STACKING")
        window = self._display.create_resource_object("window", window_id)
        with suppress(xerror.BadWindow, xerror.BadDrawable):  # it may close between two questions
            while window and window != self._root:
                if int(window.id) in managed:
                    return int(window.id)
                window = window.query_tree().parent
        return None

    def at(self, x: int, y: int) -> Under | None:
        """What a click at a place would reach, as the X server itself decides it; None: the bare screen."""
        managed = self._ids("_NET_CLIENT_LIST_STACKING")
        with suppress(xerror.BadWindow, xerror.BadDrawable):  # it may close between two questions
            top = self._root.translate_coords(self._root, x, y).child
            if not top:
                return None
            window, deeper = top, top
            while deeper and int(window.id) not in managed:
                window, deeper = deeper, deeper.translate_coords(self._root, x, y).child
            if int(window.id) not in managed:  # the frame around a window, or one that nobody manages
                window = next((one for one in _below(top) if int(one.id) in managed), top)
            return self._under(window, managed)
        return None

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

    def described(self, window_id: int) -> Window | None:
        """One window, while it is there."""
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

    def _under(self, window: Any, managed: list[int]) -> Under:
        name, kind = window.get_wm_class(), self._number(window, "_NET_WM_WINDOW_TYPE")
        standing = (self._atoms["_NET_WM_WINDOW_TYPE_DOCK"], self._atoms["_NET_WM_WINDOW_TYPE_DESKTOP"])
        pid = self._number(window, "_NET_WM_PID")
        return Under(
            id=int(window.id),
            application=name[1] if name else "",
            pid=pid,
            managed=int(window.id) in managed,
            standing=kind in standing,
            hint=kind == self._atoms["_NET_WM_WINDOW_TYPE_TOOLTIP"],
            owners=tuple(one for one in managed if one != int(window.id) and self._owns(one, window, pid)),
        )

    def _owns(self, window_id: int, other: Any, pid: int | None) -> bool:
        """Whether `other` is of the same client or process as a window, or says that it belongs to it."""
        if window_id & self._clients == int(other.id) & self._clients:
            return True
        belongs_to = other.get_wm_transient_for()
        if belongs_to and int(belongs_to.id) == window_id:
            return True
        window = self._display.create_resource_object("window", window_id)
        return pid is not None and self._number(window, "_NET_WM_PID") == pid

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


def _below(window: Any, depth: int = 2) -> Iterator[Any]:
    """The windows inside of one, level by level."""
    inner = window.query_tree().children
    yield from inner
    if depth > 1:
        for one in inner:
            yield from _below(one, depth - 1)

"""What the window manager tells (EWMH): the active window and all others. Loose Xlib types stop here."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from Xlib import X
from Xlib import error as xerror
from Xlib.protocol import event as xevent

from actionlens.observation import Popup, Under, Window
from actionlens.questions import (
    AboutWindow,
    Questions,
    answered,
    is_whole,
    number_of,
    numbers_of,
    value_of,
)
from ibtr.geometry import Box

_MENUS = tuple(f"_NET_WM_WINDOW_TYPE_{kind}" for kind in ("MENU", "DROPDOWN_MENU", "POPUP_MENU", "COMBO"))


class Scene(NamedTuple):
    """What lies on the screen at one moment."""

    front: Window | None
    windows: tuple[Window, ...]
    """Every managed one, bottom to top."""
    hints: tuple[Box, ...]
    """Where tooltips lie over the screen."""
    popups: tuple[Popup, ...]
    """What else the window in front lays over the screen, past the window manager."""


class _Over(NamedTuple):
    """A window that lies over the others, past the window manager."""

    id: int
    box: Box
    kind: int | None


class Windows:
    """Reads window properties over one display connection."""

    def __init__(self, display: Any) -> None:
        self._display = display
        self._root = display.screen().root
        self._ask = Questions(display, self._root)
        self._atoms = {
            name: display.intern_atom(name)
            for name in (
                "_NET_ACTIVE_WINDOW", "_NET_CLIENT_LIST_STACKING", "_NET_WM_NAME", "_NET_WM_PID",
                "_NET_WM_WINDOW_TYPE", "_NET_WM_WINDOW_TYPE_DIALOG", "_NET_WM_WINDOW_TYPE_TOOLTIP",
                "_NET_WM_WINDOW_TYPE_DOCK", "_NET_WM_WINDOW_TYPE_DESKTOP", *_MENUS,
            )
        }  # fmt: skip
        self._clients = ~int(display.display.info.resource_id_mask)
        self._hints: dict[int, bool] = {}
        """Of windows that may lie over others: whether they are tooltips."""
        self._never: set[int] = set()
        """Windows that cannot lie over others."""
        self._menus = {self._atoms[name] for name in _MENUS}

    def active(self) -> Window | None:
        """The window that has the keyboard, if a window manager says so."""
        ids = self._ids("_NET_ACTIVE_WINDOW")
        return self.described(ids[0]) if ids and ids[0] else None

    def scene(self) -> Scene:
        """The window with the keyboard, all others and the tooltips, in two rounds of questions."""
        active, stacking = (
            self._ask.of_root(self._atoms[name])
            for name in ("_NET_ACTIVE_WINDOW", "_NET_CLIENT_LIST_STACKING")
        )
        children = self._ask.children()
        front, listed = number_of(active), numbers_of(stacking)
        managed = listed if is_whole(stacking) else self._ids("_NET_CLIENT_LIST_STACKING")
        asked = {one: self._asked(one) for one in (*managed, *([front] if front else []))}
        there = [int(child.id) for child in answered(children).children]
        self._hints = {one: self._hints[one] for one in there if one in self._hints}
        self._never &= {*there}
        over = self._lying_over(there, front)
        found = {one: self._told(one, about) for one, about in asked.items()}
        windows = tuple(window for one in managed if (window := found[one]))
        hints = tuple(one.box for one in over if self._is_hint(one))
        popups = (one for one in over if not self._is_hint(one) and self._is_of(one.id, front))
        shown = tuple(Popup(box=one.box, menu=one.kind in self._menus) for one in popups)
        return Scene(found[front] if front else None, windows, hints, shown)

    def is_hint_at(self, x: int, y: int) -> bool:
        """Whether a tooltip is what lies on top at a place."""
        with suppress(xerror.BadWindow):  # it may close between two questions
            top = self._root.translate_coords(self._root, x, y).child
            return bool(top) and any(map(self._is_hint, self._lying_over([int(top.id)])))
        return False

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
        return self._told(window_id, self._asked(window_id))

    def _asked(self, window_id: int) -> AboutWindow:
        atoms = (self._atoms[name] for name in ("_NET_WM_NAME", "_NET_WM_PID", "_NET_WM_WINDOW_TYPE"))
        return self._ask.about(window_id, *atoms)

    def _told(self, window_id: int, about: AboutWindow) -> Window | None:
        size, at = answered(about.geometry), answered(about.place)
        if size is None or at is None:
            return None
        names = bytes(value_of(about.name) or b"").decode("latin-1").split("\0")
        dialog = number_of(about.kind) == self._atoms["_NET_WM_WINDOW_TYPE_DIALOG"]
        return Window(
            id=window_id,
            title=self._title(window_id, about.title),
            application=names[1] if len(names) > 1 else "",
            pid=number_of(about.pid),
            box=Box(at.x, at.y, size.width, size.height),
            dialog=dialog or bool(number_of(about.belongs_to)),
        )

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

    def _lying_over(self, windows: Iterable[int], front: int | None = None) -> list[_Over]:
        """Those of them that are tooltips, or of the client in front; what is neither is asked once only."""
        maybe = (one for one in windows if one not in self._never)
        doubtful = [one for one in maybe if self._hints.get(one, True) or self._is_of(one, front)]
        asked = [(one, self._ask.attributes(one)) for one in doubtful]
        shown = [one for one, question in asked if self._lies_over(one, answered(question))]
        kind = self._atoms["_NET_WM_WINDOW_TYPE"]
        placed = [(one, self._ask.property(one, kind), self._ask.geometry(one)) for one in shown]
        found: list[_Over] = []
        for one, kind_of, geometry in placed:
            place, what = answered(geometry), number_of(kind_of)
            self._hints[one] = what == self._atoms["_NET_WM_WINDOW_TYPE_TOOLTIP"]
            if place is not None:
                found.append(_Over(one, Box(place.x, place.y, place.width, place.height), what))
        return found

    def _lies_over(self, window_id: int, shown: Any) -> bool:
        """Whether a window lies over others and is to be seen; one that can never be is not asked again."""
        if shown is None:
            return False
        if not shown.override_redirect or shown.win_class == X.InputOnly:
            self._never.add(window_id)
            return False
        return bool(shown.map_state == X.IsViewable)

    def _is_hint(self, one: _Over) -> bool:
        return bool(one.kind == self._atoms["_NET_WM_WINDOW_TYPE_TOOLTIP"])

    def _is_of(self, window_id: int, front: int | None) -> bool:
        """Whether a window is of the same client as the one in front."""
        return front is not None and window_id & self._clients == front & self._clients

    def _title(self, window_id: int, question: Any) -> str:
        if value := value_of(question):
            window = self._display.create_resource_object("window", window_id)
            with suppress(xerror.BadWindow):  # it may close between two questions
                if not is_whole(question):
                    value = window.get_full_property(self._atoms["_NET_WM_NAME"], X.AnyPropertyType).value
            return bytes(value).decode(errors="replace")
        with suppress(xerror.BadWindow):
            plain = self._display.create_resource_object("window", window_id).get_wm_name()
            return plain.decode(errors="replace") if isinstance(plain, bytes) else plain or ""
        return ""

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

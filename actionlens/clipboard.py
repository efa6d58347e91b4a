"""The X clipboard held by ourselves: we know when a paste was fetched, and put back what was there before."""

import select
import time
from collections.abc import Callable
from typing import Any

from Xlib import X, Xatom
from Xlib import display as xdisplay
from Xlib import error as xerror
from Xlib.protocol import event as xevent
from Xlib.protocol import request as xrequest

Content = dict[str, bytes]

_KEPT = (
    "UTF8_STRING",
    "STRING",
    "TEXT",
    "text/plain",
    "text/plain;charset=utf-8",
    "text/html",
    "text/uri-list",
    "x-special/gnome-copied-files",
    "image/png",
)
_CHUNK = 200_000  # bytes of one property; more goes in pieces (ICCCM, 2.7.2: INCR)
_LARGEST = 64 * 1024**2
_ANSWER_S = 0.5


def as_text(text: str) -> Content:
    """A text in the forms that applications ask for."""
    data = text.encode()
    return {"UTF8_STRING": data, "text/plain;charset=utf-8": data, "text/plain": data, "TEXT": data}


class Clipboard:
    """A selection owner on a connection of its own; `pump` answers those who ask, and must be called."""

    def __init__(self, display_name: str, go_on: Callable[[], None] = lambda: None) -> None:
        self._go_on = go_on
        self._display = xdisplay.Display(display_name)
        self._window = self._display.screen().root.create_window(-10, -10, 1, 1, 0, 0)
        self._window.change_attributes(event_mask=X.PropertyChangeMask)
        self._selection = self._display.intern_atom("CLIPBOARD")
        self._property = self._display.intern_atom("ECHOPATH")
        self._content: Content = {}
        self._fetches = 0
        self._answered: Any = None
        self._arrived = False
        self._sending: dict[tuple[int, int], bytes] = {}  # (window, property) -> what is still to go
        self._types: dict[tuple[int, int], int] = {}
        self._display.set_error_handler(_ignored)  # who asked may have gone

    @property
    def content(self) -> Content:
        """What we offer now; empty when somebody else owns the clipboard."""
        return self._content

    def fileno(self) -> int:
        """What to wait on before `pump`."""
        return int(self._display.fileno())

    def pump(self) -> None:
        """Handle every event that has come in."""
        while self._display.pending_events():
            event = self._display.next_event()
            if event.type == X.SelectionRequest:
                self._serve(event)
            elif event.type == X.SelectionClear:
                self._content = {}
            elif event.type == X.SelectionNotify:
                self._answered = event
            elif event.type == X.PropertyNotify:
                self._on_property(event)

    def read(self) -> tuple[Content, bool]:
        """What the clipboard holds now, and whether that is all of it."""
        if self.ours():
            return dict(self._content), True
        if self._owner() == X.NONE:
            return {}, True
        targets = self._ask("TARGETS")
        names = [self._display.get_atom_name(int(atom)) for atom in targets.value] if targets else []
        wanted = [name for name in _KEPT if name in names]
        found = {name: self._bytes(name) for name in wanted}
        kept = {name: value for name, value in found.items() if value is not None}
        return kept, bool(kept) and len(kept) == len(wanted)

    def ours(self) -> bool:
        """Whether a paste would still give what we offered; the server is asked, events may be on the way."""
        mine = self._owner() == self._window
        self.pump()
        return mine and bool(self._content)

    def offer(self, content: Content) -> None:
        """Own the clipboard with this content; with none, leave it empty."""
        self._content = content
        if content:
            self._window.set_selection_owner(self._selection, X.CurrentTime)
        else:
            xrequest.SetSelectionOwner(
                display=self._display.display, window=X.NONE, selection=self._selection, time=X.CurrentTime
            )
        self._display.sync()

    def wait_fetched(self, act: Callable[[], None], timeout_s: float) -> bool:
        """Whether somebody took our text after `act`."""
        self.pump()
        self._fetches = 0
        act()
        return self._until(lambda: self._fetches > 0, timeout_s)

    def settle(self, quiet_s: float) -> None:
        """Go on answering until nobody has asked for a while; some applications fetch twice."""
        asked = True
        while asked:
            self._fetches = 0
            asked = self._until(lambda: self._fetches > 0, quiet_s)

    def _owner(self) -> Any:
        return self._display.get_selection_owner(self._selection)

    def _serve(self, event: Any) -> None:
        name = self._display.get_atom_name(event.target)
        where = event.property or event.target
        if name == "TARGETS":
            atoms = [self._display.intern_atom(one) for one in ("TARGETS", *self._content)]
            event.requestor.change_property(where, Xatom.ATOM, 32, atoms)
        elif name in self._content:
            self._hand_over(event, where, self._content[name])
        else:
            where = X.NONE
        event.requestor.send_event(
            xevent.SelectionNotify(
                time=event.time,
                requestor=event.requestor,
                selection=event.selection,
                target=event.target,
                property=where,
            )
        )
        self._display.flush()

    def _hand_over(self, event: Any, where: int, data: bytes) -> None:
        if len(data) <= _CHUNK:
            event.requestor.change_property(where, event.target, 8, data)
            self._fetches += 1
            return
        event.requestor.change_attributes(event_mask=X.PropertyChangeMask)
        event.requestor.change_property(where, self._display.intern_atom("INCR"), 32, [len(data)])
        self._sending[event.requestor.id, where] = data
        self._types[event.requestor.id, where] = event.target

    def _on_property(self, event: Any) -> None:
        """A piece has arrived for us, or one of ours was taken and the next is due."""
        key = (event.window.id, event.atom)
        if event.window == self._window:
            self._arrived |= event.atom == self._property and event.state == X.PropertyNewValue
        elif event.state == X.PropertyDelete and key in self._sending:
            data = self._sending[key]
            event.window.change_property(event.atom, self._types[key], 8, data[:_CHUNK])
            if data:
                self._sending[key] = data[_CHUNK:]
            else:  # the empty piece says that this was all
                del self._sending[key]
                self._fetches += 1
            self._display.flush()

    def _ask(self, target: str) -> Any:
        self._answered = None
        self._window.delete_property(self._property)
        self._window.convert_selection(
            self._selection, self._display.intern_atom(target), self._property, X.CurrentTime
        )
        self._display.flush()
        if not self._until(lambda: self._answered is not None, _ANSWER_S):
            return None
        if self._answered.property == X.NONE:
            return None
        return self._window.get_full_property(self._property, X.AnyPropertyType)

    def _bytes(self, target: str) -> bytes | None:
        value = self._ask(target)
        if value is None:
            return None
        if value.property_type == self._display.intern_atom("INCR"):
            return self._bytes_in_pieces()
        return _raw(value)

    def _bytes_in_pieces(self) -> bytes | None:
        data = b""
        while len(data) <= _LARGEST:
            self._arrived = False
            self._window.delete_property(self._property)  # "send me the next"
            self._display.flush()
            if not self._until(lambda: self._arrived, _ANSWER_S):
                return None
            value = self._window.get_full_property(self._property, X.AnyPropertyType)
            if value is None or not len(value.value):
                return data
            data += _raw(value)
        return None

    def _until(self, done: Callable[[], bool], timeout_s: float) -> bool:
        end = time.monotonic() + timeout_s
        while not done():
            self._go_on()
            left = end - time.monotonic()
            if left <= 0:
                return False
            if not self._display.pending_events():
                select.select([self._display], [], [], min(left, 0.05))
            try:
                self.pump()
            except (xerror.BadWindow, xerror.BadAtom):  # who asked has gone
                continue
        return True


def _ignored(*_: object) -> None:
    """For errors that come back when nobody waits for them."""


def _raw(value: Any) -> bytes:
    return value.value.encode() if isinstance(value.value, str) else bytes(value.value)

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
_LARGEST = 240_000  # bytes of one property; more would need the INCR protocol
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

    def read(self) -> tuple[Content, bool]:
        """What the clipboard holds now, and whether that is all of it."""
        self.pump()
        if self._content:
            return dict(self._content), True
        if self._display.get_selection_owner(self._selection) == X.NONE:
            return {}, True
        targets = self._ask("TARGETS")
        names = [self._display.get_atom_name(int(atom)) for atom in targets.value] if targets else []
        wanted = [name for name in _KEPT if name in names]
        found = {name: self._bytes(name) for name in wanted}
        kept = {name: value for name, value in found.items() if value is not None}
        return kept, bool(kept) and len(kept) == len(wanted)

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

    def _serve(self, event: Any) -> None:
        name = self._display.get_atom_name(event.target)
        where = event.property or event.target
        if name == "TARGETS":
            atoms = [self._display.intern_atom(one) for one in ("TARGETS", *self._content)]
            event.requestor.change_property(where, Xatom.ATOM, 32, atoms)
        elif name in self._content:
            event.requestor.change_property(where, event.target, 8, self._content[name])
            self._fetches += 1
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

    def _ask(self, target: str) -> Any:
        self._answered = None
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
        if value is None or value.property_type == self._display.intern_atom("INCR"):
            return None
        raw = value.value
        data = raw.encode() if isinstance(raw, str) else bytes(raw)
        return data if len(data) <= _LARGEST else None

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

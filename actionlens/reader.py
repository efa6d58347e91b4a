"""Whether the program that has the keyboard has read what was sent to it.

X delivers a key as a number; the program looks its meaning up when it gets round to it. Before a number means
something else, the program has to be done with the old one. A window that takes part in `_NET_WM_PING`
answers in order, so its answer proves it; of any other we see the process come to rest.
"""

import select
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from Xlib import X
from Xlib import error as xerror
from Xlib.protocol import event as xevent

from actionlens.errors import ActionFailed

PATIENCE_S = 25.0  # a program that is busy for longer, over one text, gets no more of it
_POLL_S = 0.005
_REST_S = 0.2  # what a window that tells nothing of itself gets,
_REST_CHAR_S = 0.02  # and so much more for each character under way to it
_KEEP_UP_S = 2.0  # what does not answer for so long is not waited for between two words
_LOOKS = 4  # a process at rest: asleep, and no processor time used, so many looks in a row
_LOOK_S = 0.05


class Reader:
    """Asks over one display connection."""

    def __init__(self, display: Any, go_on: Callable[[], None]) -> None:
        self._display, self._go_on = display, go_on
        self._root = display.screen().root
        names = ("WM_PROTOCOLS", "_NET_WM_PING", "_NET_WM_PID")
        self._protocols, self._ping, self._pid = (display.intern_atom(name) for name in names)
        self._asked = 0
        self._addressed: list[Any] = []
        self._end = 0.0
        self._lags = False
        self._answering: dict[int, Any] = {}  # by the window with the keyboard: who answers for it, if any

    def begin(self) -> None:
        """Keys begin: note who gets them, and how long all waits among them may take together."""
        self._end, self._lags = time.monotonic() + PATIENCE_S, False
        self._answering.clear()
        self._address()

    def _address(self) -> None:
        window = self._display.get_input_focus().focus  # a number when no window has it
        if hasattr(window, "query_tree") and window not in self._addressed:
            self._addressed.append(window)

    def wait(self, under_way: int, patience_s: float | None = None) -> None:
        """Return when everybody who got keys has read the characters that are under way.

        Waits for `patience_s`, or for what the keys have left.

        Raises:
            ActionFailed: a program has not come to read them for a long time.
        """
        now = time.monotonic()
        end = self._end if patience_s is None else now + patience_s
        if not self.caught_up(under_way, end, self._go_on):
            raise ActionFailed(
                f"the program in front has not read its keys for {end - now:.1f} s: "
                "the rest of the text was not typed"
            )

    def caught_up(self, under_way: int, end: float, go_on: Callable[[], None]) -> bool:
        """Whether everybody who got keys has read them until `end`, on the clock of `time.monotonic`."""
        self._address()
        while self._addressed:
            rest_s = max(0.0, min(end - time.monotonic(), _REST_S + _REST_CHAR_S * under_way))
            with closing(self._answers(self._addressed.pop(), rest_s)) as answers:
                while not next(answers):
                    go_on()
                    if time.monotonic() > end:
                        return False
        return True

    def keep_up(self) -> None:
        """Return when the window in front has read all so far; at once where it tells nothing of itself."""
        focus = self._display.get_input_focus().focus
        if self._lags or not hasattr(focus, "query_tree"):
            return
        if focus.id not in self._answering:
            self._answering[focus.id] = next((one for one in self._around(focus) if self._pings(one)), None)
        if (asked := self._answering[focus.id]) is None:
            return
        end = time.monotonic() + _KEEP_UP_S
        with closing(self._asks(asked)) as answers:
            while not (next(answers) or self._lags):
                self._go_on()
                self._lags = time.monotonic() > end  # then it is not asked again over this text

    def _pings(self, window: Any) -> bool:
        return self._ping in self._numbers(window, self._protocols)

    def _answers(self, focus: Any, rest_s: float) -> Generator[bool, None, None]:
        pid = None
        for window in self._around(focus):
            if self._pings(window):
                return self._asks(window)
            pid = pid or next(iter(self._numbers(window, self._pid)), None)
        return _comes_to_rest(pid) if pid and _work_done(pid) else _rests(rest_s)

    def _around(self, window: Any) -> Iterator[Any]:
        """A window and those it lies in."""
        while window and window != self._root:
            yield window
            try:
                window = window.query_tree().parent
            except (xerror.BadWindow, xerror.BadDrawable):  # closed meanwhile
                return

    def _numbers(self, window: Any, name: int) -> list[int]:
        try:
            value = window.get_full_property(name, X.AnyPropertyType)
        except (xerror.BadWindow, xerror.BadDrawable):
            return []
        return [int(one) for one in value.value] if value else []

    def _asks(self, window: Any) -> Generator[bool, None, None]:
        self._asked = self._asked % 0xFFFF + 1
        question = (self._ping, self._asked, window.id)
        self._root.change_attributes(event_mask=X.SubstructureNotifyMask)  # answers go to the root window
        try:
            message = xevent.ClientMessage(
                window=window, client_type=self._protocols, data=(32, [*question, 0, 0])
            )
            window.send_event(message)
            while True:
                yield self._heard(question)
                select.select([self._display.fileno()], [], [], _POLL_S)
        finally:
            self._root.change_attributes(event_mask=0)
            self._display.sync()
            while self._display.pending_events():
                self._display.next_event()

    def _heard(self, question: tuple[int, int, int]) -> bool:
        while self._display.pending_events():
            event = self._display.next_event()
            if event.type == X.ClientMessage and tuple(event.data[1][:3]) == question:
                return True
        return False


def _rests(for_s: float) -> Generator[bool, None, None]:
    time.sleep(for_s)
    yield True


def _comes_to_rest(pid: int) -> Generator[bool, None, None]:
    before, calm = None, 0
    while True:
        time.sleep(_LOOK_S)
        now = _work_done(pid)
        calm = calm + 1 if now and now == before and now[0] in "SI" else 0
        before = now
        yield calm >= _LOOKS or now is None


def _work_done(pid: int) -> tuple[str, str] | None:
    """State and processor time of a process; nothing when it is not on this machine."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        spent = Path(f"/proc/{pid}/schedstat").read_text()
    except OSError:
        return None
    return fields[0], spent

"""One text goes into one window: broken off once another has the keyboard, even one of the same program."""

import time

from actionlens.arrivals import Arrivals
from actionlens.errors import ActionFailed
from actionlens.windows import Windows

_FOCUS_S = 0.5  # how long a window manager may take to give a new window the keyboard
_BROKEN_OFF = "broken off between two keys: "


class OneWindow:
    """Asked before each character of a text."""

    def __init__(self, windows: Windows, arrivals: Arrivals, named: int | None) -> None:
        """The window of the number `named`, or else the one that has the keyboard now."""
        self._windows, self._arrivals = windows, arrivals
        self._focus = windows.focused()
        now = windows.managed_around(self._focus) if self._focus else None
        self._own = {one for one in (named, now) if one}
        if first := now or named:
            arrivals.begin(first)

    def end(self) -> None:
        """The text is over."""
        if self._own:
            self._arrivals.end()

    def expect(self) -> None:
        """The keyboard must be where it was when the text began.

        Raises:
            ActionFailed: another window has it, or may have had it for a moment.
        """
        if not self._own:
            return
        self._look()
        new = self._arrivals.newcomers()
        end = time.monotonic() + _FOCUS_S
        while new and time.monotonic() < end:  # it may be on its way to the keyboard
            time.sleep(0.01)
            self._look()
        if any(self._arrivals.is_modal(one) for one in new):
            raise ActionFailed(_BROKEN_OFF + "a dialog has come up that takes every key of its program")

    def _look(self) -> None:
        if self._arrivals.came_and_went():
            raise ActionFailed(_BROKEN_OFF + "a window came up over it and went again")
        focus = self._windows.focused()
        if focus is None or focus == self._focus:
            return
        now = self._windows.managed_around(focus)
        if now is not None and now not in self._own:
            raise ActionFailed(f"{_BROKEN_OFF}{self._name(now)} has taken the keyboard")

    def _name(self, window_id: int) -> str:
        window = self._windows.described(window_id)
        return f"the window {window.title[:60]!r} of {window.application}" if window else "another window"

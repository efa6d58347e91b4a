"""The window that the events of one action must reach, looked for right before them.

Between what was verified and the event lie a few milliseconds, in which a dialog or a tooltip may come up.
"""

import time
from collections.abc import Callable

from actionlens.errors import ActionFailed, Elsewhere
from actionlens.observation import BARE, Under
from actionlens.presses import Presses
from actionlens.windows import Windows

_HINT_S = 0.6  # how long a tooltip may take to go


class Into:
    """Asked by the hand; where no window is named, only tooltips are in the way."""

    def __init__(
        self,
        windows: Windows,
        presses: Presses,
        go_on: Callable[[], None],
        named: int | None = None,
        known: int | None = None,
    ) -> None:
        """Into the window of the number `named`, with no more than the `known` presses of others."""
        self._windows, self._presses, self._go_on = windows, presses, go_on
        self.named, self._known = named, known
        self._first = windows.described(named) if named else None

    def expect_under(self, x: int, y: int) -> None:
        """Before a button goes down at a place.

        Raises:
            Elsewhere: another window is there, or a tooltip that stays: it would take the click.
        """
        if self.named is not None:
            found = self._windows.at(x, y)
            if (found.id if found else BARE) != self.named:
                raise Elsewhere(f"{_name(found)} has come between the pointer and what was looked at")
        elif self._hint_stays(x, y):
            raise Elsewhere(f"a tooltip lies over {x},{y} and does not go: the click would be lost to it")

    def expect_keyboard(self) -> None:
        """Before the first key.

        Raises:
            Elsewhere: another window has the keyboard; or somebody has clicked or typed, and who knows where.
        """
        if self._known is not None and self._presses.count() != self._known:
            raise Elsewhere("somebody else has pressed a button or a key meanwhile: nothing was typed")
        if self.named is not None and self._windows.active_id() != self.named:
            raise Elsewhere("another window has taken the keyboard: nothing was typed")

    def expect_no_other(self) -> None:
        """Between two keys: the rest of them must not go to another application, or another field.

        Raises:
            ActionFailed: they would; or somebody else presses buttons or keys.
        """
        if self._known is not None and self._presses.under_way() != self._known:
            raise ActionFailed("broken off between two keys: somebody else pressed a button or a key")
        if self.named is None or (now := self._windows.active_id()) in (self.named, None):
            return
        first, then = self._first, self._windows.described(now)
        if first is None or then is None:
            return
        same_process = first.pid is not None and first.pid == then.pid
        if not same_process and first.application.casefold() != then.application.casefold():
            raise ActionFailed(f"broken off between two keys: {then.application} has taken the keyboard")
        self.named = now

    def _hint_stays(self, x: int, y: int) -> bool:
        """A tooltip goes away as the pointer comes, but not at once."""
        end = time.monotonic() + _HINT_S
        while self._windows.is_hint_at(x, y):
            self._go_on()
            if time.monotonic() > end:
                return True
            time.sleep(0.01)
        return False


def _name(window: Under | None) -> str:
    return (window.application or "a window without a name") if window else "the bare screen"

"""Buttons and keys that somebody else pressed: a person at the desktop, or another driver.

The X server tells every press (XInput 2, raw events), whichever window gets it, before it answers the one who
sent it: so our own can be told from others by their number.
"""

from typing import Any

_RAW_KEY, _RAW_BUTTON = 13, 15
_ALL_MASTERS = 1


class Presses:
    """Counts over a connection of its own; without XInput 2 nothing is counted."""

    def __init__(self, display: Any) -> None:
        self._display = display
        self._count: int | None = None
        self._seen = self._sent = 0
        self.ours = 0  # of the action under way
        if display.has_extension("XInputExtension"):
            display.xinput_query_version()
            mask = 1 << _RAW_KEY | 1 << _RAW_BUTTON
            display.screen().root.xinput_select_events([(_ALL_MASTERS, mask)])
            self._count = 0
            self.count()

    def begin(self) -> None:
        """A new action of ours; all before it has arrived."""
        self.count()
        self.ours = 0

    def count(self) -> int | None:
        """Presses of others so far, with nothing of ours under way; None where nobody can tell."""
        if self.under_way() is not None:
            self._sent = self._seen - (self._count or 0)  # one of ours that went nowhere hides none of theirs
        return self._count

    def under_way(self) -> int | None:
        """The same while we send: what of ours has not arrived yet may hide some of theirs until then."""
        if self._count is not None:
            self._seen += self._news()
            self._count = max(self._count, self._seen - self._sent)
        return self._count

    def sent(self, presses: int = 1) -> None:
        """We are sending so many ourselves."""
        self._sent += presses
        self.ours += presses

    def _news(self) -> int:
        self._display.sync()
        events = (self._display.next_event() for _ in range(self._display.pending_events()))
        return sum(getattr(event, "evtype", None) in (_RAW_KEY, _RAW_BUTTON) for event in events)

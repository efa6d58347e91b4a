"""When to break off what is under way: we were told to, or nobody is at the other end any more."""

import os
import select
import signal
from types import FrameType

from actionlens.errors import ActionFailed
from actionlens.level import Level


class Stop:
    """Asked between two input events, so that a signal never tears one apart.

    Actions are numbered, and every one up to the level is broken off, also one that was still on its way to
    us when the level rose. SIGTERM and the end of the pipe end the desk as well.
    """

    def __init__(self, pipe_fd: int, level: Level) -> None:
        self.fd, self._tell = os.pipe()
        os.set_blocking(self._tell, False)
        self._level, self._number = level, 0
        self._poll = select.poll()
        self._poll.register(pipe_fd, 0)  # 0: only its hanging up
        self._poll.register(self.fd, select.POLLIN)

    def listen(self) -> None:
        """Take the signals over."""
        signal.signal(signal.SIGTERM, self._on_end)
        signal.signal(
            signal.SIGINT, signal.SIG_IGN
        )  # Ctrl-C in a terminal reaches us too; the server decides

    def begin(self, number: int) -> None:
        """A new action; it may be broken off already."""
        self._number = number

    def check(self) -> None:
        """Go on, or not.

        Raises:
            ActionFailed: what is under way must end here.
        """
        if self._number <= self._level.value or self._poll.poll(0):
            raise ActionFailed("broken off before its last input event")

    def _on_end(self, _signal: int, _frame: FrameType | None) -> None:
        os.write(self._tell, b".")

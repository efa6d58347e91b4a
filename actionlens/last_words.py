"""What a program says on its standard error, as long as it may be of use: the end of it."""

import os
from threading import Thread
from typing import IO

_KEPT = 4096
_LATE_S = 1.0  # the rest of what a program has said that is gone, if something holds its pipe open


class LastWords:
    """Listens in a thread of its own, so that a talkative program is never held up."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._heard = stream, b""
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()

    def last(self) -> str:
        """The last line, of a program that has ended; empty if it said nothing."""
        self._listener.join(_LATE_S)
        lines = self._heard.decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")[:300]

    def _listen(self) -> None:
        with self._stream:
            while said := os.read(self._stream.fileno(), _KEPT):
                self._heard = (self._heard + said)[-_KEPT:]

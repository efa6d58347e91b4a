"""What goes over the pipe between us and a desk: one JSON object a line."""

import json
import os
import select
import time
from typing import Any

Message = dict[str, Any]
_LIMIT = 8 * 1024 * 1024


class WireClosed(Exception):
    """The other end is gone."""


class WireTimeout(Exception):
    """The other end did not answer in time."""


class Wire:
    """Two file descriptors, whole lines."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read, self._write = read_fd, write_fd
        self._rest = b""

    def fileno(self) -> int:
        """What to wait on before `receive`."""
        return self._read

    @property
    def pending(self) -> bool:
        """Whether a whole message was read already."""
        return b"\n" in self._rest

    def send(self, message: Message) -> None:
        """Write one message.

        Raises:
            WireClosed: nobody reads any more.
        """
        view = memoryview(json.dumps(message).encode() + b"\n")
        try:
            while view:
                view = view[os.write(self._write, view) :]
        except OSError as exc:
            raise WireClosed from exc

    def receive(self, timeout_s: float | None = None) -> Message:
        """Read one message.

        Raises:
            WireClosed: end of file.
            WireTimeout: no whole message came in time.
        """
        end = None if timeout_s is None else time.monotonic() + timeout_s
        while b"\n" not in self._rest:
            left = None if end is None else max(0.0, end - time.monotonic())
            if not select.select([self._read], [], [], left)[0]:
                raise WireTimeout
            chunk = os.read(self._read, 1 << 16)
            if not chunk or len(self._rest) > _LIMIT:
                raise WireClosed
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\n")
        message: Message = json.loads(line)
        return message

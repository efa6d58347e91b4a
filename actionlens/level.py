"""A number that two processes share and that only rises: told once, it is never missed, however late."""

import mmap
import os

_BYTES = 8


def open_level() -> int:
    """A place for one; its file descriptor goes to the other process."""
    fd = os.memfd_create("echopath-level")
    os.ftruncate(fd, _BYTES)
    return fd


class Level:
    """One end of it."""

    def __init__(self, fd: int) -> None:
        """Take the descriptor over."""
        self._memory = mmap.mmap(fd, _BYTES)
        os.close(fd)
        self._number = memoryview(self._memory).cast("Q")  # one store and one load: never half a number

    @property
    def value(self) -> int:
        """Where it stands."""
        return int(self._number[0])

    def rise(self, value: int) -> None:
        """Lift it; it never falls."""
        if value > self.value:
            self._number[0] = value

    def close(self) -> None:
        """Let go of the memory; safe to call twice."""
        self._number.release()
        self._memory.close()

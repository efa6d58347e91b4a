"""Several files put on the disk together: their syncs run side by side and share one journal commit."""

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache

_AT_ONCE = 3


class Commit:
    """What was written since the last `sync`."""

    def __init__(self) -> None:
        self._dirty: dict[int, bool] = {}

    def wrote(self, fd: int, *, last: bool = False) -> None:
        """Remember a file; after its `last` write it is closed too."""
        self._dirty[fd] = last

    def sync(self) -> None:
        """Return once everything written is on the disk."""
        dirty, self._dirty = self._dirty, {}
        told = map(_synced, dirty) if len(dirty) == 1 else _threads().map(_synced, dirty)
        failed = [exc for exc in told if exc is not None]  # all of them, before one is closed
        for fd in (fd for fd, last in dirty.items() if last):
            os.close(fd)
        if failed:
            raise failed[0]

    def drop(self) -> None:
        """Close what would have been closed, without a sync: all of it is thrown away."""
        dirty, self._dirty = self._dirty, {}
        for fd in (fd for fd, last in dirty.items() if last):
            os.close(fd)


def write_whole(fd: int, data: bytes) -> None:
    """Write everything; a disk that takes only a part says next time why."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _synced(fd: int) -> OSError | None:
    try:
        os.fdatasync(fd)
    except OSError as exc:
        return exc
    return None


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="echopath-sync")

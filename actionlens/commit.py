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
        try:
            list(map(os.fdatasync, dirty) if len(dirty) == 1 else _threads().map(os.fdatasync, dirty))
        finally:
            for fd in (fd for fd, last in dirty.items() if last):
                os.close(fd)


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="echopath-sync")

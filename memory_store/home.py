"""Where the store lives, who may read it, and who may write in it at the same time.

Writers share the lock; garbage collection takes it alone, so no blob can vanish between its writing and the
row that refers to it. The kernel drops the lock of a process that dies.
"""

import errno
import os
import stat
import time
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from memory_store.errors import StoreBusy, StoreFull, StoreReadOnly, StoreUnusable

FOLDER_MODE: Final = 0o700
FILE_MODE: Final = 0o600
LOCK_TIMEOUT_S: Final = 60.0
_RETRY_S: Final = 0.01

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_READ_ONLY: Final = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
_NO_FOLDER: Final = frozenset({errno.EEXIST, errno.ENOTDIR})
ELSEWHERE: Final = "set ECHOPATH_HOME to another folder"


def private_folder(path: Path) -> Path:
    """The folder, made if need be, for its owner only.

    Raises:
        StoreReadOnly: it cannot be made or changed.
        StoreFull: no space is left for it.
    """
    with disk_errors(path):
        path.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        if path.stat().st_mode & 0o777 != FOLDER_MODE:
            path.chmod(FOLDER_MODE)
    return path


def open_regular(path: Path) -> BinaryIO:
    """A regular file, opened for reading: a pipe would hold us for ever, and a device never ends.

    Raises:
        OSError: it is none, or cannot be opened.
    """
    _check_regular(path.stat())
    with ExitStack() as stack:
        file = stack.enter_context(open(path, "rb", opener=_not_waiting))
        _check_regular(os.fstat(file.fileno()))
        stack.pop_all()
        return file


def _check_regular(about: os.stat_result) -> None:
    if not stat.S_ISREG(about.st_mode):
        raise OSError(errno.EINVAL, "is no regular file")


def _not_waiting(path: str, flags: int) -> int:
    # A pipe that took the file's place between the look and the opening must not hold us either.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))


@contextmanager
def disk_errors(path: Path) -> Generator[None]:
    """Translate what a disk can say, once."""
    try:
        yield
    except OSError as exc:
        raise translated(exc, path) from exc


def translated(exc: OSError, path: Path) -> StoreUnusable:
    """The typed error for a failed file operation."""
    facts = {"path": str(path), "errno": exc.errno}
    if exc.errno in _FULL:
        return StoreFull(f"no space left for {path}; nothing was changed", **facts)
    if exc.errno in _READ_ONLY:
        return read_only(path, facts)
    if exc.errno in _NO_FOLDER:
        says = f"{path}: there is a file where a folder should be. Move it away, or {ELSEWHERE}"
        return StoreUnusable(says, **facts)
    return StoreUnusable(f"{path}: {exc.strerror or exc}", **facts)


def read_only(path: Path, facts: Mapping[str, object]) -> StoreReadOnly:
    """The error where a store may not be written: SQLite and its locks need that for reading, too."""
    helps = f"Make its folder writable for you (reading needs it, too), or {ELSEWHERE}"
    return StoreReadOnly(f"{path} cannot be written; nothing was changed. {helps}", **facts)


class StoreLock:
    """Many writers or one collector, across processes."""

    def __init__(self, path: Path, timeout_s: float = LOCK_TIMEOUT_S, *, needed: bool = True) -> None:
        """One that is not `needed` is done without where the system has no such locks: for reading."""
        self._path = path
        self._timeout_s = timeout_s
        self._needed = needed

    @contextmanager
    def shared(self) -> Generator[None]:
        """Held while blobs are written and until the row that refers to them is committed."""
        with self._held(self._timeout_s, shared=True):
            yield

    @contextmanager
    def alone(self, timeout_s: float | None = None) -> Generator[None]:
        """Held while unreferenced blobs are removed, and while the schema is made."""
        with self._held(self._timeout_s if timeout_s is None else timeout_s, shared=False):
            yield

    @contextmanager
    def _held(self, timeout_s: float, *, shared: bool) -> Generator[None]:
        try:
            import fcntl
        except ImportError as exc:  # Windows
            if not self._needed:
                yield
                return
            raise StoreUnusable(
                "this system has no file locks (fcntl): memories can be read here, but not changed",
                path=str(self._path),
            ) from exc
        kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        with disk_errors(self._path):
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
        try:
            self._acquire(handle, kind, timeout_s)
            yield
        finally:
            os.close(handle)

    def _acquire(self, handle: int, kind: int, timeout_s: float) -> None:
        import fcntl

        give_up = time.monotonic() + timeout_s
        while True:
            try:
                fcntl.flock(handle, kind | fcntl.LOCK_NB)
            except BlockingIOError as exc:
                if time.monotonic() > give_up:
                    message = f"another process held {self._path} for over {timeout_s:g} s"
                    raise StoreBusy(message, path=str(self._path), waited_s=timeout_s) from exc
                time.sleep(_RETRY_S)
            else:
                return

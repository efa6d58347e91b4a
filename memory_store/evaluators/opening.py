"""Open somebody's file without harm: regular files only, never blocking, never more than the limit."""

import hashlib
import os
import stat
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BufferedReader
from pathlib import Path

from memory_store.evaluators.outcome import CouldNotRun, Facts, Finding, found
from memory_store.evaluators.template import Place
from memory_store.models import BlobId, Digest

_NO_ARTIFACTS = ("/proc", "/sys", "/dev")


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file as it was read, once."""

    path: Path
    data: bytes
    sha256: Digest
    modified_at: str

    @property
    def facts(self) -> Facts:
        """What a report says about the file itself."""
        return {"path": str(self.path), "bytes": len(self.data), "modified_at": self.modified_at}


def read(place: Place, where: str, limit: int) -> Artifact | None:
    """The whole file, or None when there is none.

    Raises:
        CouldNotRun: it is no regular file, too large, unreadable, or outside the folder that the spec names.
    """
    file = open_regular(place, where)
    if file is None:
        return None
    with file:
        about = os.fstat(file.fileno())
        _check_size(place, where, about.st_size, limit)
        data = file.read(limit + 1)
        _check_size(place, where, len(data), limit)
    return Artifact(place.path, data, sha256(data), modified(about))


def open_regular(place: Place, where: str) -> BufferedReader | None:
    """The file, opened for reading; None when there is none.

    Raises:
        CouldNotRun: it is no regular file, unreadable, or outside the folder that the spec names.
    """
    try:
        _check_inside(place, where)
        _check_regular(place, where, place.path.stat().st_mode)
        # Without O_NONBLOCK a pipe that took the file's place meanwhile would hold us for ever.
        handle = os.open(place.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, RuntimeError) as exc:
        raise unreadable(place, where, exc) from exc
    file = os.fdopen(handle, "rb")
    try:
        _check_regular(place, where, os.fstat(handle).st_mode)
        _check_artifact(place, where, _opened(handle, place))
    except CouldNotRun:
        file.close()
        raise
    return file


def _opened(handle: int, place: Place) -> Path:
    """What was opened, really: a link may have been laid between the first look and the opening."""
    link = Path(f"/proc/self/fd/{handle}")
    return (link if link.is_symlink() else place.path).resolve()


def missing(place: Place) -> Finding:
    """The finding when there is no file to look into."""
    return found(False, f"there is no file {place.path}", path=str(place.path))


def sha256(data: bytes) -> Digest:
    """The artifact's hash."""
    return BlobId(hashlib.sha256(data).hexdigest())


def sha256_of(file: BufferedReader, limit: int) -> Digest | None:
    """The hash of an open file; None when it is larger than `limit`."""
    if os.fstat(file.fileno()).st_size > limit:
        return None
    return BlobId(hashlib.file_digest(file, "sha256").hexdigest())


def modified(about: os.stat_result) -> str:
    """When a file was last written."""
    return datetime.fromtimestamp(about.st_mtime, UTC).isoformat(timespec="milliseconds")


def check_inside(place: Place, where: str) -> None:
    """Let only a path pass that stays in its folder, links followed.

    Raises:
        CouldNotRun: an input leads out of it, or a link loops.
    """
    try:
        _check_inside(place, where)
    except (OSError, RuntimeError) as exc:
        raise unreadable(place, where, exc) from exc


def unreadable(place: Place, where: str, exc: Exception) -> CouldNotRun:
    """The refusal for what the system would not let us read."""
    reason = getattr(exc, "strerror", None) or str(exc)
    return CouldNotRun(where, f"{place.path} cannot be read ({reason})", "check the path and its permissions")


def _check_inside(place: Place, where: str) -> None:
    _check_artifact(place, where, place.path.resolve())
    if place.folder is None:
        return
    folder = place.folder.resolve()
    if not place.path.resolve().is_relative_to(folder):
        raise CouldNotRun(
            where,
            f"a link leads out of {place.folder}",
            "name the real folder in the evaluator",
            folder=str(folder),
        )


def _check_artifact(place: Place, where: str, real: Path) -> None:
    """The system's own views are no artifact of any work; /proc/self/environ holds our keys."""
    if any(real.is_relative_to(root) for root in _NO_ARTIFACTS):
        raise CouldNotRun(
            where,
            f"{place.path} leads into {'/'.join(real.parts[:2])[1:]}, which belongs to the system",
            "name the file that the work has made",
        )


def _check_regular(place: Place, where: str, mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "a pipe, socket or device"
        raise CouldNotRun(where, f"{place.path} is {kind}", "name a regular file")


def _check_size(place: Place, where: str, size: int, limit: int) -> None:
    if size > limit:
        raise CouldNotRun(
            where,
            f"{place.path} has more than {limit} bytes",
            "check a smaller artifact",
            bytes=size,
            limit=limit,
        )

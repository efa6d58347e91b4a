"""One driver per desktop, across processes: a lease that dies with its holder or with its idleness."""

import os
import re
import secrets
import stat
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO

from pydantic import AwareDatetime, ValidationError

from actionlens.errors import DesktopBusy, DesktopUnusable, EvidenceUnwritable
from actionlens.observation import Record
from actionlens.process import identity, is_alive

IDLE_LEASE_S = 120.0


class Holder(Record):
    """Who drives, since when, doing what."""

    who: str
    process: str
    token: str
    since: AwareDatetime
    renewed: AwareDatetime
    doing: str


SESSIONS, SHARED = Path("/run/user"), Path("/tmp")


def lock_folder() -> Path:
    """Where every process of this user looks, whatever its environment: two that disagree would both drive.

    Raises:
        DesktopUnusable: somebody else made it, or it is a link; says which.
        OSError: it cannot be made.
    """
    session, user = SESSIONS / str(os.getuid()), os.getuid()
    folder = session / "echopath" if _is_private(session) else SHARED / f"echopath-{user}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if not _is_ours(folder):
        raise DesktopUnusable(
            f"{folder} is not a folder of this user's own, so nobody can be kept from driving at the same "
            "time: look who made it, and remove it"
        )
    if folder.stat().st_mode & 0o077:
        folder.chmod(0o700)
    return folder


def open_own(path: Path, flags: int = 0) -> int:
    """Open a file of the lock folder to read and write, made if need be; a link is not followed."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | flags, 0o600)


def _is_ours(folder: Path) -> bool:
    state = folder.lstat()
    return stat.S_ISDIR(state.st_mode) and state.st_uid == os.getuid()


def _is_private(folder: Path) -> bool:
    """Whether it is there, for this user alone."""
    try:
        return _is_ours(folder) and not folder.lstat().st_mode & 0o077
    except OSError:
        return False


def safe_name(text: str) -> str:
    """A text as a part of a file's name."""
    return re.sub(r"[^A-Za-z0-9-]", "_", text)


class DesktopLock:
    """This driver's claim on one desktop; taken per act, replay or recording, never for a server's life."""

    def __init__(self, place: str, who: str, clock: Callable[[], datetime]) -> None:
        self._name = f"desktop{safe_name(place)}.lock"
        self._who, self._clock, self._token = who, clock, secrets.token_hex(8)

    def take(self, doing: str) -> None:
        """Claim the desktop, or renew our claim.

        Raises:
            DesktopBusy: a live driver holds it and was active within the lease.
        """
        with self._open() as file:
            now, holder = self._clock(), _read(file)
            if holder and holder.token != self._token and self._valid(holder, now):
                raise DesktopBusy(holder.who, holder.since, holder.doing)
            ours = holder is not None and holder.token == self._token
            since = holder.since if holder and ours else now
            claim = Holder(
                who=self._who, process=identity(), token=self._token, since=since, renewed=now, doing=doing
            )
            _write(file, claim.model_dump_json())

    def drop(self) -> None:
        """Give the desktop back, if it is ours."""
        with self._open() as file:
            if (holder := _read(file)) and holder.token == self._token:
                _write(file, "")

    def holder(self) -> Holder | None:
        """Whoever drives now."""
        with self._open() as file:
            holder = _read(file)
        return holder if holder and self._valid(holder, self._clock()) else None

    def _valid(self, holder: Holder, now: datetime) -> bool:
        return is_alive(holder.process) and now - holder.renewed < timedelta(seconds=IDLE_LEASE_S)

    @contextmanager
    def _open(self) -> Generator[IO[bytes]]:
        import fcntl  # late: Windows has none, and may read runs all the same

        path = Path(self._name)
        try:
            path = lock_folder() / self._name
            with os.fdopen(open_own(path), "r+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                yield file
        except OSError as exc:
            raise EvidenceUnwritable(
                "the lock that keeps others from driving at the same time cannot be written: "
                f"{exc.filename or path}: {exc.strerror or exc}"
            ) from exc


def _read(file: IO[bytes]) -> Holder | None:
    file.seek(0)
    try:
        return Holder.model_validate_json(file.read())
    except ValidationError:  # empty, or its writer died halfway
        return None


def _write(file: IO[bytes], text: str) -> None:
    file.seek(0)
    file.write(text.encode())
    file.flush()
    file.truncate()

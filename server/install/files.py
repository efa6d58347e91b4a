"""Change a host's file: whole or not at all, with a copy of what was there."""

import os
import tempfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from server.install.entry import CannotInstall


def read_text(file: Path) -> str | None:
    """The text of a configuration file; None where there is none.

    Raises:
        CannotInstall: it cannot be read.
    """
    try:
        return file.read_text("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as exc:
        raise CannotInstall(f"{file}: {getattr(exc, 'strerror', None) or 'is not UTF-8 text'}") from exc


def write_text(file: Path, text: str, before: str | None) -> Path | None:
    """Put a text in place of what was read before; the copy of that, if there was any.

    Raises:
        CannotInstall: it cannot be written, or somebody else changed it meanwhile.
    """
    place = file.resolve()  # a link stays a link
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if read_text(place) != before:
            raise CannotInstall(f"{file}: was changed by another program just now; try again")
        backup = _copy(place, before) if before is not None else None
        _replace(place, text)
    except OSError as exc:
        raise CannotInstall(f"{file}: {exc.strerror}; nothing was changed") from exc
    return backup


def _copy(place: Path, text: str) -> Path:
    backup = place.with_name(f"{place.name}.backup-{datetime.now(UTC):%Y%m%dT%H%M%S%f}")
    with os.fdopen(
        os.open(backup, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
    ) as out:
        out.write(text)
    return backup


def _replace(place: Path, text: str) -> None:
    mode = place.stat().st_mode & 0o777 if place.exists() else 0o600
    number, name = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.")
    try:
        with os.fdopen(number, "w", encoding="utf-8", newline="") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        Path(name).chmod(mode)
        Path(name).replace(place)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise

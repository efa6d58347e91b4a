"""The user's emergency stop: the pointer in a corner of the screen, or a file that stays until removed."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from actionlens.corner import in_corner, is_near
from ibtr.geometry import Box, Point

__all__ = ["PANIC_FILE", "end_panic", "in_corner", "is_near", "kept_inside", "panic_files", "start_panic"]

PANIC_FILE = "panic"


def kept_inside(point: Point, screen: Box | None) -> Point:
    """Where a pointer ends up on a screen that shrank under it."""
    if screen is None:
        return point
    return Point(
        min(max(point.x, screen.x), screen.right - 1), min(max(point.y, screen.y), screen.bottom - 1)
    )


def panic_files(folders: Sequence[Path]) -> list[Path]:
    """The stop files that are there; one that cannot be looked at counts as there."""
    return [file for folder in folders if _exists(file := folder / PANIC_FILE)]


def start_panic(folder: Path, why: str) -> Path:
    """Stop every server of this user until the file is removed."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = folder / PANIC_FILE
    file.write_text(f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC: {why}\n")
    return file


def end_panic(folders: Sequence[Path]) -> list[Path]:
    """Remove the stop files; those that were there."""
    files = panic_files(folders)
    for file in files:
        with suppress(FileNotFoundError):
            file.unlink()
    return files


def _exists(file: Path) -> bool:
    try:
        file.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True

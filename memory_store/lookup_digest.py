"""What every record of a lookup says of itself: a hash, so that one that was altered is seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from memory_store.canonical import digest

if TYPE_CHECKING:
    import sqlite3

    from memory_store.chain import Cell

COLUMN: Final = "ALTER TABLE lookups ADD COLUMN sha256 TEXT NOT NULL DEFAULT ''"
COVERED: Final = ("id", "at", "goal", "selected", "report")


def lookup_digest(row: Mapping[str, Cell]) -> str:
    """The hash of a lookup's row."""
    return digest([value for name in COVERED if not isinstance(value := row[name], bytes)])


def adopt_lookups(connection: sqlite3.Connection) -> None:
    """Take the records that were there before the hash as they are; for the store's migrations."""
    rows = connection.execute(f"SELECT {', '.join(COVERED)} FROM lookups").fetchall()
    hashes = [(lookup_digest(dict(zip(COVERED, cells, strict=True))), cells[0]) for cells in rows]
    connection.executemany("UPDATE lookups SET sha256 = ? WHERE id = ?", hashes)

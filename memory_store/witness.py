"""How far the logs went, in a file beside the database.

A chain proves that its links follow each other, not that there were no more of them: cut off at its end, or
written anew from some event on, it holds as before. The file names the last link that was committed; it may
lag behind, because it is written after the commit, but the log must hold what it names.
"""

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from memory_store.database import Database
from memory_store.errors import StoreUnusable
from memory_store.home import FILE_MODE, open_regular

CHAINS: Final = {"audit": ("audit", "audit event"), "replay_log": ("replay log", "link")}
"""Where each chain is told of, and the noun for one of its links."""
_LENGTH: Final = 512
_SAFELY: Final = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
Heads = dict[str, tuple[int, str]]


def watch(db: Database) -> None:
    """Note the logs' last links once the transaction that appends to them is committed."""
    db.after_commit(_note)


def read_heads(database: Path) -> Heads:
    """The links that the logs must hold; none where nothing was noted yet, or nothing readable."""
    try:
        with open_regular(_file(database)) as file:
            noted = json.loads(file.read(_LENGTH))
        return {name: (int(noted[name][0]), str(noted[name][1])) for name in CHAINS if name in noted}
    except (OSError, ValueError, TypeError, LookupError, RecursionError):
        return {}


def missing_links(db: Database, heads: Heads) -> Iterator[tuple[str, str]]:
    """What the logs held once, and hold no longer; each with its log."""
    for name, (seq, stated) in heads.items():
        row = db.one(f"SELECT hash FROM {name} WHERE seq = ?", [seq])
        if row is None or row["hash"] != stated:
            where, link = CHAINS[name]
            why = "the log was cut off or written anew, or the database is an older copy"
            yield where, f"{link} {seq} is not the one that was written: {why}"


def _note(db: Database) -> None:
    # The change itself is committed: that this could not be written must not be told as its failure.
    with suppress(StoreUnusable, OSError):
        last = {name: db.one(f"SELECT seq, hash FROM {name} ORDER BY seq DESC LIMIT 1") for name in CHAINS}
        heads = {name: [row["seq"], row["hash"]] for name, row in last.items() if row}
        handle = os.open(_file(db.path), os.O_WRONLY | os.O_CREAT | _SAFELY, FILE_MODE)
        try:
            os.write(handle, json.dumps(heads).ljust(_LENGTH).encode())  # in place, of one length, at once
        finally:
            os.close(handle)


def _file(database: Path) -> Path:
    return database.with_suffix(".heads")

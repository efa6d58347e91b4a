"""What the ledger of replays must hold: one link of a hash chain for every time a replay was written.

Replays put memories in quarantine, so one that was slipped in, changed or taken away must be seen. The chain
is one of its own, because a replay changes no memory; every event of the audit log names its latest link.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from memory_store.canonical import digest
from memory_store.chain import GENESIS, Cell, chain_problems, linked

if TYPE_CHECKING:
    import sqlite3

    from memory_store.database import Database, Row

TABLE: Final = """
CREATE TABLE replay_log (
    seq INTEGER PRIMARY KEY,
    replay_id TEXT NOT NULL,
    row_sha256 TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;
CREATE TRIGGER replay_log_is_append_only_update BEFORE UPDATE ON replay_log
    BEGIN SELECT RAISE(ABORT, 'the replay log is append-only'); END;
CREATE TRIGGER replay_log_is_append_only_delete BEFORE DELETE ON replay_log
    BEGIN SELECT RAISE(ABORT, 'the replay log is append-only'); END;
"""
COLUMNS: Final[tuple[str, ...]] = (
    "id",
    "memory_id",
    "ending",
    "cause",
    "started_at",
    "ended_at",
    "events_sent",
    "steps_done",
    "host_tokens",
    "detail",
)


def replay_digest(row: Mapping[str, Cell]) -> str:
    """What the chain remembers of a replay's row."""
    return digest([value for name in COLUMNS if not isinstance(value := row[name], bytes)])


def adopt(connection: sqlite3.Connection) -> None:
    """Begin the chain with the replays that were there before it; for the store's migrations."""
    rows = connection.execute(f"SELECT {', '.join(COLUMNS)} FROM replays ORDER BY started_at, id").fetchall()
    previous = GENESIS
    for seq, cells in enumerate(rows, 1):
        row: dict[str, Cell] = dict(zip(COLUMNS, cells, strict=True))
        link = linked({"replay_id": str(row["id"]), "row_sha256": replay_digest(row)}, seq, previous)
        names, marks = ", ".join(link), ", ".join("?" * len(link))
        connection.execute(f"INSERT INTO replay_log ({names}) VALUES ({marks})", [*link.values()])
        previous = str(link["hash"])


class ReplayLog:
    """The chain in the database; appends only inside a transaction of the caller."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def append(self, row: Row) -> None:
        """One link more, for a row that is written in the same transaction."""
        last = self._last()
        seq, previous = (int(str(last["seq"])) + 1, str(last["hash"])) if last else (1, GENESIS)
        link = linked({"replay_id": str(row["id"]), "row_sha256": replay_digest(row)}, seq, previous)
        self._db.insert("replay_log", link)

    def head(self) -> str:
        """The hash of the latest link; nothing while there is none."""
        last = self._last()
        return str(last["hash"]) if last else ""

    def problems(self, rows: Iterable[Row], heads: Mapping[int, str]) -> Iterator[tuple[str, str]]:
        """Where rows, chain and the links that the events of the audit log name do not fit together."""
        links = self._db.rows("SELECT * FROM replay_log ORDER BY seq")
        for line in chain_problems(links, "link"):
            yield "replay log", line
        known = {link["hash"] for link in links}
        for event, head in heads.items():
            if head not in known:
                yield "replay log", f"the link that audit event {event} names is missing"
        stated = {str(link["replay_id"]): link["row_sha256"] for link in links}
        for row in rows:
            replay_id = str(row["id"])
            said = stated.pop(replay_id, None)
            if said is None:
                yield f"replay {replay_id}", "the log of replays does not know this one"
            elif said != replay_digest(row):
                yield f"replay {replay_id}", "the row differs from what the log of replays says of it"
        for missing in stated:
            yield f"replay {missing}", "the log of replays knows this one, but its row is missing"

    def _last(self) -> Row | None:
        return self._db.one("SELECT seq, hash FROM replay_log ORDER BY seq DESC LIMIT 1")

"""The append-only log: every change of a memory is one event, and each event's hash covers the one before."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from pydantic import ValidationError

from memory_store.canonical import canonical, document, stamp
from memory_store.chain import GENESIS, chain_problems, linked
from memory_store.database import Database, Row, damaged_row, number, text
from memory_store.models import JsonObject, Lifecycle, MemoryId, Record
from memory_store.models.base import Moment
from memory_store.replay_log import ReplayLog
from memory_store.witness import watch


class Event(StrEnum):
    """What can happen to a memory."""

    ADDED = "added"
    IMPORTED = "imported"
    BRANCHED = "branched"
    REPAIRED = "repaired"
    MERGED = "merged"
    PROMOTED = "promoted"
    REJECTED = "rejected"
    QUARANTINED = "quarantined"
    DEPRECATED = "deprecated"
    RENAMED = "renamed"
    CHECKED = "checked"


class AuditBody(Record):
    """What one event says. `row_sha256` is the digest of the memory's row after it.

    `replays` is the latest link of the log of replays at that time; nothing where there was none yet.
    """

    actor: str
    because: str
    source: Lifecycle | None = None
    target: Lifecycle
    tool_name: str
    row_sha256: str
    detail: JsonObject
    replays: str = ""


class LastState(NamedTuple):
    """What the newest event of a memory says of its row, and when that was."""

    at: str
    body: AuditBody


class AuditEvent(Record):
    """One link of the chain."""

    seq: int
    at: Moment
    memory_id: MemoryId
    event: Event
    body: AuditBody
    previous: str
    hash: str


class AuditLog:
    """The chain in the database; appends only inside a transaction of the caller."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._replays = ReplayLog(db)

    def append(self, event: Event, memory_id: MemoryId, body: AuditBody, *, at: datetime) -> int:
        """Add one event; the caller's transaction makes it land with the change itself."""
        last = self._db.one("SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1")
        seq, previous = (number(last, "seq") + 1, text(last, "hash")) if last else (1, GENESIS)
        anchored = body.model_copy(update={"replays": self._replays.head()})
        row: dict[str, str | int] = {
            "at": stamp(at),
            "memory_id": memory_id,
            "event": event.value,
            "body": canonical(document(anchored)),
        }
        self._db.insert("audit", linked(row, seq, previous))
        watch(self._db)
        return seq

    def revision(self) -> int:
        """A counter that grows with every change of a memory, whichever process made it."""
        row = self._db.one("SELECT coalesce(max(seq), 0) AS seq FROM audit")
        return number(row, "seq") if row else 0

    def count(self) -> int:
        """How many events there are."""
        row = self._db.one("SELECT count(*) AS n FROM audit")
        return number(row, "n") if row else 0

    def last(self, memory_id: MemoryId, *events: Event) -> AuditEvent | None:
        """The newest of these events in the life of a memory."""
        return next((found for found in self.events(memory_id) if found.event in events), None)

    def events(self, memory_id: MemoryId | None = None, *, limit: int = -1) -> list[AuditEvent]:
        """The log, newest first, of one memory or of all."""
        where, arguments = ("WHERE memory_id = ?", [memory_id]) if memory_id else ("", [])
        rows = self._db.rows(
            f"SELECT * FROM audit {where} ORDER BY seq DESC LIMIT ?",
            [*arguments, limit],
        )
        return [event_of(row) for row in rows]

    def problems(self) -> list[str]:
        """Every place where the chain does not hold."""
        return chain_problems(self._db.rows("SELECT * FROM audit ORDER BY seq"), "audit event")

    def replay_heads(self) -> dict[int, str]:
        """The links of the log of replays that the events name; unreadable ones are left to `problems()`."""
        rows = self._db.rows("SELECT seq, body FROM audit ORDER BY seq")
        said = ((number(row, "seq"), _body(row)) for row in rows)
        return {seq: body.replays for seq, body in said if body is not None and body.replays}

    def last_states(self) -> dict[MemoryId, LastState]:
        """What the log says each memory's row must now be; unreadable events are left to `problems()`."""
        rows = self._db.rows(
            "SELECT at, memory_id, body FROM audit"
            " WHERE seq IN (SELECT max(seq) FROM audit GROUP BY memory_id)"
        )
        return {
            MemoryId(text(row, "memory_id")): LastState(text(row, "at"), body)
            for row in rows
            if (body := _body(row)) is not None
        }


def event_of(row: Row) -> AuditEvent:
    """The event in a row.

    Raises:
        StoreCorrupt: the row cannot be read; it names the event.
    """
    try:
        body = AuditBody.model_validate_json(text(row, "body"))
        return AuditEvent.model_validate({**row, "body": body})
    except ValidationError as exc:
        seq = number(row, "seq")
        raise damaged_row(f"event {seq} of the log", exc, seq=seq) from exc


def _body(row: Row) -> AuditBody | None:
    try:
        return AuditBody.model_validate_json(text(row, "body"))
    except ValidationError:
        return None

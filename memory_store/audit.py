"""The append-only log: every change of a memory is one event, and each event's hash covers the one before."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Final

from pydantic import JsonValue, ValidationError

from memory_store.canonical import canonical, digest, document, stamp
from memory_store.database import Database, Row, damaged_row, number, text
from memory_store.models import JsonObject, Lifecycle, MemoryId, Record
from memory_store.models.base import Moment

GENESIS: Final = "0" * 64


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
    """What one event says. `row_sha256` is the digest of the memory's row after it."""

    actor: str
    because: str
    source: Lifecycle | None = None
    target: Lifecycle
    tool_name: str
    row_sha256: str
    detail: JsonObject


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

    def append(self, event: Event, memory_id: MemoryId, body: AuditBody, *, at: datetime) -> int:
        """Add one event; the caller's transaction makes it land with the change itself."""
        last = self._db.one("SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1")
        seq, previous = (number(last, "seq") + 1, text(last, "hash")) if last else (1, GENESIS)
        row: dict[str, JsonValue] = {
            "seq": seq,
            "at": stamp(at),
            "memory_id": memory_id,
            "event": event.value,
            "body": canonical(document(body)),
            "previous": previous,
        }
        self._db.insert("audit", {**_cells(row), "hash": digest(row)})
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
        return chain_problems(self._db.rows("SELECT * FROM audit ORDER BY seq"))

    def last_states(self) -> dict[MemoryId, AuditBody]:
        """What the log says each memory's row must now be; unreadable events are left to `problems()`."""
        rows = self._db.rows(
            "SELECT memory_id, body FROM audit WHERE seq IN (SELECT max(seq) FROM audit GROUP BY memory_id)"
        )
        states: dict[MemoryId, AuditBody] = {}
        for row in rows:
            try:
                states[MemoryId(text(row, "memory_id"))] = AuditBody.model_validate_json(text(row, "body"))
            except ValidationError:
                continue
        return states


def chain_problems(rows: Iterable[Row]) -> list[str]:
    """Pure: check every link of a chain, given in order."""
    problems: list[str] = []
    expected_seq, previous = 1, GENESIS
    for row in rows:
        seq, stated = number(row, "seq"), text(row, "hash")
        if seq != expected_seq:
            problems.append(f"audit event {expected_seq} is missing (next is {seq})")
        elif text(row, "previous") != previous:
            problems.append(f"audit event {seq} does not follow the one before it")
        content: dict[str, JsonValue] = {
            name: value for name, value in row.items() if name != "hash" and not isinstance(value, bytes)
        }
        if digest(content) != stated:
            problems.append(f"audit event {seq} was altered")
        expected_seq, previous = seq + 1, stated
    return problems


def _cells(row: dict[str, JsonValue]) -> dict[str, str | int]:
    return {name: value for name, value in row.items() if isinstance(value, str | int)}


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

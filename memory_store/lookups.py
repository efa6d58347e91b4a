"""The record that every lookup leaves: what was asked, what was looked at, what was accepted and why."""

from collections.abc import Iterator
from datetime import datetime

from memory_store.canonical import canonical, document, stamp
from memory_store.database import Cell, Database, Row, damaged_row, number, text
from memory_store.errors import StoreCorrupt
from memory_store.lookup_digest import lookup_digest
from memory_store.models import Record
from memory_store.models.base import Moment
from memory_store.retrieval.audit import LookupAudit


class Lookup(Record):
    """A lookup as it was written down."""

    id: int
    at: Moment
    goal: str
    accepted: str | None
    audit: LookupAudit


class Lookups:
    """The records in the database; written only inside a transaction of the caller."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def write_down(self, goal: str, audit: LookupAudit, *, at: datetime, kept: int) -> None:
        """Leave the record of a lookup; of all of them only the newest are kept."""
        (newest,) = self._db.rows("SELECT coalesce(max(id), 0) AS id FROM lookups")
        row: dict[str, Cell] = {
            "id": number(newest, "id") + 1,
            "at": stamp(at),
            "goal": goal.encode("utf-8", "replace").decode(),
            "selected": audit.accepted,
            "report": canonical(document(audit)).encode("utf-8", "replace").decode(),
        }
        self._db.insert("lookups", {**row, "sha256": lookup_digest(row)})
        self._db.execute("DELETE FROM lookups WHERE id <= (SELECT max(id) FROM lookups) - ?", [kept])

    def latest(self, limit: int) -> list[Lookup]:
        """The latest lookups, newest first."""
        rows = self._db.rows("SELECT * FROM lookups ORDER BY id DESC LIMIT ?", [limit])
        return [_lookup(row) for row in rows]

    def problems(self) -> Iterator[tuple[str, str]]:
        """Records that were altered, cannot be read or contradict themselves, and missing ones in between."""
        expected: int | None = None  # the oldest are pruned
        for row in self._db.rows("SELECT * FROM lookups ORDER BY id"):
            lookup_id = number(row, "id")
            if expected is not None and lookup_id != expected:
                yield f"lookup {expected}", f"the record of the lookup is missing (next is {lookup_id})"
            expected = lookup_id + 1
            if row["sha256"] != lookup_digest(row):
                yield f"lookup {lookup_id}", "the record of the lookup was altered: its hash does not fit"
            try:
                accepted = _lookup(row).accepted
            except StoreCorrupt:
                yield f"lookup {lookup_id}", "the record of the lookup cannot be read"
                continue
            if accepted != row["selected"]:
                yield f"lookup {lookup_id}", "what it accepted differs from its report"


def _lookup(row: Row) -> Lookup:
    """The lookup in a row.

    Raises:
        StoreCorrupt: the row cannot be read; it names the lookup.
    """
    number_of_it = number(row, "id")
    try:
        audit = LookupAudit.model_validate_json(text(row, "report"))
        return Lookup(
            id=number_of_it,
            at=datetime.fromisoformat(text(row, "at")),
            goal=text(row, "goal"),
            accepted=audit.accepted,
            audit=audit,
        )
    except ValueError as exc:
        raise damaged_row(f"the record of lookup {number_of_it}", exc, lookup=number_of_it) from exc

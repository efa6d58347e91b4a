"""Prove the store: the database, the chain, every row against the chain, every blob against its name."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeVar

from pydantic import Field

from memory_store.audit import AuditLog, LastState
from memory_store.blobs import Blobs
from memory_store.canonical import stamp
from memory_store.database import Database, Row, number, text
from memory_store.errors import EvidenceCorrupt, EvidenceMissing, StoreCorrupt, StoreUnusable
from memory_store.graph import links_of, nodes_of, signatures_of
from memory_store.ledger import Ledger
from memory_store.listing import memory_of
from memory_store.lookups import Lookups
from memory_store.memory_rows import (
    MemoryRows,
    blob_rows,
    content_digest,
    node_row,
    row_digest,
    source_of,
)
from memory_store.models import BlobId, Lifecycle, Memory, MemoryId, Record
from memory_store.searching import SearchIndex
from memory_store.witness import Heads, missing_links

T = TypeVar("T")


class Problem(Record):
    """One thing that is not as it was written; `where` is a memory, a blob or the log."""

    where: str
    problem: str


class VerifyReport(Record):
    """What was looked at, and what was wrong. Unused blobs are no damage; `gc` removes them."""

    memories: int
    events: int
    blobs: int
    unused_blobs: int
    problems: tuple[Problem, ...] = Field(default=())

    @property
    def sound(self) -> bool:
        """Whether everything is as it was written."""
        return not self.problems


class _Findings:
    """Problems, gathered part by part: one that cannot be looked at is a problem, and ends no other."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def look(self, where: str, part: Callable[[], Iterable[Problem]]) -> None:
        """Take in what one part finds."""
        try:
            for problem in part():
                self.problems.append(problem)
        except (StoreUnusable, sqlite3.Error) as exc:  # the index is read on the bare connection
            self.problems.append(Problem(where=where, problem=f"cannot be looked at: {exc}"))

    def read(self, where: str, part: Callable[[], T], instead: T) -> T:
        """What others need of the store, or something empty in its place."""
        try:
            return part()
        except StoreUnusable as exc:
            self.problems.append(Problem(where=where, problem=f"cannot be read: {exc}"))
            return instead


def verify_store(db: Database, blobs: Blobs, heads: Heads) -> VerifyReport:
    """Look at everything. Slow on purpose: it reads every blob. `heads`: read before this state was."""
    rows, log, found = MemoryRows(db), AuditLog(db), _Findings()
    found.look("database", lambda: _at("database", db.integrity_problems()))
    found.look("database", lambda: _at("database", db.schema_problems()))
    found.look("audit", lambda: _at("audit", log.problems()))
    found.look("audit", lambda: _pairs(missing_links(db, heads)))
    raw = found.read("memories", rows.raw, list[Row]())
    used = found.read("evidence", rows.referenced, set[BlobId]())
    found.look("memories", lambda: _rows_against_log(raw, log.last_states()))
    for row in raw:
        found.look(text(row, "id"), partial(_memory_problems, row, rows))
    tools = {MemoryId(text(row, "id")): text(row, "tool_name") for row in raw}
    found.look("blobs", lambda: _blob_problems(used, blobs, lambda name: _users(name, rows, tools)))
    found.look("search index", lambda: _index_problems(raw, SearchIndex(db)))
    found.look("lookups", lambda: _pairs(Lookups(db).problems()))
    found.look("replays", lambda: _pairs(Ledger(db).problems(log.replay_heads())))
    return VerifyReport(
        memories=len(raw),
        events=found.read("audit", log.count, 0),
        blobs=len(used),
        unused_blobs=sum(name not in used for name in blobs),
        problems=tuple(found.problems),
    )


def _at(where: str, lines: Iterable[str]) -> Iterator[Problem]:
    return (Problem(where=where, problem=line) for line in lines)


def _pairs(found: Iterable[tuple[str, str]]) -> Iterator[Problem]:
    return (Problem(where=where, problem=line) for where, line in found)


def _rows_against_log(raw: list[Row], states: dict[MemoryId, LastState]) -> Iterator[Problem]:
    present = {MemoryId(text(row, "id")) for row in raw}
    for missing in sorted(set(states) - present):
        yield Problem(where=missing, problem="the log knows this memory, but its row is missing")
    for row in raw:
        memory_id = MemoryId(text(row, "id"))
        if memory_id not in states:
            yield Problem(where=memory_id, problem="the log does not know this memory")
            continue
        if _digest_of(row) != states[memory_id].body.row_sha256:
            yield Problem(where=memory_id, problem="the row differs from what the log says of it")
        if text(row, "changed_at") != states[memory_id].at:
            yield Problem(where=memory_id, problem="the time of its last change differs from the log")


def _memory_problems(row: Row, rows: MemoryRows) -> Iterator[Problem]:
    memory_id = MemoryId(text(row, "id"))
    if content_digest(text(row, "document")) != text(row, "content_sha256"):
        yield Problem(where=memory_id, problem="the record was altered: its hash does not fit")
    try:
        memory = memory_of(row)
    except StoreCorrupt as exc:
        yield Problem(where=memory_id, problem=f"the record cannot be read: {exc}")
        return
    if memory.id != memory_id:
        yield Problem(where=memory_id, problem=f"the record says that it is {memory.id}")
    if (text(row, "created_at"), number(row, "schema_version")) != _stated(memory):
        yield Problem(where=memory_id, problem="its columns differ from its record")
    yield from _derived_problems(memory, rows)


def _stated(memory: Memory) -> tuple[str, int]:
    return stamp(memory.created_at), memory.schema_version


def _derived_problems(memory: Memory, rows: MemoryRows) -> Iterator[Problem]:
    if rows.program_rows(memory.id) != list(links_of(signatures_of(memory))):
        yield Problem(where=memory.id, problem="its steps in the action graph differ from its program")
    if rows.source_rows(memory.id) != [source_of(step) for step in memory.steps]:
        yield Problem(where=memory.id, problem="the recorded steps that its steps came from were altered")
    if rows.parent_rows(memory.id) != set(memory.lineage.parents):
        yield Problem(where=memory.id, problem="its parents differ from its record")
    if rows.stored_nodes(memory.id) != set(map(node_row, nodes_of(memory))):
        yield Problem(where=memory.id, problem="its nodes in the action graph were altered")
    if rows.blob_rows(memory.id) != blob_rows(memory):
        yield Problem(where=memory.id, problem="its references to evidence differ from its record")


def _index_problems(raw: list[Row], search: SearchIndex) -> Iterator[Problem]:
    active = (memory for row in raw if (memory := _readable(row)) and memory.lifecycle is Lifecycle.ACTIVE)
    yield from _pairs(search.problems(active))


def _readable(row: Row) -> Memory | None:
    try:
        return memory_of(row)
    except StoreCorrupt:
        return None


def _blob_problems(used: set[BlobId], blobs: Blobs, users: Callable[[BlobId], str]) -> Iterator[Problem]:
    for name in sorted(used):
        try:
            blobs.get(name)
        except (EvidenceMissing, EvidenceCorrupt) as exc:
            yield Problem(where=f"blob {name}", problem=f"{exc}; needed by {users(name)}")


def _users(blob: BlobId, rows: MemoryRows, tools: dict[MemoryId, str]) -> str:
    return ", ".join(sorted(tools.get(user, user) for user in rows.users_of(blob)))


def _digest_of(row: Row) -> str:
    return row_digest(
        text(row, "id"), text(row, "tool_name"), text(row, "lifecycle"), content_digest(text(row, "document"))
    )

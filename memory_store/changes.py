"""Every change of a memory: row, search index and audit event, inside the caller's transaction."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from memory_store.audit import AuditBody, AuditLog, Event
from memory_store.canonical import document
from memory_store.documents import checked_memory, write_document
from memory_store.errors import BundleRefused, InvalidMemory, NameTaken
from memory_store.memory_rows import MemoryRows, content_digest, row_digest
from memory_store.models import JsonObject, Lifecycle, Memory
from memory_store.searching import SearchIndex


@dataclass(frozen=True, slots=True)
class Change:
    """What is being done, when, and why; `actor` only where it is not the one who opened the store."""

    event: Event
    at: datetime
    because: str = ""
    detail: JsonObject = field(default_factory=dict)
    actor: str | None = None


class Changes:
    """The only writer of memory rows."""

    def __init__(self, rows: MemoryRows, log: AuditLog, search: SearchIndex, actor: str) -> None:
        self._rows = rows
        self._log = log
        self._search = search
        self._actor = actor

    def insert(self, memory: Memory, change: Change) -> Memory:
        """A memory that was not there before.

        Raises:
            InvalidMemory: its id is taken.
            NameTaken: its tool name is.
        """
        if self._rows.exists(memory.id):
            raise InvalidMemory("id", f"{memory.id} is already in this store")
        self._rows.check_name(memory.tool_name)
        self._rows.insert(memory, at=change.at)
        self._record(memory, None, change)
        return memory

    def move(self, memory: Memory, target: Lifecycle, change: Change) -> Memory:
        """The same memory in another state; the caller has checked that the move is legal."""
        moved = memory.model_copy(update={"lifecycle": target})
        self._rows.update(moved, at=change.at)
        self._record(moved, memory.lifecycle, change)
        return moved

    def rename(self, memory: Memory, tool_name: str, change: Change) -> Memory:
        """The same memory under another tool name."""
        renamed = checked_memory(document(memory.model_copy(update={"tool_name": tool_name})))
        if tool_name != memory.tool_name:
            self._rows.check_name(tool_name)
        self._rows.update(renamed, at=change.at)
        self._record(renamed, memory.lifecycle, change)
        return renamed

    def check_arrivals(self, memories: Iterable[Memory]) -> None:
        """Let memories of a bundle pass whose ids and names are free here, and different.

        Raises:
            BundleRefused: naming the memory and the way out.
        """
        names: set[str] = set()
        for memory in memories:
            field_name = f"memories/{memory.id}.json: tool_name"
            try:
                self._rows.check_name(memory.tool_name)
            except NameTaken as exc:
                raise BundleRefused(field_name, f"{exc}; import it with --rename OLD=NEW") from exc
            if memory.tool_name in names:
                raise BundleRefused(field_name, f"{memory.tool_name!r} is there twice")
            names.add(memory.tool_name)

    def _record(self, memory: Memory, source: Lifecycle | None, change: Change) -> None:
        self._search.follow(memory)
        content = content_digest(write_document(memory))
        body = AuditBody(
            actor=change.actor or self._actor,
            because=change.because,
            source=source,
            target=memory.lifecycle,
            tool_name=memory.tool_name,
            row_sha256=row_digest(memory.id, memory.tool_name, memory.lifecycle, content),
            detail=change.detail,
        )
        self._log.append(change.event, memory.id, body, at=change.at)

"""What can be read of some rows, and what cannot: one damaged record hides no other."""

from collections.abc import Iterable
from typing import NamedTuple

from memory_store.database import Row, text
from memory_store.documents import read_document
from memory_store.errors import InvalidMemory, StoreCorrupt
from memory_store.models import Memory


class Damaged(NamedTuple):
    """A row whose memory cannot be read, by what its columns still say."""

    id: str
    tool_name: str
    lifecycle: str
    problem: str


class Listing(NamedTuple):
    """The memories that can be read, and the rows that cannot."""

    memories: list[Memory]
    damaged: list[Damaged]


def memory_of(row: Row) -> Memory:
    """The memory in a row.

    Raises:
        StoreCorrupt: the row cannot be read; it names the memory.
    """
    try:
        return read_document(
            text(row, "document"), tool_name=text(row, "tool_name"), lifecycle=text(row, "lifecycle")
        )
    except InvalidMemory as exc:
        memory_id = text(row, "id")
        message = f"the record of {memory_id} is damaged ({exc}); `echopath memories verify` tells more"
        raise StoreCorrupt(message, memory_id=memory_id, field=exc.field) from exc


def listing_of(rows: Iterable[Row]) -> Listing:
    """What can be read of these rows, and what cannot."""
    found = Listing([], [])
    for row in rows:
        try:
            found.memories.append(memory_of(row))
        except StoreCorrupt as exc:
            memory_id, name, state = (str(row[column]) for column in ("id", "tool_name", "lifecycle"))
            found.damaged.append(Damaged(memory_id, name, state, str(exc)))
    return found

"""How memories leave in a bundle and arrive from one: stripped on the way out, distrusted on the way in."""

import os
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from memory_store.bundle import Bundle
from memory_store.canonical import document
from memory_store.documents import checked_memory
from memory_store.errors import BundleRefused, InvalidMemory
from memory_store.home import FILE_MODE, disk_errors
from memory_store.memory_rows import MemoryRows
from memory_store.models import BlobId, Lifecycle, Lineage, Memory, MemoryId, Origin, Validation


def without_frames(memory: Memory) -> Memory:
    """The memory without its full screenshots: smaller, and private screens stay at home."""
    steps = tuple(
        step.model_copy(update={"evidence": step.evidence.model_copy(update={"frames": {}})})
        for step in memory.steps
    )
    return memory.model_copy(update={"steps": steps})


def arrivals(
    bundle: Bundle, rows: MemoryRows, names: Mapping[str, str], *, at: datetime
) -> tuple[Memory, ...]:
    """The memories of a bundle as this store would take them in: candidates without a verdict.

    `names` maps tool names in the bundle to the names they shall have here.

    Raises:
        BundleRefused: an id or a name is taken here; names the field and the way out.
    """
    if unknown := sorted(set(names) - {memory.tool_name for memory in bundle.memories}):
        raise BundleRefused("names", f"no memory in the bundle is called {unknown[0]!r}")
    ids = {memory.id: _free_id(memory, rows, names) for memory in bundle.memories}
    return tuple(_arrived(memory, ids, names, bundle.sha256, at) for memory in bundle.memories)


def write_file(path: Path, data: bytes) -> None:
    """Put a file in place whole, or not at all; a device or a pipe is written to, never put aside."""
    with disk_errors(path):
        if path.exists() and not path.is_file() and not path.is_dir():
            path.write_bytes(data)
            return
        path = path.resolve()  # behind a link, the file that it leads to
        partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        try:
            handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE)
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)


def new_memory_id() -> MemoryId:
    """An id that nobody has."""
    return MemoryId(f"m_{secrets.token_hex(8)}")


def _free_id(memory: Memory, rows: MemoryRows, names: Mapping[str, str]) -> MemoryId:
    if not rows.exists(memory.id):
        return memory.id
    if memory.tool_name not in names:
        problem = f"is already in this store; take it in again with --rename {memory.tool_name}=NEW"
        raise BundleRefused(f"memories/{memory.id}.json: id", problem)
    return new_memory_id()


def _arrived(
    memory: Memory, ids: Mapping[MemoryId, MemoryId], names: Mapping[str, str], bundle: BlobId, at: datetime
) -> Memory:
    lineage = Lineage(
        origin=Origin.IMPORTED,
        parents=_renumbered(memory.lineage.parents, ids),
        runs=memory.lineage.runs,
        claimed=memory.validation.verdict or memory.lineage.claimed,
        bundle_sha256=bundle,
        note=memory.lineage.note,
    )
    if len({*memory.lineage.parents, memory.id}) != len(memory.lineage.parents) + 1:
        problem = "names a parent twice, or the memory itself"
        raise BundleRefused(f"memories/{memory.id}.json: lineage.parents", problem)
    changes: dict[str, object] = {
        "id": ids[memory.id],
        "tool_name": names.get(memory.tool_name, memory.tool_name),
        "lineage": lineage,
        "validation": Validation(evaluator=memory.validation.evaluator),
        "created_at": at,
        "lifecycle": Lifecycle.CANDIDATE,
    }
    try:
        return checked_memory(document(memory.model_copy(update=changes)))
    except InvalidMemory as exc:
        raise BundleRefused(f"memories/{memory.id}.json: {exc.field}", str(exc.evidence["problem"])) from exc


def _renumbered(parents: Sequence[MemoryId], ids: Mapping[MemoryId, MemoryId]) -> tuple[MemoryId, ...]:
    return tuple(ids.get(parent, parent) for parent in parents)

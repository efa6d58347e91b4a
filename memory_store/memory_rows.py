"""The rows of memories: the record itself, its program in the graph, its parents and its blobs."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from memory_store.canonical import canonical, digest, stamp
from memory_store.database import Cell, Database, Row, number, text
from memory_store.documents import blob_refs, write_document
from memory_store.errors import MemoryNotFound, NameTaken
from memory_store.graph import Link, Node, Signature, links_of, nodes_of
from memory_store.listing import Damaged, Listing, listing_of, memory_of
from memory_store.models import BlobId, Lifecycle, Memory, MemoryId, Step

_HASH: Final = re.compile("[0-9a-f]{64}")


class NodeUse(NamedTuple):
    """How a node of the graph is used."""

    signature: Signature
    action: str
    component: str
    memories: int
    children: tuple[Signature, ...]


class MemoryRows:
    """Reads, and writes inside the caller's transaction."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def get(self, wanted: str) -> Memory:
        """By id or by tool name.

        Raises:
            MemoryNotFound: nothing has this id or name.
        """
        row = None
        if wanted.isascii():  # ids and names are; other text may not even be UTF-8
            row = self._db.one("SELECT * FROM memories WHERE id = ? OR tool_name = ?", [wanted, wanted])
        if row is None:
            raise MemoryNotFound(wanted)
        return memory_of(row)

    def some(self, ids: Sequence[str]) -> Listing:
        """The memories with these ids, in this order; one that is missing counts as damaged."""
        marks = ", ".join("?" * len(ids))
        rows = self._db.rows(f"SELECT * FROM memories WHERE id IN ({marks})", list(ids))
        by_id = {text(row, "id"): row for row in rows}
        lost = [Damaged(one, one, "", "its record is missing") for one in ids if one not in by_id]
        found = listing_of(by_id[one] for one in ids if one in by_id)
        return Listing(found.memories, [*found.damaged, *lost])

    def all(self, states: Sequence[Lifecycle] = ()) -> Listing:
        """Memories in any of these states, or all of them, oldest first."""
        marks = ", ".join("?" * len(states))
        where = f"WHERE lifecycle IN ({marks})" if states else ""
        rows = self._db.rows(f"SELECT * FROM memories {where} ORDER BY created_at, rowid", list(states))
        return listing_of(rows)

    def recent(self, state: Lifecycle, limit: int) -> Listing:
        """The memories in a state that were replayed or changed last, at most `limit`; the latest first."""
        wanted = limit
        while True:
            rows = self._recent_rows(state, wanted)
            found = listing_of(rows)
            missing = limit - len(found.memories)  # a damaged row takes no other memory's place
            if missing <= 0 or len(rows) < wanted:
                return found
            wanted += missing

    def _recent_rows(self, state: Lifecycle, limit: int) -> list[Row]:
        return self._db.rows(
            "SELECT memories.* FROM memories JOIN (SELECT id, max(changed_at, coalesce((SELECT"
            " max(started_at) FROM replays WHERE memory_id = memories.id), '')) AS used FROM memories"
            " WHERE lifecycle = ?"
            " ORDER BY used DESC, id LIMIT ?) USING (id) ORDER BY used DESC, id",
            [state.value, limit],
        )

    def raw(self) -> list[Row]:
        """The bare rows, for verification."""
        return self._db.rows("SELECT * FROM memories ORDER BY created_at, rowid")

    def exists(self, memory_id: MemoryId) -> bool:
        """Whether this id is taken."""
        return self._db.one("SELECT 1 AS found FROM memories WHERE id = ?", [memory_id]) is not None

    def check_name(self, name: str) -> None:
        """Let a free tool name pass.

        Raises:
            NameTaken: another memory has it.
        """
        row = self._db.one("SELECT id, lifecycle FROM memories WHERE tool_name = ?", [name])
        if row is not None:
            raise NameTaken(name, text(row, "id"), text(row, "lifecycle"), self.free_name(f"{name[:44]}_old"))

    def free_name(self, wanted: str) -> str:
        """`wanted`, or the first of `wanted_2`, `wanted_3`, ... that nobody has."""
        taken = {text(row, "tool_name") for row in self._db.rows("SELECT tool_name FROM memories")}
        name, count = wanted, 1
        while name in taken:
            count += 1
            suffix = f"_{count}"
            name = wanted[: 48 - len(suffix)] + suffix
        return name

    def insert(self, memory: Memory, *, at: datetime) -> None:
        """A new memory with everything that hangs on it."""
        self._db.insert(
            "memories", {"id": memory.id, "created_at": stamp(memory.created_at), **_columns(memory, at)}
        )
        self._insert_program(memory)
        for parent in memory.lineage.parents:
            self._db.insert("parents", {"memory_id": memory.id, "parent_id": parent})
        for sha256, size, audit in sorted(blob_rows(memory)):
            self._db.insert(
                "blob_refs", {"memory_id": memory.id, "sha256": sha256, "size": size, "audit": int(audit)}
            )

    def update(self, memory: Memory, *, at: datetime) -> None:
        """Name, lifecycle or verdict of a known memory; its program and evidence never change."""
        columns = _columns(memory, at)
        assignments = ", ".join(f"{name} = ?" for name in columns)
        self._db.execute(f"UPDATE memories SET {assignments} WHERE id = ?", [*columns.values(), memory.id])

    def referenced(self) -> set[BlobId]:
        """Every blob that any memory refers to, in whatever state it is."""
        return {BlobId(text(row, "sha256")) for row in self._db.rows("SELECT DISTINCT sha256 FROM blob_refs")}

    def mentioned(self) -> set[BlobId]:
        """Every hash in any record, readable or not: a lost reference must not cost its evidence, too."""
        rows = self._db.rows("SELECT document FROM memories")
        return {BlobId(each) for row in rows for each in _HASH.findall(text(row, "document"))}

    def users_of(self, blob: BlobId) -> list[MemoryId]:
        """The memories that refer to this blob."""
        sql = "SELECT DISTINCT memory_id FROM blob_refs WHERE sha256 = ? ORDER BY memory_id"
        return [MemoryId(text(row, "memory_id")) for row in self._db.rows(sql, [blob])]

    def blob_bytes(self, memory_id: MemoryId) -> tuple[int, int]:
        """Bytes of crops, and of audit frames, that a memory refers to."""
        sizes = {
            number(row, "audit"): number(row, "bytes")
            for row in self._db.rows(
                "SELECT audit, sum(size) AS bytes FROM blob_refs WHERE memory_id = ? GROUP BY audit",
                [memory_id],
            )
        }
        return sizes.get(0, 0), sizes.get(1, 0)

    def children(self, memory_id: MemoryId) -> tuple[MemoryId, ...]:
        """Memories that were branched, repaired or merged from this one."""
        rows = self._db.rows("SELECT memory_id FROM parents WHERE parent_id = ? ORDER BY 1", [memory_id])
        return tuple(MemoryId(text(row, "memory_id")) for row in rows)

    def node_uses(self, signatures: Iterable[Signature]) -> dict[Signature, NodeUse]:
        """Reuse counts and child links of nodes."""
        return {signature: use for signature in set(signatures) if (use := self._node_use(signature))}

    def program_rows(self, memory_id: MemoryId) -> list[Link]:
        """The links of a program as stored, for verification."""
        rows = self._db.rows(
            "SELECT parent, signature FROM program WHERE memory_id = ? ORDER BY position", [memory_id]
        )
        return [Link(_parent(row), Signature(text(row, "signature"))) for row in rows]

    def source_rows(self, memory_id: MemoryId) -> list[tuple[Cell, Cell]]:
        """Run and step that each step of a program came from, as stored, for verification."""
        rows = self._db.rows(
            "SELECT run_id, step_id FROM program WHERE memory_id = ? ORDER BY position", [memory_id]
        )
        return [(row["run_id"], row["step_id"]) for row in rows]

    def parent_rows(self, memory_id: MemoryId) -> set[str]:
        """The parents as stored, for verification."""
        rows = self._db.rows("SELECT parent_id FROM parents WHERE memory_id = ?", [memory_id])
        return {text(row, "parent_id") for row in rows}

    def stored_nodes(self, memory_id: MemoryId) -> set[tuple[str, str, str, str]]:
        """The nodes of a program as stored, for verification."""
        rows = self._db.rows(
            "SELECT DISTINCT signature, action, parameters, component"
            " FROM program JOIN nodes USING (signature) WHERE memory_id = ?",
            [memory_id],
        )
        return {
            (text(row, "signature"), text(row, "action"), text(row, "parameters"), text(row, "component"))
            for row in rows
        }

    def blob_rows(self, memory_id: MemoryId) -> set[tuple[str, int, bool]]:
        """The blob references as stored, for verification."""
        rows = self._db.rows("SELECT sha256, size, audit FROM blob_refs WHERE memory_id = ?", [memory_id])
        return {(text(row, "sha256"), number(row, "size"), bool(number(row, "audit"))) for row in rows}

    def _insert_program(self, memory: Memory) -> None:
        nodes = nodes_of(memory)
        for node in nodes:
            self._db.execute(
                "INSERT OR IGNORE INTO nodes (signature, action, parameters, component) VALUES (?, ?, ?, ?)",
                list(node_row(node)),
            )
        for position, link in enumerate(links_of([node.signature for node in nodes])):
            run_id, step_id = source_of(memory.steps[position])
            self._db.insert(
                "program",
                {
                    "memory_id": memory.id,
                    "position": position,
                    "signature": link.child,
                    "parent": link.parent,
                    "run_id": run_id,
                    "step_id": step_id,
                },
            )

    def _node_use(self, signature: Signature) -> NodeUse | None:
        node = self._db.one(
            "SELECT action, component, memories FROM nodes JOIN node_reuse USING (signature)"
            " WHERE signature = ?",
            [signature],
        )
        if node is None:
            return None
        links = self._db.rows("SELECT child FROM child_links WHERE parent = ? ORDER BY child", [signature])
        children = tuple(Signature(text(row, "child")) for row in links)
        return NodeUse(
            signature, text(node, "action"), text(node, "component"), number(node, "memories"), children
        )


def source_of(step: Step) -> tuple[Cell, Cell]:
    """The run and the step in it that a step came from; neither where it was made by hand."""
    return (step.source.run_id, step.source.step_id) if step.source else (None, None)


def node_row(node: Node) -> tuple[str, str, str, str]:
    """The columns of a node."""
    return node.signature, node.action, canonical(node.parameters), node.component


def row_digest(memory_id: str, tool_name: str, lifecycle: str, content_sha256: str) -> str:
    """What the audit log remembers of a row."""
    return digest([memory_id, tool_name, lifecycle, content_sha256])


def content_digest(document: str) -> str:
    """SHA-256 of a stored document, byte for byte."""
    return hashlib.sha256(document.encode()).hexdigest()


def blob_rows(memory: Memory) -> set[tuple[str, int, bool]]:
    """What the table of references must hold for a memory."""
    found: dict[tuple[str, int], bool] = {}
    for ref, audit in blob_refs(memory).items():
        key = (ref.sha256, ref.size)
        found[key] = found.get(key, True) and audit
    return {(sha256, size, audit) for (sha256, size), audit in found.items()}


def _columns(memory: Memory, at: datetime) -> dict[str, Cell]:
    document = write_document(memory)
    return {
        "tool_name": memory.tool_name,
        "lifecycle": memory.lifecycle.value,
        "schema_version": memory.schema_version,
        "content_sha256": content_digest(document),
        "document": document,
        "changed_at": stamp(at),
    }


def _parent(row: Row) -> Signature | None:
    return Signature(text(row, "parent")) if row["parent"] is not None else None

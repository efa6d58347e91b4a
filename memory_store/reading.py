"""What can be asked of an open store; nothing here changes a memory."""

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from memory_store.audit import AuditEvent, AuditLog
from memory_store.blobs import Blobs
from memory_store.database import Database
from memory_store.diff import MemoryDiff, diff_memories
from memory_store.graph import Signature, signatures_of
from memory_store.home import StoreLock, private_folder
from memory_store.ledger import Ledger, Replay
from memory_store.listing import Listing
from memory_store.lookups import Lookup, Lookups
from memory_store.memory_rows import MemoryRows, NodeUse
from memory_store.models import BlobId, Lifecycle, Memory, MemoryId, ReplayId
from memory_store.searching import SearchIndex
from memory_store.verify import VerifyReport, verify_store
from memory_store.witness import read_heads


class Reader:
    """The open parts of one store, and every question to them."""

    def __init__(self, folder: Path) -> None:
        """Open the store, making it if need be.

        Raises:
            StoreUnusable: corrupt, full, read-only or too new; the subclass says which.
        """
        self.folder = private_folder(folder)
        self._lock = StoreLock(folder / "store.lock")
        self._blobs = Blobs(folder / "blobs")
        with StoreLock(folder / "open.lock", needed=False).alone():
            self._db = Database(folder / "memories.db")
        self._rows = MemoryRows(self._db)
        self._ledger = Ledger(self._db)
        self._log = AuditLog(self._db)
        self._search = SearchIndex(self._db)
        self._lookups = Lookups(self._db)

    def close(self) -> None:
        """Let go of the database; safe to call twice."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def get(self, wanted: str) -> Memory:
        """By id or tool name.

        Raises:
            MemoryNotFound: nothing has it.
        """
        return self._rows.get(wanted)

    def memories(self, *states: Lifecycle) -> list[Memory]:
        """All memories that can be read, or those in these states, oldest first."""
        return self.listing(*states).memories

    def listing(self, *states: Lifecycle) -> Listing:
        """All memories, or those in these states, oldest first, and the rows that cannot be read."""
        return self._rows.all(states)

    def recent(self, state: Lifecycle, limit: int) -> Listing:
        """At most `limit` memories in a state, those replayed or changed last first; reads no others."""
        return self._rows.recent(state, limit)

    def some(self, ids: Sequence[MemoryId]) -> Listing:
        """The memories with these ids, in this order, and those of them that cannot be read."""
        return self._rows.some(ids)

    def blob(self, sha256: BlobId) -> bytes:
        """Evidence, verified."""
        return self._blobs.get(sha256)

    def blob_bytes(self, memory_id: MemoryId) -> tuple[int, int]:
        """Bytes of crops and of audit frames that a memory refers to."""
        return self._rows.blob_bytes(memory_id)

    def children(self, memory_id: MemoryId) -> tuple[MemoryId, ...]:
        """What was branched, repaired or merged from a memory."""
        return self._rows.children(memory_id)

    def graph(self, memory: Memory) -> dict[Signature, NodeUse]:
        """How the nodes of a memory's program are shared."""
        return self._rows.node_uses(signatures_of(memory))

    def program(self, memory: Memory) -> tuple[Signature, ...]:
        """The nodes of a memory's program, in order."""
        return signatures_of(memory)

    def replay_count(self, memory_id: MemoryId) -> int:
        """How many replays of a memory there were, however they ended."""
        return self._ledger.replay_count(memory_id)

    def log(self, wanted: str | None = None, *, limit: int = -1) -> list[AuditEvent]:
        """What happened, newest first, to one memory or to all."""
        return self._log.events(self.get(wanted).id if wanted else None, limit=limit)

    def revision(self) -> int:
        """Grows with every change of any memory by any process; cheap enough to poll."""
        return self._log.revision()

    def data_version(self) -> int:
        """Changes when another process has written anything at all; the cheapest poll there is."""
        return self._db.data_version()

    def lookups(self, *, limit: int = 50) -> list[Lookup]:
        """What was looked up, newest first."""
        return self._lookups.latest(limit)

    def diff(self, first: str, second: str) -> MemoryDiff:
        """What two memories share and where they part."""
        return diff_memories(self.get(first), self.get(second))

    def replay(self, replay_id: ReplayId) -> Replay | None:
        """One replay of the ledger."""
        return self._ledger.get(replay_id)

    def replays(self, wanted: str | None = None, *, limit: int = 50) -> list[Replay]:
        """Replays, newest first, of one memory or of all."""
        return self._ledger.recent(self.get(wanted).id if wanted else None, limit=limit)

    def verify(self) -> VerifyReport:
        """Prove the database, the chain, every row and every blob."""
        heads = read_heads(self._db.path)
        with self._db.snapshot():  # what another process writes meanwhile is no damage
            return verify_store(self._db, self._blobs, heads)

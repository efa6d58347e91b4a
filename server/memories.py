"""The store, off the event loop: opened when first needed, one call at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from anyio import CapacityLimiter, from_thread, to_thread

from server.settings import Settings
from server.store import open_store

if TYPE_CHECKING:
    from memory_store.models import BlobId
    from memory_store.repository import Repository

T = TypeVar("T")


class Memories:
    """An asynchronous hand on the repository."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._turn = CapacityLimiter(1)
        self._store: Repository | None = None

    @property
    def opened(self) -> bool:
        """Whether anybody has used the store yet."""
        return self._store is not None

    async def use(self, work: Callable[[Repository], T]) -> T:
        """Do something with the store in its own thread.

        Raises:
            StoreUnusable: it cannot be opened; and whatever `work` raises.
        """
        return await to_thread.run_sync(self._work, work, limiter=self._turn)

    def blob(self, sha256: BlobId) -> bytes:
        """Evidence, verified; for code in a worker thread only."""

        async def fetch() -> bytes:
            return await self.use(lambda store: store.blob(sha256))

        return from_thread.run(fetch)

    async def close(self) -> None:
        """Let go of the database."""
        await to_thread.run_sync(self._close, limiter=self._turn)

    def _work(self, work: Callable[[Repository], T]) -> T:
        if self._store is None:
            self._store = open_store(self._settings)
        return work(self._store)

    def _close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None

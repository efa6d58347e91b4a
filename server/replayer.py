"""Replays as the tools see them: start one, wait for it, cancel it, go on with it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from memory_store.models import Memory, ReplayId
    from server.report import Report

Progress = Callable[[int, int, str], Awaitable[None]]


class Replayer(Protocol):
    """Runs memories on the desktop, one at a time."""

    async def run(
        self,
        memory: Memory,
        inputs: Mapping[str, object],
        *,
        max_steps: int | None = None,
        max_seconds: float | None = None,
        progress: Progress | None = None,
    ) -> Report:
        """Replay a memory; after 45 s the report says `running` and the replay goes on under its lease."""
        ...

    async def wait(self, replay_id: ReplayId, seconds: float = 45.0) -> Report:
        """Renew the lease and wait for the end.

        Raises:
            ReplayNotFound: this server knows no such replay.
        """
        ...

    async def cancel(self, replay_id: ReplayId) -> Report:
        """Stop between two steps."""
        ...

    async def resume(
        self,
        replay_id: ReplayId,
        *,
        max_steps: int | None = None,
        max_seconds: float | None = None,
        progress: Progress | None = None,
    ) -> Report:
        """Go on from the step that was refused."""
        ...

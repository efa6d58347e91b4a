"""The server's replays: the engine behind them is loaded with the first one, and outlives the call."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Self

import anyio
from anyio.abc import TaskGroup

from server.bounds import SEAL_S
from server.guard import Guard
from server.memories import Memories
from server.operator import Operator
from server.replayer import Progress
from server.settings import Settings

if TYPE_CHECKING:
    from memory_store.models import Memory, ReplayId
    from server.replay.engine import Replays
    from server.replay.mending import Mender
    from server.replay.planning import Planner
    from server.replay.session import Session
    from server.report import Report


class Replaying:
    """A Replayer; enter it to let replays go on after the call that started them."""

    def __init__(self, settings: Settings, operator: Operator, memories: Memories, guard: Guard) -> None:
        self._settings, self._operator, self._memories, self._guard = settings, operator, memories, guard
        self._group: TaskGroup | None = None
        self._engine: Replays | None = None
        self._mender: Mender | None = None

    async def __aenter__(self) -> Self:
        self._group = anyio.create_task_group()
        await self._group.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        if self._engine is not None:
            self._operator.halt()
        group, self._group, self._engine, self._mender = self._group, None, None, None
        if group is None:
            return None
        group.cancel_scope.cancel()
        return await group.__aexit__(kind, exc, trace)

    async def stop(self) -> None:
        """The server is closing: break off what is under way, and see every replay written down."""
        if self._engine is not None:
            self._engine.stop()
            self._operator.halt()
            with anyio.move_on_after(SEAL_S):
                await self._engine.stopped()

    @property
    def engine(self) -> Replays:
        """The engine, loaded when first needed."""
        if self._engine is None:
            from server.replay.engine import Replays
            from server.replay.manners import Manners

            assert self._group is not None, "replays need a server that is running"
            manners = Manners(person=self._settings.person_at_the_mouse)
            self._engine = Replays(self._operator, self._memories, self._guard, self._group, manners)
        return self._engine

    def told(self, replay_id: object, tokens: int) -> None:
        """A call was answered; if it was about a replay, that is part of what the replay cost."""
        if self._engine is not None and isinstance(replay_id, str):
            self._engine.told(replay_id, tokens)

    def question(self, replay_id: str) -> str:
        """What the user has to be asked about the result of a replay, if anything."""
        return self._engine.question(replay_id) if self._engine is not None else ""

    def unanswered(self, memory: Memory, inputs: Mapping[str, object]) -> Session | None:
        """The last replay of this very call, if it waits for the user's answer."""
        return self._engine.unanswered(memory, inputs) if self._engine is not None else None

    async def answer(self, replay_id: str, *, said: bool | None) -> Report:
        """The user's answer to the question of a replay."""
        return await self.engine.answer(replay_id, said=said)

    @property
    def mender(self) -> Mender:
        """Repairs their refused steps; it keeps what it has shown the host."""
        if self._mender is None:
            from server.replay.mending import Mender

            self._mender = Mender(self.engine, self._operator)
        return self._mender

    @property
    def planner(self) -> Planner:
        """Goes on with them as the host plans."""
        from server.replay.planning import Planner

        return Planner(self.engine)

    async def run(
        self,
        memory: Memory,
        inputs: Mapping[str, object],
        *,
        max_steps: int | None = None,
        max_seconds: float | None = None,
        progress: Progress | None = None,
    ) -> Report:
        """Replay a memory."""
        return await self.engine.run(
            memory, inputs, max_steps=max_steps, max_seconds=max_seconds, progress=progress
        )

    async def wait(self, replay_id: ReplayId, seconds: float = 45.0) -> Report:
        """Renew the lease and wait for the end."""
        return await self.engine.wait(replay_id, seconds)

    async def cancel(self, replay_id: ReplayId) -> Report:
        """Stop between two steps."""
        return await self.engine.cancel(replay_id)

    async def resume(
        self,
        replay_id: ReplayId,
        *,
        max_steps: int | None = None,
        max_seconds: float | None = None,
        progress: Progress | None = None,
    ) -> Report:
        """Go on from the step that was refused."""
        return await self.engine.resume(
            replay_id, max_steps=max_steps, max_seconds=max_seconds, progress=progress
        )

"""App: everything a tool may reach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.caller import NOBODY, Caller
from server.guard import Guard
from server.memories import Memories
from server.operator import Operator
from server.settings import Settings

if TYPE_CHECKING:
    from server.publish import Publisher
    from server.replay.mending import Mender
    from server.replay.planning import Planner
    from server.replayer import Replayer
    from server.replaying import Replaying


@dataclass(frozen=True, slots=True)
class App:
    """One server's parts, and for the length of a call the one who calls."""

    settings: Settings
    operator: Operator
    guard: Guard
    memories: Memories
    published: Publisher
    replayer: Replayer
    replaying: Replaying
    caller: Caller = NOBODY

    @property
    def mender(self) -> Mender:
        """Repairs a refused step."""
        return self.replaying.mender

    @property
    def planner(self) -> Planner:
        """Goes on with a refused replay as the host plans."""
        return self.replaying.planner

    async def close(self) -> None:
        """End replays, release keys, seal the run, end the desktop, let go of the store."""
        await self.replaying.stop()
        await self.operator.close()
        await self.memories.close()

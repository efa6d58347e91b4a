"""A replayer without a desktop, for tests of what lies between it and a client."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from memory_store.models import Lifecycle, Memory, ReplayId
from memory_store.quarantine import Ending
from server.errors import ReplayNotFound
from server.replayer import Progress
from server.report import Report


@dataclass
class Played:
    """Says that every step went well, or what it was told to say; remembers who asked for what."""

    says: dict[str, object] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, object]]] = field(default_factory=list)
    known: dict[str, Memory] = field(default_factory=dict)

    async def run(
        self,
        memory: Memory,
        inputs: Mapping[str, object],
        *,
        max_steps: int | None = None,
        max_seconds: float | None = None,
        progress: Progress | None = None,
    ) -> Report:
        self.asked.append((memory.tool_name, dict(inputs)))
        replay_id = f"r{len(self.asked)}"
        self.known[replay_id] = memory
        total = len(memory.steps)
        for done in range(1, total + 1):
            if progress is not None:
                await progress(done, total, f"step {done}")
        if memory.lifecycle is not Lifecycle.ACTIVE:
            return self._report(
                replay_id, ending=Ending.REJECTED, summary="not active", cause="state_mismatch"
            )
        return self._report(replay_id, **self.says)

    async def wait(self, replay_id: ReplayId, seconds: float = 45.0) -> Report:
        return self._report(replay_id)

    async def cancel(self, replay_id: ReplayId) -> Report:
        return self._report(replay_id, ending=Ending.CANCELLED)

    async def resume(
        self,
        replay_id: ReplayId,
        *,
        max_steps: int | None = None,
        max_seconds: float | None = None,
        progress: Progress | None = None,
    ) -> Report:
        return self._report(replay_id, summary="went on")

    def _report(self, replay_id: str, **changes: object) -> Report:
        if replay_id not in self.known:
            raise ReplayNotFound(replay_id)
        memory = self.known[replay_id]
        told: dict[str, object] = {"ending": Ending.VERIFIED, "summary": "all steps done", **changes}
        return Report.model_validate({"replay_id": replay_id, "memory": memory.tool_name, **told})

"""The replayer of a server that has none: it says so."""

from collections.abc import Mapping

from ibtr.errors import EchoPathError
from memory_store.models import Memory, ReplayId
from server.replayer import Progress
from server.report import Report


class NoReplayer:
    """Refuses every replay."""

    async def run(
        self,
        memory: Memory,
        inputs: Mapping[str, object],
        *,
        max_steps: int | None = None,
        max_seconds: float | None = None,
        progress: Progress | None = None,
    ) -> Report:
        """Refuse."""
        raise self._no()

    async def wait(self, replay_id: ReplayId, seconds: float = 45.0) -> Report:
        """Refuse."""
        raise self._no()

    async def cancel(self, replay_id: ReplayId) -> Report:
        """Refuse."""
        raise self._no()

    async def resume(
        self, replay_id: ReplayId, *, progress: Progress | None = None, max_seconds: float | None = None
    ) -> Report:
        """Refuse."""
        raise self._no()

    def _no(self) -> EchoPathError:
        return EchoPathError("this server cannot replay memories")

"""What a server that died has left running in the ledger: ended by the next one, and said."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from pathlib import Path

from server.memories import Memories

log = logging.getLogger("echopath.replay")


async def settle_past(memories: Memories, runs: Path) -> None:
    """End what no process goes on with any more."""
    from server.replay.interrupted import settle_interrupted

    at = datetime.now(UTC)
    for row in await memories.use(lambda store: settle_interrupted(store, runs, at=at)):
        log.warning("replay %s was interrupted: %s", row.id, row.detail.get("says"))

"""Replays whose server died: found when the next one starts, and said."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from actionlens.process import is_alive
from memory_store.ledger import Replay
from memory_store.quarantine import Ending
from server.fallback import StopCause
from server.report import Report

if TYPE_CHECKING:
    from memory_store.repository import Repository

_LOOKED_AT = 500


def settle_interrupted(store: Repository, *, at: datetime) -> list[Replay]:
    """End every replay in the ledger that still runs but whose process is gone; those."""
    found = [
        row
        for row in store.replays(limit=_LOOKED_AT)
        if row.ending is Ending.RUNNING and not is_alive(str(row.detail.get("process", "")))
    ]
    ended: list[Replay] = []
    for row in found:
        said = "its server died; the last step may have been half done"
        ending = Ending.STOPPED if row.events_sent else Ending.REJECTED
        update = {
            "ending": ending,
            "cause": StopCause.INTERRUPTED.value,
            "ended_at": at,
            "detail": {**row.detail, "says": said},
        }
        ended.append(row.model_copy(update=update))
        store.record_replay(ended[-1], at=at)
    return ended


def past_report(store: Repository, row: Replay) -> Report:
    """A replay of another time as its host would have been told of it."""
    memory = store.get(row.memory_id)
    says = str(row.detail.get("says") or row.ending.value)
    return Report(
        replay_id=row.id,
        memory=memory.tool_name,
        ending=row.ending,
        summary=f"{memory.tool_name}: {says}. This server did not run it; start it anew with run_memory.",
        steps_done=row.steps_done,
        steps_total=len(memory.steps),
        cause=row.cause or None,
        next=["observe", "run_memory"],
    )

"""What each replay of a memory came to: one row a replay, and the recent ones for the quarantine policy."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, cast

from pydantic import Field

from memory_store.canonical import canonical, stamp
from memory_store.database import Database, Row, damaged_row, number, text
from memory_store.errors import StoreCorrupt
from memory_store.models import JsonObject, MemoryId, Record, ReplayId
from memory_store.models.base import AnyMemoryId, Moment
from memory_store.quarantine import Ending, ReplayOutcome
from memory_store.replay_log import ReplayLog
from memory_store.witness import watch

DOUBTED = "doubted_input"
"""In the evidence of a stop: the input whose value may be the reason."""


class Replay(Record):
    """One replay. `events_sent` 0 means that nothing touched the desktop."""

    id: Annotated[ReplayId, Field(min_length=1, max_length=64)]
    memory_id: AnyMemoryId
    ending: Ending
    cause: str = ""
    started_at: Moment
    ended_at: Moment | None = None
    events_sent: Annotated[int, Field(ge=0)] = 0
    steps_done: Annotated[int, Field(ge=0)] = 0
    host_tokens: Annotated[int, Field(ge=0)] = 0
    detail: JsonObject = Field(default_factory=dict)

    @property
    def outcome(self) -> ReplayOutcome:
        """What the quarantine policy needs."""
        evidence = self.detail.get("evidence")
        by_value = isinstance(evidence, dict) and DOUBTED in evidence
        return ReplayOutcome(self.ending, self.cause, self.events_sent, by_value=by_value)


class Ledger:
    """The replay rows; writes only inside the caller's transaction."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._log = ReplayLog(db)

    def put(self, replay: Replay) -> None:
        """Write a replay, or what has become of it since."""
        row: Row = {
            **replay.model_dump(exclude={"detail", "started_at", "ended_at"}),
            "ending": replay.ending.value,
            "started_at": stamp(replay.started_at),
            "ended_at": stamp(replay.ended_at) if replay.ended_at else None,
            "detail": canonical(replay.detail),
        }
        columns, marks = ", ".join(row), ", ".join("?" * len(row))
        self._db.execute(f"INSERT OR REPLACE INTO replays ({columns}) VALUES ({marks})", list(row.values()))
        self._log.append(row)
        watch(self._db)

    def get(self, replay_id: ReplayId) -> Replay | None:
        """One replay."""
        row = self._db.one("SELECT * FROM replays WHERE id = ?", [replay_id])
        return _replay(row) if row else None

    def recent(self, memory_id: MemoryId | None = None, *, limit: int = 50) -> list[Replay]:
        """Replays, newest first."""
        rows = self._db.rows(
            "SELECT * FROM replays WHERE ?1 IS NULL OR memory_id = ?1"
            " ORDER BY started_at DESC, id DESC LIMIT ?2",
            [memory_id, limit],
        )
        return [_replay(row) for row in rows]

    def with_effect(self, memory_id: MemoryId, *, since: datetime | None) -> list[Replay]:
        """Recent replays of a memory that touched the desktop, newest first."""
        rows = self._db.rows(
            "SELECT * FROM replays WHERE memory_id = ?1 AND events_sent > 0"
            " AND (?2 IS NULL OR started_at > ?2) ORDER BY started_at DESC, id DESC LIMIT 50",
            [memory_id, stamp(since) if since else None],
        )
        return [_replay(row) for row in rows]

    def replay_count(self, memory_id: MemoryId) -> int:
        """How many replays of a memory there were, however they ended."""
        row = self._db.one("SELECT count(*) AS n FROM replays WHERE memory_id = ?", [memory_id])
        return number(row, "n") if row else 0

    def problems(self, heads: Mapping[int, str]) -> Iterator[tuple[str, str]]:
        """Replays that differ from their log, cannot be read, or belong to no memory.

        `heads` are the links of that log which the audit log names, by event.
        """
        rows = self._db.rows("SELECT * FROM replays ORDER BY started_at")
        yield from self._log.problems(rows, heads)
        known = {row["id"] for row in self._db.rows("SELECT id FROM memories")}
        for row in rows:
            where, memory_id = f"replay {text(row, 'id')}", text(row, "memory_id")
            try:
                _replay(row)
            except StoreCorrupt:
                yield where, "the replay cannot be read"
            if memory_id not in known:
                yield where, f"the replay is of {memory_id}, which is missing"


def _replay(row: Row) -> Replay:
    """The replay in a row.

    Raises:
        StoreCorrupt: the row cannot be read; it names the replay.
    """
    try:
        detail = cast("JsonObject", json.loads(text(row, "detail")))
        return Replay.model_validate({**row, "detail": detail})
    except (ValueError, RecursionError) as exc:
        replay_id = text(row, "id")
        raise damaged_row(f"the record of replay {replay_id}", exc, replay_id=replay_id) from exc

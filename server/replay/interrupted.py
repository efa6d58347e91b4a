"""Replays whose server died: ended in the ledger by whoever looks next, by what their runs tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

from pydantic import JsonValue

from actionlens.actions import KEYBOARD_ACTIONS
from actionlens.errors import RunUnreadable, Sent
from actionlens.process import is_alive
from actionlens.records import StepStatus
from memory_store.ledger import Replay
from memory_store.quarantine import Ending
from server.fallback import StopCause
from server.replay.words import PARTLY, PREPARED, done_words
from server.report import Report

if TYPE_CHECKING:
    from actionlens.run_reader import Run
    from memory_store.repository import Repository

_LOOKED_AT = 500


@dataclass(frozen=True, slots=True)
class Traces:
    """What the last run of a replay tells of it, beyond what the ledger knew when that run began."""

    events: int = 0
    notes: tuple[dict[str, JsonValue], ...] = ()
    prepared: tuple[str, ...] = ()

    @property
    def done(self) -> int:
        """Steps that came to their end."""
        return sum(note["binding"] != PARTLY for note in self.notes)


def settle_interrupted(store: Repository, runs: Path, *, at: datetime) -> list[Replay]:
    """End every replay in the ledger that still runs but whose process is gone; those. Blocks."""
    found = [
        row
        for row in store.replays(limit=_LOOKED_AT)
        if row.ending is Ending.RUNNING and not is_alive(str(row.detail.get("process", "")))
    ]
    ended = [_ended(row, _traces(runs, row), at) for row in found]
    for row in ended:
        store.record_replay(row, at=at)
    return ended


def traces_of(run: Run) -> Traces:
    """Pure: events sent and steps begun, by the records of a run."""
    notes: list[dict[str, JsonValue]] = []
    events = 0
    for step in run.steps:
        nothing = step.ended is not None and step.ended.sent is Sent.NOTHING
        if step.action.action not in ("wait", "observe"):
            events += not (nothing and step.action.action in KEYBOARD_ACTIONS)  # a pointer has moved
        number, words = step.request.source.get("step"), step.request.target
        done = step.status is StepStatus.OK
        if isinstance(number, int) and (done or not nothing):
            note: dict[str, JsonValue] = {"step": number, "action": step.action.action}
            note |= {"target": words[:80]} if words else {}
            notes.append(note | {"binding": "done" if done else PARTLY})
    prepared = tuple(str(one.detail.get("did")) for one in run.events if one.event == PREPARED)
    return Traces(events, tuple(notes), prepared)


def past_report(store: Repository, row: Replay) -> Report:
    """A replay of another time as its host would have been told of it."""
    memory, detail = store.get(row.memory_id), row.detail
    says, step = str(detail.get("says") or row.ending.value), detail.get("step")
    notes, planned = (_notes(detail.get(name)) for name in ("steps", "planned"))
    touched = bool(row.cause and (row.events_sent or detail.get("prepared")))
    return Report(
        replay_id=row.id,
        memory=memory.tool_name,
        ending=row.ending,
        summary=f"{memory.tool_name}: {says}. This server did not run it; start it anew with run_memory.",
        steps_done=row.steps_done,
        steps_total=len(memory.steps),
        cause=row.cause or None,
        step=step if isinstance(step, int) else None,
        may_have_changed=done_words(notes, planned, _words(detail.get("prepared"))) if touched else [],
        next=["observe", "run_memory"],
    )


def _ended(row: Replay, found: Traces, at: datetime) -> Replay:
    events, before = row.events_sent + found.events, _notes(row.detail.get("steps"))
    prepared = [*_words(row.detail.get("prepared")), *found.prepared]
    last = found.notes[-1] if found.notes else None
    said = f"its server died after {events} input events"
    if last is not None and last["binding"] == PARTLY:
        said += f"; step {last['step']} may be half done"
    kept: dict[str, JsonValue] = {"says": said, "steps": [*before, *found.notes]}
    kept |= {"prepared": [*prepared]} if prepared else {}
    kept |= {"step": last["step"]} if last is not None else {}
    return row.model_copy(
        update={
            "ending": Ending.STOPPED if events or prepared else Ending.REJECTED,
            "cause": StopCause.INTERRUPTED.value,
            "ended_at": at,
            "events_sent": events,
            "steps_done": row.steps_done + found.done,
            "detail": {**row.detail, **kept},
        }
    )


def _traces(runs: Path, row: Replay) -> Traces:
    from actionlens.run_reader import read_run

    named = _words(row.detail.get("runs"))
    try:
        return traces_of(read_run(runs / named[-1])) if named else Traces()
    except RunUnreadable:
        return Traces()


def _notes(value: object) -> Sequence[dict[str, JsonValue]]:
    return cast("Sequence[dict[str, JsonValue]]", value) if isinstance(value, list) else ()


def _words(value: object) -> list[str]:
    return [str(one) for one in cast("list[object]", value)] if isinstance(value, list) else []

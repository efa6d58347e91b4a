"""What a replay did before its server died, by its run alone."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from actionlens.actions import Action, Click, Type, Wait
from actionlens.errors import Sent
from actionlens.records import Request, StepEnded, StepId, StepStarted, StepStatus
from actionlens.run_log import RunLog
from actionlens.run_reader import read_run
from actionlens.step import Ended
from memory_store.ledger import Replay
from memory_store.models import ReplayId
from memory_store.quarantine import Ending
from memory_store.repository import Repository
from server.replay.interrupted import past_report, settle_interrupted, traces_of
from server.replay.words import PARTLY
from tests.actionlens.test_run_log import seen
from tests.memory_store.making import make_memory

AT = datetime(2026, 1, 1, tzinfo=UTC)


def cut_off(store: Repository, runs: Path, did: list[str]) -> Replay:
    """A replay in the ledger as running, of a process that is gone, and its run."""
    memory = make_memory()
    store.add(memory, at=AT)
    log = RunLog.create(runs, source_agent="test", task_goal="goal", controller="none", at=AT)
    for words in did:
        log.event("prepared", at=AT, did=words)
    row = Replay(
        id=ReplayId("r1"),
        memory_id=memory.id,
        ending=Ending.RUNNING,
        started_at=AT,
        detail={"process": "0 0", "runs": [log.run_id]},
    )
    store.record_replay(row, at=AT)
    return row


@pytest.mark.parametrize(
    ("did", "ending"),
    [([], Ending.REJECTED), (["started mousepad"], Ending.STOPPED)],
    ids=["none", "started"],
)
def test_a_program_that_was_started_before_the_end_makes_it_a_stop(
    tmp_path: Path, did: list[str], ending: Ending
) -> None:
    with Repository(tmp_path / "home") as store:
        cut_off(store, tmp_path / "runs", did)

        (row,) = settle_interrupted(store, tmp_path / "runs", at=AT)
        report = past_report(store, row)

    assert (row.ending, row.cause) == (ending, "interrupted")
    assert report.may_have_changed == did


def test_a_run_that_was_purged_does_not_keep_a_replay_running(tmp_path: Path) -> None:
    with Repository(tmp_path / "home") as store:
        cut_off(store, tmp_path / "runs", [])

        (row,) = settle_interrupted(store, tmp_path / "elsewhere", at=AT)

    assert (row.ending, row.events_sent) == (Ending.REJECTED, 0)


CLICK, TYPE = Click(x=1, y=2), Type(text="abc")


@pytest.mark.parametrize(
    ("action", "status", "sent", "events", "binding"),
    [
        (TYPE, StepStatus.OK, Sent.ALL, 1, ["done"]),
        (TYPE, StepStatus.ERROR, Sent.SOME, 1, [PARTLY]),
        (TYPE, StepStatus.ERROR, Sent.NOTHING, 0, []),
        (CLICK, StepStatus.ERROR, Sent.NOTHING, 1, []),
        (TYPE, StepStatus.ERROR, None, 1, [PARTLY]),
        (Wait(seconds=1), StepStatus.CANCELLED, Sent.NOTHING, 0, []),
    ],
    ids=["done", "broken off", "held back", "the pointer has moved", "an older run", "a wait"],
)
def test_a_step_of_a_dead_replay_counts_by_what_was_sent(
    tmp_path: Path, action: Action, status: Ended, sent: Sent | None, events: int, binding: list[str]
) -> None:
    log = RunLog.create(tmp_path, source_agent="test", task_goal="goal", controller="none", at=AT)
    request = Request(action=action, source={"step": 1})
    log.step(StepStarted(step=StepId(1), at=AT, request=request, before=seen("0" * 64)))
    log.step(StepEnded(step=StepId(1), at=AT, status=status, duration_s=0.1, sent=sent))

    found = traces_of(read_run(log.path))

    assert (found.events, [note["binding"] for note in found.notes]) == (events, binding)

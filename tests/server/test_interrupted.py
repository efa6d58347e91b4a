"""What a replay did before its server died, by its run alone."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from actionlens.run_log import RunLog
from memory_store.ledger import Replay
from memory_store.models import ReplayId
from memory_store.quarantine import Ending
from memory_store.repository import Repository
from server.replay.interrupted import past_report, settle_interrupted
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

"""A memory that is taken out of use: the replay that led to it says so, and so does the next call."""

from datetime import UTC, datetime

import pytest

from ibtr.errors import MissingTarget, Rejected
from memory_store.bindings import bind
from memory_store.models import Lifecycle, Memory, ReplayId
from memory_store.quarantine import Ending
from memory_store.repository import Repository
from server.app import App
from server.replay.course import Course
from server.replay.gates import check_gates
from server.replay.manners import Manners
from server.replay.session import Session
from server.replay.telling import report_of
from tests.memory_store.making import add_active, later, replay

pytestmark = pytest.mark.anyio
REASON = "quarantined: 3 of the last 3 replays with effect went wrong, the latest: "


@pytest.fixture
def memory(store: Repository) -> Memory:
    """Active, and already wrong twice."""
    memory = add_active(store, "phone", seed=1)
    for number in (1, 2):
        store.record_replay(replay(memory.id, number, Ending.FAILED), at=later(number))
    return memory


def begun(memory: Memory) -> Session:
    session = Session(ReplayId("r3"), memory, bind(memory, {}), datetime.now(UTC))
    session.events = 1
    return session


async def entered(app: App, session: Session) -> None:
    await Course(app.operator, app.memories, app.guard, Manners()).enter_in_ledger(session)
    await app.close()


async def test_the_replay_that_led_to_quarantine_says_so_once_and_names_the_review(
    app: App, memory: Memory
) -> None:
    session = begun(memory)
    session.refuse(MissingTarget("no place shows it"))

    await entered(app, session)

    report = report_of(session)
    assert report.summary.endswith(f"no place shows it; {REASON}missing_target.")
    assert report.next == ["rejection_detail", "repair_step", "review_memory"]


async def test_a_failed_artifact_that_led_to_quarantine_says_so_with_the_verdict(
    app: App, memory: Memory
) -> None:
    session = begun(memory)
    session.finish(Ending.FAILED, "failed: there is no file")

    await entered(app, session)

    report = report_of(session)
    assert report.verdict == f"failed: there is no file; {REASON}failed"
    assert report.next == ["review_memory"]


async def test_a_quarantined_memory_that_is_called_leads_to_its_review_not_to_a_plan(memory: Memory) -> None:
    session = begun(memory)
    with pytest.raises(Rejected) as refused:
        check_gates(memory.model_copy(update={"lifecycle": Lifecycle.QUARANTINED}))

    session.refuse(refused.value)

    report = report_of(session)
    assert "the memory is quarantined, not active" in report.summary
    assert report.next == ["review_memory", "promote_memory"]

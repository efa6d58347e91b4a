"""Between two steps: what lets a replay go on, and what ends it."""

import time
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import anyio
import numpy as np
import pytest
from anyio.lowlevel import checkpoint

from actionlens.actions import Press
from actionlens.run_log import RunLog
from ibtr.errors import StateMismatch
from memory_store.bindings import bind
from memory_store.models import ReplayId
from memory_store.quarantine import Ending
from server.fallback import StopCause
from server.replay.breakable import breakable
from server.replay.budget import Budget
from server.replay.phases import OURS, Phases
from server.replay.session import Session
from server.replay.stopped import Stopped
from server.replay.telling import report_of, row_of
from server.replay.words import a_dialog
from server.replay_view import shown
from tests.memory_store.making import make_memory


@pytest.fixture
def session() -> Session:
    memory = make_memory()
    session = Session(ReplayId("r1"), memory, bind(memory, {}), datetime.now(UTC))
    session.renew()
    return session


def test_a_replay_that_somebody_waits_for_goes_on_without_a_lease(session: Session) -> None:
    session.lease_until, session.waiters = 0.0, 1

    session.check_may_go_on()


def test_a_replay_that_nobody_waits_for_ends_with_its_lease(session: Session) -> None:
    session.lease_until = time.monotonic() - 1

    with pytest.raises(Stopped) as stopped:
        session.check_may_go_on()

    assert stopped.value.cause is StopCause.LEASE


async def _forever() -> None:
    await anyio.Event().wait()


@pytest.mark.anyio
async def test_what_is_waited_for_before_the_first_step_counts_to_the_time_it_may_take(
    session: Session,
) -> None:
    session.budget = Budget(max_seconds=0.01)

    with anyio.fail_after(5), pytest.raises(Stopped) as stopped:
        await breakable(session, _forever)

    assert (stopped.value.cause, stopped.value.evidence) == (StopCause.BUDGET, {"max_seconds": 0.01})


@pytest.mark.anyio
@pytest.mark.parametrize("cause", [StopCause.CANCELLED, StopCause.LEASE])
async def test_what_comes_before_the_first_step_is_broken_off_by_a_cancel_and_by_the_lease(
    session: Session, cause: StopCause
) -> None:
    async def end() -> None:
        if cause is StopCause.CANCELLED:
            session.cancelled = True
        session.lease_until = 0.0

    with anyio.fail_after(5), pytest.raises(Stopped) as stopped:
        async with anyio.create_task_group() as group:
            group.start_soon(end)
            try:
                await breakable(session, _forever)
            except Stopped as exc:
                known = exc
        raise known

    assert stopped.value.cause is cause


@pytest.mark.anyio
async def test_a_cancel_is_not_lost_where_the_start_is_refused(session: Session) -> None:
    async def refuse() -> None:
        session.cancelled = True
        raise StateMismatch("another window is in front")

    with pytest.raises(Stopped) as stopped:
        await breakable(session, refuse)

    assert stopped.value.cause is StopCause.CANCELLED


@pytest.mark.anyio
async def test_without_a_limit_or_in_time_nothing_is_said(session: Session) -> None:
    for budget in (Budget(), Budget(max_seconds=3600)):
        session.budget = budget
        await breakable(session, checkpoint)


def test_a_program_that_was_started_makes_a_refusal_a_stop_that_says_so(session: Session) -> None:
    session.prepared.append("started mousepad")

    session.refuse(StateMismatch("it did not come to the front"))

    assert session.ending is Ending.STOPPED
    assert report_of(session).may_have_changed == ["started mousepad"]
    assert row_of(session, session.started_at).events_sent == 0


def test_what_was_started_planned_and_judged_is_shown_with_a_replay(session: Session) -> None:
    session.prepared.append("started mousepad")
    session.refuse(StateMismatch("it did not come to the front"))
    session.plan(Press(key="a"), "the field")
    session.verdicts.append({"of": "step", "status": "blocked"})

    lines = list(shown(row_of(session, session.started_at), "save_client"))

    assert "prepared: started mousepad" in lines
    assert "planned: action press, before_step 1, target the field" in lines
    assert "host verdicts: of step, status blocked" in lines


def test_a_step_that_was_sent_in_part_is_not_done_again_before_the_host_has_seen_to_it(
    session: Session,
) -> None:
    session.partly = 1
    again = session.may_redo(1)
    session.plan(Press(key="backspace"), None)

    assert not again
    assert session.may_redo(1)


@pytest.mark.parametrize(
    ("budget", "cancelled", "cause"),
    [
        (Budget(max_steps=0), False, StopCause.BUDGET),
        (Budget(max_seconds=0.0), False, StopCause.BUDGET),
        (Budget(), True, StopCause.CANCELLED),
    ],
)
def test_a_budget_and_a_cancel_end_it(
    session: Session, budget: Budget, cancelled: bool, cause: StopCause
) -> None:
    session.budget, session.cancelled = budget, cancelled

    with pytest.raises(Stopped) as stopped:
        session.check_may_go_on()
    session.stop(stopped.value)

    assert stopped.value.cause is cause
    assert session.ending is (Ending.CANCELLED if cancelled else Ending.REJECTED)


def test_once_something_was_sent_an_early_end_is_a_stop_that_says_what_was_done(session: Session) -> None:
    session.events, session.position = 1, 1
    session.notes.append({"step": 1, "action": "click", "target": "the field"})

    session.stop(Stopped(StopCause.LOST, "the display is gone"))

    assert report_of(session).may_have_changed == ["1: click the field"]
    assert (session.ending, report_of(session).step) == (Ending.STOPPED, 2)


def test_a_menu_that_a_stopped_replay_left_open_is_named_last(session: Session) -> None:
    session.events, session.position, session.menu_open = 1, 1, True
    session.notes.append({"step": 1, "action": "click", "target": "the menu"})

    session.stop(Stopped(StopCause.LOST, "the display is gone"))

    did, left = report_of(session).may_have_changed
    assert did == "1: click the menu"
    assert left.startswith("a menu is open: close it")


def test_what_was_hidden_in_one_run_of_a_replay_stays_hidden_in_the_next(
    session: Session, tmp_path: Path
) -> None:
    empty = np.zeros((40, 60, 3), np.uint8)
    typed = empty.copy()
    typed[10:20, 10:20] = 255
    at = datetime.now(UTC)
    first, second = (
        RunLog.create(tmp_path, source_agent="test", task_goal="goal", controller="none", at=at)
        for _ in range(2)
    )
    session.enter(first)
    first.masks.hide(empty, typed)

    session.enter(second)

    assert session.runs == [first.run_id, second.run_id]
    assert not (second.masks.over(typed)[10:20, 10:20] == 255).any()


def test_the_time_in_which_the_host_thinks_is_in_no_phase(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter((0.0, 2.0, 46.0, 49.0))
    monkeypatch.setattr("server.replay.phases.time", SimpleNamespace(monotonic=lambda: next(clock)))
    session.phases = Phases()
    session.phases.lap()

    session.reopen()
    session.phases.lap()

    assert session.phases.seconds[OURS] == 5.0
    assert session.phases.wall == 5.0


def test_every_answer_about_a_replay_is_part_of_what_it_cost(session: Session) -> None:
    session.finish(Ending.VERIFIED, None)  # while it runs, the seconds that it tells change its length
    alone = row_of(session, session.started_at).host_tokens

    session.told_tokens += 1000

    assert row_of(session, session.started_at).host_tokens == alone + 1000


def test_a_summary_ends_with_one_mark(session: Session) -> None:
    session.stop(Stopped(StopCause.FAULT, "is it running elsewhere?"))
    asked = report_of(session).summary
    session.stop(Stopped(StopCause.FAULT, "it is gone"))

    assert asked.endswith("running elsewhere?")
    assert report_of(session).summary.endswith("it is gone.")


@pytest.mark.parametrize(
    ("title", "said"), [("", "a dialog without a title of Editor"), ("Save?", "the dialog 'Save?' of Editor")]
)
def test_a_dialog_without_a_title_is_not_named_by_empty_quotes(title: str, said: str) -> None:
    assert a_dialog(title, "Editor") == said

"""A value that brings up no target: said as such, and not held against the memory."""

from datetime import UTC, datetime

import pytest

from ibtr.errors import AmbiguousTarget, ContradictedTransition, MissingTarget, Rejected
from memory_store.bindings import bind
from memory_store.dependence import noted
from memory_store.models import Anchor, Lifecycle, Memory, ReplayId
from memory_store.repository import Repository
from server.replay.session import Session
from server.replay.telling import report_of, row_of
from tests.memory_store.making import AT, click, keys, later, make_memory, verdict


def _memory(store: Repository, *, reads: bool = False) -> Memory:
    """Type a phone, click what comes up with it."""
    with store.writing() as keeper:
        result = click("pay", keeper, 2)
        echo = result.evidence.model_copy(update={"anchors": (*result.evidence.anchors, _ECHO)})
        evidence = echo if reads else noted(result.evidence, ["phone"])
        steps = [
            click("field", keeper, 1),
            keys("type", text="555-0100"),
            result.model_copy(update={"evidence": evidence}),
        ]
        found = store.add(make_memory(steps=steps, with_verdict=verdict()), at=AT)
    return store.promote(found.id, at=AT)


_ECHO = Anchor(kind="echo", data={"kind": "echo", "input": "phone"})


def _stopped(memory: Memory, value: str, number: int, refusal: Rejected, *, at_step: int = 2) -> Session:
    session = Session(
        ReplayId(f"r{number}"), memory, bind(memory, {"phone": value}), datetime.now(UTC), events=2
    )
    session.position = at_step
    session.refuse(refusal)
    return session


def _state_after(store: Repository, memory: Memory, value: str, refusal: Rejected, at_step: int = 2) -> str:
    for number in range(4):
        session = _stopped(memory, value, number, refusal, at_step=at_step)
        store.record_replay(row_of(session, later(number)), at=later(number))
    return store.get(memory.id).lifecycle.value


@pytest.mark.parametrize("refusal", [MissingTarget("gone"), AmbiguousTarget("two")])
def test_what_another_value_did_not_bring_up_speaks_against_the_value(
    store: Repository, refusal: Rejected
) -> None:
    memory = _memory(store)

    report = report_of(_stopped(memory, "no such", 9, refusal))

    assert report.evidence["doubted_input"] == "phone"
    assert "phone = 'no such'" in report.summary
    assert _state_after(store, memory, "no such", refusal) == Lifecycle.ACTIVE


def test_a_target_that_reads_the_value_is_never_held_against_the_memory(store: Repository) -> None:
    memory = _memory(store, reads=True)

    assert _state_after(store, memory, "555-0100", MissingTarget("gone")) == Lifecycle.ACTIVE


def test_with_the_recorded_value_it_speaks_against_the_memory(store: Repository) -> None:
    memory = _memory(store)

    assert _state_after(store, memory, "555-0100", MissingTarget("gone")) == Lifecycle.QUARANTINED


@pytest.mark.parametrize(
    ("refusal", "at_step"), [(MissingTarget("gone"), 0), (ContradictedTransition("no"), 2)]
)
def test_a_target_that_depends_on_no_value_does_too_and_so_does_another_cause(
    store: Repository, refusal: Rejected, at_step: int
) -> None:
    memory = _memory(store)

    assert _state_after(store, memory, "x", refusal, at_step) == Lifecycle.QUARANTINED

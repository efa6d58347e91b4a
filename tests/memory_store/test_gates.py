import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_store.gates import Gate, gate, gate_named
from memory_store.retrieval import Ask, GateFacts
from memory_store.retrieval.applications import Agreement

ASK = Ask("do it")
BAD = GateFacts("quarantined", "web", False, False, frozenset({"click", "teleport"}), (2, 5))


def test_a_healthy_memory_scores_the_papers_weights() -> None:
    report = gate(ASK, GateFacts(), agreement=Agreement.SAME, intent_score=0.5)

    assert report.failed == {}
    assert report.score == pytest.approx(0.6 + 0.4 * 0.5)
    assert report.replayable


def test_all_failed_gates_are_named_with_their_reasons() -> None:
    report = gate(ASK, BAD, agreement=Agreement.OTHER, intent_score=0.1)

    assert set(report.failed) == set(Gate)
    assert "teleport" in report.failed[Gate.ACTIONS]
    assert "2, 5" in report.failed[Gate.VISUAL_EVIDENCE]
    assert report.score == pytest.approx(0.04)


def test_passing_every_gate_is_not_enough_below_theta() -> None:
    report = gate(ASK, GateFacts(), agreement=Agreement.SAME, intent_score=0.33)

    assert report.failed == {}
    assert not report.replayable


def test_the_hosts_choice_passes_the_intent_gate_and_no_other() -> None:
    assert gate_named(ASK, GateFacts()).replayable
    assert set(gate_named(ASK, BAD, agreement=Agreement.OTHER).failed) == set(Gate) - {Gate.INTENT}


@given(score=st.floats(0, 1), passed=st.booleans(), agreement=st.sampled_from(Agreement))
def test_a_replayable_memory_has_no_failed_gate(score: float, passed: bool, agreement: Agreement) -> None:
    facts = GateFacts(validation_passed=passed)

    report = gate(ASK, facts, agreement=agreement, intent_score=score)

    assert 0 <= report.score <= 1
    assert report.replayable == (passed and agreement.passes and score >= 0.32 and report.score >= 0.75)

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_store.errors import IllegalTransition
from memory_store.lifecycle import (
    LEGAL_MOVES,
    BlockerCode,
    PromotionRules,
    check_move,
    promotion_blockers,
    promotion_warnings,
)
from memory_store.models import Attestation, Check, Lifecycle, Outcome, ReasoningReport, StepEvidence, Verdict
from memory_store.quarantine import Ending, QuarantinePolicy, ReplayOutcome, reason_to_quarantine
from tests.memory_store.making import click, keys, later, make_memory, verdict

RULES = PromotionRules()


@pytest.mark.parametrize(("source", "target"), [*itertools.product(Lifecycle, Lifecycle)])
def test_only_the_moves_of_the_table_are_legal(source: Lifecycle, target: Lifecycle) -> None:
    if target in LEGAL_MOVES[source]:
        check_move("m", source, target)
    else:
        with pytest.raises(IllegalTransition):
            check_move("m", source, target)


def test_nothing_leaves_deprecation_and_only_proof_leads_to_active() -> None:
    assert LEGAL_MOVES[Lifecycle.DEPRECATED] == ()
    assert {state for state, moves in LEGAL_MOVES.items() if Lifecycle.ACTIVE in moves} == {
        Lifecycle.CANDIDATE,
        Lifecycle.QUARANTINED,
    }


def test_a_proven_memory_has_no_blockers() -> None:
    assert promotion_blockers(make_memory(with_verdict=verdict()), RULES) == ()


def test_all_blockers_are_reported_at_once() -> None:
    failed = keys("type", text="x").model_copy(update={"succeeded": False, "error": "no keyboard"})
    memory = make_memory(
        steps=[failed, keys("pinch", fingers=2), keys("press", key="no such key")],
        reasoning=ReasoningReport(viable=False, blockers=("needs a login", "wrong sheet")),
        with_verdict=verdict(Outcome.FAILED, before=Outcome.PASSED, attestation=Attestation.HOST),
        inputs=(),
    )

    codes = [blocker.code for blocker in promotion_blockers(memory, RULES)]

    assert codes == [
        BlockerCode.ACTION_FAILED,
        BlockerCode.UNSUPPORTED_ACTION,
        BlockerCode.UNSUPPORTED_ACTION,
        BlockerCode.VALIDATION_NEGATIVE,
        BlockerCode.ALREADY_TRUE,
        BlockerCode.HOST_ATTESTED,
        BlockerCode.NOT_VIABLE,
        BlockerCode.NOT_RECOMMENDED,
        BlockerCode.BLOCKERS_REMAIN,
        BlockerCode.BLOCKERS_REMAIN,
    ]


@pytest.mark.parametrize(
    ("given_verdict", "code"),
    [
        (None, BlockerCode.VALIDATION_ABSENT),
        (verdict(Outcome.COULD_NOT_RUN), BlockerCode.VALIDATION_DID_NOT_RUN),
        (verdict(before=Outcome.PASSED), BlockerCode.ALREADY_TRUE),
        (verdict(before=None), BlockerCode.BEFORE_UNKNOWN),
        (verdict(attestation=Attestation.HOST), BlockerCode.HOST_ATTESTED),
    ],
)
def test_each_weak_verdict_blocks_by_itself(given_verdict: Verdict | None, code: BlockerCode) -> None:
    memory = make_memory(with_verdict=given_verdict)

    assert [blocker.code for blocker in promotion_blockers(memory, RULES)] == [code]


def test_a_hosts_word_counts_only_where_the_settings_say_so() -> None:
    memory = make_memory(with_verdict=verdict(attestation=Attestation.HOST))

    assert promotion_blockers(memory, PromotionRules(allow_host_attested=True)) == ()


def test_a_memory_without_an_evaluator_is_told_every_way_to_be_promoted() -> None:
    memory = make_memory("plain")
    bare = memory.model_copy(update={"validation": memory.validation.model_copy(update={"evaluator": None})})

    (blocker,) = promotion_blockers(bare, RULES)

    assert blocker.code is BlockerCode.VALIDATION_ABSENT
    for way in ("start_run an evaluator", "region", "memories promote plain --confirmed"):
        assert way in blocker.detail


def test_a_quarantined_memory_needs_a_newer_verdict() -> None:
    rules = PromotionRules(verdict_after=later(10))

    old = promotion_blockers(make_memory(with_verdict=verdict(at=later(10))), rules)
    new = promotion_blockers(make_memory(with_verdict=verdict(at=later(11))), rules)

    assert [blocker.code for blocker in old] == [BlockerCode.VERDICT_TOO_OLD]
    assert new == ()


@pytest.mark.parametrize(("said_no", "said_yes"), [(9, 11), (13, 11)])
def test_a_no_from_before_the_quarantine_or_after_the_yes_is_no_new_proof(
    said_no: int, said_yes: int
) -> None:
    before = Check(outcome=Outcome.FAILED, at=later(said_no))
    proof = verdict(at=later(said_yes)).model_copy(update={"before": before})

    blockers = promotion_blockers(make_memory(with_verdict=proof), PromotionRules(verdict_after=later(10)))

    assert [blocker.code for blocker in blockers] == [BlockerCode.VERDICT_TOO_OLD]


def test_weak_evidence_warns_and_does_not_block() -> None:
    weak = click("save").model_copy(update={"evidence": StepEvidence(weak="a plain white box")})
    memory = make_memory(steps=[weak], with_verdict=verdict())

    assert promotion_blockers(memory, RULES) == ()
    assert promotion_warnings(memory) == ("step 0: weak evidence: a plain white box",)


GOOD = ReplayOutcome(Ending.VERIFIED, events_sent=3)
BAD = ReplayOutcome(Ending.FAILED, events_sent=3)
LOST = ReplayOutcome(Ending.STOPPED, "missing_target", events_sent=1)


def test_three_bad_of_the_last_five_are_enough() -> None:
    reason = reason_to_quarantine([BAD, GOOD, LOST, GOOD, BAD], QuarantinePolicy())

    assert reason is not None
    assert "." not in reason  # it is put into a sentence
    assert "3 of the last 5" in reason


def test_what_lies_further_back_is_forgotten() -> None:
    assert reason_to_quarantine([BAD, GOOD, BAD, GOOD, GOOD, BAD, BAD], QuarantinePolicy()) is None


@given(
    st.lists(
        st.builds(
            ReplayOutcome,
            st.sampled_from(Ending),
            st.sampled_from(["", "missing_target", "unsafe_action", "lease_lost"]),
            st.just(0),
        )
    )
)
def test_replays_without_effect_never_count(replays: list[ReplayOutcome]) -> None:
    assert reason_to_quarantine(replays, QuarantinePolicy()) is None


@pytest.mark.parametrize(
    "harmless",
    [
        ReplayOutcome(Ending.CANCELLED, events_sent=2),
        ReplayOutcome(Ending.RUNNING, events_sent=2),
        ReplayOutcome(Ending.REJECTED, "missing_target", events_sent=0),
        ReplayOutcome(Ending.STOPPED, "unsafe_action", events_sent=2),
        ReplayOutcome(Ending.STOPPED, "lease_lost", events_sent=2),
    ],
)
def test_endings_that_say_nothing_about_the_memory_neither_help_nor_harm(harmless: ReplayOutcome) -> None:
    assert reason_to_quarantine([harmless] * 10, QuarantinePolicy()) is None
    assert reason_to_quarantine([BAD, harmless, BAD, harmless, BAD], QuarantinePolicy()) is not None

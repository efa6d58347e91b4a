"""What was taken out of use does not come back under another name: children and their parents' verdicts."""

import pytest

from memory_store.edits import MemoryEdit, Repair, StepRepair
from memory_store.errors import PromotionRefused
from memory_store.models import Attestation, Lifecycle, Memory, Outcome, ReasoningReport, Recommendation
from memory_store.repository import Repository
from tests.memory_store.making import AT, add_active, add_memory, later, make_memory, verdict

PROMOTE = ReasoningReport(viable=True, recommendation=Recommendation.PROMOTE)


def refused(repository: Repository, memory: Memory) -> list[str]:
    """Why it is not promoted as it is."""
    with pytest.raises(PromotionRefused) as refusal:
        repository.promote(memory.id, at=later(1000))
    return [blocker.code.value for blocker in refusal.value.blockers]


def taken_out(repository: Repository, name: str, *, rejected: bool, seed: int = 1) -> Memory:
    memory = (add_memory if rejected else add_active)(repository, name, seed=seed)
    take = repository.reject if rejected else repository.quarantine
    return take(memory.id, at=later(5), because="it does the wrong thing")


@pytest.mark.parametrize("rejected", [True, False], ids=["rejected", "quarantined"])
def test_a_branch_of_what_was_taken_out_of_use_needs_a_newer_verdict(
    repository: Repository, rejected: bool
) -> None:
    parent = taken_out(repository, "bad", rejected=rejected)

    child = repository.branch(parent.id, MemoryEdit(), at=later(6))
    grandchild = repository.branch(child.id, MemoryEdit(), at=later(7))

    for heir in (child, grandchild):
        assert refused(repository, heir) == ["verdict_too_old"]
        assert repository.promote(heir.id, verdict(at=later(8)), at=later(9)).lifecycle is Lifecycle.ACTIVE


def test_a_branch_made_before_the_quarantine_does_not_outlive_it(repository: Repository) -> None:
    parent = add_active(repository)
    child = repository.branch(parent.id, MemoryEdit(), at=later(1))
    repository.quarantine(parent.id, at=later(2), because="trouble")

    assert refused(repository, child) == ["verdict_too_old"]
    blocker = repository.blockers(child)[0]
    assert blocker.evidence["doubted_at"] == later(2).isoformat()
    assert blocker.evidence["doubt"] == "the quarantine of update_phone"


def test_deprecation_does_not_wash_a_quarantine_off(repository: Repository) -> None:
    parent = taken_out(repository, "bad", rejected=False)
    repository.deprecate(parent.id, at=later(6), because="gone")

    assert refused(repository, repository.branch(parent.id, MemoryEdit(), at=later(7))) == ["verdict_too_old"]


def test_a_retired_memory_s_branch_may_take_its_place(repository: Repository) -> None:
    parent = add_active(repository)
    child = repository.branch(parent.id, MemoryEdit(), at=later(1))
    repository.deprecate(parent.id, at=later(2), because="replaced by its branch")

    assert repository.promote(child.id, at=later(3)).lifecycle is Lifecycle.ACTIVE


def test_a_repair_is_judged_by_its_own_verdict(repository: Repository) -> None:
    parent = add_active(repository)
    step = StepRepair(step=0, evidence=parent.steps[0].evidence)
    early = Repair(steps=(step,), verdict=verdict(at=later(1)))
    before = repository.repair(parent.id, early, at=later(2))
    repository.quarantine(parent.id, at=later(3), because="trouble")
    stale = repository.repair(parent.id, early, at=later(4))
    fresh = repository.repair(parent.id, Repair(steps=(step,), verdict=verdict(at=later(5))), at=later(6))

    assert repository.promote(before.id, at=later(7)).lifecycle is Lifecycle.ACTIVE
    assert refused(repository, stale) == ["verdict_too_old"]
    assert repository.promote(fresh.id, at=later(8)).lifecycle is Lifecycle.ACTIVE


@pytest.mark.parametrize("rejected", [True, False], ids=["rejected", "quarantined"])
@pytest.mark.parametrize("first", ["good", "bad"])
def test_a_merge_with_what_was_taken_out_of_use_has_no_old_verdict(
    repository: Repository, rejected: bool, first: str
) -> None:
    taken_out(repository, "bad", rejected=rejected)
    add_memory(repository, "good", seed=2)
    repository.promote("good", verdict(at=later(7)), at=later(7))  # newer than the quarantine of the other

    child = repository.merge(first, "bad" if first == "good" else "good", at=later(8))

    assert refused(repository, child) == ["validation_absent"]


def test_a_merge_is_doubted_with_either_parent(repository: Repository) -> None:
    add_active(repository, "first")
    add_active(repository, "second", seed=2)
    child = repository.merge("first", "second", at=later(1))
    repository.quarantine("second", at=later(2), because="trouble")

    assert refused(repository, child) == ["verdict_too_old"]


@pytest.mark.parametrize("worse_first", [True, False])
def test_a_merge_joins_what_stands_in_the_way_of_both(repository: Repository, worse_first: bool) -> None:
    reasoning = ReasoningReport(viable=False, blockers=("needs a login",))
    repository.add(make_memory("worse", with_verdict=verdict(), reasoning=reasoning), at=AT)
    repository.add(make_memory("better", with_verdict=verdict(), reasoning=PROMOTE), at=AT)
    names = ("worse", "better") if worse_first else ("better", "worse")

    child = repository.merge(*names, at=later(1))

    assert refused(repository, child) == ["not_viable", "not_recommended", "blockers_remain"]


@pytest.mark.parametrize("unproven", [None, verdict(Outcome.FAILED), verdict(before=None)])
def test_an_unproven_memory_gets_no_verdict_by_a_merge(repository: Repository, unproven: object) -> None:
    repository.add(make_memory("proven", with_verdict=verdict()), at=AT)
    unproven_one = make_memory("unproven")
    validation = unproven_one.validation.model_copy(update={"verdict": unproven})
    repository.add(unproven_one.model_copy(update={"validation": validation}), at=AT)

    for names in (("proven", "unproven"), ("unproven", "proven")):
        assert refused(repository, repository.merge(*names, at=later(1))) == ["validation_absent"]


def test_a_merge_is_as_weak_as_the_weaker_word(repository: Repository) -> None:
    repository.add(make_memory("proven", with_verdict=verdict()), at=AT)
    repository.add(make_memory("claimed", with_verdict=verdict(attestation=Attestation.HOST)), at=AT)

    assert refused(repository, repository.merge("proven", "claimed", at=later(1))) == ["host_attested"]
    assert refused(repository, repository.merge("claimed", "proven", at=later(1))) == ["host_attested"]

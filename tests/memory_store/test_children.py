"""Branches, repairs and merges: children of memories that stay as they are."""

import pytest

from memory_store.edits import MemoryEdit, Repair, StepRepair
from memory_store.errors import (
    InvalidMemory,
    MergeRefused,
    PromotionRefused,
)
from memory_store.lifecycle import promotion_warnings
from memory_store.models import Keys, Lifecycle, Origin
from memory_store.repository import Repository
from tests.memory_store.making import (
    AT,
    add_active,
    add_memory,
    click,
    keys,
    later,
    make_memory,
    phone_input,
    verdict,
)


def test_a_rejected_memory_stays_for_diagnosis_and_can_be_branched(repository: Repository) -> None:
    memory = add_memory(repository)
    repository.reject(memory.id, at=later(1), because="not what I meant")

    child = repository.branch(memory.id, MemoryEdit(), at=later(2))

    assert repository.get(memory.id).lifecycle is Lifecycle.REJECTED
    assert child.lifecycle is Lifecycle.CANDIDATE


def test_a_branch_never_changes_its_parent(repository: Repository) -> None:
    parent = add_active(repository)

    child = repository.branch(
        parent.id, MemoryEdit(keys=Keys(task_intent="Change a supplier's phone number")), at=later(1)
    )

    assert repository.get(parent.id) == parent
    assert (child.tool_name, child.lineage.origin, child.lineage.parents) == (
        "update_phone_2",
        Origin.BRANCHED,
        (parent.id,),
    )
    assert child.validation.verdict == parent.validation.verdict
    assert repository.children(parent.id) == (child.id,)


def test_a_branch_for_something_else_warns_of_what_its_verdict_proved(repository: Repository) -> None:
    parent = add_active(repository)

    child = repository.branch(
        parent.id, MemoryEdit(keys=Keys(task_intent="Delete a supplier's phone number")), at=later(1)
    )
    same = repository.branch(parent.id, MemoryEdit(keys=parent.keys), at=later(2))

    assert parent.keys.task_intent in promotion_warnings(child)[-1]
    assert promotion_warnings(same) == promotion_warnings(parent)


def test_a_branch_with_other_steps_must_prove_itself_again(repository: Repository) -> None:
    parent = add_active(repository)

    child = repository.branch(parent.id, MemoryEdit(steps=parent.steps[:2]), at=later(1), tool_name="shorter")

    assert child.validation.verdict is None
    assert child.validation.evaluator == parent.validation.evaluator
    with pytest.raises(PromotionRefused):
        repository.promote(child.id, at=later(2))


def test_a_branch_that_breaks_its_inputs_is_refused_by_field(repository: Repository) -> None:
    parent = add_active(repository)

    with pytest.raises(InvalidMemory):
        repository.branch(parent.id, MemoryEdit(steps=parent.steps[:1]), at=later(1))

    assert len(repository.memories()) == 1


def test_a_repair_is_a_child_with_new_evidence_for_one_step(repository: Repository) -> None:
    parent = add_active(repository)
    with repository.writing() as keeper:
        moved = click("save", keeper, seed=77, x=200)
        step = StepRepair(step=2, evidence=moved.evidence, action=moved.action)
        repair = Repair(steps=(step,), verdict=verdict(at=later(3)))
        child = repository.repair(parent.id, repair, at=later(4), because="the button moved")

    assert repository.get(parent.id) == parent
    assert child.steps[:2] == parent.steps[:2]
    assert child.steps[2].evidence == moved.evidence
    assert child.steps[2].source == parent.steps[2].source
    assert [change.field for change in repository.diff(parent.id, child.id).evidence] == ["steps.2.evidence"]
    assert repository.promote(child.id, at=later(5)).lifecycle is Lifecycle.ACTIVE


def test_a_repair_of_a_step_that_is_not_there_is_refused(repository: Repository) -> None:
    parent = add_active(repository)

    with pytest.raises(InvalidMemory):
        wrong = StepRepair(step=3, evidence=parent.steps[0].evidence)
        repository.repair(parent.id, Repair(steps=(wrong,)), at=later(1))


def test_what_is_to_be_known_of_a_repair_is_told_before_its_child_is_promoted(
    repository: Repository,
) -> None:
    parent = add_active(repository)
    step = StepRepair(step=0, evidence=parent.steps[0].evidence)

    child = repository.repair(parent.id, Repair(steps=(step,), warnings=("step 1: weak crop",)), at=later(4))

    assert promotion_warnings(child)[-1] == "step 1: weak crop"
    assert "step 1: weak crop" not in promotion_warnings(parent)


def test_two_steps_that_one_replay_mended_are_one_child(repository: Repository) -> None:
    parent = add_active(repository)
    with repository.writing() as keeper:
        moved = [click("field", keeper, seed=76, x=100), click("save", keeper, seed=77, x=200)]
        steps = tuple(
            StepRepair(step=at, evidence=one.evidence) for at, one in zip((0, 2), moved, strict=True)
        )
        child = repository.repair(parent.id, Repair(steps=steps), at=later(4))

    assert [one.id for one in repository.memories()] == [parent.id, child.id]
    assert [child.steps[at].evidence for at in (0, 2)] == [one.evidence for one in moved]
    assert child.lineage.parents == (parent.id,)


def test_equal_programs_merge_their_phrases_and_their_evidence(repository: Repository) -> None:
    first, second = add_memory(repository, "first", seed=1), add_memory(repository, "second", seed=2)

    child = repository.merge("first", "second", at=later(1), tool_name="both")

    assert child.lineage.parents == (first.id, second.id)
    assert [len(step.evidence.anchors) for step in child.steps] == [2, 0, 2]
    assert repository.get("first") == first
    assert repository.get("second") == second
    assert repository.verify().sound


def test_a_prefix_lends_its_evidence_but_not_its_phrases(repository: Repository) -> None:
    long = add_memory(repository, "long", seed=1)
    with repository.writing() as keeper:
        steps = [click("phone field", keeper, 500), keys("type", text="555-0199")]
        short = make_memory("short", steps=steps, intent="Only type it", inputs=(phone_input("555-0199"),))
        repository.add(short, at=AT)

    child = repository.merge("short", "long", at=later(1))

    assert child.keys == long.keys
    assert len(child.steps) == 3
    assert len(child.steps[0].evidence.anchors) == 2


def test_programs_that_only_overlap_are_not_merged(repository: Repository) -> None:
    add_memory(repository, "first")
    repository.add(make_memory("other", steps=[click("phone field"), keys("press", key="escape")]), at=AT)

    with pytest.raises(MergeRefused) as refused:
        repository.merge("first", "other", at=later(1))

    assert refused.value.evidence["shared_prefix"] == 1


def test_a_merge_of_a_memory_with_itself_is_refused_by_field(repository: Repository) -> None:
    memory = add_memory(repository, "first")

    with pytest.raises(InvalidMemory) as refused:
        repository.merge("first", memory.id, at=later(1))

    assert refused.value.field == "other"
    assert len(repository.log()) == 1

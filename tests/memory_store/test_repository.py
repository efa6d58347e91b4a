import pytest

from memory_store.audit import Event
from memory_store.edits import MemoryEdit, Repair, StepRepair
from memory_store.errors import (
    IllegalTransition,
    InvalidMemory,
    MemoryNotFound,
    MergeRefused,
    NameTaken,
    PromotionRefused,
)
from memory_store.models import Keys, Lifecycle, Origin, Outcome
from memory_store.quarantine import Ending
from memory_store.repository import Repository
from memory_store.retrieval.ask import Ask
from tests.memory_store.making import (
    AT,
    add_active,
    add_memory,
    click,
    keys,
    later,
    make_memory,
    phone_input,
    replay,
    verdict,
)


def test_a_memory_is_found_by_id_and_by_name(repository: Repository) -> None:
    memory = add_memory(repository)

    assert repository.get(memory.id) == repository.get("update_phone") == memory
    with pytest.raises(MemoryNotFound):
        repository.get("nobody")


def test_a_tool_name_belongs_to_one_memory(repository: Repository) -> None:
    add_memory(repository)

    with pytest.raises(NameTaken):
        add_memory(repository, seed=50)

    assert len(repository.memories()) == 1
    assert repository.verify().sound


def test_a_memory_enters_as_a_candidate_or_not_at_all(repository: Repository) -> None:
    with pytest.raises(InvalidMemory):
        repository.add(make_memory().model_copy(update={"lifecycle": Lifecycle.ACTIVE}), at=AT)


def test_promotion_writes_the_row_and_its_event_together(repository: Repository) -> None:
    memory = add_memory(repository)

    promoted = repository.promote("update_phone", at=later(1))

    assert promoted.lifecycle is Lifecycle.ACTIVE
    assert repository.get(memory.id) == promoted
    newest = repository.log(memory.id)[0]
    assert (newest.event, newest.body.source, newest.body.target) == (
        Event.PROMOTED,
        Lifecycle.CANDIDATE,
        Lifecycle.ACTIVE,
    )


def test_a_refused_promotion_changes_nothing(repository: Repository) -> None:
    memory = add_memory(repository)

    with pytest.raises(PromotionRefused) as refused:
        repository.promote(memory.id, verdict(Outcome.FAILED), at=later(1))

    assert refused.value.evidence["blockers"] == ["validation_negative"]
    assert repository.get(memory.id) == memory
    assert len(repository.log()) == 1


def test_a_verdict_given_at_promotion_is_kept(repository: Repository) -> None:
    memory = repository.add(make_memory(), at=AT)

    repository.promote(memory.id, verdict(at=later(1)), at=later(2))

    assert repository.get(memory.id).validation.verdict == verdict(at=later(1))
    assert repository.verify().sound


def test_a_quarantined_memory_comes_back_only_with_newer_proof(repository: Repository) -> None:
    memory = add_active(repository)
    repository.quarantine(memory.id, at=later(5), because="looks wrong")

    with pytest.raises(PromotionRefused) as refused:
        repository.promote(memory.id, at=later(6))
    back = repository.promote(memory.id, verdict(at=later(7)), at=later(8))

    assert refused.value.evidence["blockers"] == ["verdict_too_old"]
    assert back.lifecycle is Lifecycle.ACTIVE


def test_illegal_moves_are_refused_and_change_nothing(repository: Repository) -> None:
    memory = add_memory(repository)

    with pytest.raises(IllegalTransition) as refused:
        repository.quarantine(memory.id, at=later(1), because="?")

    assert refused.value.evidence["allowed"] == ["active", "rejected", "deprecated"]
    assert len(repository.log()) == 1


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


def test_a_rename_happens_only_on_request_and_is_logged(repository: Repository) -> None:
    memory = add_memory(repository)

    renamed = repository.rename(memory.id, "set_phone", at=later(1), because="clearer")

    assert renamed.tool_name == "set_phone"
    assert repository.log(memory.id)[0].event is Event.RENAMED
    with pytest.raises(InvalidMemory):
        repository.rename(memory.id, "Set Phone", at=later(2))
    assert repository.verify().sound


def test_bad_replays_with_effect_put_a_memory_in_quarantine_with_a_reason(repository: Repository) -> None:
    memory = add_active(repository)

    reasons = [
        repository.record_replay(replay(memory.id, number, Ending.FAILED), at=later(number + 2))
        for number in range(3)
    ]

    assert reasons[:2] == [None, None]
    assert reasons[2] is not None
    newest = repository.log(memory.id)[0]
    assert (newest.event, newest.body.actor, newest.body.because) == (Event.QUARANTINED, "policy", reasons[2])


def test_refusals_without_effect_never_quarantine(repository: Repository) -> None:
    memory = add_active(repository)

    for number in range(20):
        refused = replay(memory.id, number, Ending.REJECTED, "missing_target", sent=0)
        repository.record_replay(refused, at=later(number + 2))

    assert repository.get(memory.id).lifecycle is Lifecycle.ACTIVE
    assert len(repository.replays(memory.id)) == 20


def test_counting_starts_anew_with_a_promotion(repository: Repository) -> None:
    memory = add_active(repository)
    for number in range(3):
        repository.record_replay(replay(memory.id, number, Ending.FAILED), at=later(number + 2))
    repository.promote(memory.id, verdict(at=later(30)), at=later(31))

    reason = repository.record_replay(replay(memory.id, 40, Ending.FAILED), at=later(42))

    assert reason is None
    assert repository.get(memory.id).lifecycle is Lifecycle.ACTIVE


def test_a_running_replay_is_written_first_and_completed_later(repository: Repository) -> None:
    memory = add_active(repository)
    repository.record_replay(replay(memory.id, 1, Ending.RUNNING), at=later(1))

    repository.record_replay(replay(memory.id, 1, Ending.VERIFIED), at=later(2))

    assert [each.ending for each in repository.replays()] == [Ending.VERIFIED]


def test_the_revision_grows_with_every_change_and_with_nothing_else(repository: Repository) -> None:
    start = repository.revision()
    memory = add_active(repository)
    changed = repository.revision()
    repository.record_replay(replay(memory.id, 1, Ending.VERIFIED), at=later(1))

    assert changed == start + 2
    assert repository.revision() == changed


def test_another_process_sees_that_something_changed(repository: Repository) -> None:
    with Repository(repository.folder) as other:
        before = other.revision(), other.data_version()

        add_memory(repository)

        assert other.revision() == before[0] + 1
        assert other.data_version() != before[1]


def test_refusals_between_bad_replays_do_not_hide_them(repository: Repository) -> None:
    memory = add_active(repository)
    for number in range(0, 180, 60):
        repository.record_replay(replay(memory.id, number, Ending.FAILED), at=later(number + 2))
        for offset in range(1, 60):
            refused = replay(memory.id, number + offset, Ending.REJECTED, "missing_target", sent=0)
            repository.record_replay(refused, at=later(number + offset + 2))

    assert repository.get(memory.id).lifecycle is Lifecycle.QUARANTINED


def test_text_that_cannot_be_stored_is_refused_in_words(repository: Repository) -> None:
    steps = (keys("type", text="half \ud800"),)

    with pytest.raises(InvalidMemory):
        repository.add(make_memory().model_copy(update={"steps": steps, "inputs": ()}), at=AT)
    with pytest.raises(MemoryNotFound):
        repository.get("\ud800")

    assert repository.find(Ask("half \ud800"), at=AT).candidates == ()
    assert len(repository.lookups()) == 1
    assert repository.memories() == []

import pytest

from memory_store.audit import Event
from memory_store.errors import (
    IllegalTransition,
    InvalidMemory,
    MemoryNotFound,
    NameTaken,
    PromotionRefused,
)
from memory_store.models import Lifecycle, Outcome
from memory_store.quarantine import Ending
from memory_store.repository import Repository
from memory_store.retrieval.ask import Ask
from tests.memory_store.making import (
    AT,
    add_active,
    add_memory,
    keys,
    later,
    make_memory,
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


def test_a_name_that_a_rejected_memory_holds_is_freed_by_what_the_refusal_says(
    repository: Repository,
) -> None:
    memory = add_memory(repository)
    repository.reject(memory.id, at=later(1), because="wrong")

    with pytest.raises(NameTaken, match=r"which is rejected.*rename update_phone update_phone_old") as taken:
        add_memory(repository, seed=50)
    repository.rename("update_phone", "update_phone_old", at=later(2))

    assert taken.value.evidence["state"] == "rejected"
    assert add_memory(repository, seed=50).tool_name == "update_phone"


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

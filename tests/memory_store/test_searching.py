import sqlite3
from pathlib import Path

import pytest

from memory_store.models import (
    Anchor,
    FileCondition,
    LaunchCondition,
    Lifecycle,
    NoteCondition,
    RegionCondition,
    TargetEnd,
    WindowCondition,
)
from memory_store.repository import Repository, StoreRules
from memory_store.retrieval.ask import Ask
from memory_store.searching import gate_facts, searchable_of
from tests.memory_store.making import AT, add_active, add_memory, click, keys, later, make_memory, verdict

ASK = Ask("change the phone number of a client")


def found(repository: Repository, ask: Ask = ASK) -> list[str]:
    return [each.memory_id for each in repository.find(ask, at=AT).candidates]


def test_only_active_memories_are_found(repository: Repository) -> None:
    memory = add_memory(repository)
    as_candidate = found(repository)
    repository.promote(memory.id, at=later(1))
    as_active = found(repository)
    repository.quarantine(memory.id, at=later(2), because="odd")
    in_quarantine = found(repository)
    repository.promote(memory.id, verdict(at=later(3)), at=later(4))

    assert (as_candidate, as_active, in_quarantine) == ([], [memory.id], [])
    assert found(repository) == [memory.id]


def test_a_clear_request_is_accepted_and_a_strange_one_is_not(repository: Repository) -> None:
    memory = add_active(repository)

    assert repository.find(Ask("change a client's phone number"), at=AT).accepted == memory.id
    assert repository.find(Ask("bake a chocolate cake"), at=AT).accepted is None


def test_every_lookup_leaves_a_record(repository: Repository) -> None:
    memory = add_active(repository)
    before = repository.revision()

    repository.find(ASK, at=later(1))
    repository.find(Ask("bake a cake"), at=later(2))

    newest, older = repository.lookups()
    assert (newest.goal, newest.at, newest.audit.ranked) == ("bake a cake", later(2), ())
    assert older.audit.searched == (ASK.goal,)
    assert older.audit.ranked[0].memory_id == memory.id
    assert repository.revision() == before


def test_another_process_finds_what_was_just_promoted(repository: Repository) -> None:
    with Repository(repository.folder) as other:
        assert found(other) == []

        memory = add_active(repository)

        assert found(other) == [memory.id]


def test_an_index_of_another_version_is_made_anew_on_opening(tmp_path: Path) -> None:
    with Repository(tmp_path) as repository:
        memory = add_active(repository)
    with sqlite3.connect(tmp_path / "memories.db") as raw:
        raw.execute("UPDATE retrieval_meta SET value = -1 WHERE name = 'format'")
        raw.execute("DELETE FROM retrieval_postings")
    raw.close()

    with Repository(tmp_path) as repository:
        assert found(repository) == [memory.id]
        assert repository.verify().sound


def test_only_the_newest_lookups_are_kept_and_nothing_else_goes(tmp_path: Path) -> None:
    with Repository(tmp_path, rules=StoreRules(lookups_kept=3)) as repository:
        add_active(repository)
        events = len(repository.log())
        for at in range(5):
            repository.find(Ask(f"request {at}"), at=later(at))

        assert [each.goal for each in repository.lookups()] == ["request 4", "request 3", "request 2"]
        assert len(repository.log()) == events
        assert repository.verify().sound


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM retrieval_documents",
        "UPDATE retrieval_documents SET body = replace(body, 'phone', 'fax')",
        "UPDATE retrieval_documents SET memory_id = 'm_0000000000000000'",
    ],
)
def test_an_index_that_differs_from_the_memories_is_found(repository: Repository, statement: str) -> None:
    add_active(repository)
    with sqlite3.connect(repository.folder / "memories.db") as raw:
        raw.execute(statement)
    raw.close()

    assert not repository.verify().sound


def test_a_refused_promotion_leaves_the_index_alone(repository: Repository) -> None:
    memory = repository.add(make_memory(), at=AT)

    with pytest.raises(Exception, match="cannot be promoted"):
        repository.promote(memory.id, at=later(1))

    assert found(repository) == []
    assert repository.get(memory.id).lifecycle is Lifecycle.CANDIDATE


def test_fixed_and_flexible_values_are_told_apart() -> None:
    steps = [
        click("field"),
        keys("type", text="555-0100"),
        keys("type", text="Monday"),
        keys("press", key="tab"),
    ]

    searchable = searchable_of(make_memory(steps=steps))

    assert searchable.fixed_values == ("Monday",)
    assert [(each.name, each.value) for each in searchable.flexible_inputs] == [("phone", "555-0100")]


def test_conditions_are_searched_by_their_words() -> None:
    conditions = (
        WindowCondition(application="calc", title_contains="clients"),
        RegionCondition(anchors=(), description="the toolbar"),
        FileCondition(path="/tmp/clients.ods"),
        LaunchCondition(argv=("localc",), window=WindowCondition(application="calc")),
        NoteCondition(text="signed in"),
    )
    memory = make_memory().model_copy(update={"preconditions": conditions})

    assert searchable_of(memory).preconditions == (
        "calc clients",
        "the toolbar",
        "/tmp/clients.ods",
        "localc calc",
        "signed in",
    )


def test_a_pointer_step_without_evidence_is_unseen() -> None:
    crop = Anchor(kind="crop")
    seen, unseen = click("a"), click("b")
    seen = seen.model_copy(update={"evidence": seen.evidence.model_copy(update={"anchors": (crop,)})})
    drag = keys("drag", x=1, y=1, to_x=5, to_y=5)
    one_end = drag.model_copy(update={"evidence": drag.evidence.model_copy(update={"anchors": (crop,)})})
    both = (crop, Anchor(kind="crop", at=TargetEnd.END))
    two_ends = drag.model_copy(update={"evidence": drag.evidence.model_copy(update={"anchors": both})})

    facts = gate_facts(
        make_memory(steps=[seen, unseen, one_end, two_ends, keys("press", key="a")], inputs=())
    )

    assert facts.unseen_steps == (1, 2)

from pathlib import Path

import pytest

from memory_store.audit import Event
from memory_store.errors import BundleRefused, EvidenceCorrupt, PromotionRefused
from memory_store.models import Lifecycle, Origin
from memory_store.repository import Repository
from tests.memory_store.bundles import entries_of
from tests.memory_store.making import AT, add_memory, crop, later, verdict


def test_memories_travel_whole_and_arrive_as_candidates(repository: Repository, bundle: Path) -> None:
    arrived = repository.import_bundle(bundle, at=later(1))

    assert [memory.tool_name for memory in arrived] == ["first", "second"]
    for memory in repository.memories():
        assert memory.lifecycle is Lifecycle.CANDIDATE
        assert memory.lineage.origin is Origin.IMPORTED
        assert memory.lineage.claimed == verdict()
        assert memory.validation.verdict is None
        assert repository.log(memory.id)[0].event is Event.IMPORTED
    assert repository.verify().sound
    assert repository.verify().blobs == 4


def test_what_a_bundle_claims_cannot_promote(repository: Repository, bundle: Path) -> None:
    repository.import_bundle(bundle, at=later(1))

    with pytest.raises(PromotionRefused) as refused:
        repository.promote("first", at=later(2))

    assert refused.value.evidence["blockers"] == ["validation_absent"]


def test_the_program_and_its_evidence_are_unchanged_by_travel(
    tmp_path: Path, repository: Repository, bundle: Path
) -> None:
    repository.import_bundle(bundle, at=later(1))

    with Repository(tmp_path / "source") as source:
        assert source.get("first").steps == repository.get("first").steps


def test_equal_memories_give_equal_bundles(tmp_path: Path, repository: Repository) -> None:
    add_memory(repository, "one")

    for name in ("a.zip", "b.zip"):
        repository.export(["one"], tmp_path / name, at=AT)

    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_a_name_that_is_taken_is_refused_until_another_is_given(repository: Repository, bundle: Path) -> None:
    mine = add_memory(repository, "first", seed=500)

    with pytest.raises(BundleRefused) as refused:
        repository.import_bundle(bundle, at=later(1))
    repository.import_bundle(bundle, at=later(2), names={"first": "theirs"})

    assert refused.value.field.endswith("tool_name")
    assert repository.get("first") == mine
    assert {memory.tool_name for memory in repository.memories()} == {"first", "second", "theirs"}


def test_a_memory_comes_in_twice_only_under_another_name(repository: Repository, bundle: Path) -> None:
    repository.import_bundle(bundle, at=later(1))

    with pytest.raises(BundleRefused) as refused:
        repository.import_bundle(bundle, at=later(2))
    again = repository.import_bundle(bundle, at=later(3), names={"first": "a", "second": "b"})

    assert refused.value.field.endswith("id")
    assert len({memory.id for memory in repository.memories()}) == 4
    assert {memory.tool_name for memory in again} == {"a", "b"}
    assert repository.verify().sound


def test_screens_can_stay_at_home(tmp_path: Path, repository: Repository) -> None:
    memory = add_memory(repository, "one")
    with repository.writing() as keeper:
        frame = keeper.keep_picture(entries_png())
        step = memory.steps[0]
        evidence = step.evidence.model_copy(update={"frames": {"before": frame}})
        steps = (step.model_copy(update={"evidence": evidence}), *memory.steps[1:])
        repository.add(
            memory.model_copy(update={"id": "m_00000000000000aa", "tool_name": "two", "steps": steps}), at=AT
        )

    repository.export(["two"], tmp_path / "with.zip", at=AT)
    repository.export(["two"], tmp_path / "without.zip", at=AT, frames=False)

    assert f"blobs/{frame.sha256}" in entries_of(tmp_path / "with.zip")
    assert f"blobs/{frame.sha256}" not in entries_of(tmp_path / "without.zip")


def entries_png() -> bytes:
    return crop(321, 320, 200)


def test_a_memory_with_damaged_evidence_is_not_exported(tmp_path: Path, repository: Repository) -> None:
    add_memory(repository, "one")
    next((repository.folder / "blobs").glob("??/*")).write_bytes(b"")

    with pytest.raises(EvidenceCorrupt):
        repository.export(["one"], tmp_path / "out.zip", at=AT)
    assert not (tmp_path / "out.zip").exists()

import os
import sqlite3
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_store.blobs import Blobs, blob_id
from memory_store.errors import EvidenceCorrupt, EvidenceMissing, StoreBusy
from memory_store.home import StoreLock
from memory_store.models import BlobId
from memory_store.repository import Repository
from tests.memory_store.making import AT, add_memory, click, crop, make_memory


def path_of(home: Path, name: BlobId) -> Path:
    return home / "blobs" / name[:2] / name


@given(st.binary(max_size=2000))
def test_what_is_put_in_comes_out(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    blobs = Blobs(tmp_path_factory.getbasetemp() / "shared-blobs")

    assert blobs.get(blobs.put(data)) == data


def test_equal_bytes_are_kept_once(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path)

    first, second = blobs.put(b"evidence"), blobs.put(b"evidence")

    assert first == second
    assert [*blobs] == [first]


def test_a_missing_blob_and_a_damaged_one_are_told_apart(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path / "blobs")
    name = blobs.put(b"evidence")
    path_of(tmp_path, name).write_bytes(b"evidencE")

    with pytest.raises(EvidenceCorrupt):
        blobs.get(name)
    with pytest.raises(EvidenceMissing):
        blobs.get(blob_id(b"never seen"))


def test_putting_a_damaged_blob_again_heals_it(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path / "blobs")
    name = blobs.put(b"evidence")
    path_of(tmp_path, name).write_bytes(b"")

    blobs.put(b"evidence")

    assert blobs.get(name) == b"evidence"


def test_only_the_owner_can_read_the_store(repository: Repository) -> None:
    add_memory(repository)

    modes = {
        stat.S_IMODE(path.stat().st_mode) & 0o077
        for path in [repository.folder, *repository.folder.rglob("*")]
    }

    assert modes == {0}


def test_a_store_that_was_open_to_others_is_closed_again(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir(mode=0o755)

    with Repository(tmp_path / "home") as repository:
        assert stat.S_IMODE(repository.folder.stat().st_mode) == 0o700


def test_memories_share_evidence_and_garbage_collection_takes_only_what_nobody_uses(
    repository: Repository,
) -> None:
    kept = add_memory(repository, "first", seed=1)
    add_memory(repository, "second", seed=1)
    with repository.writing() as keeper:
        stray = keeper.keep_picture(crop(99))

    count, freed = repository.collect_garbage()

    assert (count, freed) == (1, stray.size)
    assert repository.verify().sound
    assert len([*(repository.folder / "blobs").glob("??/*")]) == 2
    assert repository.get("first") == kept


def test_evidence_of_a_deprecated_memory_is_not_garbage(repository: Repository) -> None:
    memory = add_memory(repository)
    repository.deprecate(memory.id, at=AT, because="old")

    assert repository.collect_garbage() == (0, 0)


def test_garbage_collection_waits_for_a_write_and_gives_up_in_words(tmp_path: Path) -> None:
    lock = StoreLock(tmp_path / "lock", timeout_s=0.05)

    with lock.shared(), pytest.raises(StoreBusy), lock.alone():
        raise AssertionError("two holders")


def test_writers_do_not_wait_for_each_other(tmp_path: Path) -> None:
    lock = StoreLock(tmp_path / "lock", timeout_s=0.05)

    with lock.shared(), lock.shared():
        assert (tmp_path / "lock").exists()


def test_a_write_that_fails_leaves_no_evidence_behind(repository: Repository) -> None:
    with pytest.raises(ZeroDivisionError), repository.writing() as keeper:
        keeper.keep_picture(crop(5))
        raise ZeroDivisionError

    assert [*(repository.folder / "blobs").glob("??/*")] == []


def test_a_write_that_fails_keeps_evidence_that_others_use(repository: Repository) -> None:
    add_memory(repository, seed=5)

    with pytest.raises(ZeroDivisionError), repository.writing() as keeper:
        keeper.keep_picture(crop(5))
        raise ZeroDivisionError

    assert repository.verify().sound


def test_a_memory_without_its_evidence_is_not_taken_in(repository: Repository) -> None:
    with repository.writing() as keeper:
        step = click("save", keeper, 7)
    repository.collect_garbage()

    with pytest.raises(EvidenceMissing):
        repository.add(make_memory(steps=[step]), at=AT)
    assert repository.memories() == []
    assert repository.log() == []


@pytest.mark.parametrize(
    "statement", ["DELETE FROM blob_refs", "UPDATE memories SET document = document || '?'"]
)
def test_evidence_that_a_record_names_is_not_garbage_when_its_references_are_lost(
    repository: Repository, statement: str
) -> None:
    add_memory(repository)
    with sqlite3.connect(repository.folder / "memories.db") as raw:
        raw.execute("DELETE FROM blob_refs")
        raw.execute(statement)
    raw.close()

    assert repository.collect_garbage() == (0, 0)
    assert len([*(repository.folder / "blobs").glob("??/*")]) == 2


def test_garbage_collection_takes_what_is_half_written_and_passes_over_what_is_not_ours(
    repository: Repository,
) -> None:
    incoming = repository.folder / "blobs" / "incoming"
    (incoming / "half").write_bytes(b"half")
    (incoming / "link").symlink_to("nowhere")
    (incoming / "folder").mkdir()
    (repository.folder / "blobs" / "ab" / ("ab" * 32)).mkdir(parents=True)

    assert repository.collect_garbage() == (0, 0)
    assert [path.name for path in incoming.iterdir()] == ["folder"]

    (incoming / "folder").rmdir()
    incoming.rmdir()
    assert repository.collect_garbage() == (0, 0)


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_a_blob_that_is_no_file_any_more_is_damage_and_holds_nobody(tmp_path: Path, kind: str) -> None:
    blobs = Blobs(tmp_path)
    name = blobs.put(b"evidence")
    path = tmp_path / name[:2] / name
    path.unlink()
    {"pipe": os.mkfifo, "device": lambda at: at.symlink_to("/dev/zero"), "folder": os.mkdir}[kind](path)

    with pytest.raises(EvidenceCorrupt):
        blobs.get(name)

"""A full disk, a read-only folder, a damaged or newer database: a clear error, and nothing changed."""

import errno
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from memory_store.database import Database
from memory_store.errors import StoreCorrupt, StoreFull, StoreReadOnly, StoreTooNew, StoreUnusable
from memory_store.quarantine import Ending
from memory_store.repository import Repository
from memory_store.schema import KNOWN, MIGRATIONS
from tests.memory_store.making import add_active, add_memory, later, replay

DATA = Path(__file__).parent / "data"


def in_own_mounts(script: str, *arguments: str) -> dict[str, object]:
    """Run a job of `workers` on a file system of its own, which only it can see."""
    own = ["unshare", *([] if os.geteuid() == 0 else ["-r"]), "-m"]
    tried = subprocess.run([*own, "true"], capture_output=True, text=True, timeout=60, check=False)
    if tried.returncode:
        pytest.skip(f"no mounts of one's own here (a container?): {tried.stderr.strip()}")
    command = [*own, "sh", "-ec", script, "sh", sys.executable, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_a_full_disk_is_said_and_changes_nothing(tmp_path: Path) -> None:
    script = 'mount -t tmpfs -o size=1m tmpfs "$2"; exec "$1" -m tests.memory_store.workers fill "$2"'

    result = in_own_mounts(script, str(tmp_path))

    said = result["said"]
    assert isinstance(said, dict)
    assert set(said) <= {"full", "full at open", "done"}
    assert said["full"] >= 5
    assert (result["problems"], result["kept"]) == (0, True)


def test_a_read_only_folder_is_said(tmp_path: Path) -> None:
    with Repository(tmp_path / "home") as repository:
        add_memory(repository)
    script = (
        'mount --bind "$2" "$2"; mount -o remount,bind,ro "$2";'
        ' exec "$1" -m tests.memory_store.workers read_only "$2/$3"'
    )

    there = in_own_mounts(script, str(tmp_path), "home")
    fresh = in_own_mounts(script, str(tmp_path), "other")

    assert there["said"] == fresh["said"] == "StoreReadOnly"


@pytest.mark.parametrize("inside", [".", "home"])
def test_a_store_where_a_file_stands_says_so_and_names_the_setting(tmp_path: Path, inside: str) -> None:
    file = tmp_path / "file"
    file.write_text("mine")

    with pytest.raises(StoreUnusable, match=r"a file where a folder should be.*ECHOPATH_HOME"):
        Repository(file / inside)

    assert file.read_text() == "mine"


def test_evidence_that_does_not_fit_is_said_and_leaves_nothing(tmp_path: Path) -> None:
    with Repository(tmp_path / "home") as repository:
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
        try:
            with pytest.raises(StoreFull), repository.writing() as keeper:
                keeper.keep(b"x" * 5000)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

        assert [path for path in (repository.folder / "blobs").rglob("*") if path.is_file()] == []


def test_a_database_that_may_not_grow_says_full_and_rolls_back(tmp_path: Path) -> None:
    database = Database(tmp_path / "memories.db")
    database.execute("PRAGMA max_page_count = 40")

    with pytest.raises(StoreFull), database.atomic():
        for number in range(1000):
            database.insert("lookups", {"id": number, "at": "", "goal": "x" * 1000, "report": ""})

    assert database.rows("SELECT * FROM lookups") == []
    database.close()


@pytest.mark.parametrize(
    "junk", [b"this is no database, it only has its name" * 100, b"SQLite format 3\0" + b"\xff" * 4000]
)
def test_what_is_no_database_is_said_and_left_alone(tmp_path: Path, junk: bytes) -> None:
    (tmp_path / "memories.db").write_bytes(junk)

    with pytest.raises(StoreCorrupt):
        Repository(tmp_path)

    assert (tmp_path / "memories.db").read_bytes() == junk


def test_a_damaged_page_is_an_error_of_its_own(tmp_path: Path) -> None:
    with Repository(tmp_path) as repository:
        for number in range(20):
            add_memory(repository, f"m{number}", seed=number)
    raw = bytearray((tmp_path / "memories.db").read_bytes())
    raw[4096 * 2 :] = os.urandom(len(raw) - 4096 * 2)
    (tmp_path / "memories.db").write_bytes(raw)

    with pytest.raises(StoreCorrupt), Repository(tmp_path) as repository:
        repository.memories()


def test_a_store_from_the_future_is_refused_and_left_alone(tmp_path: Path) -> None:
    with Repository(tmp_path) as repository:
        add_memory(repository)
    with sqlite3.connect(tmp_path / "memories.db") as raw:
        raw.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('echopath', 'm999', '')"
        )
    raw.close()

    with pytest.raises(StoreTooNew) as refused:
        Repository(tmp_path)

    assert refused.value.evidence["unknown"] == ["m999"]


def test_all_migrations_are_known_by_name(tmp_path: Path) -> None:
    database = Database(tmp_path / "memories.db")

    names = {row["name"] for row in database.rows("SELECT name FROM _sqlite_migrations")}

    assert names == KNOWN
    assert MIGRATIONS.name == "echopath"
    database.close()


@pytest.mark.parametrize("dump", sorted(DATA.glob("schema_*.sql")), ids=lambda path: path.stem)
def test_a_store_of_every_schema_there_has_been_opens_and_is_sound(tmp_path: Path, dump: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(DATA / f"{dump.stem}_blobs", home / "blobs")
    with sqlite3.connect(home / "memories.db") as raw:
        raw.executescript(dump.read_text())
    raw.close()

    with Repository(home) as repository:
        assert repository.verify().problems == ()
        assert {memory.lifecycle.value for memory in repository.memories()} >= {"active", "candidate"}
        newcomer = add_active(repository, "newcomer", seed=9)
        repository.record_replay(replay(newcomer.id, 9, Ending.VERIFIED), at=later(20))
        assert repository.verify().sound


@pytest.mark.parametrize("dump", sorted(DATA.glob("schema_*.sql")), ids=lambda path: path.stem)
def test_the_replays_of_an_older_store_are_in_the_chain_from_its_first_opening(
    tmp_path: Path, dump: Path
) -> None:
    shutil.copytree(DATA / f"{dump.stem}_blobs", tmp_path / "blobs")
    with sqlite3.connect(tmp_path / "memories.db") as raw:
        raw.executescript(dump.read_text())
    raw.close()
    with Repository(tmp_path) as repository:
        count = len(repository.replays())
    with sqlite3.connect(tmp_path / "memories.db") as raw:
        (links,) = raw.execute("SELECT count(*) FROM replay_log").fetchone()
        raw.execute("UPDATE replays SET events_sent = events_sent + 1")
    raw.close()

    with Repository(tmp_path) as repository:
        problems = repository.verify().problems

    assert links == count == len(problems) > 0
    assert all(one.where.startswith("replay ") for one in problems)


@pytest.mark.parametrize("schema", ["schema_2", "schema_3"])
def test_the_lookups_of_an_older_store_are_guarded_from_its_first_opening(
    tmp_path: Path, schema: str
) -> None:
    shutil.copytree(DATA / f"{schema}_blobs", tmp_path / "blobs")
    with sqlite3.connect(tmp_path / "memories.db") as raw:
        raw.executescript((DATA / f"{schema}.sql").read_text())
    raw.close()
    with Repository(tmp_path) as repository:
        kept = [lookup.id for lookup in repository.lookups()]
    with sqlite3.connect(tmp_path / "memories.db") as raw:
        raw.execute("UPDATE lookups SET goal = goal || '.'")
    raw.close()

    with Repository(tmp_path) as repository:
        problems = repository.verify().problems

    assert kept
    assert {one.where for one in problems} == {f"lookup {number}" for number in kept}


def test_a_failed_migration_leaves_the_old_schema(tmp_path: Path) -> None:
    with Repository(tmp_path) as repository:
        add_memory(repository)
    with sqlite3.connect(tmp_path / "memories.db") as raw:
        raw.execute("DELETE FROM _sqlite_migrations WHERE name = 'm001_core'")
    raw.close()
    before = (tmp_path / "memories.db").read_bytes()

    with pytest.raises(StoreUnusable, match="already exists"):
        Repository(tmp_path)

    assert (tmp_path / "memories.db").read_bytes() == before


@pytest.mark.parametrize("code", [errno.EROFS, errno.EACCES, errno.EPERM], ids=errno.errorcode.get)
def test_a_read_only_error_names_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    home = tmp_path / "home"

    def refuse(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(Path, "mkdir", refuse)

    with pytest.raises(StoreReadOnly) as refused:
        Repository(home)

    assert (refused.value.evidence["path"], refused.value.evidence["errno"]) == (str(home), code)
    assert str(home) in str(refused.value)


def test_a_file_where_the_folder_should_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file where the folder should be")

    with pytest.raises(StoreUnusable) as refused:
        Repository(tmp_path / "home")

    assert refused.value.evidence["path"] == str(tmp_path / "home")
    assert (tmp_path / "home").read_text() == "a file where the folder should be"

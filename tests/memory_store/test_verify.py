import sqlite3
from pathlib import Path

import pytest

from memory_store.canonical import stamp
from memory_store.chain import GENESIS, linked
from memory_store.database import Row
from memory_store.errors import StoreCorrupt
from memory_store.memory_rows import MemoryRows
from memory_store.models import Lifecycle, Memory
from memory_store.quarantine import Ending
from memory_store.repository import Repository
from memory_store.retrieval import Ask
from tests.memory_store.making import AT, add_active, add_memory, later, replay


@pytest.fixture
def memory(repository: Repository) -> Memory:
    add_memory(repository, "bystander", seed=300)
    made = add_active(repository)
    repository.record_replay(replay(made.id, 1, Ending.VERIFIED), at=later(3))
    for request in ("update the phone number", "open the door", "change a client's phone number"):
        repository.find(Ask(request), at=later(4))
    return made


def tamper(repository: Repository, *statements: str) -> None:
    with sqlite3.connect(repository.folder / "memories.db") as raw:
        raw.execute("PRAGMA foreign_keys=OFF")
        guards = raw.execute(
            "SELECT name, sql, tbl_name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall()
        for name, _, _ in guards:
            raw.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            raw.execute(statement)
        for _, sql, table in guards:  # as somebody would who wants to hide it
            if raw.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [table]).fetchone():
                raw.execute(sql)
    raw.close()


def blob_file(repository: Repository, memory: Memory) -> Path:
    name = memory.steps[0].evidence.anchors[0].blobs["core"].sha256
    return repository.folder / "blobs" / name[:2] / name


def test_an_untouched_store_is_sound(repository: Repository, memory: Memory) -> None:
    report = repository.verify()

    assert report.sound
    assert (report.memories, report.events, report.blobs, report.unused_blobs) == (2, 3, 4, 0)


def test_a_missing_blob_is_found(repository: Repository, memory: Memory) -> None:
    path = blob_file(repository, memory)
    path.unlink()

    assert [problem.where for problem in repository.verify().problems] == [f"blob {path.name}"]


def test_a_damaged_blob_names_the_tools_that_need_it(repository: Repository, memory: Memory) -> None:
    blob_file(repository, memory).unlink()

    (problem,) = repository.verify().problems

    assert problem.problem.endswith(f"is missing; needed by {memory.tool_name}")


def test_an_altered_blob_is_found(repository: Repository, memory: Memory) -> None:
    path = blob_file(repository, memory)
    path.write_bytes(path.read_bytes() + b"!")

    assert [problem.where for problem in repository.verify().problems] == [f"blob {path.name}"]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE memories SET lifecycle = 'candidate' WHERE lifecycle = 'active'",
        "UPDATE memories SET tool_name = 'sneaky' WHERE lifecycle = 'active'",
        "UPDATE memories SET document = replace(document, '555-0100', '555-0666') WHERE lifecycle = 'active'",
        "UPDATE memories SET document = '{}' WHERE lifecycle = 'active'",
        "UPDATE memories SET content_sha256 = 'x' WHERE lifecycle = 'active'",
        "DELETE FROM memories WHERE lifecycle = 'active'",
        "DELETE FROM program WHERE position = 1",
        "UPDATE program SET signature = (SELECT max(signature) FROM nodes)",
        "UPDATE nodes SET component = component || 'x'",
        "DELETE FROM blob_refs WHERE audit = 0",
        "UPDATE blob_refs SET size = size + 1",
        "UPDATE audit SET body = replace(body, 'active', 'rejected') WHERE event = 'promoted'",
        "UPDATE audit SET at = '2020-01-01T00:00:00+00:00' WHERE seq = 2",
        "UPDATE audit SET hash = previous WHERE seq = 2",
        "DELETE FROM audit WHERE seq = 1",
        "DELETE FROM audit WHERE seq = 2",
        "DELETE FROM audit WHERE seq = 3",
        "DELETE FROM audit",
        "UPDATE program SET run_id = 'run-of-another' WHERE position = 0",
        "INSERT INTO parents SELECT id, 'mem-nobody' FROM memories LIMIT 1",
        "UPDATE memories SET created_at = '2020-01-01T00:00:00+00:00' WHERE lifecycle = 'active'",
        "UPDATE memories SET schema_version = 7 WHERE lifecycle = 'active'",
        "UPDATE replays SET ending = 'splendid'",
        "UPDATE replays SET memory_id = 'mem-nobody'",
        "UPDATE replays SET detail = '{'",
        "UPDATE replays SET ending = 'failed'",
        "UPDATE replays SET events_sent = 0",
        "UPDATE replays SET started_at = '2020-01-01T00:00:00.000000+00:00'",
        "UPDATE replays SET ended_at = NULL",
        "DELETE FROM replays",
        "INSERT INTO replays SELECT 'slipped-in', memory_id, 'failed', cause, started_at, ended_at,"
        " events_sent, steps_done, host_tokens, detail FROM replays",
        "UPDATE replay_log SET row_sha256 = replay_id",
        "DELETE FROM replay_log",
        "UPDATE memories SET changed_at = '2030-01-01T00:00:00.000000+00:00' WHERE lifecycle = 'active'",
        "UPDATE lookups SET report = '{}'",
        "UPDATE lookups SET selected = 'm_0000000000000000' WHERE id = 2",
        "DELETE FROM lookups WHERE id = 2",
        "UPDATE lookups SET goal = 'another request' WHERE id = 1",
        "UPDATE lookups SET at = '2020-01-01T00:00:00.000000+00:00' WHERE id = 1",
        "UPDATE lookups SET report = replace(report, ':0.', ':1.') WHERE id = 1",
        "UPDATE lookups SET id = -id",
        "DELETE FROM retrieval_documents",
        "UPDATE retrieval_documents SET active = 0",
        "UPDATE retrieval_documents SET applications = 'another'",
        "UPDATE retrieval_documents SET doc = doc + 1",
        "UPDATE retrieval_meta SET value = 7 WHERE name = 'documents'",
        "DELETE FROM retrieval_postings WHERE term = 1",
        "INSERT INTO retrieval_postings VALUES (4711, 1)",
        "UPDATE retrieval_terms SET text = text || 'x' WHERE term = 1",
        "UPDATE retrieval_terms SET uses = uses + 1 WHERE term = 1",
        "DELETE FROM retrieval_terms WHERE term = 1",
        "DELETE FROM retrieval_spellings WHERE key = (SELECT min(key) FROM retrieval_spellings)",
        "UPDATE retrieval_spellings SET key = key || 'x'",
        "DROP TABLE retrieval_postings",
        "DROP TABLE retrieval_meta",
    ],
)
def test_every_altered_or_missing_row_is_found(
    repository: Repository, memory: Memory, statement: str
) -> None:
    tamper(repository, statement)

    assert not repository.verify().sound


def test_a_replay_that_was_taken_out_with_its_link_is_missed_by_the_audit_log(
    repository: Repository, memory: Memory
) -> None:
    for number in (2, 3, 4):
        repository.record_replay(replay(memory.id, number, Ending.FAILED), at=later(number + 3))
    assert repository.get(memory.id).lifecycle is Lifecycle.QUARANTINED

    tamper(
        repository,
        "DELETE FROM replays WHERE id = 'replay-0004'",
        "DELETE FROM replay_log WHERE replay_id = 'replay-0004'",
    )

    last = repository.log()[0]
    said = [(one.where, one.problem) for one in repository.verify().problems]
    assert ("replay log", f"the link that audit event {last.seq} names is missing") in said
    assert {where for where, _ in said} == {"replay log"}


TABLES = ["memories", "audit", "replays", "replay_log", "lookups", "parents", "program", "blob_refs"]


@pytest.mark.parametrize("table", [*TABLES, "retrieval_documents"])
def test_a_missing_table_is_reported_and_ends_no_other_search(
    repository: Repository, memory: Memory, table: str
) -> None:
    blob_file(repository, memory).unlink()
    tamper(repository, "DROP VIEW child_links", "DROP VIEW node_reuse", f"DROP TABLE {table}")

    problems = repository.verify().problems

    assert any(f"no such table: {table}" in one.problem for one in problems)
    if table != "blob_refs":
        assert any(one.where.startswith("blob ") for one in problems)


def test_a_replay_is_chained_however_often_it_is_written(repository: Repository, memory: Memory) -> None:
    repository.record_replay(replay(memory.id, 2, Ending.RUNNING), at=later(5))
    repository.record_replay(replay(memory.id, 2, Ending.VERIFIED), at=later(6))
    repository.deprecate(memory.id, at=later(7), because="old")

    assert repository.verify().problems == ()
    assert len(repository.log()[0].body.replays) == 64


def test_a_memory_slipped_in_past_the_log_is_found(repository: Repository, memory: Memory) -> None:
    columns = "lifecycle, schema_version, content_sha256, document, created_at, changed_at"
    tamper(
        repository,
        f"INSERT INTO memories (id, tool_name, {columns})"
        f" SELECT 'm_0000000000000000', 'sneaky', {columns} FROM memories WHERE lifecycle = 'active'",
    )

    assert "m_0000000000000000" in {problem.where for problem in repository.verify().problems}


def test_the_log_cannot_be_rewritten_through_sql(repository: Repository, memory: Memory) -> None:
    raw = sqlite3.connect(repository.folder / "memories.db")
    try:
        for statement in (
            "UPDATE audit SET at = ''",
            "DELETE FROM audit",
            "UPDATE replay_log SET hash = ''",
            "DELETE FROM replay_log",
        ):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                raw.execute(statement)
    finally:
        raw.close()


def test_the_log_tells_the_life_of_a_memory_newest_first(repository: Repository, memory: Memory) -> None:
    repository.quarantine(memory.id, at=later(1), because="a stale dialog")
    repository.deprecate(memory.id, at=later(2), because="replaced")

    events = repository.log(memory.id)

    assert [event.event.value for event in events] == ["deprecated", "quarantined", "promoted", "added"]
    assert [event.body.because for event in events[:2]] == ["replaced", "a stale dialog"]
    assert all(event.at >= AT for event in events)


def test_a_damaged_record_is_named_when_it_is_read(repository: Repository, memory: Memory) -> None:
    tamper(repository, "UPDATE memories SET document = '{}' WHERE lifecycle = 'active'")

    with pytest.raises(StoreCorrupt) as damaged:
        repository.get(memory.id)

    assert damaged.value.evidence["memory_id"] == memory.id


@pytest.mark.parametrize("document", ["{", "{}", "[]", "null"])
def test_a_damaged_record_hides_no_other(repository: Repository, memory: Memory, document: str) -> None:
    other = add_active(repository, "other", seed=20)
    tamper(repository, f"UPDATE memories SET document = '{document}' WHERE id = '{memory.id}'")

    found = repository.listing(Lifecycle.ACTIVE)

    assert found.memories == [other]
    assert [(one.id, one.tool_name, one.lifecycle) for one in found.damaged] == [
        (memory.id, "update_phone", "active")
    ]
    assert memory.id in {problem.where for problem in repository.verify().problems}


def test_damaged_records_take_no_place_among_the_recent_ones(repository: Repository) -> None:
    for number in range(5):
        add_active(repository, f"m{number}", seed=10 * number)
    tamper(repository, "UPDATE memories SET document = '{' WHERE tool_name IN ('m0', 'm1', 'm3')")

    found = repository.recent(Lifecycle.ACTIVE, 2)

    assert {memory.tool_name for memory in found.memories} == {"m2", "m4"}
    assert len(repository.recent(Lifecycle.ACTIVE, 9).damaged) == 3


def test_a_new_index_is_made_of_the_records_that_can_be_read(repository: Repository, memory: Memory) -> None:
    other = add_active(repository, "other", seed=20)
    tamper(
        repository,
        f"UPDATE memories SET document = '{{' WHERE id = '{memory.id}'",
        "UPDATE retrieval_meta SET value = 0 WHERE name = 'format'",
    )

    with Repository(repository.folder) as again:
        found = again.find(Ask("update the phone number"), at=later(5))

    assert [one.memory_id for one in found.candidates] == [other.id]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit SET body = '{' WHERE seq = 3",
        "UPDATE audit SET body = '{}' WHERE seq = 3",
        "UPDATE audit SET event = 'exploded' WHERE seq = 3",
        "UPDATE audit SET at = 'yesterday' WHERE seq = 3",
    ],
)
def test_a_damaged_event_is_named_when_the_log_is_read(
    repository: Repository, memory: Memory, statement: str
) -> None:
    tamper(repository, statement)

    with pytest.raises(StoreCorrupt) as damaged:
        repository.log()

    assert damaged.value.evidence["seq"] == 3


@pytest.mark.parametrize(
    "column", ["detail = '{'", "detail = '[]'", "ending = 'splendid'", "started_at = ''"]
)
def test_a_damaged_replay_is_named_when_it_is_read(
    repository: Repository, memory: Memory, column: str
) -> None:
    tamper(repository, f"UPDATE replays SET {column}")

    with pytest.raises(StoreCorrupt) as damaged:
        repository.replays()

    assert damaged.value.evidence["replay_id"] == "replay-0001"


@pytest.mark.parametrize("column", ["report = '{'", "at = 'yesterday'"])
def test_a_damaged_lookup_is_named_when_it_is_read(
    repository: Repository, memory: Memory, column: str
) -> None:
    tamper(repository, f"UPDATE lookups SET {column} WHERE id = 1")

    with pytest.raises(StoreCorrupt) as damaged:
        repository.lookups()

    assert damaged.value.evidence["lookup"] == 1


def test_what_another_process_writes_meanwhile_is_no_damage(
    repository: Repository, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = MemoryRows.raw

    def raw_then_written(rows: MemoryRows) -> list[Row]:
        found = before(rows)
        with Repository(repository.folder) as other:
            other.quarantine(memory.id, at=later(9), because="meanwhile")
        return found

    monkeypatch.setattr(MemoryRows, "raw", raw_then_written)

    assert repository.verify().problems == ()


def test_a_log_that_was_cut_off_together_with_what_it_told_is_found(
    repository: Repository, memory: Memory
) -> None:
    before = repository.log()[0]
    repository.quarantine(memory.id, at=later(9), because="it clicks beside the button")

    tamper(
        repository,
        "DELETE FROM audit WHERE event = 'quarantined'",
        f"UPDATE memories SET changed_at = '{stamp(before.at)}', lifecycle = 'active'"
        f" WHERE id = '{memory.id}'",
    )

    assert any(
        one.where == "audit" and f"event {before.seq + 1}" in one.problem
        for one in repository.verify().problems
    )


def test_a_log_that_was_written_anew_with_fitting_hashes_is_found(
    repository: Repository, memory: Memory
) -> None:
    with sqlite3.connect(repository.folder / "memories.db") as raw:
        raw.row_factory = sqlite3.Row
        rows = [dict(row) for row in raw.execute("SELECT * FROM audit ORDER BY seq")]
    raw.close()
    changes, previous = [], GENESIS
    for row in rows:
        told = {name: row[name] for name in ("at", "memory_id", "event")}
        link = linked({**told, "body": row["body"].replace("echopath", "somebody")}, row["seq"], previous)
        previous = str(link["hash"])
        changes.append(
            f"UPDATE audit SET body = '{link['body']}', previous = '{link['previous']}',"
            f" hash = '{link['hash']}' WHERE seq = {link['seq']}"
        )

    tamper(repository, *changes)

    assert [one.where for one in repository.verify().problems] == ["audit"]


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("DROP TRIGGER audit_is_append_only_delete", "is missing"),
        ("DROP INDEX replays_by_memory", "is missing"),
        ("CREATE TRIGGER sneaky AFTER INSERT ON memories BEGIN DELETE FROM replays; END", "not one of ours"),
        ("ALTER TABLE lookups ADD COLUMN more TEXT", "was altered"),
    ],
)
def test_a_database_that_is_not_made_as_ours_is_found(
    repository: Repository, memory: Memory, statement: str, problem: str
) -> None:
    with sqlite3.connect(repository.folder / "memories.db") as raw:
        raw.execute(statement)
    raw.close()

    assert [(one.where, one.problem[-len(problem) :]) for one in repository.verify().problems] == [
        ("database", problem)
    ]


def test_a_change_is_not_undone_because_the_end_of_the_log_cannot_be_noted(
    repository: Repository, memory: Memory
) -> None:
    heads = repository.folder / "memories.heads"
    heads.unlink()
    heads.mkdir()

    repository.quarantine(memory.id, at=later(9), because="it clicks beside the button")

    assert repository.get(memory.id).lifecycle is Lifecycle.QUARANTINED
    assert repository.verify().sound


@pytest.mark.parametrize("table", ["meta", "documents", "terms", "postings", "spellings"])
def test_a_lost_part_of_the_search_index_is_made_anew_when_the_store_is_opened(
    repository: Repository, memory: Memory, table: str
) -> None:
    tamper(repository, f"DROP TABLE retrieval_{table}")

    with Repository(repository.folder) as opened:
        assert opened.verify().problems == ()
        assert opened.find(Ask("update the phone number"), at=later(5)).candidates

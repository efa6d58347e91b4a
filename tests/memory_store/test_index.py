import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_store.index import Index, create_tables, is_current, put, rebuild, remove
from memory_store.retrieval import Ask, GateFacts, Searchable
from memory_store.retrieval.find import find
from memory_store.retrieval.lookup import reference_lookup
from memory_store.retrieval.reference import record_terms

MEMORIES = [
    Searchable(
        "merge", "Merge cells B1 to F1 and center the title", ("merge title cells",), ("libreoffice_calc",)
    ),
    Searchable("freeze", "Freeze the header row", ("keep the top row visible",), ("libreoffice_calc",)),
    Searchable("mirror", "Mirror the photo horizontally", ("flip picture",), ("gimp",)),
    Searchable("minimap", "Hide the minimap", ("turn off minimap",), ("vscode",)),
]
WRITER = """
import sqlite3, sys
from memory_store.index import put
from memory_store.retrieval import Searchable
db = sqlite3.connect(sys.argv[1], timeout=60, isolation_level=None)
for at in range(40):
    db.execute("BEGIN IMMEDIATE")
    put(db, Searchable(f"{sys.argv[2]}-{at % 20}", f"paint fence number {at}", ("fence " + sys.argv[2],)))
    db.execute("COMMIT")
"""


@pytest.fixture
def db() -> sqlite3.Connection:
    made = sqlite3.connect(":memory:")
    create_tables(made)
    for memory in MEMORIES:
        put(made, memory)
    return made


def tables(db: sqlite3.Connection) -> list[list[tuple[object, ...]]]:
    """What the index says, whatever its row numbers are."""
    return [
        db.execute(
            "SELECT memory_id, active, applications, body FROM retrieval_documents ORDER BY 1"
        ).fetchall(),
        db.execute("SELECT text, uses FROM retrieval_terms WHERE uses > 0 ORDER BY 1").fetchall(),
        db.execute(
            "SELECT text, memory_id FROM retrieval_postings JOIN retrieval_terms USING (term)"
            " JOIN retrieval_documents USING (doc) ORDER BY 1, 2"
        ).fetchall(),
        db.execute("SELECT value FROM retrieval_meta WHERE name = 'documents'").fetchall(),
    ]


def test_the_index_selects_what_the_plain_scan_selects(db: sqlite3.Connection) -> None:
    library = [(memory, record_terms(memory)) for memory in MEMORIES]
    for memory in MEMORIES:
        ask = Ask(memory.task_intent, application=memory.applications[0])

        found = find(ask, Index(db))

        assert found.audit.selected == reference_lookup(ask, library).selected == memory.memory_id
        assert found.accepted == memory.memory_id


def test_a_word_cut_short_is_read_as_the_one_most_memories_have(db: sqlite3.Connection) -> None:
    put(db, Searchable("again", "Mirror the photo vertically", ("flip picture upside down",), ("gimp",)))
    index = Index(db)

    assert index.beginning_with("horiz") == ["horizontal"]
    assert index.beginning_with("ho") == []
    assert find(Ask("horiz mirror"), index).candidates[0].memory_id == "mirror"


def test_an_updated_row_is_found_by_its_new_words_only(db: sqlite3.Connection) -> None:
    index = Index(db)
    find(Ask("flip picture"), index)
    put(db, replace(MEMORIES[2], task_intent="Sharpen the scan", query_phrases=()))

    assert [each.memory_id for each in find(Ask("sharpen scan"), index).candidates][:1] == ["mirror"]
    assert find(Ask("flip picture horizontally"), index).accepted is None


def test_a_removed_row_is_gone_and_its_number_is_not_used_again(db: sqlite3.Connection) -> None:
    index = Index(db)
    assert find(Ask("hide the minimap"), index).accepted == "minimap"
    remove(db, "minimap")
    put(db, Searchable("late", "Water the garden"))

    assert "minimap" not in [each.memory_id for each in find(Ask("hide the minimap"), index).candidates]
    assert find(Ask("water the garden"), index).accepted == "late"


def test_only_active_memories_are_drawn(db: sqlite3.Connection) -> None:
    put(db, replace(MEMORIES[1], facts=GateFacts(lifecycle="quarantined")))

    assert "freeze" not in [
        each.memory_id for each in find(Ask("freeze the header row"), Index(db)).candidates
    ]


def test_a_state_changed_by_another_process_counts_in_the_next_lookup(tmp_path: Path) -> None:
    here, there = (sqlite3.connect(tmp_path / "index.db", isolation_level=None) for _ in range(2))
    create_tables(here)
    put(here, MEMORIES[2])
    index = Index(here)
    seen = find(Ask("mirror the photo"), index).candidates

    put(there, replace(MEMORIES[2], facts=GateFacts(lifecycle="quarantined")))
    gone = find(Ask("mirror the photo"), index).candidates
    put(there, MEMORIES[2])
    back = find(Ask("mirror the photo"), index).candidates

    assert [len(seen), len(gone), len(back)] == [1, 0, 1]


def test_the_second_lookup_of_an_unchanged_library_reads_no_rows(db: sqlite3.Connection) -> None:
    index = Index(db)
    first = find(Ask("mirror the photo"), index)
    read: list[str] = []
    db.set_trace_callback(read.append)

    second = find(Ask("mirror the photo"), index)

    assert second == first
    assert not [statement for statement in read if "retrieval_documents" in statement]


def test_removing_an_unknown_memory_changes_nothing(db: sqlite3.Connection) -> None:
    before = tables(db)

    remove(db, "never seen")

    assert tables(db) == before


def test_a_rolled_back_write_leaves_no_trace(db: sqlite3.Connection) -> None:
    db.commit()
    before = tables(db)

    put(db, Searchable("half", "Half written thing"))
    db.rollback()

    assert tables(db) == before


def test_rows_of_another_format_are_made_anew(db: sqlite3.Connection) -> None:
    before = tables(db)
    db.execute("UPDATE retrieval_meta SET value = -1 WHERE name = 'format'")
    assert not is_current(db)

    rebuild(db, MEMORIES)

    assert is_current(db)
    assert tables(db) == before


@settings(max_examples=25)
@given(
    steps=st.lists(
        st.tuples(
            st.sampled_from("abc"), st.sampled_from(["save red file", "open blue tab", "save tab", ""])
        ),
        max_size=12,
    )
)
def test_any_sequence_of_writes_ends_in_the_index_of_the_final_rows(steps: list[tuple[str, str]]) -> None:
    moved, fresh = sqlite3.connect(":memory:"), sqlite3.connect(":memory:")
    create_tables(moved)
    final: dict[str, Searchable] = {}
    for memory_id, text in steps:
        if text:
            final[memory_id] = Searchable(memory_id, text)
            put(moved, final[memory_id])
        else:
            final.pop(memory_id, None)
            remove(moved, memory_id)
    rebuild(fresh, final.values())

    assert tables(moved) == tables(fresh)
    moved.close()
    fresh.close()


def test_two_processes_write_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode = WAL")
    create_tables(db)
    db.commit()

    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), name]) for name in ("left", "right")
    ]
    codes = [writer.wait(timeout=60) for writer in writers]

    assert codes == [0, 0]
    fresh = sqlite3.connect(":memory:")
    rows = [
        (f"{name}-{at % 20}", f"paint fence number {at}", name)
        for name in ("left", "right")
        for at in range(20, 40)
    ]
    rebuild(fresh, [Searchable(memory_id, intent, (f"fence {name}",)) for memory_id, intent, name in rows])
    assert tables(db) == tables(fresh)
    db.close()
    fresh.close()

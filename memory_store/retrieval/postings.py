"""The index's tables, and keeping them in step with one memory's row, inside the caller's transaction.

Every function here takes the store's own connection and neither begins nor commits: the row and its
postings land together or not at all, whoever else is writing.
"""

import sqlite3
from collections.abc import Iterable

from memory_store.retrieval.document import FORMAT, dump, index_terms, load, prepare
from memory_store.retrieval.searchable import Searchable
from memory_store.retrieval.spelling import spelling_keys

TABLES = (
    "CREATE TABLE IF NOT EXISTS retrieval_meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS retrieval_documents (doc INTEGER PRIMARY KEY AUTOINCREMENT,"
    " memory_id TEXT NOT NULL UNIQUE, active INTEGER NOT NULL, applications TEXT NOT NULL,"
    " revision INTEGER NOT NULL, body TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS retrieval_terms (term INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE,"
    " uses INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS retrieval_postings (term INTEGER NOT NULL, doc INTEGER NOT NULL,"
    " PRIMARY KEY (term, doc)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS retrieval_spellings (key TEXT NOT NULL, text TEXT NOT NULL,"
    " PRIMARY KEY (key, text)) WITHOUT ROWID",
)
_NAMES = ("meta", "documents", "terms", "postings", "spellings")


def create_tables(db: sqlite3.Connection) -> None:
    """Make the index's tables where they are missing; for the store's migrations."""
    for statement in TABLES:
        db.execute(statement)
    db.execute(
        "INSERT OR IGNORE INTO retrieval_meta VALUES ('format', ?), ('documents', 0), ('revision', 0)",
        (FORMAT,),
    )


def is_current(db: sqlite3.Connection) -> bool:
    """Whether the tables are there, written by this format; otherwise `rebuild` them from the memories."""
    tables = {str(row[0]) for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables.issuperset(f"retrieval_{name}" for name in _NAMES):
        return False
    row = db.execute("SELECT value FROM retrieval_meta WHERE name = 'format'").fetchone()
    return row is not None and row[0] == FORMAT


def rebuild(db: sqlite3.Connection, memories: Iterable[Searchable]) -> None:
    """Write the whole index anew."""
    for name in _NAMES:
        db.execute(f"DROP TABLE IF EXISTS retrieval_{name}")
    create_tables(db)
    for memory in memories:
        put(db, memory)


def put(db: sqlite3.Connection, memory: Searchable) -> None:
    """Add a memory or bring its rows up to date; only what changed is written."""
    document = prepare(memory)
    body, labels = dump(document), "\n".join(memory.applications)
    active = memory.facts.lifecycle == "active"
    known = _stored(db, memory.memory_id)
    if known is None:
        doc = _insert(db, (memory.memory_id, active, labels, body))
        before: set[str] = set()
    else:
        doc, old, before = known[0], known[1], index_terms(load(memory.memory_id, known[1]))
        if body == old:
            return
        db.execute(
            "UPDATE retrieval_documents SET active = ?, applications = ?, body = ?, revision = revision + 1"
            " WHERE doc = ?",
            (active, labels, body, doc),
        )
    after = index_terms(document)
    _link(db, doc, after - before)
    _unlink(db, doc, before - after)
    _changed(db)


def remove(db: sqlite3.Connection, memory_id: str) -> None:
    """Take a memory out of the index; unknown ids are no error."""
    known = _stored(db, memory_id)
    if known is not None:
        doc, body = known
        _unlink(db, doc, index_terms(load(memory_id, body)))
        db.execute("DELETE FROM retrieval_documents WHERE doc = ?", (doc,))
        db.execute("UPDATE retrieval_meta SET value = value - 1 WHERE name = 'documents'")
        _changed(db)


def _changed(db: sqlite3.Connection) -> None:
    """Tell every reader that counted words before to count them anew."""
    db.execute("UPDATE retrieval_meta SET value = value + 1 WHERE name = 'revision'")


def _stored(db: sqlite3.Connection, memory_id: str) -> tuple[int, str] | None:
    statement = "SELECT doc, body FROM retrieval_documents WHERE memory_id = ?"
    row = db.execute(statement, (memory_id,)).fetchone()
    return None if row is None else (int(row[0]), str(row[1]))


def _insert(db: sqlite3.Connection, row: tuple[str, bool, str, str]) -> int:
    """A new document row; ids are never used twice while a reader may remember one."""
    made = db.execute(
        "INSERT INTO retrieval_documents (memory_id, active, applications, revision, body)"
        " VALUES (?, ?, ?, 0, ?) RETURNING doc",
        row,
    ).fetchone()
    db.execute("UPDATE retrieval_meta SET value = value + 1 WHERE name = 'documents'")
    return int(made[0])


def _link(db: sqlite3.Connection, doc: int, terms: set[str]) -> None:
    """Postings for terms a document now has; a term met for the first time gets its spelling keys."""
    ordered = sorted(terms)
    for text in ordered:
        row = db.execute(
            "INSERT INTO retrieval_terms (text, uses) VALUES (?, 1)"
            " ON CONFLICT (text) DO UPDATE SET uses = uses + 1 RETURNING term, uses",
            (text,),
        ).fetchone()
        db.execute("INSERT OR IGNORE INTO retrieval_postings VALUES (?, ?)", (row[0], doc))
        if row[1] == 1:
            keys = [(key, text) for key in spelling_keys(text)]
            db.executemany("INSERT OR IGNORE INTO retrieval_spellings VALUES (?, ?)", keys)


def _unlink(db: sqlite3.Connection, doc: int, terms: set[str]) -> None:
    """Take a document out of the postings of terms it no longer has."""
    for text in sorted(terms):
        db.execute(
            "DELETE FROM retrieval_postings WHERE doc = ? AND term ="
            " (SELECT term FROM retrieval_terms WHERE text = ?)",
            (doc, text),
        )
        db.execute("UPDATE retrieval_terms SET uses = uses - 1 WHERE text = ?", (text,))

"""The tables, as migrations: one function per step, never changed once released, only added to."""

import sqlite3
from contextlib import closing
from typing import Final

from memory_store.lookup_digest import COLUMN, adopt_lookups
from memory_store.replay_log import TABLE, adopt
from memory_store.retrieval.postings import create_tables
from memory_store.without import without

with without("numpy", "pandas"):
    from sqlite_utils import Database as SqliteUtils
    from sqlite_utils import Migrations

MIGRATIONS: Final = Migrations("echopath")
KNOWN: Final = frozenset({"m001_core", "m002_retrieval", "m003_replay_log", "m004_lookup_digest"})
"""Names of all migrations below; a database that has seen others is newer than this code."""

_CORE = """
CREATE TABLE memories (
    id TEXT PRIMARY KEY,
    tool_name TEXT NOT NULL UNIQUE,
    lifecycle TEXT NOT NULL,
    schema_version INTEGER NOT NULL,
    content_sha256 TEXT NOT NULL,
    document TEXT NOT NULL,
    created_at TEXT NOT NULL,
    changed_at TEXT NOT NULL
) STRICT;
CREATE INDEX memories_by_lifecycle ON memories (lifecycle, created_at);

CREATE TABLE nodes (
    signature TEXT PRIMARY KEY,
    action TEXT NOT NULL,
    parameters TEXT NOT NULL,
    component TEXT NOT NULL
) STRICT;
CREATE TABLE program (
    memory_id TEXT NOT NULL REFERENCES memories (id),
    position INTEGER NOT NULL,
    signature TEXT NOT NULL REFERENCES nodes (signature),
    parent TEXT,
    run_id TEXT,
    step_id INTEGER,
    PRIMARY KEY (memory_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX program_by_signature ON program (signature);
CREATE INDEX program_by_parent ON program (parent);
CREATE VIEW child_links AS
    SELECT parent, signature AS child, count(DISTINCT memory_id) AS memories
    FROM program GROUP BY parent, signature;
CREATE VIEW node_reuse AS
    SELECT signature, count(DISTINCT memory_id) AS memories FROM program GROUP BY signature;

CREATE TABLE parents (
    memory_id TEXT NOT NULL REFERENCES memories (id),
    parent_id TEXT NOT NULL,
    PRIMARY KEY (memory_id, parent_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE blob_refs (
    memory_id TEXT NOT NULL REFERENCES memories (id),
    sha256 TEXT NOT NULL,
    size INTEGER NOT NULL,
    audit INTEGER NOT NULL,
    PRIMARY KEY (memory_id, sha256)
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_refs_by_sha256 ON blob_refs (sha256);

CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    event TEXT NOT NULL,
    body TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_memory ON audit (memory_id, seq);
CREATE TRIGGER audit_is_append_only_update BEFORE UPDATE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_is_append_only_delete BEFORE DELETE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

CREATE TABLE replays (
    id TEXT PRIMARY KEY,
    memory_id TEXT NOT NULL,
    ending TEXT NOT NULL,
    cause TEXT NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    events_sent INTEGER NOT NULL,
    steps_done INTEGER NOT NULL,
    host_tokens INTEGER NOT NULL,
    detail TEXT NOT NULL
) STRICT;
CREATE INDEX replays_by_memory ON replays (memory_id, started_at);

CREATE TABLE lookups (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    goal TEXT NOT NULL,
    selected TEXT,
    report TEXT NOT NULL
) STRICT;
"""


@MIGRATIONS()
def m001_core(db: SqliteUtils) -> None:
    """Memories, their graph, their blobs, the audit log, the replay ledger and the lookups."""
    db.executescript(_CORE)


@MIGRATIONS()
def m002_retrieval(db: SqliteUtils) -> None:
    """The search index; the store fills it when it is opened."""
    create_tables(db.conn)
    db.conn.execute("UPDATE retrieval_meta SET value = 0 WHERE name = 'format'")


@MIGRATIONS()
def m003_replay_log(db: SqliteUtils) -> None:
    """The hash chain over the replays; those of before are taken as they are."""
    db.executescript(TABLE)
    adopt(db.conn)


@MIGRATIONS()
def m004_lookup_digest(db: SqliteUtils) -> None:
    """A hash in every record of a lookup; those of before are taken as they are."""
    db.conn.execute(COLUMN)
    adopt_lookups(db.conn)


OBJECTS: Final = """
SELECT type || ' ' || name AS name, sql FROM sqlite_master
WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND tbl_name <> '_sqlite_migrations'
"""
"""All that a database is made of, but what SQLite and sqlite-utils keep for themselves."""


def plain_sql(sql: str) -> str:
    """A definition without the white space that a dump may have changed."""
    return " ".join(sql.split())


def made_by_migrations() -> dict[str, str]:
    """What the migrations make of an empty database, by type and name."""
    with closing(sqlite3.connect(":memory:")) as connection:
        MIGRATIONS.apply(SqliteUtils(connection, execute_plugins=False, recursive_triggers=False))
        return {str(name): plain_sql(str(sql)) for name, sql in connection.execute(OBJECTS)}

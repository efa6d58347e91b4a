"""The tables, as migrations: one function per step, never changed once released, only added to."""

from typing import TYPE_CHECKING, Final

from sqlite_utils import Migrations

from memory_store.replay_log import TABLE, adopt
from memory_store.retrieval.postings import create_tables

if TYPE_CHECKING:
    from sqlite_utils import Database as SqliteUtils

MIGRATIONS: Final = Migrations("echopath")
KNOWN: Final = frozenset({"m001_core", "m002_retrieval", "m003_replay_log"})
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
def m001_core(db: "SqliteUtils") -> None:
    """Memories, their graph, their blobs, the audit log, the replay ledger and the lookups."""
    db.executescript(_CORE)


@MIGRATIONS()
def m002_retrieval(db: "SqliteUtils") -> None:
    """The search index; the store fills it when it is opened."""
    create_tables(db.conn)
    db.conn.execute("UPDATE retrieval_meta SET value = 0 WHERE name = 'format'")


@MIGRATIONS()
def m003_replay_log(db: "SqliteUtils") -> None:
    """The hash chain over the replays; those of before are taken as they are."""
    db.executescript(TABLE)
    adopt(db.conn)

"""A row of an SQLite database: one parameterised select, on a connection that cannot write."""

import os
import sqlite3
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from io import BufferedReader
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from memory_store.evaluators.compare import Scalar, same_value, show
from memory_store.evaluators.opening import missing, open_regular, sha256_of
from memory_store.evaluators.outcome import CouldNotRun, Facts, Finding, clip, found
from memory_store.evaluators.scene import Limits, Scene, Spec
from memory_store.evaluators.template import PathTemplate, Place, TextTemplate
from memory_store.models import Digest

Name = Annotated[str, Field(min_length=1, max_length=200)]
Cells = dict[Name, TextTemplate]
_MAX_ROWS = 3
_ALLOWED = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE})
_HEADER = {"page_bytes": (16, 18), "changed": (24, 28), "pages": (28, 32), "pages_valid_for": (92, 96)}
"""Where the numbers of the file's header stand (sqlite.org/fileformat.html)."""


class SqliteRow(Spec):
    """The only row that fits `where` has these values; with empty `equals`, that there is such a row."""

    kind: Literal["sqlite_row"] = "sqlite_row"
    path: PathTemplate
    table: Name
    where: Annotated[Cells, Field(min_length=1, max_length=8)]
    equals: Annotated[Cells, Field(max_length=16, default_factory=Cells)]
    exists: bool = True

    def run(self, scene: Scene) -> Finding:
        """Select and compare."""
        place = scene.values.path(self.path, "path")
        file = open_regular(place, "path")
        if file is None:
            return missing(place)
        with file:
            _check_format(file)
            wal = _is_wal(file)
            _check_whole(file, wal=wal)
            file.seek(0)
            facts: Facts = {"path": str(place.path), "wal": wal}
            digest = sha256_of(file, scene.limits.digest_bytes)
        try:
            rows = self._select(place, scene, wal=wal)
        except LookupError as exc:
            return found(False, str(exc.args[0]), facts, sha256=digest)
        return self._compare(rows, scene, digest, facts)

    def _select(self, place: Place, scene: Scene, *, wal: bool) -> list[tuple[Scalar, ...]]:
        where = {name: scene.values.text(value, f"where.{name}") for name, value in self.where.items()}
        with _reader(place, scene.limits, wal=wal) as database:
            columns = _columns(database, self.table)
            if unknown := [name for name in (*where, *self.equals) if name not in columns]:
                raise LookupError(
                    f"table {self.table!r} has no column {unknown[0]!r}, but {', '.join(columns)}"
                )
            chosen = ", ".join(map(_quote, self.equals)) or "1"
            # A text never equals a number in SQLite; both sides as text, so that an input finds its row.
            tests = " AND ".join(f"CAST({_quote(name)} AS TEXT) = ?" for name in where)
            query = f"SELECT {chosen} FROM {_quote(self.table)} WHERE {tests} LIMIT {_MAX_ROWS}"
            return database.execute(query, tuple(where.values())).fetchall()

    def _compare(
        self, rows: list[tuple[Scalar, ...]], scene: Scene, sha256: Digest | None, facts: Facts
    ) -> Finding:
        count = f"{len(rows)}{' or more' if len(rows) == _MAX_ROWS else ''} rows fit"
        if not self.exists:
            return found(not rows, count, facts, sha256=sha256, rows=len(rows))
        if len(rows) != 1 and (self.equals or not rows):
            return found(False, f"{count}, 1 wanted", facts, sha256=sha256, rows=len(rows))
        wanted = {name: scene.values.text(value, f"equals.{name}") for name, value in self.equals.items()}
        seen = dict(zip(wanted, rows[0], strict=False))
        wrong = [name for name, text in wanted.items() if not same_value(_text(seen[name]), text)]
        says = f"{', '.join(wrong)}: not as wanted" if wrong else "the row is as wanted"
        shown: dict[str, JsonValue] = {name: clip(show(_text(value))) for name, value in seen.items()}
        hoped: dict[str, JsonValue] = {name: clip(text) for name, text in wanted.items()}
        return found(not wrong, says, facts, sha256=sha256, rows=len(rows), seen=shown, wanted=hoped)


@contextmanager
def _reader(place: Place, limits: Limits, *, wal: bool) -> Generator[sqlite3.Connection]:
    # In WAL mode even a reader makes -wal and -shm files beside the database, unless opened as immutable:
    # safe only while nobody else has it open, that is, without a -wal file.
    beside = {end: _is_beside(place, end) for end in ("-wal", "-shm", "-journal")}
    if wal and beside["-wal"] and not beside["-shm"]:
        raise CouldNotRun("path", "its last writer died in the middle", "open it in its application once")
    immutable = wal and not beside["-wal"]
    uri = f"{place.path.absolute().as_uri()}?mode=ro{'&immutable=1' if immutable else ''}"
    deadline = time.monotonic() + limits.seconds
    try:
        with closing(sqlite3.connect(uri, uri=True, timeout=min(2.0, limits.seconds))) as database:
            database.execute("PRAGMA trusted_schema = OFF")
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, limits.file_bytes)
            database.set_progress_handler(lambda: time.monotonic() > deadline, 10_000)
            yield database
    except sqlite3.Error as exc:
        raise CouldNotRun(
            "path", f"SQLite: {exc}", "check the database, its table and that it is not locked"
        ) from exc


def _is_beside(place: Place, end: str) -> bool:
    """Whether a file of SQLite lies beside the database; it would wait for ever on a pipe of that name."""
    path = place.path.with_name(place.path.name + end)
    if path.exists() and not path.is_file():
        raise CouldNotRun("path", f"{path} is no regular file", "remove it, or check another database")
    return path.exists()


def _columns(database: sqlite3.Connection, table: str) -> list[str]:
    rows: list[tuple[str]] = database.execute("SELECT name FROM pragma_table_info(?)", (table,)).fetchall()
    if not rows:
        raise LookupError(f"there is no table {table!r}")
    database.set_authorizer(_authorise)
    return [name for (name,) in rows]


def _authorise(act: int, *_: str | None) -> int:
    return sqlite3.SQLITE_OK if act in _ALLOWED else sqlite3.SQLITE_DENY


def _check_format(file: BufferedReader) -> None:
    if file.read(16) != b"SQLite format 3\0":
        raise CouldNotRun("path", "not an SQLite database", "name the database file")


def _check_whole(file: BufferedReader, *, wal: bool) -> None:
    # SQLite reads a database that was cut off as if the missing rows had never been there.
    file.seek(0)
    head = file.read(100)
    at = {name: int.from_bytes(head[start:end]) for name, (start, end) in _HEADER.items()}
    stated = at["pages"] * (65_536 if at["page_bytes"] == 1 else at["page_bytes"])
    current = at["changed"] == at["pages_valid_for"]  # versions before 3.7 left the count as it was
    if not wal and current and os.fstat(file.fileno()).st_size < stated:
        raise CouldNotRun("path", "the database is cut off", "restore it", stated=stated)


def _is_wal(file: BufferedReader) -> bool:
    file.seek(18)
    return file.read(2) == b"\x02\x02"


def _text(value: Scalar | bytes) -> Scalar:
    return f"(blob of {len(value)} bytes)" if isinstance(value, bytes) else value


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'

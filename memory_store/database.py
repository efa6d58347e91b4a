"""sqlite-utils with its loose types fenced in: WAL, immediate transactions, migrations, typed errors."""

import shutil
import sqlite3
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, cast

from pydantic import ValidationError

from actionlens.problems import in_words
from memory_store.errors import (
    StoreBusy,
    StoreCorrupt,
    StoreFull,
    StoreTooNew,
    StoreUnusable,
)
from memory_store.home import FILE_MODE, disk_errors, read_only
from memory_store.schema import KNOWN, MIGRATIONS, OBJECTS, made_by_migrations, plain_sql
from memory_store.without import without

with without("numpy", "pandas"):
    from sqlite_utils import Database as SqliteUtils

Cell = str | int | float | bytes | None
Row = dict[str, Cell]

BUSY_TIMEOUT_S: Final = 60.0
_NEARLY_FULL: Final = 64 * 1024
_WAL_LIMIT: Final = "journal_size_limit=1048576"


def text(row: Row, column: str) -> str:
    """A text column; anything else means that the row was tampered with."""
    return cast("str", _typed(row, column, str))


def number(row: Row, column: str) -> int:
    """An integer column; anything else means that the row was tampered with."""
    return cast("int", _typed(row, column, int))


def damaged_row(what: str, exc: Exception, **evidence: object) -> StoreCorrupt:
    """The error for a row that is not as we write it."""
    problem = in_words(exc.errors(include_url=False)[0]) if isinstance(exc, ValidationError) else str(exc)
    message = f"{what} is damaged ({problem}); `echopath memories verify` tells more"
    return StoreCorrupt(message, problem=problem, **evidence)


class Database:
    """One connection, used by one thread at a time; every write happens inside `atomic()`."""

    def __init__(self, path: Path, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> None:
        self.path = path
        self._turn = threading.RLock()
        self._afterwards: dict[Callable[[Database], None], None] = {}
        with disk_errors(path):
            path.touch(mode=FILE_MODE)
        with self._translated():
            self._conn = sqlite3.connect(
                path, timeout=busy_timeout_s, isolation_level=None, check_same_thread=False
            )
            try:
                self._db = self._open()
            except BaseException:
                self._conn.close()
                raise

    def close(self) -> None:
        """Close the connection; safe to call twice."""
        self._conn.close()

    @contextmanager
    def atomic(self) -> Generator[None]:
        """Everything inside lands together or not at all.

        The write lock is taken at once: a transaction that began by reading could not wait for it later.
        """
        with self._turn, self._translated():
            if self._conn.in_transaction:
                with self._db.atomic():
                    yield
                return
            self._conn.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._afterwards.clear()
                self._db.rollback()
                raise
            self._commit()
            self._run_afterwards()

    def after_commit(self, work: "Callable[[Database], None]") -> None:
        """Have something done once, when what is inside `atomic()` now has been committed."""
        self._afterwards[work] = None

    @contextmanager
    def snapshot(self) -> Generator[None]:
        """Several reads that see one and the same state."""
        with self._turn, self._translated():
            if self._conn.in_transaction:
                yield
                return
            self._conn.execute("BEGIN")
            try:
                yield
            finally:
                self._db.rollback()

    def rows(self, sql: str, parameters: Sequence[Cell] = ()) -> list[Row]:
        """What a SELECT finds."""
        with self._turn, self._translated():
            cursor = self._conn.execute(sql, list(parameters))
            names = [str(column[0]) for column in cursor.description]
            return [dict(zip(names, cells, strict=True)) for cells in cursor]

    def one(self, sql: str, parameters: Sequence[Cell] = ()) -> Row | None:
        """The first row, or None."""
        found = self.rows(sql, parameters)
        return found[0] if found else None

    def execute(self, sql: str, parameters: Sequence[Cell] = ()) -> int:
        """Run one writing statement inside `atomic()`; returns how many rows it changed."""
        with self._turn, self._translated():
            return self._conn.execute(sql, list(parameters)).rowcount

    def insert(self, table: str, row: Mapping[str, Cell]) -> None:
        """Add one row inside `atomic()`."""
        columns, marks = ", ".join(row), ", ".join("?" * len(row))
        self.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", list(row.values()))

    @property
    def connection(self) -> sqlite3.Connection:
        """The bare connection, for the index that is kept in the same transaction as the rows."""
        return self._conn

    def data_version(self) -> int:
        """A number that changes when another connection has changed anything; costs microseconds."""
        return number(self.rows("PRAGMA data_version")[0], "data_version")

    def schema_problems(self) -> list[str]:
        """Tables, indexes, views and triggers that are not as the migrations make them."""
        wanted, there = made_by_migrations(), self._objects()
        lost = [f"the {name} is missing" for name in wanted if name not in there]
        strange = [f"the {name} is not one of ours" for name in there if name not in wanted]
        altered = [
            f"the {name} was altered" for name in wanted if name in there and there[name] != wanted[name]
        ]
        return [*lost, *strange, *altered]

    def _objects(self) -> dict[str, str]:
        return {text(row, "name"): plain_sql(text(row, "sql")) for row in self.rows(OBJECTS)}

    def integrity_problems(self) -> list[str]:
        """What SQLite itself finds wrong with the file."""
        found = [text(row, "integrity_check") for row in self.rows("PRAGMA integrity_check(20)")]
        dangling = [f"dangling reference: {row}" for row in self.rows("PRAGMA foreign_key_check")]
        return [line for line in found if line != "ok"] + dangling

    def _open(self) -> SqliteUtils:
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "trusted_schema=OFF",
            _WAL_LIMIT,
        ):
            self._conn.execute(f"PRAGMA {pragma}")
        db = SqliteUtils(self._conn, execute_plugins=False, recursive_triggers=False)
        self._check_version(db)
        if MIGRATIONS.pending(db):
            self._migrate(db)
        return db

    def _check_version(self, db: SqliteUtils) -> None:
        if newer := sorted({migration.name for migration in MIGRATIONS.applied(db)} - KNOWN):
            message = f"{self.path} was written by a newer version of EchoPath; update this one"
            raise StoreTooNew(message, path=str(self.path), unknown=newer)

    def _migrate(self, db: SqliteUtils) -> None:
        self._conn.execute("BEGIN IMMEDIATE")
        try:
            MIGRATIONS.apply(db)
        except BaseException:
            db.rollback()
            raise
        self._conn.execute("COMMIT")

    def _run_afterwards(self) -> None:
        work, self._afterwards = self._afterwards, {}
        for each in work:
            each(self)

    def _commit(self) -> None:
        try:
            self._db.commit()
        except BaseException:
            self._afterwards.clear()
            self._db.rollback()
            raise

    @contextmanager
    def _translated(self) -> Generator[None]:
        try:
            yield
        except sqlite3.Error as exc:
            raise _typed_error(exc, self.path) from exc


def _typed(row: Row, column: str, kind: type) -> object:
    value = row[column]
    if not isinstance(value, kind):
        raise StoreCorrupt(
            f"column {column} holds {type(value).__name__}, not {kind.__name__}", column=column
        )
    return value


def _typed_error(exc: sqlite3.Error, path: Path) -> StoreUnusable:
    name = getattr(exc, "sqlite_errorname", "") or ""
    facts = {"path": str(path), "sqlite": name, "said": str(exc)}
    if name.startswith("SQLITE_FULL") or (name.startswith("SQLITE_IOERR") and _is_full(path)):
        return StoreFull(f"no space left for {path}; nothing was changed", **facts)
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return read_only(path, facts)
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return StoreCorrupt(f"{path} is damaged: {exc}", **facts)
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StoreBusy(f"another process held {path} for too long; nothing was changed", **facts)
    return StoreUnusable(f"{path}: {exc}", **facts)


def _is_full(path: Path) -> bool:
    return shutil.disk_usage(path.parent).free < _NEARLY_FULL

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memory_store.models import Outcome
from tests.memory_store.evaluators.checks import run, with_inputs


@pytest.fixture(params=["delete", "wal"])
def database(tmp_path: Path, request: pytest.FixtureRequest) -> str:
    path = tmp_path / "crm #1?.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode = {request.param}")
        connection.execute(
            'CREATE TABLE "my ""clients" (name TEXT, phone TEXT, seats INTEGER, price REAL, note BLOB)'
        )
        connection.execute("INSERT INTO \"my \"\"clients\" VALUES ('Globex', '555-0199', 12, 0.5, x'00ff')")
        connection.commit()
    return str(path)


@pytest.fixture
def before(database: str) -> Iterator[list[str]]:
    folder = Path(database).parent
    yield sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    ("spec", "outcome"),
    [
        ({"where": {"name": "{client}"}, "equals": {"phone": "{phone}", "seats": "12"}}, Outcome.PASSED),
        ({"where": {"name": "{client}"}, "equals": {"phone": "555-0100"}}, Outcome.FAILED),
        ({"where": {"name": "{client}", "seats": "12"}}, Outcome.PASSED),
        ({"where": {"price": "0.5"}}, Outcome.PASSED),
        ({"where": {"name": "Hooli"}}, Outcome.FAILED),
        ({"where": {"name": "Hooli"}, "exists": False}, Outcome.PASSED),
        ({"where": {"name": "{client}"}, "equals": {"fax": "1"}}, Outcome.FAILED),
        ({"where": {"name": "' OR 1=1 --"}}, Outcome.FAILED),
    ],
)
def test_a_row_is_selected_and_compared_and_nothing_is_left_beside_the_database(
    database: str, before: list[str], spec: dict[str, object], outcome: Outcome
) -> None:
    scene = with_inputs(client="Globex", phone="555-0199")

    check = run(scene, kind="sqlite_row", path=database, table='my "clients', **spec)

    assert check.outcome is outcome
    assert check.artifact_sha256 is not None
    assert sorted(path.name for path in Path(database).parent.iterdir()) == before


def test_what_another_program_has_just_written_is_seen(database: str) -> None:
    with closing(sqlite3.connect(database)) as application:
        application.execute('UPDATE "my ""clients" SET phone = ?', ("555-0100",))
        application.commit()

        check = run(
            kind="sqlite_row",
            path=database,
            table='my "clients',
            where={"name": "Globex"},
            equals={"phone": "555-0100"},
        )

    assert check.outcome is Outcome.PASSED


def test_no_table_fails_and_no_database_could_not_be_checked(tmp_path: Path, database: str) -> None:
    (tmp_path / "a.db").write_text("hello, this is not a database at all")

    absent = run(kind="sqlite_row", path=database, table="nothing", where={"a": "1"})
    broken = run(kind="sqlite_row", path=f"{tmp_path}/a.db", table="nothing", where={"a": "1"})

    assert absent.outcome is Outcome.FAILED
    assert broken.outcome is Outcome.COULD_NOT_RUN


def test_a_view_cannot_call_anything(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE VIEW trap AS SELECT load_extension('/tmp/x.so') AS a")
        connection.commit()

    check = run(kind="sqlite_row", path=str(path), table="trap", where={"a": "1"})

    assert check.outcome is Outcome.COULD_NOT_RUN


def test_a_database_whose_writer_died_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = wal")
        connection.execute("CREATE TABLE a (b)")
        connection.commit()
        data, wal = path.read_bytes(), path.with_name("a.db-wal").read_bytes()
    (tmp_path / "left").mkdir()
    (tmp_path / "left" / "a.db").write_bytes(data)
    (tmp_path / "left" / "a.db-wal").write_bytes(wal)

    check = run(kind="sqlite_row", path=f"{tmp_path}/left/a.db", table="a", where={"b": "1"})

    assert check.outcome is Outcome.COULD_NOT_RUN
    assert sorted(one.name for one in (tmp_path / "left").iterdir()) == ["a.db", "a.db-wal"]


@pytest.mark.parametrize("end", ["-journal", "-wal", "-shm"])
def test_a_pipe_beside_the_database_holds_nobody(database: str, end: str) -> None:
    os.mkfifo(database + end)

    check = run(kind="sqlite_row", path=database, table='my "clients', where={"name": "Globex"})

    assert check.outcome is Outcome.COULD_NOT_RUN
    assert str(check.evidence["field"]) == "path"


def test_rows_of_a_database_that_was_cut_off_are_not_taken_for_gone(tmp_path: Path) -> None:
    path = tmp_path / "cut.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE clients (name TEXT)")
        connection.execute("INSERT INTO clients VALUES ('Globex')")
        connection.commit()
    path.write_bytes(path.read_bytes()[:5000])

    check = run(kind="sqlite_row", path=str(path), table="clients", where={"name": "Globex"}, exists=False)

    assert check.outcome is Outcome.COULD_NOT_RUN

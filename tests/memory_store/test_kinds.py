import sqlite3
from collections.abc import Iterator

import pytest

from memory_store.index import Index, create_tables, put
from memory_store.retrieval import Ask, Searchable
from memory_store.retrieval.find import find
from memory_store.retrieval.kinds import shape_of
from memory_store.retrieval.terms import analyse

MEMORIES = [
    Searchable("city", "Look for a flight from Mumbai to Stockholm on Monday", ("flight to Stockholm",), ()),
    Searchable("miles", "Look for a flight to be paid with miles", ("flight with miles",), ()),
    Searchable("stream", "Play the video at https://a.org/live.m3u8", ("stream a link",), ("vlc",)),
    Searchable("film", "Play the video on the desktop", ("play the desktop video",), ("vlc",)),
    Searchable("font", "Set the text in Times New Roman", ("Times New Roman for all the text",), ()),
    Searchable("bright", "Make the picture brighter", ("brighten the picture",), ("gimp",)),
    Searchable(
        "report", "Make the picture of the report brighter", ("brighten the picture",), ("gimp", "writer")
    ),
    Searchable("insert", "Insert a table on the slide Features", ("insert a table",), ("impress",)),
    Searchable("move", "Move the table on slide 3 down", ("move the table",), ("impress",)),
]


@pytest.fixture
def index() -> Iterator[Index]:
    db = sqlite3.connect(":memory:")
    create_tables(db)
    for memory in MEMORIES:
        put(db, memory)
    yield Index(db)
    db.close()


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("me@work.org", "email"),
        ("https://a.org/b", "url"),
        ("~/notes", "path"),
        ("notes.txt", "file"),
        ("A1:C4", "cells"),
        ("ctrl+z", "keys"),
        ("Oslo", "city"),
        ("Comic Sans", "font"),
        ("42", None),
        ("table", None),
    ],
)
def test_a_value_has_the_shape_of_its_like(text: str, shape: str | None) -> None:
    assert shape_of(analyse(text)[0]) == shape


@pytest.mark.parametrize(
    ("request_", "application", "right"),
    [
        ("flight Delhi > Oslo tuesday", None, "city"),
        ("play http://b.net/x.m3u8", "vlc", "stream"),
        ("the text in comic sans", None, "font"),
    ],
)
def test_another_value_of_the_same_kind_finds_the_memory(
    index: Index, request_: str, application: str | None, right: str
) -> None:
    found = find(Ask(request_, application=application), index)

    assert found.candidates[0].memory_id == right
    assert found.accepted is None


def test_of_two_alike_the_one_that_works_in_the_named_program_alone_comes_first(index: Index) -> None:
    found = find(Ask("brighten the picture", application="gimp"), index)

    assert [each.memory_id for each in found.candidates[:2]] == ["bright", "report"]


def test_a_request_without_a_deed_wants_the_thing_there(index: Index) -> None:
    found = find(Ask("table on slide 3", application="impress"), index)

    against = {each.memory_id: {str(point.kind) for point in each.against} for each in found.candidates}
    assert "other_effect" in against["move"]
    assert "other_effect" not in against["insert"]

import sqlite3

import pytest

from memory_store.index import Index, create_tables
from memory_store.retrieval.ranking import make_query
from memory_store.retrieval.terms import analyse
from memory_store.retrieval.wish import Wish, wish


def wished(text: str) -> Wish:
    db = sqlite3.connect(":memory:")
    create_tables(db)
    found = wish(text, (text,), make_query(analyse(text), Index(db)))
    db.close()
    return found


@pytest.mark.parametrize(
    ("text", "again"),
    [
        ("Move the title to the bottom and move the picture to the top", ["picture"]),
        ("Move the title to the bottom", []),
        ("Move the title to the bottom and rename the picture", []),
    ],
)
def test_a_deed_asked_for_again_names_what_else_it_is_for(text: str, again: list[str]) -> None:
    assert [term.form for term in wished(text).again] == again

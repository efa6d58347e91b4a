from hypothesis import given
from hypothesis import strategies as st

from memory_store.retrieval.words import split_words


def texts(text: str) -> list[tuple[str, str]]:
    return [(word.text, word.kind) for word in split_words(text)]


def test_values_are_told_from_words() -> None:
    assert texts("mail bob@x.example A1:C1 by 21:00 as notes.docx") == [
        ("mail", "word"),
        ("bob@x.example", "mail"),
        ("a1:c1", "cells"),
        ("by", "word"),
        ("21:00", "number"),
        ("as", "word"),
        ("notes.docx", "file"),
    ]


def test_a_number_has_one_spelling() -> None:
    for text in ("30%", "30 %", "thirty", "30th"):
        assert texts(text) == [("30", "number")]


def test_an_address_has_one_spelling() -> None:
    assert texts("https://www.news.example/")[0][0] == texts("http://news.example")[0][0] == "news.example"


def test_what_stands_in_quotes_is_marked_and_apostrophes_are_not_quotes() -> None:
    quoted = [
        word.text for word in split_words("it's Anna's 'Do Not Track' and don't \"say so\"") if word.quoted
    ]

    assert quoted == ["do", "not", "track", "say", "so"]


def test_a_capital_inside_a_sentence_is_a_name() -> None:
    names = [word.text for word in split_words("Open Globex. Then call Anna") if word.name]

    assert names == ["globex", "anna"]


@given(text=st.text(max_size=80))
def test_any_text_can_be_cut(text: str) -> None:
    assert all(word.text for word in split_words(text))

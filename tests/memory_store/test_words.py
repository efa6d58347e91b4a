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


def test_a_word_and_its_number_may_be_written_together() -> None:
    assert texts("slide3 p2 gpt4") == [
        *(("slide", "word"), ("3", "number")),
        *(("page", "word"), ("2", "number")),
        *(("gpt", "word"), ("4", "number")),
    ]
    assert texts("mp3 b2 so1024") == [("mp3", "mixed"), ("b2", "mixed"), ("so1024", "mixed")]


def test_a_sheet_has_one_name_however_it_is_written() -> None:
    assert texts("Sheet2") == texts("sheet 2") == [("sheet2", "mixed")]


def test_a_size_is_two_numbers() -> None:
    assert texts("5x2") == texts("5 × 2") == texts("5 by 2")


def test_telephone_numbers_and_dates_are_one_value_and_ranges_are_two() -> None:
    assert texts("(555) 123-4567") == [("5551234567", "phone")]
    assert texts("2024-05-01") == [("2024-05-01", "date")]
    assert texts("2-3") == [("2", "number"), ("3", "number")]
    assert texts("2013-2019") == [("2013", "number"), ("2019", "number")]


def test_quotes_around_an_address_are_no_part_of_it() -> None:
    assert texts('"https://news.example/a"') == texts("https://news.example/a")


def test_a_name_with_a_slash_at_its_end_is_a_folder() -> None:
    assert texts("into a/ and forms/") == [
        ("into", "word"),
        ("a", "mixed"),
        ("folder", "word"),
        ("and", "word"),
        ("forms", "word"),
        ("folder", "word"),
    ]


def test_numbers_in_a_row_are_several_and_thousands_are_one() -> None:
    assert texts("2,3,5 and 50,000") == [
        ("2", "number"),
        (",", "stop"),
        ("3", "number"),
        (",", "stop"),
        ("5", "number"),
        ("and", "word"),
        ("50000", "number"),
    ]

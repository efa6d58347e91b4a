import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_store.retrieval import Searchable
from memory_store.retrieval.reference import best_match, compare, content_terms, intent_score, record_terms

WORDS = ["save", "find", "table", "red", "slide", "tab", "the", "my", "12"]
TEXT = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)


@given(query=TEXT, text=TEXT)
def test_every_part_and_their_mean_lie_between_nought_and_one(query: str, text: str) -> None:
    parts = compare(content_terms(query), content_terms(text))

    assert all(0 <= part <= 1 for part in parts)
    assert parts.score == pytest.approx(sum(parts) / 4)


@given(text=TEXT.filter(lambda text: bool(content_terms(text).ordered)))
def test_a_text_matches_itself_wholly(text: str) -> None:
    assert compare(content_terms(text), content_terms(text)).score == 1


def test_the_four_parts_are_those_of_the_paper() -> None:
    query, text = content_terms("rename blue folder"), content_terms("rename green folder today")

    parts = compare(query, text)

    assert parts.coverage == pytest.approx(2 / 3)
    assert parts.overlap == pytest.approx(2 / 3)
    assert parts.f1 == pytest.approx(4 / 7)
    assert parts.bigrams == 0


def test_verb_variants_case_and_function_words_make_no_difference() -> None:
    assert content_terms("Please STORE the  report").ordered == content_terms("save my report").ordered


def test_the_strongest_key_of_a_memory_and_the_strongest_request_text_count() -> None:
    memory = record_terms(Searchable("m", "Make the sheet wider", ("widen column B",), ("calc",)))

    match = best_match({text: content_terms(text) for text in ("something else", "widen column B")}, memory)

    assert match.score == 1
    assert match.phrase == "widen column B"


def test_application_reasoning_and_effects_can_be_found_too() -> None:
    memory = record_terms(Searchable("m", "Do it", applications=("gimp",), effects=("the layer is gone",)))

    assert intent_score(content_terms("layer gimp"), memory).coverage == 1

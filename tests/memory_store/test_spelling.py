from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_store.retrieval.spelling import correct, parts_of, slips, spelling_keys
from memory_store.retrieval.terms import analyse

WORD = st.text("abcdeiorst", min_size=4, max_size=10)


class Words:
    def __init__(self, *words: str) -> None:
        self.words = set(words)

    def knows(self, stems: Iterable[str]) -> set[str]:
        return self.words.intersection(stems)

    def spelled_like(self, keys: Iterable[str]) -> set[str]:
        wanted = set(keys)
        return {word for word in self.words if wanted & spelling_keys(word)}

    def beginning_with(self, short: str) -> list[str]:
        return sorted(word for word in self.words if word.startswith(short))


@pytest.mark.parametrize("typed", ["notifcation", "notificatoin", "notificationn", "notefication"])
def test_a_slip_is_read_as_the_word_that_was_meant(typed: str) -> None:
    assert correct(typed, Words("notification"), slips_allowed=1) == "notification"


def test_a_word_like_no_other_stays_unread() -> None:
    assert correct("xylophon", Words("globex"), slips_allowed=2) is None


@given(word=WORD, at=st.integers(0, 9), letter=st.sampled_from("abcdeiorst"))
def test_words_one_slip_apart_share_a_spelling_key(word: str, at: int, letter: str) -> None:
    where = at % len(word)
    changed = word[:where] + letter + word[where + 1 :]

    assert slips(word, changed) <= 1
    assert spelling_keys(word) & spelling_keys(changed)


@given(one=WORD, other=WORD)
def test_slips_count_the_same_both_ways(one: str, other: str) -> None:
    assert slips(one, other) == slips(other, one)
    assert (slips(one, other) == 0) == (one == other)


def test_two_words_written_as_one_are_taken_apart() -> None:
    assert parts_of("splitscreen", {"split", "screen"}, set()) == ("split", "screen")
    assert parts_of("splitscreem", {"split", "screen"}, set()) is None


def test_a_small_word_between_two_known_ones_is_found_too() -> None:
    assert parts_of("formatonsave", {"format", "save"}, {"on"}) == ("format", "on", "save")


def test_a_letter_too_many_is_the_likeliest_slip() -> None:
    assert correct("blurr", Words("blur", "blurri"), slips_allowed=1) == "blur"


def test_two_lost_letters_of_a_long_word_are_found_again() -> None:
    assert correct("striktrough", Words(), slips_allowed=1) is None
    assert correct("striktrough", Words(), slips_allowed=2) == "strikethrough"


@pytest.mark.parametrize(("typed", "known"), [("deserve", "reserve"), ("tbird", "third"), ("bight", "right")])
def test_another_letter_in_front_or_a_number_is_no_slip(typed: str, known: str) -> None:
    read = analyse(typed, Words(known))

    assert [term.form for term in read] != [term.form for term in analyse(known)]


def test_two_words_are_not_joined_to_one_of_them() -> None:
    assert [term.form for term in analyse("calendar red", Words("calendar"))] == ["calendar", "red"]


def test_a_name_within_a_sentence_is_not_read_as_another_word() -> None:
    said = analyse("Note the phone of Hooli", vocabulary=Words("hoodi"))
    slip = analyse("Note the phone of hooli", vocabulary=Words("hoodi"))

    assert "hooli" in {term.stem for term in said}
    assert "hoodi" in {term.stem for term in slip}

from collections.abc import Iterable

import pytest

from memory_store.retrieval.terms import analyse


class NoWords:
    def knows(self, stems: Iterable[str]) -> set[str]:
        return set()

    def spelled_like(self, keys: Iterable[str]) -> set[str]:
        return set()

    def beginning_with(self, short: str) -> list[str]:
        return []


def forms(text: str) -> list[str]:
    return [term.form for term in analyse(text, NoWords())]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("turn off the spell check", "switch spell checking off"),
        ("please remove the picture", "photo: get rid of it, por favor"),
        ("zip the folder", "compress this directory, bitte"),
        ("enable word wrap", "soft wrap on"),
        ("reopen a closed tab", "re-open closed tab s'il vous plaît"),
    ],
)
def test_other_words_for_the_same_thing_become_the_same_terms(one: str, other: str) -> None:
    assert set(forms(one)) == set(forms(other))


def test_a_slip_is_read_as_the_word_meant_and_an_everyday_word_is_left_alone() -> None:
    assert "notification" in forms("notifcations")
    assert "clock" not in forms("click on it")


def test_what_is_ruled_out_is_marked() -> None:
    ruled_out = {term.form for term in analyse("download files instead of opening them") if term.excluded}

    assert ruled_out == {"open"}


def test_quoted_words_keep_their_own_spelling() -> None:
    assert [term.form for term in analyse("rename it to 'photo'")][-1] == "photo"


def test_politeness_in_any_tongue_says_nothing() -> None:
    assert forms("bitte danke merci por favor gracias grazie tack please thanks proszę お願いします") == []


@pytest.mark.parametrize("name", ["Visual Studio Code", "VS Code", "vscode", "vscodium"])
def test_a_program_is_one_word_whatever_it_is_called(name: str) -> None:
    assert forms(f"launch {name}") == forms("launch vscode")


def test_somebody_who_passed_has_no_password() -> None:
    assert "password" not in forms("who passed the exam")


def test_from_now_on_is_by_default() -> None:
    assert "default" in forms("from now on every new document")

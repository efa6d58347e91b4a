import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_store.retrieval.stem import root, stem


@pytest.mark.parametrize(
    "family",
    [
        ("save", "saves", "saved", "saving"),
        ("rotate", "rotating", "rotated", "rotation", "rotates"),
        ("copy", "copies", "copied", "copying"),
        ("crop", "cropped", "cropping"),
        ("notification", "notifications"),
        ("horizontal", "horizontally"),
        ("write", "wrote", "written", "writing"),
        ("forget", "forgot", "forgotten"),
    ],
)
def test_inflections_share_a_stem(family: tuple[str, ...]) -> None:
    assert len({stem(word) for word in family}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("note", "not"), ("setting", "set"), ("closing", "close"), ("theme", "them")]
)
def test_words_that_mean_different_things_keep_apart(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@given(word=st.text("abcdefghijklmnopqrstuvwxyz0123456789", max_size=14))
def test_a_stem_is_never_empty_nor_longer_than_its_word(word: str) -> None:
    assert len(stem(word)) <= len(word)
    assert bool(stem(word)) == bool(word)


@pytest.mark.parametrize(
    ("one", "other"), [("vibrant", "vibrancy"), ("delete", "deletion"), ("install", "installation")]
)
def test_words_made_from_one_another_share_a_root(one: str, other: str) -> None:
    assert root(stem(one)) == root(stem(other))

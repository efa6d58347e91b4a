"""Mistyped words: a word nobody knows is read as the one known word a slip away, if there is one."""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from typing import Protocol

from memory_store.retrieval.lexicon import lexicon

SHORTEST = 4
LONG = 7  # from here on two slips are forgiven
SURE = 5  # a shorter word has too many neighbours to be read as another without a second look


class Vocabulary(Protocol):
    """The stems that occur in a library, and how to get at those spelled alike."""

    def knows(self, stems: Iterable[str]) -> set[str]:
        """Those of `stems` that some memory uses."""
        ...

    def spelled_like(self, keys: Iterable[str]) -> set[str]:
        """The stems that share one of these spelling keys."""
        ...

    def beginning_with(self, short: str) -> list[str]:
        """The stems that begin so, those of most memories first."""
        ...


def spelling_keys(word: str) -> set[str]:
    """The word and what is left of it without any one letter: two words a slip apart share a key."""
    if len(word) < SHORTEST or not word.isalpha():
        return set()
    keys = {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}
    return keys | (
        {word[:at] + word[at + 1 : -1] for at in range(len(word) - 1)} if word.endswith("s") else set()
    )


def correct(word: str, vocabulary: Vocabulary, *, slips_allowed: int) -> str | None:
    """The known stem a slip away from an unknown one; `None` where there is none or several as good."""
    keys = spelling_keys(word)
    if not keys:
        return None
    near = _static_keys()
    alike = vocabulary.spelled_like(keys).union(*(near.get(key, ()) for key in keys))
    found = [other for other in alike if not _begins_otherwise(word, other)]
    tries = (word, word.removesuffix("s"))  # the slip may have hidden the plural from the stemmer
    ranked = sorted(
        (
            min(slips(each, other) for each in tries),
            not _doubled(word, other),
            other[0] != word[0],
            -len(other),
            other,
        )
        for other in found
    )
    if not ranked or ranked[0][0] > slips_allowed:
        return _two_letters_short(word) if slips_allowed > 1 else None
    return ranked[0][4]


def _two_letters_short(word: str) -> str | None:
    """A word of our tables that two letters were lost from: no key of one letter less leads to it."""
    alike = [
        (slips(word, other), other)
        for other in _by_beginning().get(word[:2], ())
        if len(other) >= len(word) - 2
    ]
    best = min(alike, default=(3, ""))
    return best[1] if best[0] <= 2 else None


@cache
def _by_beginning() -> dict[str, tuple[str, ...]]:
    """The longer words of our own tables by their first two letters."""
    begun: defaultdict[str, list[str]] = defaultdict(list)
    words = lexicon()
    for word in words.known - words.filler:
        if len(word) > SURE:
            begun[word[:2]].append(word)
    return {letters: tuple(found) for letters, found in begun.items()}


def _begins_otherwise(word: str, other: str) -> bool:
    """Another first letter in the place of the right one: that is another word far more often than a slip."""
    return word[0] != other[0] and word[1:2] == other[1:2] and {word[0], other[0]} not in _ONE_SOUND


def _doubled(word: str, other: str) -> bool:
    """The commonest slip: one letter twice, or once where it belongs twice."""
    return _DOUBLE.sub(r"\1", word) == _DOUBLE.sub(r"\1", other)


_ONE_SOUND = ({"c", "k"}, {"s", "z"}, {"i", "y"}, {"f", "p"})
_DOUBLE = re.compile(r"(.)\1")


def slips(one: str, other: str) -> int:
    """Letters missing, added, changed or swapped with their neighbour (optimal string alignment)."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        here = [i]
        for j, b in enumerate(other, start=1):
            cost = min(row[j] + 1, here[j - 1] + 1, row[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            here.append(cost)
        before, row = row, here
    return row[-1]


def parts_of(word: str, known: set[str], between: set[str]) -> tuple[str, ...] | None:
    """Two known words written as one, the longer first part preferred; or with a small word between them."""
    for at in range(len(word) - 3, 2, -1):
        if word[:at] in known:
            if word[at:] in known:
                return word[:at], word[at:]
            for small in (2, 3):
                rest = word[at + small :]
                if word[at : at + small] in between and len(rest) > 2 and rest in known:
                    return word[:at], word[at : at + small], rest
    return None


@cache
def _static_keys() -> dict[str, tuple[str, ...]]:
    """Spelling keys of every word our own tables know; built when the first slip turns up."""
    keys: defaultdict[str, list[str]] = defaultdict(list)
    words = lexicon()
    for word in words.known - words.filler:
        for key in spelling_keys(word):
            keys[key].append(word)
    return {key: tuple(found) for key, found in keys.items()}

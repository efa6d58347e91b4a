"""The memory's own sentence with something else in one place of it: the same deed on another thing."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memory_store.retrieval.kinds import is_value
from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.objection import Against, Objection
from memory_store.retrieval.ranking import Query, match
from memory_store.retrieval.terms import Term
from memory_store.retrieval.values import replaces
from memory_store.retrieval.view import View

_IN_PLACE = 2  # words of the request that may stand together in one place
_REPLACED = 3  # words of the memory that they may stand for
_OPEN_SHARE = 0.15  # of the request's weight beside them that may be unknown: it is the memory's sentence
_VERBATIM = 3  # words of a key that must all be said where the place is less sure


class Place(NamedTuple):
    """Some words of a request with the ones before and after them."""

    before: Term
    words: tuple[Term, ...]
    after: Term | None


def substitutions(query: Query, memory: View) -> Iterator[Against]:
    """Words that the memory does not have, between two of its words where a key has others."""
    for place in _places(_plain(query.terms), memory):
        close = place.after is not None and not any(_is_near(term, query, memory) for term in place.words)
        if _open(query, memory, place.words) > (_OPEN_SHARE * query.total if close else 0.0):
            continue
        others = (_instead(place, _plain(key), query, verbatim=not close) for key in memory.document.keys)
        other = next((each for each in others if each and memory.behind.terms.keys().isdisjoint(each)), ())
        if other:
            words = tuple(term.form for term in place.words)
            says = f"asked for {' '.join(words)} where the memory has {' '.join(other)}"
            yield Against(Objection.OTHER_EFFECT, says, (*words, *other))


def _plain(terms: Sequence[Term]) -> list[Term]:
    """The words without "all", which is said here and there."""
    return [term for term in terms if term.form != "all"]


def _places(said: Sequence[Term], memory: View) -> Iterator[Place]:
    """Where a word or two stand, after another of the same part of the text, that are not the memory's."""
    start = 0
    for at, term in enumerate((*said, None)):
        if term is not None and _is_strange(term, memory):
            continue
        if 0 < start < at <= start + _IN_PLACE and said[start - 1].clause == said[start].clause:
            yield Place(said[start - 1], tuple(said[start:at]), term)
        start = at + 1


def _is_strange(term: Term, memory: View) -> bool:
    """A thing, surely read, that stands nowhere in the memory; values and deeds are judged elsewhere."""
    thing = term.told == (term.form in lexicon().deeds)
    if not thing or not term.sure or is_value(term) or replaces(term, memory):
        return False
    return not memory.whole.has(term) and not memory.behind.has(term)


def _is_near(term: Term, query: Query, memory: View) -> bool:
    """Whether it may be another word for something of the memory's that the request does not name."""
    near = query.near[term.form].intersection(memory.whole.terms).difference(query.wording.terms)
    return bool(near) or query.roots[term.form] in memory.whole.roots


def _open(query: Query, memory: View, apart: tuple[Term, ...]) -> float:
    """The weight of what else the memory does not have: then the request may be in other words throughout."""
    return sum(
        query.weight[term.form]
        for term in query.terms
        if term not in apart
        and not match(term, query, memory.whole)
        and not match(term, query, memory.behind)
    )


def _instead(place: Place, key: Sequence[Term], query: Query, *, verbatim: bool) -> tuple[str, ...]:
    """What a key has in that place, after the same word and before the same, if the request lacks it."""
    said = query.wording.terms.keys()
    after = place.after.form if place.after is not None else None
    for at in (at + 1 for at, term in enumerate(key) if term.form == place.before.form):
        for stop in range(at + 1, min(at + _REPLACED, len(key)) + 1):
            gap = {term.form: None for term in key[at:stop]}
            ends = (key[stop].form if stop < len(key) else None) == after
            aims = place.words[0].aimed and key[at].aimed
            if (ends or aims) and said.isdisjoint(gap) and not _heads(key, at):
                rest = {term.form for term in key} - gap.keys()
                return tuple(gap) if not verbatim or (len(rest) >= _VERBATIM and said >= rest) else ()
    return ()


def _heads(key: Sequence[Term], at: int) -> bool:
    """Whether the deed of a key stands here; a deed after another is what that one is about."""
    deeds = lexicon().deeds
    return key[at].form in deeds and not any(term.form in deeds for term in key[:at])

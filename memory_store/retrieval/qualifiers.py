"""What the request is limited to, or about, although the deed is the memory's: whose, which, on what."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from memory_store.retrieval.deeds import deeds_on_things
from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.objection import Against, Objection
from memory_store.retrieval.ranking import Query, match
from memory_store.retrieval.stem import stem
from memory_store.retrieval.terms import Term
from memory_store.retrieval.values import is_value
from memory_store.retrieval.view import REMEMBERED, View

_HOW_MANY = frozenset({"all", "only", "current", "default", "automatic", "last", "recent", "blank", "half"})
_PLACES = frozenset({"top", "bottom", "left", "right", "above", "below", "beginning", "ending", "beside"})
_SCOPES = {"all": "current", "current": "all"}


def qualifier_conflicts(query: Query, memory: View) -> Iterator[Against]:
    """Every limit of the request that the memory does not keep, and every object it does not have."""
    yield from _scope(query, memory)
    yield from _limited(query, memory)
    yield from _compound(query, memory)
    yield from _object(query, memory)
    yield from _occasion(query, memory)


def _scope(query: Query, memory: View) -> Iterator[Against]:
    """All of them on one side, the current one on the other."""
    for scope, thing in query.pairs:
        other = _SCOPES.get(scope)
        if other is not None and (other, thing) in memory.pairs and (scope, thing) not in memory.pairs:
            says = f"asked for {scope} {thing}, the memory is for {other} {thing}"
            yield Against(Objection.OTHER_EFFECT, says, (scope, other))


def _limited(query: Query, memory: View) -> Iterator[Against]:
    """Whose, for whom or by what means: a limit of which the memory knows nothing."""
    open_ = [
        term.form
        for term in query.terms
        if term.limits
        and not is_value(term)
        and term.form not in lexicon().deeds
        and _unknown(term, query, memory)
    ]
    if open_:
        yield Against(Objection.OTHER_EFFECT, f"the memory has nothing for {', '.join(open_)}", tuple(open_))


def _unknown(term: Term, query: Query, memory: View) -> bool:
    return not match(term, query, memory.whole) and not match(term, query, memory.behind)


def _compound(query: Query, memory: View) -> Iterator[Against]:
    """A thing of two words of which the memory has one: the font size is not the font."""
    things = lexicon().things
    for form, term in query.wording.terms.items():
        parts = form.split("_")
        whole = " " in term.stem or term.stem == stem(form.replace("_", ""))
        if not whole or form not in things or memory.whole.has(term) or memory.behind.has(term):
            continue
        near = query.near[form].intersection(memory.whole.terms)
        if near and near.issubset(parts):
            says = f"asked for {form}, the memory is about {min(near)}"
            yield Against(Objection.OTHER_EFFECT, says, (form, *near))


def _object(query: Query, memory: View) -> Iterator[Against]:
    """The same deed on another thing: the picture is to be moved, the memory moves the title."""
    done = _objects(memory)
    for deed, thing in _on_things(query.terms):
        others = done.get(deed, frozenset())
        term = query.wording.terms[thing]
        if not others or memory.whole.has(term) or memory.behind.has(term):
            continue
        if thing not in _PLACES and others.isdisjoint(query.near[thing].union(query.wording.terms)):
            says = f"asked to {deed} {thing}, the memory would {deed} {min(others)}"
            yield Against(Objection.OTHER_EFFECT, says, (thing, *others))


@lru_cache(maxsize=REMEMBERED)
def _objects(memory: View) -> dict[str, frozenset[str]]:
    """What each deed of a memory is done to."""
    pairs = {pair for key in memory.keys for pair in _on_things(key.terms.values())}
    return {deed: frozenset(thing for other, thing in pairs if other == deed) for deed, _ in pairs}


def _on_things(terms: Iterable[Term]) -> Iterator[tuple[str, str]]:
    """Each deed with the thing it is done to, how many of it there may be."""
    things = lexicon().things
    named = [term for term in terms if term.form not in _HOW_MANY and not term.form.isdigit()]
    return ((deed, thing) for deed, thing in deeds_on_things(named) if thing in things)


def _occasion(query: Query, memory: View) -> Iterator[Against]:
    """On another occasion: whenever it is opened, and not whenever it is closed."""
    told = _told(memory)
    for form, term in query.wording.terms.items():
        other = [each for each, true in lexicon().rivals.get(form, {}).items() if true and each in told]
        if term.told and other and not memory.whole.has(term) and other[0] not in query.wording.terms:
            says = f"asked for when something is to {form}, the memory is for {other[0]}"
            yield Against(Objection.OTHER_EFFECT, says, (form, other[0]))


@lru_cache(maxsize=REMEMBERED)
def _told(memory: View) -> frozenset[str]:
    """The deeds that a memory only tells of somewhere."""
    return frozenset(term.form for key in memory.document.keys for term in key if term.told)

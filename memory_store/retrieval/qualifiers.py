"""What the request is limited to, or about, although the deed is the memory's: whose, which, on what."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from memory_store.retrieval.deeds import NO_HEAD, deeds_on_things, denials, takes_away
from memory_store.retrieval.kinds import is_value
from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.objection import Against, Objection
from memory_store.retrieval.ranking import Query, match
from memory_store.retrieval.stem import stem
from memory_store.retrieval.terms import Term
from memory_store.retrieval.view import REMEMBERED, View, Wording

_HOW_MANY = frozenset({"all", "only", "current", "default", "automatic", "last", "recent", "blank", "half"})
_PLACES = frozenset({"top", "bottom", "left", "right", "above", "below", "beginning", "ending", "beside"})
_FURTHER = frozenset({"next", "previous"})
_TIMES = frozenset({"minute", "hour", "day", "week", "weekend", "month", "year", "time"})
_SCOPES = frozenset({"all", "current", "last"})


class Marks(NamedTuple):
    """What in a text may limit a deed: each is found once for all the memories it is held against."""

    limits: tuple[Term, ...]
    compounds: tuple[Term, ...]
    objects: tuple[tuple[str, str], ...]
    occasions: tuple[Term, ...]


def qualifier_conflicts(query: Query, memory: View) -> Iterator[Against]:
    """Every limit of the request that the memory does not keep, and every object it does not have."""
    marks = _marks(query.wording)
    yield from _scope(query, memory)
    yield from _some_of(query, memory)
    yield from _without(query, memory)
    yield from _next_one(query, memory)
    yield from _limited(marks.limits, query, memory)
    yield from _compound(marks.compounds, query, memory)
    yield from _object(marks.objects, query, memory)
    yield from _occasion(marks.occasions, query, memory)


@lru_cache(maxsize=REMEMBERED)
def _marks(text: Wording) -> Marks:
    words, terms = lexicon(), tuple(text.terms.values())
    return Marks(
        limits=tuple(
            term for term in terms if term.limits and not is_value(term) and term.form not in words.deeds
        ),
        compounds=tuple(term for term in terms if term.form in words.things and _is_compound(term)),
        objects=tuple(_on_things(terms)),
        occasions=tuple(term for term in terms if term.told and term.form in words.rivals),
    )


def _is_compound(term: Term) -> bool:
    """A thing that was said in several words, or in the same written as one."""
    return "_" in term.form and (" " in term.stem or term.stem == stem(term.form.replace("_", "")))


def _scope(query: Query, memory: View) -> Iterator[Against]:
    """All of them on one side, the current one on the other."""
    mine = _scoped(query.wording)
    if not mine:
        return
    theirs = {pair for key in memory.keys for pair in _scoped(key)}
    for scope, thing in mine:
        alike = {thing, *query.near[thing]}
        strange = not _stands(query.wording.terms[thing], memory)
        other = {one for one, about in theirs if about in alike or strange}
        if other and scope not in other and (scope == "all" or "all" in other):
            says = f"asked for {scope} {thing}, the memory is for {min(other)} {thing}"
            yield Against(Objection.OTHER_EFFECT, says, (scope, *other))


@lru_cache(maxsize=2 * REMEMBERED)
def _scoped(text: Wording) -> frozenset[tuple[str, str]]:
    """Each thing with how many of it are meant: all, the current one, the last, the second."""
    things, found = lexicon().things, set[tuple[str, str]]()
    scope: Term | None = None
    for form, term in text.terms.items():
        if form in _SCOPES or (form.isdigit() and not term.value):
            scope = term
        elif scope is not None and form in things:
            if term.clause == scope.clause:
                found.add((scope.form, form))
            scope = None
    return frozenset(found)


def _some_of(query: Query, memory: View) -> Iterator[Against]:
    """All of a sort where the memory takes all there are: every unread email, every email."""
    for one, two, three in zip(query.terms, query.terms[1:], query.terms[2:], strict=False):
        if one.form == "all" and (one.form, three.form) in memory.pairs and not _stands(two, memory):
            says = f"asked for {two.form} {three.form}, the memory is for all {three.form}"
            yield Against(Objection.OTHER_EFFECT, says, (two.form, three.form))


def _without(query: Query, memory: View) -> Iterator[Against]:
    """Without something that the memory brings along."""
    for word, thing in pairwise(query.terms):
        spared = word.form == "without" and memory.whole.stems.issuperset(thing.stem.split(" "))
        if spared and ("without", thing.form) not in memory.pairs and not denials(memory):
            yield Against(Objection.REVERSED, f"asked for it without {thing.form}", (thing.form,))
    if "without" not in query.wording.forms and not takes_away(query.wording):
        spared_there = {two for one, two in memory.pairs if one == "without"} & query.wording.forms
        spared_there -= memory.behind.forms  # the program's name, which only follows by chance
        if spared_there:
            says = f"the memory does it without {min(spared_there)}"
            yield Against(Objection.REVERSED, says, tuple(spared_there))


def _next_one(query: Query, memory: View) -> Iterator[Against]:
    """The next or the previous one of what the memory takes as it is."""
    for word, thing in pairwise(query.terms):
        further = word.form in _FURTHER and thing.form not in _TIMES | _SCOPES | lexicon().deeds
        if further and word.clause == thing.clause and _stands(thing, memory) and not _stands(word, memory):
            yield Against(Objection.OTHER_EFFECT, f"asked for the {word.form} {thing.form}", (thing.form,))


def _limited(limits: tuple[Term, ...], query: Query, memory: View) -> Iterator[Against]:
    """Whose, for whom or by what means: a limit of which the memory knows nothing."""
    unmet = tuple(
        term.form
        for term in limits
        if not match(term, query, memory.whole) and not match(term, query, memory.behind)
    )
    if unmet:
        yield Against(Objection.OTHER_EFFECT, f"the memory has nothing for {', '.join(unmet)}", unmet)


def _compound(compounds: tuple[Term, ...], query: Query, memory: View) -> Iterator[Against]:
    """A thing of two words of which the memory has one: the font size is not the font."""
    for term in compounds:
        if _stands(term, memory):
            continue
        near = query.near[term.form].intersection(memory.whole.terms)
        if near and near.issubset(term.form.split("_")):
            says = f"asked for {term.form}, the memory is about {min(near)}"
            yield Against(Objection.OTHER_EFFECT, says, (term.form, *near))


def _stands(term: Term, memory: View) -> bool:
    return memory.whole.has(term) or memory.behind.has(term)


def _object(objects: tuple[tuple[str, str], ...], query: Query, memory: View) -> Iterator[Against]:
    """The same deed on another thing: the picture is to be moved, the memory moves the title."""
    done = _objects(memory)
    for deed, thing in objects:
        others = done.get(deed)
        loose = deed in NO_HEAD or lexicon().is_required(thing)
        if others is None or thing in _PLACES or (loose and _stands(query.wording.terms[thing], memory)):
            continue
        if others.isdisjoint(query.wording.terms) and others.isdisjoint(query.near[thing]):
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


def _occasion(occasions: tuple[Term, ...], query: Query, memory: View) -> Iterator[Against]:
    """On another occasion: whenever it is opened, and not whenever it is closed."""
    told = _told(memory) if occasions else frozenset[str]()
    for term in occasions:
        other = [each for each, true in lexicon().rivals[term.form].items() if true and each in told]
        if other and not memory.whole.has(term) and other[0] not in query.wording.terms:
            says = f"asked for when something is to {term.form}, the memory is for {other[0]}"
            yield Against(Objection.OTHER_EFFECT, says, (term.form, other[0]))


@lru_cache(maxsize=REMEMBERED)
def _told(memory: View) -> frozenset[str]:
    """The deeds that a memory only tells of somewhere."""
    return frozenset(term.form for key in memory.document.keys for term in key if term.told)

"""Deeds that do not go together: the reverse of what is wanted, or another deed altogether."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.objection import Against, Objection
from memory_store.retrieval.ranking import Query
from memory_store.retrieval.terms import Term
from memory_store.retrieval.values import flexible_words
from memory_store.retrieval.view import REMEMBERED, View, Wording

OPPOSITE_COST, OTHER_COST, POLARITY_COST = 0.06, 0.03, 0.02  # of the ranking score
UNSTATED_COST = 0.03
_STATES = frozenset({"open", "close", "start", "stop"})
_NEVER_MEANT = frozenset(
    {"move", "delete", "hide", "copy", "duplicate", "swap", "uninstall", "close", "replace"}
)
_LOOKS = frozenset({"open", "show", "search", "preview", "check", "list", "scroll", "log_in"})
_LEAVES = _NEVER_MEANT | {"change", "edit", "save", "export", "download", "upload", "rename", "add", "print"}
ANY_DEED = frozenset({"change", "create", "edit", "allow", "search", "name", "list", "check"})
NO_HEAD = ANY_DEED | {"email", "reply", "count", "sum", "average", "show", "minimum", "maximum", "bookmark"}
_BANS = frozenset({"disable", "stop", "prevent", "block"})
_NEGATIVE = frozenset(
    {"disable", "stop", "prevent", "block", "hide", "mute", "delete", "uninstall", "reject", "uncheck"}
    | {"unmerge", "ungroup", "unfreeze", "unlock", "unprotect", "unpin", "unstar", "unmark", "disconnect"}
)


def deed_conflicts(query: Query, memory: View) -> Iterator[Against]:
    """Every way in which what is to be done differs from what the memory does."""
    yield from _rivals(query, memory)
    yield from _turned(query, memory)
    yield from _polarity(query, memory)
    yield from _forbidden(query, memory)
    yield from _other_deed(query, memory)
    yield from _only_looks(query, memory)
    yield from _unstated(query, memory)
    yield from _only_told(query, memory)


@lru_cache(maxsize=REMEMBERED)
def denials(memory: View) -> int:
    """How many of a memory's texts take something away or want it not to be."""
    return sum(takes_away(key) for key in memory.keys)


def takes_away(text: Wording) -> bool:
    """Whether a text takes something away or wants it not to be."""
    return any(_asks(text.terms[form]) for form in text.forms & _NEGATIVE)


def _asks(term: Term) -> bool:
    """A deed that is asked for: neither ruled out nor told of."""
    return not term.excluded and not term.told


def _rivals(query: Query, memory: View) -> Iterator[Against]:
    """Words of the request whose opposite, or another of their kind, is what the memory says."""
    rivals, loose, free = lexicon().rivals, lexicon().loose, flexible_words(memory)
    for term in query.terms:
        if term.excluded or term.form not in rivals or memory.whole.has(term):
            continue
        said = [
            (other, deed)
            for other, deed in rivals[term.form].items()
            if other in memory.whole.forms
            and other not in query.wording.forms
            and other not in free
            and not (deed and (term.told or memory.whole.terms[other].told))
        ]
        if said:
            deed = any(deed for _, deed in said)
            kind = Objection.OPPOSITE if deed else Objection.OTHER_EFFECT
            words = (term.form, *(other for other, _ in said))
            by_the_way = loose.get(term.form, set()).issuperset(other for other, _ in said)
            cost = OPPOSITE_COST if deed else 0.0 if by_the_way else OTHER_COST
            yield Against(kind, f"asked for {term.form}, the memory does {words[1]}", words, cost)


def _turned(query: Query, memory: View) -> Iterator[Against]:
    """The very thing the request would have one way, a key of the memory has the other way."""
    rivals = lexicon().rivals
    done = _done(memory)
    for deed, thing in _done_to(query.wording):
        opposite = [other for other, true in rivals.get(deed, {}).items() if true and (other, thing) in done]
        if opposite and (deed, thing) not in done:
            says = f"asked to {deed} {thing}, the memory would {opposite[0]} it"
            yield Against(Objection.OPPOSITE, says, (deed, thing), OPPOSITE_COST)


@lru_cache(maxsize=REMEMBERED)
def _done(memory: View) -> frozenset[tuple[str, str]]:
    """What the keys of a memory do to what."""
    return frozenset(pair for key in memory.keys for pair in deeds_on_things(key.terms.values()))


@lru_cache(maxsize=REMEMBERED)
def _done_to(text: Wording) -> tuple[tuple[str, str], ...]:
    """What a request would have done to what."""
    return tuple(deeds_on_things(text.terms.values()))


def deeds_on_things(terms: Iterable[Term]) -> Iterator[tuple[str, str]]:
    """Each deed that is asked for with the first thing named after it in the same part of the text."""
    words = lexicon()
    deed: Term | None = None
    for term in terms:
        if term.form in words.deeds and _asks(term):
            deed = term
        elif deed is not None:
            if term.clause == deed.clause and term.form not in words.deeds:
                yield deed.form, term.form
            deed = None


def _polarity(query: Query, memory: View) -> Iterator[Against]:
    """One side takes away or forbids what the other wants."""
    denied = denials(memory)
    memory_denies = 2 * denied > len(memory.keys)  # one text may forbid something by the way
    taken = query.wording.forms & _NEGATIVE
    asked = [form for form, term in query.wording.terms.items() if form in taken and _asks(term)]
    if memory_denies and not asked:
        yield Against(Objection.OPPOSITE, "the memory takes away what the request wants", cost=POLARITY_COST)
    if asked and not denied:
        says = f"the memory wants what the request would {min(asked)}"
        yield Against(Objection.OPPOSITE, says, tuple(asked), POLARITY_COST)


def _forbidden(query: Query, memory: View) -> Iterator[Against]:
    """The request wants the very deed of the memory not to be done: "stop it from deleting"."""
    barred = _barred(query.wording)
    if not barred or not _BANS.isdisjoint(memory.whole.terms):
        return
    done = {form for form, term in memory.whole.terms.items() if _asks(term)} & barred
    if done:
        says = f"the request forbids to {min(done)}, the memory would"
        yield Against(Objection.OPPOSITE, says, tuple(sorted(done)), OPPOSITE_COST)


@lru_cache(maxsize=REMEMBERED)
def _barred(text: Wording) -> frozenset[str]:
    """The deeds named after a ban in the same part of a text."""
    found: set[str] = set()
    ban: Term | None = None
    for term in text.terms.values():
        if term.form in _BANS and not term.excluded:
            ban = term
        elif ban is not None and ban.clause == term.clause and term.form in lexicon().deeds - ANY_DEED:
            found.add(term.form)
            ban = None
    return frozenset(found)


def _other_deed(query: Query, memory: View) -> Iterator[Against]:
    """What is to be done first is not what any key of the memory does first."""
    wanted, done = _head_deed(query.wording, ANY_DEED), _firsts(memory).brief
    opposed = sorted(deed for deed in done if wanted and deed and lexicon().rivals.get(wanted, {}).get(deed))
    if opposed and wanted not in done:
        yield Against(Objection.OPPOSITE, f"asked to {wanted}, the memory is to {opposed[0]}", (opposed[0],))
    head = _head_deed(query.wording, NO_HEAD)
    heads = _firsts(memory).heads
    if head is not None and heads and head not in heads and query.near[head].isdisjoint(heads):
        says = f"asked to {head}, the memory is about {min(heads)}"
        yield Against(Objection.OTHER_EFFECT, says, (head, *heads))


def _only_looks(query: Query, memory: View) -> Iterator[Against]:
    """To open something is not to change it, nor the other way round."""
    wanted, done = _asked_deeds(query.wording), _asked_deeds(memory.whole)
    heads = _firsts(memory).heads
    if wanted == frozenset({"open"}) and heads and heads <= _LEAVES:
        yield Against(Objection.OTHER_EFFECT, f"asked to open, the memory would {min(heads)}", ("open",))
    left = wanted & _LEAVES
    if left and done and done <= _LOOKS:
        yield Against(Objection.OTHER_EFFECT, f"asked to {min(left)}, the memory only looks", tuple(left))


@lru_cache(maxsize=REMEMBERED)
def _asked_deeds(text: Wording) -> frozenset[str]:
    return frozenset(form for form in text.forms & lexicon().deeds if _asks(text.terms[form]))


def _unstated(query: Query, memory: View) -> Iterator[Against]:
    """A request without a deed ("a table on slide 2") wants the thing there, not moved or taken away."""
    if not lexicon().deeds.isdisjoint(query.wording.forms):
        return
    heads = _firsts(memory).every
    if heads and heads <= _NEVER_MEANT:
        says = f"no deed was asked for, the memory would {min(head for head in heads if head)}"
        yield Against(Objection.OTHER_EFFECT, says, cost=UNSTATED_COST)


def _only_told(query: Query, memory: View) -> Iterator[Against]:
    """What the memory does is a state in the request: "keep what I have open" asks to open nothing."""
    heads = _firsts(memory).heads
    said = query.wording.terms
    if heads and heads <= _STATES and all(form in said and said[form].told for form in heads):
        yield Against(Objection.TOLD, f"{min(heads)} is told of in the request, not asked for", tuple(heads))


def reported_deeds(query: Query, memory: View) -> Iterator[Against]:
    """A request that only reports: what the memory does has been done, or nobody asks for it."""
    told = {form for form, term in query.wording.terms.items() if term.told}
    done = {form for form, term in memory.whole.terms.items() if form in lexicon().deeds and _asks(term)}
    if not told or not told.isdisjoint(done):
        says = "the request tells what was done, and asks for nothing"
        yield Against(Objection.TOLD, says, tuple(sorted(told & done)))


class Firsts(NamedTuple):
    """What the texts of a memory do first: all of them, the short ones, and those that say more than "do"."""

    every: frozenset[str | None]
    brief: frozenset[str | None]
    heads: frozenset[str]


@lru_cache(maxsize=REMEMBERED)
def _firsts(memory: View) -> Firsts:
    heads = (_head_deed(key, NO_HEAD) for key in memory.keys)
    return Firsts(
        every=frozenset(_head_deed(key, ANY_DEED) for key in memory.keys),
        brief=frozenset(_head_deed(key, ANY_DEED) for key in memory.keys[1:] or memory.keys),
        heads=frozenset(head for head in heads if head is not None),
    )


@lru_cache(maxsize=4 * REMEMBERED)
def _head_deed(text: Wording, passed_over: frozenset[str]) -> str | None:
    """The first deed a text asks for that says more than "do"."""
    deeds = lexicon().deeds
    asked = (form for form, term in text.terms.items() if form in deeds and _asks(term))
    return next((form for form in asked if form not in passed_over), None)

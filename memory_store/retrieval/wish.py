"""What a request wants of a memory, read from the request alone."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from memory_store.retrieval.deeds import ANY_DEED
from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.mentions import mentioned_products
from memory_store.retrieval.questions import conditions, is_report
from memory_store.retrieval.ranking import Query
from memory_store.retrieval.reversal import ANY_THING
from memory_store.retrieval.terms import Term, analyse

_BY_THE_WAY = frozenset(  # alternatives that a sentence also has for other reasons
    {"beginning", "ending", "next", "previous", "above", "below", "row", "column", "once", "top"}
    | {"minute", "hour", "day", "week", "month", "year"}
)
_SIDES = frozenset({"center", "justify", "average"})
_AT_ONCE = re.compile(
    r"\b(now|immediately|at once|straight away|right away)\b(?!\s+(on|that)\b)", re.IGNORECASE
)
_CHANGES = frozenset({"change", "convert", "replace", "switch"})
PASSED_OVER = ANY_THING | _BY_THE_WAY


class Part(NamedTuple):
    """A part of a request with a deed of its own, and what it weighs."""

    terms: tuple[Term, ...]
    weight: float


class Wish(NamedTuple):
    """What of a request a memory must answer to: found once for all the memories it is held against."""

    named: tuple[str, ...]
    reported: bool
    given: tuple[Term, ...]
    required: frozenset[str]
    deeds: frozenset[str]
    things: frozenset[str]
    parts: tuple[Part, ...]
    ends: frozenset[str]
    at_once: bool
    again: tuple[Term, ...]


def wish(goal: str, texts: tuple[str, ...], query: Query) -> Wish:
    """What a request names, depends on and wants, part by part; and the words a memory must have too."""
    words, forms = lexicon(), query.wording.forms
    return Wish(
        named=mentioned_products(" . ".join(texts)),
        reported=is_report(goal),
        given=analyse(conditions(goal)),
        required=frozenset(form for form in forms - _BY_THE_WAY if is_mark(form)),
        deeds=forms & words.deeds,
        things=(forms & words.things) - PASSED_OVER,
        parts=tuple(_parts(query)),
        ends=frozenset(_ends(query)),
        again=tuple(_again(query)),
        at_once="automatic" not in forms and _AT_ONCE.search(goal) is not None,
    )


def _again(query: Query) -> Iterator[Term]:
    """What a deed is to be done to as well, that was asked for of something else before."""
    deed: Term | None = None
    begun: dict[str, int] = {}
    for term in query.text:
        if term.form in lexicon().deeds and not term.told and not term.excluded:
            deed = term
            begun.setdefault(term.form, term.clause)
        elif deed is not None:
            if term.clause == deed.clause > begun[deed.form] and term.form in lexicon().things:
                yield term
            deed = None


def _ends(query: Query) -> Iterator[str]:
    """What something is to become, in a part that changes one thing to another."""
    for at, term in enumerate(query.terms):
        if term.aimed and term.sure and not term.told and term.form not in lexicon().deeds:
            before = {each.form for each in query.terms[:at] if each.clause == term.clause}
            if not before.isdisjoint(_CHANGES):
                yield term.form


def is_mark(form: str) -> bool:
    """Tells one thing from others of its kind: a colour, a side, a size."""
    words = lexicon()
    return words.is_required(form) and (form in _SIDES or form not in words.deeds)


def _parts(query: Query) -> Iterator[Part]:
    parts: defaultdict[int, list[Term]] = defaultdict(list)
    for term in query.terms:
        parts[term.clause].append(term)
    for term in query.text:  # a deed that is asked for again, of another thing, is in both parts
        again = term.form in lexicon().deeds and term.clause in parts and not term.told
        if again and all(each.form != term.form for each in parts[term.clause]):
            parts[term.clause].insert(0, term)
    first = min(parts, default=0)
    for terms in parts.values() if len(parts) > 1 else ():
        named = [term.form for term in terms if term.form in lexicon().deeds and not term.told]
        later = bool(named) and terms[0].clause > first  # to make or set something is a deed of its own there
        if later or not ANY_DEED.issuperset(named):
            yield Part(tuple(terms), sum(query.weight[term.form] for term in terms) or 1.0)

"""What speaks against running a memory for a request, although the words look alike."""

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

from memory_store.retrieval.applications import Agreement, agreement
from memory_store.retrieval.deeds import ANY_DEED, NO_HEAD, deed_conflicts, reported_deeds
from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.objection import Against, Objection
from memory_store.retrieval.pairing import pairing_conflicts
from memory_store.retrieval.qualifiers import qualifier_conflicts
from memory_store.retrieval.ranking import Query, key_coverage, match
from memory_store.retrieval.reversal import ANY_THING, reversals
from memory_store.retrieval.stem import stem
from memory_store.retrieval.substitution import substitutions
from memory_store.retrieval.terms import Term
from memory_store.retrieval.values import is_value, replaces, value_conflicts
from memory_store.retrieval.view import REMEMBERED, View, Wording

UNEXPLAINED_SHARE = 0.43  # of the request's weight that may stay unexplained by the memory
PART_SHARE = 0.4  # the same, for a part of the request with a deed of its own
ASKED_SHARE = 0.42  # of a key's weight that the request must ask for
_BY_THE_WAY = frozenset(  # alternatives that a sentence also has for other reasons
    {"beginning", "ending", "next", "previous", "above", "below", "row", "column", "once", "top"}
    | {"minute", "hour", "day", "week", "month", "year"}
)
_SIDES = frozenset({"center", "justify"})
_PASSED_OVER = ANY_THING | _BY_THE_WAY


def contradictions(
    query: Query,
    memory: View,
    *,
    named: tuple[str, ...],
    reported: bool = False,
    given: tuple[Term, ...] = (),
) -> list[Against]:
    """The points against, but those about the request alone; word is held to word where nothing else is."""
    found = [
        *deed_conflicts(query, memory),
        *value_conflicts(query, memory),
        *_unexplained(query, memory),
        *_extra_parts(query, memory),
        *_unasked(query, memory),
        *reversals(query, memory),
        *qualifier_conflicts(query, memory),
        *_depends(given, memory),
        *_elsewhere(named, memory),
        *(reported_deeds(query, memory) if reported else ()),
    ]
    return found or [*pairing_conflicts(query, memory), *substitutions(query, memory)]


def _unexplained(query: Query, memory: View) -> Iterator[Against]:
    """Deeds and things in the request that no word of the memory accounts for."""
    deeds = lexicon().deeds
    own = [term for term in query.terms if not is_value(term) and not replaces(term, memory)]
    weak = {term.form: _missing(term, query, memory) for term in own}
    lost = sum(query.weight[form] * share for form, share in weak.items())
    wordless = tuple(form for form, share in weak.items() if share == 1)
    asked = [form for form in wordless if not query.wording.terms[form].told]
    strange = [form for form in asked if form in deeds and form not in ANY_DEED]
    if strange:
        done = any(form in deeds and not share for form, share in weak.items())
        kind = Objection.EXTRA_EFFECT if done else Objection.OTHER_EFFECT
        yield Against(kind, f"the memory does not {', '.join(strange)}", tuple(strange))
    plain = [
        form
        for form in weak
        if lexicon().is_required(form) and form not in deeds - _SIDES and form not in _BY_THE_WAY
    ]
    if other := [form for form in plain if not _stands_in(query.wording.terms[form], memory)]:
        yield Against(Objection.OTHER_EFFECT, f"the memory knows nothing of {', '.join(other)}", tuple(other))
    if things := [form for form in wordless if _is_thing(query.wording.terms[form])]:
        yield Against(Objection.OTHER_EFFECT, f"the memory is not about {', '.join(things)}", tuple(things))
    if names := [form for form in wordless if query.wording.terms[form].name]:
        yield Against(Objection.FIXED_VALUE, f"the memory has no place for {', '.join(names)}", tuple(names))
    aims = [term.form for term in own if _is_thing(term) and term.aimed and not _stands_in(term, memory)]
    if aims:
        yield Against(Objection.OTHER_EFFECT, f"the memory does not aim at {', '.join(aims)}", tuple(aims))
    if lost > UNEXPLAINED_SHARE * query.total:
        share = lost / query.total
        says = f"{share:.0%} of the request is not in the memory: {', '.join(wordless) or 'only near words'}"
        yield Against(Objection.UNEXPLAINED, says, wordless, share=share)


def _is_thing(term: Term) -> bool:
    return term.form in lexicon().things and term.form not in _PASSED_OVER


def _stands_in(term: Term, memory: View) -> bool:
    return memory.whole.has(term) or memory.behind.has(term)


def _missing(term: Term, query: Query, memory: View) -> float:
    """How much of a term the memory leaves open: nothing, half for a near word, or all of it."""
    if replaces(term, memory):
        return 0.0
    found = max(match(term, query, memory.whole), match(term, query, memory.behind))
    if found == query.weights.near and term.form in lexicon().deeds:
        found *= not query.near[term.form].isdisjoint((memory.whole.terms.keys() & lexicon().deeds) - NO_HEAD)
    return 0.0 if found >= query.weights.unsure and term.sure else 1.0 - found


def _extra_parts(query: Query, memory: View) -> Iterator[Against]:
    """Parts of the request with a deed of their own that the memory has little of."""
    parts: defaultdict[int, list[Term]] = defaultdict(list)
    for term in query.terms:
        parts[term.clause].append(term)
    first = min(parts, default=0)
    for terms in parts.values():
        named = [term.form for term in terms if term.form in lexicon().deeds and not term.told]
        deeds = [form for form in named if form not in ANY_DEED]
        later = bool(named) and terms[0].clause > first  # to make or set something is a deed of its own there
        if (deeds or later) and len(parts) > 1:
            whole = sum(query.weight[term.form] for term in terms) or 1.0
            open_ = sum(query.weight[term.form] * _missing(term, query, memory) for term in terms)
            if open_ > PART_SHARE * whole:
                words = tuple(term.form for term in terms)
                yield Against(Objection.EXTRA_EFFECT, f"beyond the memory: {' '.join(words)}", words)


def _unasked(query: Query, memory: View) -> Iterator[Against]:
    """The memory does more, or something more particular, than the request says."""
    asked = max((key_coverage(query, key, strictly=True) for key in memory.keys), default=0.0)
    if asked < ASKED_SHARE:
        yield Against(Objection.NARROWER, f"only {asked:.0%} of what the memory does was asked for")
    said = query.wording
    unsaid = [term.form for term in _always(memory) if not said.has(term) and term.form not in query.nearby]
    if unsaid:
        yield Against(Objection.NARROWER, f"it would also bring {', '.join(unsaid)}", tuple(unsaid))


@lru_cache(maxsize=REMEMBERED)
def _always(memory: View) -> tuple[Term, ...]:
    """What the memory brings about in whatever words it is told: each of its keys says it."""
    first, *others = memory.keys
    if not others:
        return ()
    return tuple(
        term
        for form, term in first.terms.items()
        if lexicon().is_required(form)
        and form not in _PASSED_OVER
        and form not in lexicon().deeds - _SIDES
        and not term.name
        and not memory.behind.has(term)
        and all(_speaks_of(key, form) for key in others)
    )


def _speaks_of(key: Wording, form: str) -> bool:
    return form in key.terms or not lexicon().related.get(form, frozenset()).isdisjoint(key.terms)


def _depends(given: tuple[Term, ...], memory: View) -> Iterator[Against]:
    """The request makes the deed depend on something that the memory does not look at."""
    unmet = tuple(term.form for term in given if not _stands_in(term, memory))
    if unmet:
        yield Against(Objection.OTHER_EFFECT, f"the memory does not depend on {', '.join(unmet)}", unmet)


def _elsewhere(named: tuple[str, ...], memory: View) -> Iterator[Against]:
    """The request names a program the memory does not work in."""
    for product in named:
        level = agreement(product, memory.document.applications)
        if level in (Agreement.KIN, Agreement.OTHER) and stem(product.split()[-1]) not in memory.whole.stems:
            yield Against(
                Objection.OTHER_APPLICATION, f"the memory does not work in {product}", (product,), 0.15
            )

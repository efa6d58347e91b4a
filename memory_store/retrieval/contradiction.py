"""What speaks against running a memory for a request, although the words look alike."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from memory_store.retrieval.applications import Agreement, agreement
from memory_store.retrieval.deeds import ANY_DEED, NO_HEAD, deed_conflicts, reported_deeds
from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.objection import Against, Objection
from memory_store.retrieval.pairing import pairing_conflicts
from memory_store.retrieval.qualifiers import qualifier_conflicts
from memory_store.retrieval.ranking import Query, key_coverage, match
from memory_store.retrieval.reversal import reversals
from memory_store.retrieval.stem import stem
from memory_store.retrieval.substitution import substitutions
from memory_store.retrieval.terms import Term
from memory_store.retrieval.values import replaces, value_conflicts
from memory_store.retrieval.view import REMEMBERED, View, Wording
from memory_store.retrieval.wish import PASSED_OVER, Wish, is_mark

UNEXPLAINED_SHARE = 0.43  # of the request's weight that may stay unexplained by the memory
PART_SHARE = 0.4  # the same, for a part of the request with a deed of its own
ASKED_SHARE = 0.42  # of a key's weight that the request must ask for


def contradictions(query: Query, wish: Wish, memory: View) -> list[Against]:
    """The points against, but those about the request alone; word is held to word where nothing else is."""
    missing = {term.form: _missing(term, query, memory) for term in query.terms}
    found = [
        *deed_conflicts(query, memory),
        *value_conflicts(query, memory),
        *_unexplained(query, wish, memory, missing),
        *_extra_parts(query, wish, memory, missing),
        *_unasked(query, wish, memory),
        *reversals(query, memory),
        *qualifier_conflicts(query, memory),
        *_depends(wish.given, memory),
        *_elsewhere(wish.named, memory),
        *(reported_deeds(query, memory) if wish.reported else ()),
    ]
    return found or [*pairing_conflicts(query, memory), *substitutions(query, memory)]


def _unexplained(query: Query, wish: Wish, memory: View, missing: Mapping[str, float]) -> Iterator[Against]:
    """Deeds and things in the request that no word of the memory accounts for."""
    own = [term for term in query.terms if term.form not in query.values and not replaces(term, memory)]
    weak = {term.form: term for term in own if missing[term.form]}
    lost = sum([query.weight[form] * missing[form] for form in weak])
    wordless = tuple(form for form in weak if missing[form] == 1)
    strange = [
        form
        for form in wordless
        if form in wish.deeds and form not in ANY_DEED and not query.wording.terms[form].told
    ]
    if strange:
        done = any(term.form in wish.deeds and not missing[term.form] for term in own)
        kind = Objection.EXTRA_EFFECT if done else Objection.OTHER_EFFECT
        yield Against(kind, f"the memory does not {', '.join(strange)}", tuple(strange))
    marks = [term for term in own if term.form in wish.required]
    if other := [term.form for term in marks if not _stands_in(term, memory)]:
        yield Against(Objection.OTHER_EFFECT, f"the memory knows nothing of {', '.join(other)}", tuple(other))
    if things := [form for form in wordless if form in wish.things]:
        yield Against(Objection.OTHER_EFFECT, f"the memory is not about {', '.join(things)}", tuple(things))
    if names := [form for form in wordless if weak[form].name]:
        yield Against(Objection.FIXED_VALUE, f"the memory has no place for {', '.join(names)}", tuple(names))
    aimed = [term for term in own if term.aimed and term.form in wish.things]
    if aims := [term.form for term in aimed if not _stands_in(term, memory)]:
        yield Against(Objection.OTHER_EFFECT, f"the memory does not aim at {', '.join(aims)}", tuple(aims))
    if ends := [form for form in wordless if form in wish.ends]:
        yield Against(Objection.OTHER_EFFECT, f"the memory does not end at {', '.join(ends)}", tuple(ends))
    if lost > UNEXPLAINED_SHARE * query.total:
        share = lost / query.total
        says = f"{share:.0%} of the request is not in the memory: {', '.join(wordless) or 'only near words'}"
        yield Against(Objection.UNEXPLAINED, says, wordless, share=share)


def _stands_in(term: Term, memory: View) -> bool:
    return memory.whole.has(term) or memory.behind.has(term)


def _missing(term: Term, query: Query, memory: View) -> float:
    """How much of a term the memory leaves open: nothing, half for a near word, or all of it."""
    if replaces(term, memory):
        return 0.0
    found = max(match(term, query, memory.whole), match(term, query, memory.behind))
    if found == query.weights.near and term.form in lexicon().deeds:
        found *= not query.near[term.form].isdisjoint(_heads(memory))
    return 0.0 if found >= query.weights.unsure and term.sure else 1.0 - found


@lru_cache(maxsize=REMEMBERED)
def _heads(memory: View) -> frozenset[str]:
    """The deeds of a memory that say more than "do"."""
    return (memory.whole.forms & lexicon().deeds) - NO_HEAD


def _extra_parts(query: Query, wish: Wish, memory: View, missing: Mapping[str, float]) -> Iterator[Against]:
    """Parts of the request with a deed of their own that the memory has little of."""
    if more := tuple(term.form for term in wish.again if not _stands_in(term, memory)):
        yield Against(Objection.EXTRA_EFFECT, f"to be done to more: {', '.join(more)}", more)
    for terms, whole in wish.parts:
        if sum([query.weight[term.form] * missing[term.form] for term in terms]) > PART_SHARE * whole:
            words = tuple(term.form for term in terms)
            yield Against(Objection.EXTRA_EFFECT, f"beyond the memory: {' '.join(words)}", words)


def _unasked(query: Query, wish: Wish, memory: View) -> Iterator[Against]:
    """The memory does more, or something more particular, than the request says."""
    asked = max((key_coverage(query, key, strictly=True) for key in memory.keys), default=0.0)
    if asked < ASKED_SHARE:
        yield Against(Objection.NARROWER, f"only {asked:.0%} of what the memory does was asked for")
    said = query.wording
    unsaid = [term.form for term in _always(memory) if not said.has(term) and term.form not in query.nearby]
    if unsaid:
        yield Against(Objection.NARROWER, f"it would also bring {', '.join(unsaid)}", tuple(unsaid))
    if wish.at_once and "automatic" in memory.whole.forms:
        yield Against(Objection.NARROWER, "it would be done again and again, by itself", ("automatic",))


@lru_cache(maxsize=REMEMBERED)
def _always(memory: View) -> tuple[Term, ...]:
    """What the memory brings about in whatever words it is told: each of its keys says it."""
    first, *others = memory.keys
    if not others:
        return ()
    return tuple(
        term
        for form, term in first.terms.items()
        if is_mark(form)
        and form not in PASSED_OVER
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

"""What speaks against running a memory for a request, although the words look alike."""

from collections.abc import Iterator

from memory_store.retrieval.applications import Agreement, agreement
from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.objection import Against, Objection
from memory_store.retrieval.ranking import Query, key_coverage, match
from memory_store.retrieval.terms import Term
from memory_store.retrieval.values import is_value, value_conflicts
from memory_store.retrieval.view import View

UNEXPLAINED_SHARE = 0.12  # of the request's weight that may stay unexplained by the memory
ASKED_SHARE = 0.55  # of a key's weight that the request must ask for


def contradictions(query: Query, memory: View, *, named: tuple[str, ...]) -> list[Against]:
    """Every point against, of every kind but those about the request alone."""
    return [
        *_rivals(query, memory),
        *value_conflicts(query, memory),
        *_unexplained(query, memory),
        *_unasked(query, memory),
        *_turned_round(query, memory),
        *_elsewhere(named, memory),
    ]


def _rivals(query: Query, memory: View) -> Iterator[Against]:
    """Words of the request whose opposite, or another of their kind, is what the memory says."""
    rivals = lexicon().rivals
    for term in query.terms:
        if term.excluded or term.form not in rivals or memory.whole.has(term):
            continue
        said = [
            (other, deed)
            for other, deed in rivals[term.form].items()
            if other in memory.whole.terms and other not in query.wording.terms
        ]
        if said:
            deed = any(deed for _, deed in said)
            kind = Objection.OPPOSITE if deed else Objection.OTHER_EFFECT
            words = (term.form, *(other for other, _ in said))
            yield Against(kind, f"asked for {term.form}, the memory does {words[1]}", words)


def _unexplained(query: Query, memory: View) -> Iterator[Against]:
    """Deeds and things in the request that no word of the memory accounts for."""
    deeds = lexicon().deeds
    weak = {term.form: _missing(term, query, memory) for term in query.terms if not is_value(term)}
    lost = sum(query.weight[form] * share for form, share in weak.items())
    wordless = tuple(form for form, share in weak.items() if share == 1)
    strange = [form for form in wordless if form in deeds]
    if strange:
        done = any(form in deeds and not share for form, share in weak.items())
        kind = Objection.EXTRA_EFFECT if done else Objection.OTHER_EFFECT
        yield Against(kind, f"the memory does not {', '.join(strange)}", tuple(strange))
    if lost > UNEXPLAINED_SHARE * query.total:
        says = f"{lost / query.total:.0%} of the request is not in the memory"
        yield Against(Objection.UNEXPLAINED, f"{says}: {', '.join(wordless) or 'only near words'}", wordless)


def _missing(term: Term, query: Query, memory: View) -> float:
    """How much of a term the memory leaves open: nothing, half for a near word, or all of it."""
    found = max(match(term, query, memory.whole), match(term, query, memory.behind))
    return 0.0 if found >= query.weights.unsure and term.sure else 1.0 - found


def _unasked(query: Query, memory: View) -> Iterator[Against]:
    """The memory does more, or something more particular, than the request says."""
    asked = max((key_coverage(query, key) for key in memory.keys), default=0.0)
    if asked < ASKED_SHARE:
        yield Against(Objection.NARROWER, f"only {asked:.0%} of what the memory does was asked for")


def _turned_round(query: Query, memory: View) -> Iterator[Against]:
    """What one side wants the other rules out, or source and aim have changed places."""
    swapped = [
        form
        for form, term in query.wording.terms.items()
        if (other := memory.whole.terms.get(form)) is not None and other.excluded != term.excluded
    ]
    if swapped:
        yield Against(Objection.REVERSED, f"ruled out on one side: {swapped[0]}", tuple(swapped))
    for key in memory.keys:
        aims = {form: term.aimed for form, term in query.wording.terms.items() if form in key.terms}
        gained = [form for form, aimed in aims.items() if aimed and not key.terms[form].aimed]
        lost = [form for form, aimed in aims.items() if not aimed and key.terms[form].aimed]
        if gained and lost and any(key.terms[form].aimed for form in key.terms):
            yield Against(
                Objection.REVERSED, f"{lost[0]} and {gained[0]} have changed places", (lost[0], gained[0])
            )
            return


def _elsewhere(named: tuple[str, ...], memory: View) -> Iterator[Against]:
    """The request names a program the memory does not work in."""
    for product in named:
        level = agreement(product, memory.document.applications)
        if level in (Agreement.KIN, Agreement.OTHER) and product.split()[-1] not in memory.whole.stems:
            yield Against(Objection.OTHER_APPLICATION, f"the memory does not work in {product}", (product,))

"""What speaks against running a memory for a request, although the words look alike."""

from collections import defaultdict
from collections.abc import Iterator

from memory_store.retrieval.applications import Agreement, agreement
from memory_store.retrieval.deeds import ANY_DEED, NO_HEAD, deed_conflicts, reported_deeds
from memory_store.retrieval.kinds import value_kind
from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.objection import Against, Objection
from memory_store.retrieval.pairing import pairing_conflicts
from memory_store.retrieval.qualifiers import qualifier_conflicts
from memory_store.retrieval.ranking import Query, key_coverage, match
from memory_store.retrieval.stem import stem
from memory_store.retrieval.terms import Term
from memory_store.retrieval.values import is_value, replaces, value_conflicts
from memory_store.retrieval.view import View

UNEXPLAINED_SHARE = 0.43  # of the request's weight that may stay unexplained by the memory
PART_SHARE = 0.4  # the same, for a part of the request with a deed of its own
ASKED_SHARE = 0.42  # of a key's weight that the request must ask for
_ANY_THING = frozenset(
    {"document", "file", "page", "text", "computer", "screen", "application", "window", "browser", "person"}
    | {
        "all",
        "current",
        "only",
        "setting",
        "automatic",
        "location",
        "word",
        "line",
        "first",
        "last",
        "default",
    }
    | {
        "webpage",
        "spreadsheet",
        "presentation",
        "sheet",
        "slide",
        "picture",
        "video",
        "code",
        "folder",
        "email",
    }
    | {
        "online",
        "under",
        "between",
        "below",
        "above",
        "number",
        "half",
        "free",
        "next",
        "beside",
        "over_limit",
        "under_limit",
    }
)
_BY_THE_WAY = frozenset(  # alternatives that a sentence also has for other reasons
    {"beginning", "ending", "next", "previous", "above", "below", "row", "column", "once", "top"}
    | {"minute", "hour", "day", "week", "month", "year"}
)
_SIDES = frozenset({"center", "justify"})
_PASSED_OVER = _ANY_THING | _BY_THE_WAY


def contradictions(
    query: Query, memory: View, *, named: tuple[str, ...], reported: bool = False
) -> list[Against]:
    """Every point against, of every kind but those about the request alone."""
    return [
        *deed_conflicts(query, memory),
        *value_conflicts(query, memory),
        *_unexplained(query, memory),
        *_extra_parts(query, memory),
        *_unasked(query, memory),
        *_turned_round(query, memory),
        *pairing_conflicts(query, memory),
        *qualifier_conflicts(query, memory),
        *_elsewhere(named, memory),
        *(reported_deeds(query, memory) if reported else ()),
    ]


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
    if things := [form for form in wordless if form in lexicon().things and form not in _PASSED_OVER]:
        yield Against(Objection.OTHER_EFFECT, f"the memory is not about {', '.join(things)}", tuple(things))
    if names := [form for form in wordless if query.wording.terms[form].name]:
        yield Against(Objection.FIXED_VALUE, f"the memory has no place for {', '.join(names)}", tuple(names))
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
        later = "create" in named and terms[0].clause > first  # to make something is a deed of its own there
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


def _turned_round(query: Query, memory: View) -> Iterator[Against]:
    """What one side wants the other rules out, or source and aim have changed places."""
    swapped = [
        form
        for form, term in query.wording.terms.items()
        if (other := memory.whole.terms.get(form)) is not None
        and other.excluded != term.excluded
        and form not in _ANY_THING
    ]
    if swapped:
        yield Against(Objection.REVERSED, f"ruled out on one side: {swapped[0]}", tuple(swapped))
    yield from _other_aim(query, memory)
    yield from _other_way(query, memory)
    convert = "convert" in query.wording.terms
    for key in memory.keys:
        aims = {form: term.aimed for form, term in query.wording.terms.items() if form in key.terms}
        gained = [form for form, aimed in aims.items() if aimed and not key.terms[form].aimed]
        lost = [form for form, aimed in aims.items() if not aimed and key.terms[form].aimed]
        if gained and lost and (convert or _of_one_kind(key.terms[gained[0]], key.terms[lost[0]])):
            yield Against(
                Objection.REVERSED, f"{lost[0]} and {gained[0]} have changed places", (lost[0], gained[0])
            )
            return


def _other_aim(query: Query, memory: View) -> Iterator[Against]:
    """What the request aims at is where the memory starts from: to upper case, but from upper to lower."""
    rivals = lexicon().rivals
    for form, term in query.wording.terms.items():
        if not term.aimed or form not in rivals or not rivals[form].keys().isdisjoint(query.wording.terms):
            continue
        for key in memory.keys:
            ends = [other for other in rivals[form] if other in key.terms and key.terms[other].aimed]
            if form in key.terms and not key.terms[form].aimed and ends:
                says = f"asked for {form}, the memory goes from {form} to {ends[0]}"
                yield Against(Objection.REVERSED, says, (form, ends[0]))
                return


def _other_way(query: Query, memory: View) -> Iterator[Against]:
    """From here to there, and not from there to here."""
    terms = query.wording.terms
    for key in memory.keys:
        back = [
            form
            for form, term in terms.items()
            if term.source and form in key.terms and key.terms[form].aimed
        ]
        forth = [
            form
            for form, term in terms.items()
            if term.aimed and form in key.terms and key.terms[form].source
        ]
        if back and forth:
            says = f"asked from {back[0]} to {forth[0]}, the memory goes the other way"
            yield Against(Objection.REVERSED, says, (back[0], forth[0]))
            return


def _of_one_kind(one: Term, other: Term) -> bool:
    """Two words that could stand in each other's place: two values of a kind, two names, two colours."""
    alike = value_kind(one) == value_kind(other) and one.name == other.name
    return (is_value(one) and is_value(other) and alike) or other.form in lexicon().rivals.get(one.form, {})


def _elsewhere(named: tuple[str, ...], memory: View) -> Iterator[Against]:
    """The request names a program the memory does not work in."""
    for product in named:
        level = agreement(product, memory.document.applications)
        if level in (Agreement.KIN, Agreement.OTHER) and stem(product.split()[-1]) not in memory.whole.stems:
            yield Against(
                Objection.OTHER_APPLICATION, f"the memory does not work in {product}", (product,), 0.15
            )

"""What speaks against running a memory for a request, although the words look alike."""

from collections import defaultdict
from collections.abc import Iterator

from memory_store.retrieval.applications import Agreement, agreement
from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.objection import Against, Objection
from memory_store.retrieval.ranking import Query, key_coverage, match
from memory_store.retrieval.stem import stem
from memory_store.retrieval.terms import Term
from memory_store.retrieval.values import is_value, value_conflicts
from memory_store.retrieval.view import View, Wording

UNEXPLAINED_SHARE = 0.43  # of the request's weight that may stay unexplained by the memory
OPPOSITE_COST, OTHER_COST, POLARITY_COST = 0.06, 0.03, 0.02  # of the ranking score
PART_SHARE = 0.4  # the same, for a part of the request with a deed of its own
ASKED_SHARE = 0.42  # of a key's weight that the request must ask for
_NEGATIVE = frozenset(
    {"disable", "stop", "prevent", "block", "hide", "mute", "delete", "uninstall", "reject", "uncheck"}
    | {"unmerge", "ungroup", "unfreeze", "unlock", "unprotect", "unpin", "unstar", "unmark", "disconnect"}
)
_ANY_DEED = frozenset({"change", "create", "edit", "allow", "search", "name", "list", "check"})
_ANY_THING = frozenset(
    {
        "document",
        "file",
        "page",
        "text",
        "computer",
        "screen",
        "application",
        "window",
        "browser",
        "person",
        "all",
    }
    | {
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
        "webpage",
    }
    | {
        "spreadsheet",
        "presentation",
        "sheet",
        "slide",
        "picture",
        "video",
        "code",
        "folder",
        "email",
        "online",
    }
)
_NO_HEAD = _ANY_DEED | {"email", "reply", "count", "sum", "average", "show", "minimum", "maximum", "bookmark"}


def contradictions(query: Query, memory: View, *, named: tuple[str, ...]) -> list[Against]:
    """Every point against, of every kind but those about the request alone."""
    return [
        *_rivals(query, memory),
        *_polarity(query, memory),
        *_other_deed(query, memory),
        *value_conflicts(query, memory),
        *_unexplained(query, memory),
        *_extra_parts(query, memory),
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
            cost = OPPOSITE_COST if deed else OTHER_COST
            yield Against(kind, f"asked for {term.form}, the memory does {words[1]}", words, cost)


def _polarity(query: Query, memory: View) -> Iterator[Against]:
    """One side takes away or forbids what the other wants."""
    denied = sum(not _NEGATIVE.isdisjoint(key.terms) for key in memory.keys)
    memory_denies = 2 * denied > len(memory.keys)  # one text may forbid something by the way
    asked = _NEGATIVE.intersection(form for form, term in query.wording.terms.items() if not term.excluded)
    if memory_denies and not asked:
        yield Against(Objection.OPPOSITE, "the memory takes away what the request wants", cost=POLARITY_COST)
    if asked and not denied:
        says = f"the memory wants what the request would {min(asked)}"
        yield Against(Objection.OPPOSITE, says, tuple(asked), POLARITY_COST)


def _other_deed(query: Query, memory: View) -> Iterator[Against]:
    """What is to be done first is not what any key of the memory does first."""
    brief = memory.keys[1:] or memory.keys
    wanted, done = _head_deed(query.wording, _ANY_DEED), {_head_deed(key, _ANY_DEED) for key in brief}
    opposed = sorted(deed for deed in done if wanted and deed and lexicon().rivals.get(wanted, {}).get(deed))
    if opposed and wanted not in done:
        yield Against(Objection.OPPOSITE, f"asked to {wanted}, the memory is to {opposed[0]}", (opposed[0],))
    head = _head_deed(query.wording, _NO_HEAD)
    heads = {found for key in memory.keys if (found := _head_deed(key, _NO_HEAD)) is not None}
    if head is not None and heads and head not in heads and query.near[head].isdisjoint(heads):
        yield Against(
            Objection.OTHER_EFFECT, f"asked to {head}, the memory is about {min(heads)}", (head, *heads)
        )


def _head_deed(text: Wording, passed_over: frozenset[str]) -> str | None:
    """The first deed a text names that says more than "do"."""
    deeds = lexicon().deeds
    return next(
        (form for form, term in text.terms.items() if form in deeds - passed_over and not term.excluded), None
    )


def _unexplained(query: Query, memory: View) -> Iterator[Against]:
    """Deeds and things in the request that no word of the memory accounts for."""
    deeds = lexicon().deeds
    weak = {term.form: _missing(term, query, memory) for term in query.terms if not is_value(term)}
    lost = sum(query.weight[form] * share for form, share in weak.items())
    wordless = tuple(form for form, share in weak.items() if share == 1)
    strange = [form for form in wordless if form in deeds and form not in _ANY_DEED]
    if strange:
        done = any(form in deeds and not share for form, share in weak.items())
        kind = Objection.EXTRA_EFFECT if done else Objection.OTHER_EFFECT
        yield Against(kind, f"the memory does not {', '.join(strange)}", tuple(strange))
    plain = [form for form in weak if form in lexicon().rivals and form not in deeds]
    if other := [form for form in plain if not _stands_in(query.wording.terms[form], memory)]:
        yield Against(Objection.OTHER_EFFECT, f"the memory knows nothing of {', '.join(other)}", tuple(other))
    if things := [form for form in wordless if form in lexicon().things and form not in _ANY_THING]:
        yield Against(Objection.OTHER_EFFECT, f"the memory is not about {', '.join(things)}", tuple(things))
    if names := [form for form in wordless if query.wording.terms[form].name]:
        yield Against(Objection.FIXED_VALUE, f"the memory has no place for {', '.join(names)}", tuple(names))
    if lost > UNEXPLAINED_SHARE * query.total:
        says = f"{lost / query.total:.0%} of the request is not in the memory"
        yield Against(Objection.UNEXPLAINED, f"{says}: {', '.join(wordless) or 'only near words'}", wordless)


def _stands_in(term: Term, memory: View) -> bool:
    return memory.whole.has(term) or memory.behind.has(term)


def _missing(term: Term, query: Query, memory: View) -> float:
    """How much of a term the memory leaves open: nothing, half for a near word, or all of it."""
    found = max(match(term, query, memory.whole), match(term, query, memory.behind))
    if found == query.weights.near and term.form in lexicon().deeds:
        found *= not query.near[term.form].isdisjoint(memory.whole.terms.keys() & lexicon().deeds)
    return 0.0 if found >= query.weights.unsure and term.sure else 1.0 - found


def _extra_parts(query: Query, memory: View) -> Iterator[Against]:
    """Parts of the request with a deed of their own that the memory has little of."""
    parts: defaultdict[int, list[Term]] = defaultdict(list)
    for term in query.terms:
        parts[term.clause].append(term)
    for terms in parts.values():
        deeds = [term.form for term in terms if term.form in lexicon().deeds and term.form not in _ANY_DEED]
        if deeds and len(parts) > 1:
            whole = sum(query.weight[term.form] for term in terms) or 1.0
            open_ = sum(query.weight[term.form] * _missing(term, query, memory) for term in terms)
            if open_ > PART_SHARE * whole:
                words = tuple(term.form for term in terms)
                yield Against(Objection.EXTRA_EFFECT, f"beyond the memory: {' '.join(words)}", words)


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
        if gained and lost and _of_one_kind(key.terms[gained[0]], key.terms[lost[0]]):
            yield Against(
                Objection.REVERSED, f"{lost[0]} and {gained[0]} have changed places", (lost[0], gained[0])
            )
            return


def _of_one_kind(one: Term, other: Term) -> bool:
    """Two words that could stand in each other's place: two values, two names, two colours."""
    return (is_value(one) and is_value(other)) or other.form in lexicon().rivals.get(one.form, {})


def _elsewhere(named: tuple[str, ...], memory: View) -> Iterator[Against]:
    """The request names a program the memory does not work in."""
    for product in named:
        level = agreement(product, memory.document.applications)
        if level in (Agreement.KIN, Agreement.OTHER) and stem(product.split()[-1]) not in memory.whole.stems:
            yield Against(
                Objection.OTHER_APPLICATION, f"the memory does not work in {product}", (product,), 0.15
            )

"""The same words the other way round: wanted and ruled out, source and aim in each other's place."""

from collections.abc import Iterator

from memory_store.retrieval.kinds import is_value, value_kind
from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.objection import Against, Objection
from memory_store.retrieval.ranking import Query
from memory_store.retrieval.terms import Term
from memory_store.retrieval.view import View

ANY_THING = frozenset(
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


def reversals(query: Query, memory: View) -> Iterator[Against]:
    """What one side wants the other rules out, or source and aim have changed places."""
    swapped = [
        form
        for form, term in query.wording.terms.items()
        if (other := memory.whole.terms.get(form)) is not None
        and other.excluded != term.excluded
        and form not in ANY_THING
    ]
    if swapped:
        yield Against(Objection.REVERSED, f"ruled out on one side: {swapped[0]}", tuple(swapped))
    aims = any(term.aimed for term in query.terms)
    if aims:
        yield from _other_aim(query, memory)
    if any(term.source for term in query.terms):
        yield from _other_way(query, memory)
    if aims:
        yield from _changed_places(query, memory)


def _changed_places(query: Query, memory: View) -> Iterator[Against]:
    """What the request aims at the memory starts from, and the other way round."""
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
            if term.source and form in key.terms and not key.terms[form].source
        ]
        forth = [
            form
            for form, term in terms.items()
            if not term.source and form in key.terms and key.terms[form].source
        ]
        if back and forth:
            says = f"asked from {back[0]} to {forth[0]}, the memory goes the other way"
            yield Against(Objection.REVERSED, says, (back[0], forth[0]))
            return


def _of_one_kind(one: Term, other: Term) -> bool:
    """Two words that could stand in each other's place: two values of a kind, two names, two colours."""
    alike = value_kind(one) == value_kind(other) and one.name == other.name
    return (is_value(one) and is_value(other) and alike) or other.form in lexicon().rivals.get(one.form, {})

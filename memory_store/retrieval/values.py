"""Values: those a memory fixes and a request changes, and those a declared input may take up."""

import re
from functools import lru_cache

from memory_store.retrieval.kinds import is_value, value_kind
from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.objection import Against, Objection
from memory_store.retrieval.ranking import Query
from memory_store.retrieval.searchable import FlexibleValue
from memory_store.retrieval.stem import stem
from memory_store.retrieval.terms import Term, analyse
from memory_store.retrieval.view import REMEMBERED, View, Wording

UNASKED_COST = 0.015  # of the ranking score: between two memories, the one that does only what was asked
_TAKES_ANYTHING = frozenset({"text", "search_term", "filename", "secret"})


def value_conflicts(query: Query, memory: View) -> list[Against]:
    """Values without a place, inputs without a value, and values nobody asked for."""
    flexible = memory.document.flexible
    unmet = [slot for slot in flexible if not _said(slot, query.wording)]
    left = _unplaced([term for term in query.terms if _is_new(term, query, memory)], unmet)
    unmet = [
        slot for slot in unmet if _said(slot, memory.whole)
    ]  # a general intent leaves them to the caller
    against: list[Against] = []
    if left:
        words = tuple(term.stem for term in left)
        says = f"the memory has no place for {', '.join(words)}"
        against.append(Against(Objection.FIXED_VALUE, says, words))
    if unmet:
        names = tuple(slot.name for slot in unmet)
        against.append(Against(Objection.NARROWER, f"no value for its inputs {', '.join(names)}", names))
    if unsaid := _unsaid(query, memory):
        says = f"it would also set what was not asked for: {', '.join(unsaid)}"
        against.append(Against(Objection.NARROWER, says, unsaid, UNASKED_COST))
    return against


@lru_cache(maxsize=REMEMBERED)
def flexible_words(memory: View) -> frozenset[str]:
    """The words of the values that inputs were recorded with: another of their kind may take their place."""
    return frozenset(term.form for slot in memory.document.flexible for term in analyse(slot.value))


def replaces(term: Term, memory: View) -> bool:
    """A word that stands where an input's recorded word stood: blue for red, June for March."""
    free = flexible_words(memory)
    return bool(free) and not free.isdisjoint(lexicon().rivals.get(term.form, ()))


def _is_new(term: Term, query: Query, memory: View) -> bool:
    """A value of the request that stands nowhere in the memory, neither in words nor typed."""
    filled = term.form in query.values or term.form.isdigit() or replaces(term, memory)
    if not filled or _is_part(term):
        return False
    return not (memory.whole.has(term) or memory.behind.has(term) or term.stem in memory.document.fixed)


def _is_part(term: Term) -> bool:
    """A word of a file's name, or its ending: it stands for itself beside the whole name."""
    return term.value and term.form.isalpha()


def _said(slot: FlexibleValue, text: Wording) -> bool:
    """Whether a text names the very value the input was recorded with."""
    terms = analyse(slot.value)
    return bool(terms) and all(text.has(term) for term in terms)


def _unplaced(new: list[Term], unmet: list[FlexibleValue]) -> list[Term]:
    """What is left when each new value took the input most like it; such inputs leave `unmet`.

    Numbers, dates, addresses and files choose before words do. Neighbouring words may share one text
    input ("Initech Ltd"), the parts of a date one date ("14 June 2025").
    """
    left: list[Term] = []
    taken: tuple[FlexibleValue, Term] | None = None
    for term in sorted(new, key=lambda each: not each.value):
        if taken is not None and _shares(*taken, term):
            continue
        slot = _place(term, unmet)
        taken = (slot, term) if slot is not None else None
        if slot is None:
            left.append(term)
    return left


def _shares(slot: FlexibleValue, before: Term, term: Term) -> bool:
    """Whether a value belongs to the input that the one before it took."""
    if slot.kind == "date":
        return _takes("date", term)
    return not before.value and not term.value and not term.aimed and slot.kind in _TAKES_ANYTHING


def _place(term: Term, unmet: list[FlexibleValue]) -> FlexibleValue | None:
    """The open input that takes the value, the one of its kind or recorded with its like first."""
    fitting = [slot for slot in unmet if _takes(slot.kind, term)]
    if not fitting:
        return None
    best = max(fitting, key=lambda slot: _likeness(slot, term))
    unmet.remove(best)
    return best


def _likeness(slot: FlexibleValue, term: Term) -> int:
    """How much an input is made for a value: by its kind, and by what it was recorded with."""
    example = analyse(slot.value)
    kind = value_kind(term)
    alike = any(each.value == term.value and value_kind(each) == kind for each in example)
    return 2 * alike + (slot.kind == kind)


def _takes(slot: str, term: Term) -> bool:
    """Whether an input of this kind can hold the value."""
    kind = value_kind(term)
    if slot == "date" and kind in ("number", "text"):
        return term.value or term.form in lexicon().rivals
    return slot == kind or slot in _TAKES_ANYTHING


def _unsaid(query: Query, memory: View) -> tuple[str, ...]:
    """Values at the heart of the memory that the request leaves out."""
    said = query.wording
    return tuple(
        sorted(term.form for term in _heart(memory) if not said.has(term) and not _hinted(term, said))
    )


def _hinted(term: Term, said: Wording) -> bool:
    """A file whose name is said in words ("the receipt as pdf"), or a default name ("a sheet")."""
    if not term.value:
        return False
    parts = [stem(part) for part in re.split(r"[^a-z]+", term.form) if part]
    named = all(part in said.stems or part in said.terms for part in parts)
    return (
        bool(parts)
        and named
        and (_NAMED_FILE if "." in term.form else _DEFAULT_NAME).fullmatch(term.form) is not None
    )


_NAMED_FILE = re.compile(r"[a-z_-]+\.[a-z0-9]+")
_DEFAULT_NAME = re.compile(r"[a-z]+\d")


@lru_cache(maxsize=REMEMBERED)
def _heart(memory: View) -> tuple[Term, ...]:
    """The values in the memory's intent that a phrase repeats; what an input may change is none."""
    first, *others = memory.keys or (memory.whole,)
    free = {term.stem for slot in memory.document.flexible for term in analyse(slot.value)}
    return tuple(
        term
        for term in first.terms.values()
        if term.stem not in free
        and _fixes(term, memory)
        and (not others or any(other.has(term) for other in others))
    )


def _fixes(term: Term, memory: View) -> bool:
    """A value the memory is about; the name of its program and the parts of a file's name are none."""
    words = lexicon()
    known = term.form in words.things or term.form in words.deeds or term.form in words.rivals
    named = term.name and not known
    return (is_value(term) or named) and not _is_part(term) and not memory.behind.has(term)

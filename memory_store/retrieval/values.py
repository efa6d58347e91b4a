"""Values: those a memory fixes and a request changes, and those a declared input may take up."""

import re

from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.objection import Against, Objection
from memory_store.retrieval.ranking import Query
from memory_store.retrieval.searchable import FlexibleValue
from memory_store.retrieval.terms import Term, analyse
from memory_store.retrieval.view import View

_KIND_OF = (
    ("email", re.compile(r".+@.+\..+")),
    ("url", re.compile(r"[\w-]+(\.[\w-]+)+(/.*)?|.*://.*")),
    ("date", re.compile(r"\d{1,4}[./:-]\d{1,2}([./-]\d{1,4})?")),
    ("number", re.compile(r"[\d.,:%-]+")),
    ("filename", re.compile(r".+\.\w{1,5}")),
)
_TAKES_ANYTHING = frozenset({"text", "search_term", "filename", "secret"})


def value_conflicts(query: Query, memory: View) -> list[Against]:
    """Values of the request the memory does not have, and values it has that nobody asked for."""
    slots = _slots(memory.document.flexible)
    free = {term.stem for slot in memory.document.flexible for term in analyse(slot.value)}
    new = [
        term for term in query.terms if (is_value(term) or term.form.isdigit()) and not _known(term, memory)
    ]
    bound, left = _bind(new, slots)
    against: list[Against] = []
    if left:
        words = tuple(term.stem for term in left)
        against.append(
            Against(Objection.FIXED_VALUE, f"the memory has no place for {', '.join(words)}", words)
        )
    if not bound and (unsaid := _unsaid(query, memory, free)):
        says = f"it would also set what was not asked for: {', '.join(unsaid)}"
        against.append(Against(Objection.NARROWER, says, unsaid))
    return against


def is_value(term: Term) -> bool:
    """Something a request fills in: a number, a file, a quotation, a name."""
    return (
        term.value
        or term.quoted
        or (term.name and term.form == term.stem and term.form not in lexicon().known)
    )


def _fixes(term: Term, memory: View) -> bool:
    """A value the memory is about; the name of its program and the parts of a file's name are none."""
    part_of_name = term.value and term.form.isalpha()
    words = lexicon()
    named = term.name and term.form not in words.things | words.deeds | words.rivals.keys()
    return (is_value(term) or named) and not part_of_name and not memory.behind.has(term)


def _known(term: Term, memory: View) -> bool:
    return memory.whole.has(term) or memory.behind.has(term)


def _slots(flexible: tuple[FlexibleValue, ...]) -> list[str]:
    return [slot.kind for slot in flexible]


def _bind(new: list[Term], slots: list[str]) -> tuple[list[Term], list[Term]]:
    """Each new value to a declared input of its kind; neighbouring words may share one text input."""
    open_slots = list(slots)
    bound: list[Term] = []
    left: list[Term] = []
    shared = False
    for term in new:
        kind = next((slot for slot in open_slots if _takes(slot, term)), None)
        if kind is not None:
            open_slots.remove(kind)
            bound.append(term)
            shared = kind in _TAKES_ANYTHING
        elif shared and not term.value:
            bound.append(term)
        else:
            left.append(term)
    return bound, left


def _takes(slot: str, term: Term) -> bool:
    """Whether an input of this kind can hold the value."""
    kind = next((name for name, shape in _KIND_OF if term.value and shape.fullmatch(term.stem)), "text")
    return slot == kind or (slot in _TAKES_ANYTHING and kind in ("text", "number", "filename", "date"))


def _unsaid(query: Query, memory: View, free: set[str]) -> tuple[str, ...]:
    """Values at the heart of the memory (in its intent and in a phrase) that the request leaves out."""
    first, *others = memory.keys or (memory.whole,)
    heart = {
        form
        for form, term in first.terms.items()
        if _fixes(term, memory) and (not others or any(other.has(term) for other in others))
    }
    heart |= memory.document.fixed
    missing = [form for form in heart if form not in free and not query.wording.has(Term(form, form))]
    return tuple(sorted(missing))

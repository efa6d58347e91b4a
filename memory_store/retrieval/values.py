"""Values: those a memory fixes and a request changes, and those a declared input may take up."""

import re
from functools import lru_cache

from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.objection import Against, Objection
from memory_store.retrieval.ranking import Query
from memory_store.retrieval.searchable import FlexibleValue
from memory_store.retrieval.stem import stem
from memory_store.retrieval.terms import Term, analyse
from memory_store.retrieval.view import REMEMBERED, View, Wording

_KIND_OF = (
    ("email", re.compile(r".+@.+\..+")),
    ("url", re.compile(r"[\w-]+(\.[\w-]+)+(/.*)?|.*://.*")),
    ("date", re.compile(r"\d{1,4}[./:-]\d{1,2}([./-]\d{1,4})?")),
    ("number", re.compile(r"\+?[\d.,:%-]+")),
    ("filename", re.compile(r".+\.\w{1,5}")),
)
_TAKES_ANYTHING = frozenset({"text", "search_term", "filename", "secret"})


def value_conflicts(query: Query, memory: View) -> list[Against]:
    """Values without a place, inputs without a value, and values nobody asked for."""
    flexible = memory.document.flexible
    unmet = [slot for slot in flexible if not _said(slot, query.wording)]
    left = _unplaced([term for term in query.terms if _is_new(term, memory)], unmet)
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
        against.append(Against(Objection.NARROWER, says, unsaid))
    return against


def is_value(term: Term) -> bool:
    """Something a request fills in: a number, a file, a quotation, a name."""
    unknown_name = term.name and term.form == term.stem and term.form not in lexicon().known
    return term.value or term.quoted or unknown_name


def _is_new(term: Term, memory: View) -> bool:
    """A value of the request that stands nowhere in the memory, neither in words nor typed."""
    known = memory.whole.has(term) or memory.behind.has(term) or term.stem in memory.document.fixed
    return (is_value(term) or term.form.isdigit()) and not known


def _said(slot: FlexibleValue, text: Wording) -> bool:
    """Whether a text names the very value the input was recorded with."""
    terms = analyse(slot.value)
    return bool(terms) and all(text.has(term) for term in terms)


def _unplaced(new: list[Term], unmet: list[FlexibleValue]) -> list[Term]:
    """What is left when each new value took an input of its kind; such inputs leave `unmet`.

    Neighbouring words may share one text input ("Initech Ltd").
    """
    left: list[Term] = []
    shared = False
    for term in new:
        if shared and not term.value and not term.aimed:
            continue
        slot = next((slot for slot in unmet if _takes(slot.kind, term)), None)
        if slot is not None:
            unmet.remove(slot)
            shared = slot.kind in _TAKES_ANYTHING
        else:
            left.append(term)
    return left


def value_kind(term: Term) -> str:
    """The kind of input that a value looks made for."""
    return next((name for name, shape in _KIND_OF if term.value and shape.fullmatch(term.stem)), "text")


def _takes(slot: str, term: Term) -> bool:
    """Whether an input of this kind can hold the value."""
    kind = value_kind(term)
    return slot == kind or (slot in _TAKES_ANYTHING and kind in ("text", "number", "filename", "date"))


def _unsaid(query: Query, memory: View) -> tuple[str, ...]:
    """Values at the heart of the memory that the request leaves out."""
    said = query.wording
    return tuple(sorted(term.form for term in _heart(memory) if not said.has(term) and not _hinted(term, said)))


def _hinted(term: Term, said: Wording) -> bool:
    """A file whose name is said in words ("the receipt as pdf"), a default name of what is new ("a sheet")."""
    if not term.value:
        return False
    parts = [stem(part) for part in re.split(r"[^a-z]+", term.form) if part]
    named = all(part in said.stems or part in said.terms for part in parts)
    return bool(parts) and named and (_NAMED_FILE if "." in term.form else _DEFAULT_NAME).fullmatch(term.form) is not None


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
    part_of_name = term.value and term.form.isalpha()
    words = lexicon()
    known = term.form in words.things or term.form in words.deeds or term.form in words.rivals
    named = term.name and not known
    return (is_value(term) or named) and not part_of_name and not memory.behind.has(term)

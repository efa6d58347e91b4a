"""A document's words as sets, key by key: what ranking and the contradiction checks look things up in."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from memory_store.retrieval.document import Document
from memory_store.retrieval.kinds import shape_of
from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.reference import RecordTerms
from memory_store.retrieval.stem import root
from memory_store.retrieval.terms import Term

REMEMBERED = 4096  # memories whose derived sets are kept
VALUE_SHARE = 0.6
DEED_SHARE = 0.8
COMMON_SHARE = 0.5
EXCLUDED_SHARE = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Wording:
    """One text: each form once with the term that stands for it, and every stem, root and shape in it."""

    terms: dict[str, Term]
    forms: frozenset[str]
    stems: frozenset[str]
    roots: frozenset[str]
    shapes: dict[str, str]

    def has(self, term: Term) -> bool:
        """Whether the term stands here, by its synonyms' head, its own stem, or word by word."""
        if term.form in self.terms or term.stem in self.stems:
            return True
        return " " in term.stem and all(word in self.stems for word in term.stem.split(" "))


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A document with its keys, all of them together, and what lies behind them."""

    document: Document
    keys: tuple[Wording, ...]
    whole: Wording
    behind: Wording
    pairs: frozenset[tuple[str, str]]


def view(document: Document) -> View:
    """The sets of a document, made once and kept by the index."""
    keys = tuple(wording(key) for key in document.keys if key)
    return View(
        document=document,
        keys=keys,
        whole=_together(keys),
        behind=wording(document.background),
        pairs=frozenset(pair for key in document.keys for pair in pairwise([term.form for term in key])),
    )


@lru_cache(maxsize=REMEMBERED)
def record_of(memory: View) -> RecordTerms:
    """A memory's terms for the paper's score, counted once."""
    return memory.document.record


def wording(terms: Iterable[Term]) -> Wording:
    """A text's terms as sets; of a form said twice, the one that is neither ruled out nor told counts."""
    once: dict[str, Term] = {}
    stems: set[str] = set()
    for term in terms:
        _count_once(once, term)
        if " " in term.stem:
            stems.update(term.stem.split(" "))
        else:
            stems.add(term.stem)
    shapes = {form: shape for form, term in once.items() if (shape := shape_of(term)) is not None}
    return Wording(once, frozenset(once), frozenset(stems), frozenset(map(root, stems)), shapes)


def _together(texts: tuple[Wording, ...]) -> Wording:
    """Several texts as one, as if it had been read whole."""
    once: dict[str, Term] = {}
    for text in texts:
        for term in text.terms.values():
            _count_once(once, term)
    shaped = {form: shape_of(once[form]) for text in texts for form in text.shapes}
    return Wording(
        terms=once,
        forms=frozenset(once),
        stems=frozenset[str]().union(*(text.stems for text in texts)),
        roots=frozenset[str]().union(*(text.roots for text in texts)),
        shapes={form: shape for form, shape in shaped.items() if shape is not None},
    )


def _count_once(once: dict[str, Term], term: Term) -> None:
    known = once.get(term.form)
    if known is None or known.excluded or (known.told and not term.excluded):
        once[term.form] = term


def share_of(term: Term) -> float:
    """How much of its rarity a term counts: less for values, deeds and what is ruled out."""
    share, words = 1.0, lexicon()
    if term.value or term.quoted or term.form in words.names:
        share = VALUE_SHARE
    elif term.form in words.deeds:
        share = DEED_SHARE
    elif term.form in words.common:
        share = COMMON_SHARE
    return share * EXCLUDED_SHARE if term.excluded else share

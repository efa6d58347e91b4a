"""The paper's intent score s_I, plain (B.2): the yardstick every cleverer score is reported beside.

The paper names four parts and not their weights; s_I is their plain mean. A request text is compared
with each key of the memory (its intent, each query phrase) and with the whole record (keys, application,
reasoning, preconditions, effects); the strongest comparison counts.
"""

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from memory_store.retrieval.searchable import Searchable

LAMBDA = 0.18  # B.2: the first-stage threshold on s_I
_WORD = re.compile(r"\w+")
_FUNCTION_WORD_LIST = """
    a an the this that these those there here and or but if then than so as of at by for from in into on onto
    off out over to up down with within without about is are was were be been being am do does did doing done
    has have had having will would shall should can could may might must not no it its i me my mine we us our
    you your he she they them their his her what which who whom whose when where why how please help need want
    like just also very some any each every all
"""
_VERB_VARIANTS = {
    "save": "store saves saved saving stored storing stores",
    "find": "search searching searched searches finding finds found locate look",
    "replace": "overwrite replaced replacing replaces overwritten substitute",
    "delete": "remove erase deleted deleting deletes removed removing removes",
    "create": "make add new created creating creates making made adding added",
    "open": "launch start opened opening opens launched launching started",
    "change": "modify edit update set changed changing changes modified modifying updated updating setting",
    "show": "display view shown showing shows displayed",
    "copy": "duplicate copied copying copies",
    "enable": "activate enabled enabling activated",
    "disable": "deactivate disabled disabling deactivated",
}
_FUNCTION_WORDS = frozenset(_FUNCTION_WORD_LIST.split())
_CANONICAL_VERBS = {
    variant: verb for verb, variants in _VERB_VARIANTS.items() for variant in variants.split()
}


class Terms(NamedTuple):
    """One text as the paper compares it: its content terms in order, and what is counted of them."""

    ordered: tuple[str, ...]
    counts: Counter[str]
    bigrams: frozenset[tuple[str, str]]


class Parts(NamedTuple):
    """The four parts of s_I."""

    coverage: float
    overlap: float
    f1: float
    bigrams: float

    @property
    def score(self) -> float:
        """s_I of one text against one text: the plain mean."""
        return sum(self) / 4


NOTHING = Parts(0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class RecordTerms:
    """The prepared texts of one memory: each key, then the whole record."""

    memory_id: str
    texts: tuple[Terms, ...]


class Match(NamedTuple):
    """The strongest comparison of one memory with any text of I(τ′)."""

    score: float
    parts: Parts
    phrase: str


def content_terms(text: str) -> Terms:
    """Case-folded content terms without function words, common verb variants made one."""
    words = _WORD.findall(text.casefold())
    return terms_of(tuple(_canonical(word) for word in words if word not in _FUNCTION_WORDS))


def terms_of(kept: tuple[str, ...]) -> Terms:
    """Content terms in order, with what is counted of them."""
    return Terms(kept, Counter(kept), frozenset(pairwise(kept)))


def _canonical(word: str) -> str:
    return _CANONICAL_VERBS.get(word, word)


def record_terms(memory: Searchable) -> RecordTerms:
    """A memory's texts, prepared once."""
    whole = " ".join((*memory.keys, *memory.applications, *memory.background))
    return RecordTerms(memory.memory_id, tuple(content_terms(text) for text in (*memory.keys, whole)))


def compare(query: Terms, text: Terms) -> Parts:
    """The paper's four parts for one request text and one memory text."""
    shared = len(query.counts.keys() & text.counts.keys())
    if not shared:
        return NOTHING
    common = sum((query.counts & text.counts).values())
    both = query.bigrams & text.bigrams
    return Parts(
        coverage=shared / len(query.counts),
        overlap=shared / min(len(query.counts), len(text.counts)),
        f1=2 * common / (len(query.ordered) + len(text.ordered)),
        bigrams=len(both) / len(query.bigrams) if query.bigrams else float(query.ordered == text.ordered),
    )


def intent_score(query: Terms, memory: RecordTerms) -> Parts:
    """s_I(m, τ′) for one request text: the best of the memory's texts."""
    return max((compare(query, text) for text in memory.texts), key=lambda parts: parts.score)


def best_match(queries: dict[str, Terms], memory: RecordTerms) -> Match:
    """s_I over all of I(τ′), with the request text that gave it."""
    found = [
        Match((parts := intent_score(terms, memory)).score, parts, text) for text, terms in queries.items()
    ]
    return max(found, key=lambda match: match.score, default=Match(0.0, NOTHING, ""))

"""How well a memory answers a request: weighted, softly matched words in both directions, in order."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.stem import root
from memory_store.retrieval.terms import Term
from memory_store.retrieval.view import View, Wording, wording


class Rarity(Protocol):
    """How much words tell in a library."""

    def weigh(self, form: str) -> float:
        """More, the fewer memories use the word."""
        ...

    def total(self, text: Wording) -> float:
        """The weight of a whole text."""
        ...


@dataclass(frozen=True, slots=True)
class RankWeights:
    """What each part of the ranking score counts; tuned on the shipped set only."""

    covered: float = 0.38
    best_key: float = 0.50
    order: float = 0.12
    near: float = 0.5
    alike: float = 0.5  # another value of the same shape: a file for a file, an address for an address
    unsure: float = 0.85
    behind: float = 0.7
    length: float = 0.2  # how much a long text takes off a word found in it outright
    brief: float = 15.0  # forms; in a longer text a near word is more likely there by chance


WEIGHTS = RankWeights()


@dataclass(frozen=True, slots=True)
class Query:
    """A request ready for ranking: its words, their weights, and the words near to them."""

    wording: Wording
    weight: Mapping[str, float]
    total: float
    near: Mapping[str, frozenset[str]]
    roots: Mapping[str, str]
    nearby: frozenset[str]
    kindred: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    shapes: frozenset[str]
    rarity: Rarity
    weights: RankWeights

    @property
    def terms(self) -> tuple[Term, ...]:
        """Each term once."""
        return tuple(self.wording.terms.values())


@dataclass(frozen=True, slots=True)
class Fit:
    """The parts of one memory's ranking score."""

    covered: float
    best_key: float
    order: float
    score: float


def make_query(terms: tuple[Term, ...], rarity: Rarity, weights: RankWeights = WEIGHTS) -> Query:
    """Terms once each, weighted by rarity and kind."""
    words = wording(terms)
    related = lexicon().related
    near = {form: related.get(form, frozenset[str]()) for form in words.terms}
    weight = {form: rarity.weigh(form) * share for form, share in words.share.items()}
    return Query(
        wording=words,
        weight=weight,
        total=sum(weight.values()) or 1.0,
        near=near,
        roots={form: root(term.stem) for form, term in words.terms.items()},
        nearby=frozenset[str]().union(*near.values()) - words.terms.keys(),
        kindred=_kindred(near) - words.terms.keys(),
        pairs=frozenset(pairwise(term.form for term in terms)),
        shapes=frozenset(words.shapes.values()),
        rarity=rarity,
        weights=weights,
    )


def _kindred(near: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The near words of one sort with what was said: a deed near a deed, a thing near a thing."""
    deeds = lexicon().deeds
    return frozenset(
        other for form, others in near.items() for other in others if (form in deeds) == (other in deeds)
    )


def fit(query: Query, memory: View) -> Fit:
    """Score one memory: how much of the request it explains, and how much of one key was asked for."""
    weights = query.weights
    covered = 0.0
    chance = min(1.0, (weights.brief / max(1, len(memory.whole.terms))) ** 0.5)
    shared: list[Term] = []
    for form, term in query.wording.terms.items():
        found = _credit(term, query, memory.whole, chance) * chance**weights.length
        if found:
            shared.append(term)
        if found < weights.behind and memory.behind.terms:
            found = max(found, weights.behind * match(term, query, memory.behind))
        covered += query.weight[form] * found
    best = max((_key_fit(query, key, shared) for key in memory.keys), default=0.0)
    order = len(query.pairs & memory.pairs) / len(query.pairs) if query.pairs else 0.0
    covered /= query.total
    score = weights.covered * covered + weights.best_key * best + weights.order * order
    return Fit(covered, best, order, score)


def _credit(term: Term, query: Query, text: Wording, chance: float = 1.0) -> float:
    """How far a term is found in a text; a near word counts less, the more memories have it."""
    if _stands(term, text):
        return 1.0 if term.sure else query.weights.unsure
    near = query.near[term.form].intersection(text.terms)
    if near:
        there = max(map(query.rarity.weigh, near))
        return query.weights.near * chance * min(1.0, there / (query.rarity.weigh(term.form) or 1.0))
    if query.roots[term.form] in text.roots:
        return query.weights.near * chance
    return query.weights.alike if _takes_place(term, query, text) else 0.0


def _takes_place(term: Term, query: Query, text: Wording) -> bool:
    """Whether a value of the same shape stands in the text that the request does not name itself."""
    shape = query.wording.shapes.get(term.form) if text.shapes else None
    return shape is not None and any(
        other == shape and form not in query.wording.terms for form, other in text.shapes.items()
    )


def match(term: Term, query: Query, text: Wording) -> float:
    """How surely a term of the request stands in a text: outright, by a near word, or not at all."""
    if _stands(term, text):
        return 1.0 if term.sure else query.weights.unsure
    if query.near[term.form].isdisjoint(text.terms) and query.roots[term.form] not in text.roots:
        return 0.0
    return query.weights.near


def _stands(term: Term, text: Wording) -> bool:
    return term.form in text.terms or term.stem in text.stems or (" " in term.stem and text.has(term))


def _key_fit(query: Query, key: Wording, shared: list[Term]) -> float:
    """The harmonic mean of request explained by the key and key asked for by the request."""
    weight = query.weight
    explained = sum(weight[term.form] * _credit(term, query, key) for term in shared) / query.total
    asked = key_coverage(query, key) if explained else 0.0
    return 2 * explained * asked / (explained + asked) if explained and asked else 0.0


def key_coverage(query: Query, key: Wording, *, strictly: bool = False) -> float:
    """How much of a key's weight the request asks for; strictly, no deed asks for a thing."""
    said = key.share.keys() & query.wording.terms.keys()
    said |= {key.by_stem[word] for word in key.by_stem.keys() & query.wording.stems}
    near = (key.share.keys() & (query.kindred if strictly else query.nearby)) - said
    weigh, share = query.rarity.weigh, key.share
    got = sum(weigh(form) * share[form] for form in said)
    got += query.weights.near * sum(weigh(form) * share[form] for form in near)
    if key.shapes and query.shapes:
        alike = {form for form, shape in key.shapes.items() if shape in query.shapes} - said - near
        got += query.weights.alike * sum(weigh(form) * share[form] for form in alike)
    return got / (query.rarity.total(key) or 1.0)

"""How well a memory answers a request: weighted, softly matched words in both directions, in order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, Protocol

from memory_store.retrieval.kinds import is_value
from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.stem import root
from memory_store.retrieval.terms import Term
from memory_store.retrieval.view import View, Wording, share_of, wording


class Rarity(Protocol):
    """How much words tell in a library."""

    def weigh(self, form: str) -> float:
        """More, the fewer memories use the word."""
        ...

    def weights(self, text: Wording) -> "Weights":
        """What each word of a text weighs there, and all of them."""
        ...


class Weights(NamedTuple):
    """The weights of a text's words, by form, and their sum; and the form of each stem that is not one."""

    each: Mapping[str, float]
    total: float
    by_stem: Mapping[str, str]


def weigh_text(text: Wording, rarity: Rarity) -> Weights:
    """What a text's words weigh by their rarity and kind."""
    each = {form: rarity.weigh(form) * share_of(term) for form, term in text.terms.items()}
    by_stem = {term.stem: form for form, term in text.terms.items() if term.stem != form}
    return Weights(each, sum(each.values()), by_stem)


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


class Asked(NamedTuple):
    """One term of a request with all that is looked for in a memory's texts because of it."""

    term: Term
    form: str
    stem: str
    near: frozenset[str]
    root: str
    shape: str | None
    weight: float
    outright: float


@dataclass(frozen=True, slots=True)
class Query:
    """A request ready for ranking: its words in order and once each, their weights, and words near them."""

    wording: Wording
    text: tuple[Term, ...]
    terms: tuple[Term, ...]
    asked: tuple[Asked, ...]
    weight: Mapping[str, float]
    total: float
    near: Mapping[str, frozenset[str]]
    roots: Mapping[str, str]
    nearby: frozenset[str]
    kindred: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    shapes: frozenset[str]
    values: frozenset[str]
    rarity: Rarity
    weights: RankWeights


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
    weight, total, _ = weigh_text(words, rarity)
    roots = {form: root(term.stem) for form, term in words.terms.items()}
    return Query(
        wording=words,
        text=terms,
        terms=tuple(words.terms.values()),
        asked=tuple(
            Asked(
                term,
                form,
                term.stem,
                near[form],
                roots[form],
                words.shapes.get(form),
                weight[form],
                1.0 if term.sure else weights.unsure,
            )
            for form, term in words.terms.items()
        ),
        weight=weight,
        total=total or 1.0,
        near=near,
        roots=roots,
        nearby=frozenset[str]().union(*near.values()) - words.terms.keys(),
        kindred=_kindred(near) - words.terms.keys(),
        pairs=frozenset(pairwise(term.form for term in terms)),
        shapes=frozenset(words.shapes.values()),
        values=frozenset(form for form, term in words.terms.items() if is_value(term)),
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
    weights, behind = query.weights, memory.behind
    chance = min(1.0, (weights.brief / max(1, len(memory.whole.terms))) ** 0.5)
    long = chance**weights.length
    covered = 0.0
    shared: list[Asked] = []
    for asked, credit in zip(query.asked, _credits(query.asked, query, memory.whole, chance), strict=True):
        found = credit * long
        if found:
            shared.append(asked)
        if found < weights.behind and behind.forms:
            found = max(found, weights.behind * match(asked.term, query, behind))
        covered += asked.weight * found
    best = max([_key_fit(query, key, shared) for key in memory.keys], default=0.0)
    order = len(query.pairs & memory.pairs) / len(query.pairs) if query.pairs else 0.0
    covered /= query.total
    score = weights.covered * covered + weights.best_key * best + weights.order * order
    return Fit(covered, best, order, score)


def _credits(wanted: Sequence[Asked], query: Query, text: Wording, chance: float = 1.0) -> list[float]:
    """How far each term is found in a text; a near word counts less, the more memories have it."""
    forms, stems, roots = text.forms, text.stems, text.roots
    found: list[float] = []
    for term, form, stem, near, root_of, shape, _, outright in wanted:
        if form in forms or stem in stems or (" " in stem and text.has(term)):
            credit = outright
        elif there := near & forms:
            weigh = query.rarity.weigh
            rarest = max([weigh(other) for other in there])
            credit = query.weights.near * chance * min(1.0, rarest / (weigh(form) or 1.0))
        elif root_of in roots:
            credit = query.weights.near * chance
        else:
            credit = query.weights.alike if shape and _takes_place(shape, query, text) else 0.0
        found.append(credit)
    return found


def _takes_place(shape: str, query: Query, text: Wording) -> bool:
    """Whether a value of the same shape stands in the text that the request does not name itself."""
    return any(other == shape and form not in query.wording.forms for form, other in text.shapes.items())


def match(term: Term, query: Query, text: Wording) -> float:
    """How surely a term of the request stands in a text: outright, by a near word, or not at all."""
    if _stands(term, text):
        return 1.0 if term.sure else query.weights.unsure
    if query.near[term.form].isdisjoint(text.forms) and query.roots[term.form] not in text.roots:
        return 0.0
    return query.weights.near


def _stands(term: Term, text: Wording) -> bool:
    return term.form in text.forms or term.stem in text.stems or (" " in term.stem and text.has(term))


def _key_fit(query: Query, key: Wording, shared: list[Asked]) -> float:
    """The harmonic mean of request explained by the key and key asked for by the request."""
    credits = _credits(shared, query, key)
    explained = (
        sum([asked.weight * credit for asked, credit in zip(shared, credits, strict=True)]) / query.total
    )
    asked = key_coverage(query, key) if explained else 0.0
    return 2 * explained * asked / (explained + asked) if explained and asked else 0.0


def key_coverage(query: Query, key: Wording, *, strictly: bool = False) -> float:
    """How much of a key's weight the request asks for; strictly, no deed asks for a thing."""
    weight, total, by_stem = query.rarity.weights(key)
    said = key.forms & query.wording.forms
    if alike_stems := by_stem.keys() & query.wording.stems:
        said |= {by_stem[word] for word in alike_stems}
    near = (key.forms & (query.kindred if strictly else query.nearby)) - said
    got = sum([weight[form] for form in said])
    got += query.weights.near * sum([weight[form] for form in near])
    if key.shapes and query.shapes:
        alike = {form for form, shape in key.shapes.items() if shape in query.shapes} - said - near
        got += query.weights.alike * sum([weight[form] for form in alike])
    return got / (total or 1.0)

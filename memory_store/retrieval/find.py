"""The lookup a host calls: ranked candidates with reasons for and against, and one accepted or none."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from memory_store.gates import Gate, gate
from memory_store.retrieval.applications import Agreement, agreement
from memory_store.retrieval.ask import Ask, intent_queries
from memory_store.retrieval.candidates import Candidate, Found, audit_of
from memory_store.retrieval.contradiction import contradictions
from memory_store.retrieval.objection import Against, Objection
from memory_store.retrieval.questions import is_mere_question
from memory_store.retrieval.ranking import Query, Rarity, fit, make_query
from memory_store.retrieval.reference import best_match, content_terms
from memory_store.retrieval.spelling import Vocabulary
from memory_store.retrieval.terms import Term, analyse
from memory_store.retrieval.view import View, record_of
from memory_store.retrieval.wish import wish

__all__ = ["LIMITS", "Candidate", "FindLimits", "Found", "Library", "find"]


@dataclass(frozen=True, slots=True)
class FindLimits:
    """How sure we must be before a memory is called safe to run without a second look."""

    score: float = 0.42
    margin: float = 0.06
    margin_to_safe: float = 0.20
    shown: int = 10
    checked: int = 10
    same_application: float = 0.03
    further_application: float = 0.03


LIMITS = FindLimits()
_WORTH_SAYING = 0.005  # a share that is not zero when it is written in whole per cent


class Library(Rarity, Protocol):
    """What a lookup needs of the memories: the likely ones, and how rare a word is."""

    @property
    def vocabulary(self) -> Vocabulary:
        """Its words, to read a mistyped one by."""
        ...

    @property
    def size(self) -> int:
        """How many memories it has."""
        ...

    def likely(self, queries: Sequence[tuple[Term, ...]], application: str | None) -> list[View]:
        """The memories worth scoring, those of the application first."""
        ...


def find(ask: Ask, library: Library, limits: FindLimits = LIMITS) -> Found:
    """Look a request up: rank the likely memories, check the best of them, accept one or none."""
    texts = intent_queries(ask)
    read = [analyse(text, library.vocabulary) for text in texts]
    queries = [make_query(terms, library) for terms in read if terms]
    likely = library.likely(read, ask.application)
    ranked = _ranked(ask, texts, queries, likely, limits) if queries else []
    final = _judged(ask, ranked, limits)
    accepted = next((each.memory_id for each in final[:1] if each.safe), None)
    audit = audit_of(ask, final, size=library.size, scored=len(likely), accepted=accepted)
    return Found(tuple(final[: limits.shown]), accepted, audit)


def _ranked(
    ask: Ask, texts: tuple[str, ...], queries: list[Query], likely: list[View], limits: FindLimits
) -> list[Candidate]:
    """The candidates by score; those that pass the application gate first, the best ones checked."""
    scored = [
        (max((fit(query, each) for query in queries), key=lambda one: one.score), each) for each in likely
    ]
    agreed = [
        (agreement(ask.application, each.document.applications), one, each)
        for one, each in scored
        if one.score > 0
    ]
    agreed.sort(key=lambda each: (not each[0].passes, -each[1].score, each[2].document.memory_id))
    wished = wish(ask.goal, texts, queries[0])
    reference = {text: content_terms(text) for text in texts}
    checked: list[Candidate] = []
    for level, one, each in agreed[: limits.checked]:
        found = best_match(reference, record_of(each))
        against = tuple(contradictions(queries[0], wished, each))
        bonus = _bonus(ask, level, wished.named, each, limits)
        score = one.score + bonus - sum(point.cost for point in against)
        report = gate(ask, each.document.facts, agreement=level, intent_score=found.score)
        memory = each.document
        checked.append(
            Candidate(memory.memory_id, memory.title, score, one, found, report, level, (), against, each)
        )
    return sorted(checked, key=lambda each: (not each.agreement.passes, -each.score, each.memory_id))


def _bonus(ask: Ask, level: Agreement, named: tuple[str, ...], memory: View, limits: FindLimits) -> float:
    """A little more for a memory that works in the very program that was named."""
    same = level is Agreement.SAME or any(
        agreement(product, memory.document.applications) is Agreement.SAME for product in named
    )
    if not same:
        return 0.0
    said = (*named, ask.application) if ask.application else named
    further = any(
        all(agreement(each, (label,)) is not Agreement.SAME for each in said)
        for label in memory.document.applications
    )
    return limits.same_application - limits.further_application * further


def _judged(ask: Ask, ranked: list[Candidate], limits: FindLimits) -> list[Candidate]:
    """What the request itself, the gates and the runner-up add to the points against."""
    question = is_mere_question(ask.goal)
    judged: list[Candidate] = []
    for at, each in enumerate(ranked):
        against = [*each.against, *_doubts(each, limits)]
        if question:
            against.append(Against(Objection.QUESTION, "the request asks for an answer, not for a deed"))
        if at == 0:
            against.extend(_rival(each, ranked[1:], limits))
        judged.append(replace(each, against=tuple(against), reasons_for=_reasons(each)))
    return judged


def _rival(best: Candidate, others: list[Candidate], limits: FindLimits) -> list[Against]:
    """Another memory that is nearly as good; one that nothing speaks against has to be further away."""
    for other in others:
        gap = best.score - other.score
        if gap < (limits.margin_to_safe if not other.against else limits.margin):
            says = f"another memory comes within {gap:.2f}: {other.title[:80]}"
            return [Against(Objection.AMBIGUOUS, says, (other.memory_id,))]
    return []


def _doubts(each: Candidate, limits: FindLimits) -> list[Against]:
    """Failed gates, and a score too low to act on."""
    doubts = [
        Against(Objection.GATE, f"{name}: {why}", (str(name),))
        for name, why in each.gates.failed.items()
        if name is not Gate.INTENT  # ours is the score below, which reads synonyms and slips too
    ]
    if each.score < limits.score:
        doubts.append(Against(Objection.WEAK, f"score {each.score:.2f} is below {limits.score}"))
    return doubts


def _reasons(each: Candidate) -> tuple[str, ...]:
    """What speaks for a candidate, in figures."""
    explained = min(each.fit.covered, 1.0 - each.unexplained)
    reasons = [f"explains {explained:.0%} of the request"] if explained >= _WORTH_SAYING else []
    reasons.append(f"intent score {each.match.score:.2f}")
    if each.agreement in (Agreement.SAME, Agreement.GENERIC):
        reasons.append(f"application: {each.agreement}")
    if not each.gates.failed:
        reasons.append(f"all gates pass, compatibility {each.gates.score:.2f}")
    return tuple(reasons)

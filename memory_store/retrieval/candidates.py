"""What a lookup gives back: candidates with reasons for and against, and the record it leaves."""

from dataclasses import dataclass, field

from memory_store.gates import GateReport
from memory_store.retrieval.applications import Agreement
from memory_store.retrieval.ask import Ask, intent_queries
from memory_store.retrieval.audit import LookupAudit, RankAudit
from memory_store.retrieval.lookup import Gated, path_audit
from memory_store.retrieval.objection import Against, Objection
from memory_store.retrieval.ranking import Fit
from memory_store.retrieval.reference import LAMBDA, Match
from memory_store.retrieval.view import View

UNRELATED = 0.85
"""The share of a request that a memory which has to do with it does not leave unexplained."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One memory with its scores, the gates' report, and what speaks for and against it."""

    memory_id: str
    title: str
    score: float
    fit: Fit
    match: Match
    gates: GateReport
    agreement: Agreement
    reasons_for: tuple[str, ...]
    against: tuple[Against, ...]
    view: View = field(repr=False)

    @property
    def safe(self) -> bool:
        """Nothing at all speaks against it."""
        return not self.against

    @property
    def unexplained(self) -> float:
        """The share of the request that is not in the memory, where that is too much."""
        return max((one.share for one in self.against), default=0.0)

    @property
    def unrelated(self) -> bool:
        """It is weak, and next to nothing of the request is in it: chance has brought it here."""
        weak = any(one.kind is Objection.WEAK for one in self.against)
        return weak and self.unexplained >= UNRELATED


@dataclass(frozen=True, slots=True)
class Found:
    """The answer of a lookup: best first; `accepted` only if it may run without a second look."""

    candidates: tuple[Candidate, ...]
    accepted: str | None
    audit: LookupAudit


def audit_of(
    ask: Ask, final: list[Candidate], *, size: int, scored: int, accepted: str | None
) -> LookupAudit:
    """The record of the lookup: the paper's figures, and ours beside them."""
    gated = [Gated(each.view.document.searchable, each.match, each.gates) for each in final]
    kept = sorted(
        (g for g in gated if g.match.score >= LAMBDA), key=lambda g: (-g.report.score, g.memory.memory_id)
    )
    chosen = next((each for each in kept if each.report.replayable), None)
    return LookupAudit(
        method="ranked",
        searched=intent_queries(ask),
        application=ask.application,
        library_size=size,
        scored=scored,
        candidate_count=len(kept),
        rejected=tuple(path_audit(each) for each in kept if not each.report.replayable),
        selected=chosen.memory.memory_id if chosen else None,
        matched_phrase=chosen.match.phrase if chosen else None,
        intent_score=chosen.match.score if chosen else None,
        compatibility=chosen.report.score if chosen else None,
        ranked=tuple(_rank_audit(each) for each in final),
        accepted=accepted,
    )


def _rank_audit(each: Candidate) -> RankAudit:
    return RankAudit(
        memory_id=each.memory_id,
        score=each.score,
        intent_score=each.match.score,
        compatibility=each.gates.score,
        reasons_for=each.reasons_for,
        reasons_against=tuple(str(point) for point in each.against),
    )

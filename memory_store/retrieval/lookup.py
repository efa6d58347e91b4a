"""The paper's lookup, plain (B.2): score every memory, keep s_I ≥ λ, gate, take the largest S."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from memory_store.gates import PAPER, GateLimits, GateReport, gate, gate_named
from memory_store.retrieval.applications import Agreement, agreement
from memory_store.retrieval.ask import Ask, intent_queries
from memory_store.retrieval.audit import LookupAudit, PathAudit
from memory_store.retrieval.reference import LAMBDA, Match, RecordTerms, best_match, content_terms
from memory_store.retrieval.searchable import Searchable

Agrees = Callable[[str | None, tuple[str, ...]], Agreement]


@dataclass(frozen=True, slots=True)
class Gated:
    """A candidate with its strongest match and what the gates said."""

    memory: Searchable
    match: Match
    report: GateReport


def gated_candidates(
    ask: Ask,
    library: Iterable[tuple[Searchable, RecordTerms]],
    *,
    agrees: Agrees = agreement,
    limits: GateLimits = PAPER,
) -> list[Gated]:
    """C(τ′) with every gate judged, largest S first; ties go to the smaller id."""
    queries = {text: content_terms(text) for text in intent_queries(ask)}
    found: list[Gated] = []
    for memory, terms in library:
        match = best_match(queries, terms)
        if match.score >= LAMBDA:
            agreed = agrees(ask.application, memory.applications)
            report = gate(ask, memory.facts, agreement=agreed, intent_score=match.score, limits=limits)
            found.append(Gated(memory, match, report))
    return sorted(found, key=lambda each: (-each.report.score, each.memory.memory_id))


def reference_lookup(
    ask: Ask, library: list[tuple[Searchable, RecordTerms]], *, agrees: Agrees = agreement
) -> LookupAudit:
    """The selected memory of the paper's method, or none, with the whole account."""
    found = gated_candidates(ask, library, agrees=agrees)
    chosen = next((each for each in found if each.report.replayable), None)
    return LookupAudit(
        method="reference",
        searched=intent_queries(ask),
        application=ask.application,
        library_size=len(library),
        scored=len(library),
        candidate_count=len(found),
        rejected=tuple(path_audit(each) for each in found if not each.report.replayable),
        selected=chosen.memory.memory_id if chosen else None,
        matched_phrase=chosen.match.phrase if chosen else None,
        intent_score=chosen.match.score if chosen else None,
        compatibility=chosen.report.score if chosen else None,
    )


def judge_named(ask: Ask, memory: Searchable) -> GateReport:
    """The gates for a memory the host named: its choice passes the intent gate, every other gate runs."""
    return gate_named(ask, memory.facts, agreement=agreement(ask.application, memory.applications))


def path_audit(each: Gated) -> PathAudit:
    """A candidate as the audit keeps it; a score under θ is named like a gate."""
    failed = {str(name): why for name, why in each.report.failed.items()}
    if not each.report.failed and not each.report.replayable:
        failed["score"] = f"compatibility {each.report.score:.3f} is below {each.report.theta}"
    return PathAudit(
        memory_id=each.memory.memory_id,
        matched_phrase=each.match.phrase,
        intent_score=each.match.score,
        compatibility=each.report.score,
        failed_gates=failed,
    )

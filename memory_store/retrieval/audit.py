"""The record every lookup leaves: what was searched, who came up, who was turned away and why."""

from typing import Literal

from pydantic import BaseModel, ConfigDict


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PathAudit(_Record):
    """One candidate of the paper's method: its scores, and the gates that failed with their reasons."""

    memory_id: str
    matched_phrase: str
    intent_score: float
    compatibility: float
    failed_gates: dict[str, str] = {}


class RankAudit(_Record):
    """One candidate of our ranking, beside the paper's figures for it."""

    memory_id: str
    score: float
    intent_score: float
    compatibility: float
    reasons_for: tuple[str, ...] = ()
    reasons_against: tuple[str, ...] = ()


class LookupAudit(_Record):
    """One lookup, whole: saved as it is and read back the same."""

    version: Literal[1] = 1
    method: Literal["reference", "ranked"]
    searched: tuple[str, ...]
    application: str | None
    library_size: int
    scored: int
    candidate_count: int
    rejected: tuple[PathAudit, ...]
    selected: str | None
    matched_phrase: str | None = None
    intent_score: float | None = None
    compatibility: float | None = None
    ranked: tuple[RankAudit, ...] = ()
    accepted: str | None = None

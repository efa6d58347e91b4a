"""The consolidation report: r_m of the paper (2.1, B.2)."""

from enum import StrEnum

from memory_store.models.base import Line, Record, Text
from memory_store.models.evidence import SourceStep


class Recommendation(StrEnum):
    """What the consolidator advises."""

    PROMOTE = "promote"
    REJECT = "reject"


class DroppedStep(Record):
    """A recorded step that is not part of the program, and why."""

    step: SourceStep
    action: Line
    reason: Line


class ReasoningReport(Record):
    """What the consolidator thought: summary, what it dropped, what stands in the way."""

    summary: Text = ""
    viable: bool = False
    recommendation: Recommendation = Recommendation.REJECT
    blockers: tuple[Line, ...] = ()
    warnings: tuple[Line, ...] = ()
    dropped: tuple[DroppedStep, ...] = ()
    consolidator: Line = ""

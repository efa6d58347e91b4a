"""The consolidation report: r_m of the paper (2.1, B.2)."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

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


class NotAgainCause(StrEnum):
    """Why a step will not work again where the application stays as the run has left it."""

    TARGET_CHANGED = "target_changed"
    """The run changed the target itself: a box is ticked, a button counts, a row is gone."""
    SURROUNDINGS_CHANGED = "surroundings_changed"
    """The target is there, but not to be told from others, or known, by what is left around it."""
    TEXT_STAYS = "text_stays"
    """A field keeps what was typed, and nothing selects it: the next text is written behind it."""


class NotAgain(Record):
    """A step that is refused, or goes wrong, the second time in the same window."""

    step: Annotated[int, Field(ge=1)]
    """Its number in the program, as a replay reports it."""
    cause: NotAgainCause
    why: Line
    do: Line
    """What helps, for whoever records or repairs it."""


class ReasoningReport(Record):
    """What the consolidator thought: summary, what it dropped, what stands in the way."""

    summary: Text = ""
    viable: bool = False
    recommendation: Recommendation = Recommendation.REJECT
    blockers: tuple[Line, ...] = ()
    warnings: tuple[Line, ...] = ()
    not_again: tuple[NotAgain, ...] = ()
    """What keeps the second run in the same window from working; also said in `warnings`."""
    dropped: tuple[DroppedStep, ...] = ()
    consolidator: Line = ""

"""Pure: when recent replays are bad enough to take a memory out of use, and the one sentence that says so.

Policy: a memory is quarantined when at least 3 of its last 5 replays that touched the desktop went wrong
because of the memory (the evaluator said no, or a step no longer led where it led before). Refusals without
effect, cancellations, stops at a target that a value of this call did not bring up, and stops for other
reasons never count; counting starts anew with every promotion.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ibtr.errors import RejectCause


class Ending(StrEnum):
    """How a replay ended."""

    VERIFIED = "verified"
    DONE_UNVERIFIED = "done_unverified"
    FAILED = "failed"
    REJECTED = "rejected"
    STOPPED = "stopped"
    CANCELLED = "cancelled"
    RUNNING = "running"


BLAMED_CAUSES: Final[frozenset[str]] = frozenset(
    {
        RejectCause.STATE_MISMATCH,
        RejectCause.MISSING_TARGET,
        RejectCause.AMBIGUOUS_TARGET,
        RejectCause.FOCUS_DRIFT,
        RejectCause.CONTRADICTED_TRANSITION,
    }
)
"""Causes that speak against the memory; a policy, a bad argument or a lost lease does not."""

_GOOD: Final = frozenset({Ending.VERIFIED, Ending.DONE_UNVERIFIED})


@dataclass(frozen=True, slots=True)
class QuarantinePolicy:
    """How many of how many."""

    bad: int = 3
    of_last: int = 5


@dataclass(frozen=True, slots=True)
class ReplayOutcome:
    """What the policy needs to know of one replay."""

    ending: Ending
    cause: str = ""
    events_sent: int = 0
    by_value: bool = False
    """A value of this call may be why: no place read it, or what it should have brought up was not there."""


def counts_against(replay: ReplayOutcome) -> bool | None:
    """True: bad; False: good; None: says nothing about the memory."""
    if replay.events_sent == 0 or replay.by_value:
        return None
    if replay.ending in _GOOD:
        return False
    if replay.ending is Ending.FAILED:
        return True
    return True if replay.ending is Ending.STOPPED and replay.cause in BLAMED_CAUSES else None


def reason_to_quarantine(newest_first: Iterable[ReplayOutcome], policy: QuarantinePolicy) -> str | None:
    """The reason in one clause, or None while the memory may stay active."""
    counted: list[ReplayOutcome] = []
    for replay in newest_first:
        if counts_against(replay) is not None:
            counted.append(replay)
        if len(counted) == policy.of_last:
            break
    bad = [replay for replay in counted if counts_against(replay)]
    if len(bad) < policy.bad:
        return None
    last = bad[0].cause or bad[0].ending.value
    return f"{len(bad)} of the last {len(counted)} replays with effect went wrong, the latest: {last}"

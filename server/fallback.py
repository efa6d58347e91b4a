"""Cause -> what the host can do about it: repair the step, plan with the memory as a guide, or plan anew."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from ibtr.errors import RejectCause

MAX_REPAIRS = 2  # tries for one step
MAX_PLANNED = 30  # acts that a host may plan for one replay, whatever its own budget
MIN_CONFIDENCE = 0.7  # a host that is less sure of a place than this does not point at it: plan instead


class Tier(StrEnum):
    """How much of the memory still holds."""

    REPAIR = "repair"
    GUIDED = "guided_plan"
    PLAN = "plan"


TIERS = {
    RejectCause.MISSING_TARGET: Tier.REPAIR,
    RejectCause.AMBIGUOUS_TARGET: Tier.REPAIR,
    RejectCause.FOCUS_DRIFT: Tier.REPAIR,
    RejectCause.CONTRADICTED_TRANSITION: Tier.GUIDED,
    RejectCause.STATE_MISMATCH: Tier.PLAN,
    RejectCause.PARAMETER_CONFLICT: Tier.PLAN,
    RejectCause.UNSUPPORTED_ACTION: Tier.PLAN,
    RejectCause.UNSAFE_ACTION: Tier.PLAN,
}

_NEXT = {
    Tier.REPAIR: ("rejection_detail", "repair_step"),
    Tier.GUIDED: ("rejection_detail", "plan_step"),
    Tier.PLAN: ("rejection_detail", "plan_step"),
}

_FIRST = {
    RejectCause.PARAMETER_CONFLICT: ("describe_memory", "run_memory"),
    RejectCause.UNSAFE_ACTION: ("describe_memory",),
}


_OUT_OF_USE = ("review_memory", "promote_memory")


class StopCause(StrEnum):
    """Why a replay ended early although no gate said no."""

    CANCELLED = "cancelled"
    BUDGET = "budget_exhausted"
    LEASE = "lease_expired"
    LOST = "desktop_lost"
    BUSY = "desktop_busy"
    RECORDING = "recording_open"
    PERSON = "person_at_the_mouse"
    HOST = "host_plans"
    ACTION_FAILED = "action_failed"
    INTERRUPTED = "interrupted"
    FAULT = "fault"


STOPS = {
    StopCause.CANCELLED: "The host, the user or the end of the server cancelled it.",
    StopCause.BUDGET: "Its max_steps or max_seconds are used up.",
    StopCause.LEASE: "It said `running`, and nobody waited for it in time.",
    StopCause.LOST: "The desktop went away.",
    StopCause.BUSY: "Somebody else drives the desktop, or another replay of this server does.",
    StopCause.RECORDING: "The caller itself is recording, and a replay would end that: `finish_run` first.",
    StopCause.PERSON: "A person took the mouse, and the settings say to stop then.",
    StopCause.HOST: "The host goes on by a plan of its own.",
    StopCause.ACTION_FAILED: "The desktop could not do the action.",
    StopCause.INTERRUPTED: "The server that ran it died.",
    StopCause.FAULT: "A fault of ours or of what it needs; the words say which.",
}
"""What each of them means."""

_AFTER_STOP = {
    StopCause.CANCELLED: ("run_memory",),
    StopCause.BUDGET: ("run_memory",),
    StopCause.LEASE: ("run_memory",),
    StopCause.LOST: ("observe", "run_memory"),
    StopCause.BUSY: ("run_memory",),
    StopCause.RECORDING: ("finish_run", "run_memory"),
    StopCause.PERSON: ("run_memory",),
    StopCause.HOST: ("plan_step", "report_verdict"),
    StopCause.ACTION_FAILED: ("rejection_detail", "plan_step"),
    StopCause.INTERRUPTED: ("observe", "run_memory"),
    StopCause.FAULT: ("rejection_detail",),
}


def tier_of(cause: str, repairs: int = 0) -> Tier | None:
    """The tier for a cause; a step that was repaired too often goes one tier up."""
    if cause not in set(RejectCause):
        return {StopCause.ACTION_FAILED: Tier.PLAN, StopCause.HOST: Tier.GUIDED}.get(StopCause(cause))
    tier = TIERS[RejectCause(cause)]
    return Tier.GUIDED if tier is Tier.REPAIR and repairs >= MAX_REPAIRS else tier


def next_tools(cause: str | None, repairs: int = 0) -> list[str]:
    """Tools that lead on from a cause, the best first."""
    if cause is None:
        return []
    if cause in set(StopCause):
        return [*_AFTER_STOP[StopCause(cause)]]
    if cause in _FIRST:
        return [*_FIRST[RejectCause(cause)]]
    tier = tier_of(cause, repairs)
    return [*_NEXT[tier]] if tier else []


def leads_on(told: Sequence[str], evidence: Mapping[str, object]) -> list[str]:
    """The tools that were named, unless the memory itself is out of use: then somebody has to see to it."""
    gates = evidence.get("gates")
    if isinstance(gates, Mapping) and "lifecycle" in gates:
        return [*_OUT_OF_USE]
    return [*told, *_OUT_OF_USE[:1]] if "lifecycle" in evidence else [*told]

"""Pure: a replay as others are told of it: its report for the host, its row for the ledger."""

from __future__ import annotations

from datetime import datetime

from actionlens.process import identity
from memory_store.ledger import Replay
from memory_store.quarantine import Ending
from server.fallback import StopCause, next_tools
from server.replay.session import Session
from server.replay.words import PARTLY, done_words, sentence
from server.report import Report
from server.tokens import call_tokens, text_tokens


def report_of(session: Session) -> Report:
    """As the host gets it."""
    early = session.cause is not None
    return Report(
        replay_id=session.replay_id,
        memory=session.memory.tool_name,
        ending=session.ending,
        summary=_summary(session),
        steps_done=_done(session),
        steps_total=len(session.memory.steps),
        seconds=round(session.spent_s, 2),
        cause=session.cause,
        step=_step(session) if early else None,
        evidence=session.evidence,
        may_have_changed=_changed(session) if early and session.touched else [],
        verdict=session.verdict,
        next=_next(session),
    )


def row_of(session: Session, at: datetime) -> Replay:
    """As the ledger keeps it."""
    done = session.ending is not Ending.RUNNING
    return Replay(
        id=session.replay_id,
        memory_id=session.memory.id,
        ending=session.ending,
        cause=_ledger_cause(session),
        started_at=session.started_at,
        ended_at=at if done else None,
        events_sent=session.events + sum(one["action"] != "wait" for one in session.planned),
        steps_done=_done(session),
        host_tokens=_tokens(session),
        detail={
            "gates": [*session.gates],
            "phases_s": {name: round(seconds, 4) for name, seconds in session.phases.seconds.items()},
            "wall_s": round(session.phases.wall, 4),
            "re_aimed": sum(note.get("binding") == "re-aimed" for note in session.notes),
            "repairs": sum(session.repairs.values()),
            "runs": [*session.runs],
            "step": _step(session) if session.cause else None,
            "evidence": session.evidence,
            "says": session.says,
            "first_pass_tokens": session.first_pass_tokens,
            "process": identity(),
            "verdict": session.verdict,
            "unproven": session.unproven,
            "inputs": dict(session.bound.values.items()),
            "steps": [*session.notes],
            **({"prepared": [*session.prepared]} if session.prepared else {}),
            **({"planned": [*session.planned]} if session.planned else {}),
            **({"host_verdicts": [*session.verdicts]} if session.verdicts else {}),
        },
    )


def _changed(session: Session) -> list[str]:
    left = "a menu is open: close it (Escape), unless you go on with this replay"
    done = done_words(session.notes, session.planned, session.prepared)
    return [*done, left] if session.menu_open else done


def _next(session: Session) -> list[str]:
    if session.ending is Ending.RUNNING:
        return ["wait_replay"]
    if "repaired_branch" in session.evidence:
        return ["review_memory", "promote_memory"]
    if "reached_by" in session.evidence and not (session.verdict or "").startswith("failed"):
        return ["start_run"]
    return next_tools(session.cause, _tries(session))


def _done(session: Session) -> int:
    return sum(note.get("binding") != PARTLY for note in session.notes)


def _step(session: Session) -> int:
    return min(session.position + 1, len(session.memory.steps))


def _ledger_cause(session: Session) -> str:
    """Where only the host has touched the desktop, its plan is what the ledger blames, not the memory."""
    return (
        StopCause.HOST.value
        if session.cause and session.planned and not session.events
        else session.cause or ""
    )


def _summary(session: Session) -> str:
    return sentence(f"{session.memory.tool_name}: {_said(session)}")


def _said(session: Session) -> str:
    steps = len(session.memory.steps)
    match session.ending:
        case Ending.VERIFIED:
            return f"all {steps} steps done{_left_out(session)}{_by_host(session)}, the artifact is verified"
        case Ending.DONE_UNVERIFIED:
            why = session.unproven or "nothing checked the result"
            return f"all {steps} steps done{_left_out(session)}{_by_host(session)}; {why}"
        case Ending.FAILED:
            return f"all steps done, but {session.unproven or 'the artifact is not right'}"
        case Ending.RUNNING:
            return f"step {session.position + 1} of {steps} under way; call wait_replay"
        case Ending.REJECTED:
            return f"refused, nothing was touched: {session.says}"
        case _:
            if "reached_by" in session.evidence:
                return session.says
            return f"{session.ending.value} at step {_step(session)} of {steps}: {session.says}"


def _by_host(session: Session) -> str:
    count = len(session.planned)
    return f" (and {count} act{'s' if count > 1 else ''} that the host planned)" if count else ""


def _left_out(session: Session) -> str:
    """The clicks whose targets were already as they would have left them."""
    numbers = [str(note["step"]) for note in session.notes if "levels" in note]
    return f" (step {', '.join(numbers)} left out: it was so already)" if numbers else ""


def _tokens(session: Session) -> int:
    """What the calls and answers so far have cost the host, and this one with its answer."""
    return (
        session.told_tokens
        + call_tokens(session.memory.tool_name, dict(session.bound.values))
        + text_tokens(report_of(session).answer())
    )


def _tries(session: Session) -> int:
    return session.repairs.get(session.position, 0)

"""One replay while it lives: where it stands, what was done, what stopped it."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import anyio
from pydantic import JsonValue

from actionlens.process import identity
from actionlens.records import RunId
from ibtr.errors import Rejected
from memory_store.bindings import Bound
from memory_store.ledger import DOUBTED, Replay
from memory_store.models import Check, Memory, ReplayId
from memory_store.quarantine import Ending
from server.fallback import StopCause, next_tools
from server.replay.doubt import check_the_value, doubted
from server.replay.phases import Phases
from server.replay.words import sentence
from server.report import Report
from server.tokens import call_tokens, text_tokens

if TYPE_CHECKING:
    from actionlens.mask import Masks
    from actionlens.run_log import RunLog
    from server.replay.aiming import Target

LEASE_S = 15.0
_NOTHING: Final[Mapping[str, JsonValue]] = MappingProxyType({})


class Stopped(Exception):
    """A replay ends between two steps for a reason that is not a gate's."""

    def __init__(self, cause: StopCause, says: str, **evidence: JsonValue) -> None:
        super().__init__(says)
        self.cause, self.evidence = cause, evidence


@dataclass(frozen=True, slots=True)
class Budget:
    """How far this replay may go."""

    max_steps: int | None = None
    max_seconds: float | None = None


@dataclass(slots=True)
class Session:
    """The state of one replay; the engine alone writes it."""

    replay_id: ReplayId
    memory: Memory
    bound: Bound
    started_at: datetime
    budget: Budget = field(default_factory=Budget)
    targets: dict[int, tuple[Target, ...]] = field(default_factory=dict)
    position: int = 0
    events: int = 0
    notes: list[dict[str, JsonValue]] = field(default_factory=list[dict[str, JsonValue]])
    runs: list[RunId] = field(default_factory=list[RunId])
    masks: Masks | None = None
    """Where this replay has typed secrets."""
    presses: int | None = None
    """What others had pressed when this replay last clicked; None: not known, or the host saw to it."""
    phases: Phases = field(default_factory=Phases)
    repairs: dict[int, int] = field(default_factory=dict[int, int])
    gates: list[str] = field(default_factory=list[str])
    """Every gate in its order, and what it said."""
    before: Check | None = None
    after: Check | None = None
    begun: bool = False
    ending: Ending = Ending.RUNNING
    cause: str | None = None
    says: str = ""
    evidence: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    verdict: str | None = None
    unproven: str = ""
    """Why the verdict proves nothing, if so."""
    told_tokens: int = 0
    """What the calls about this replay and their answers have cost the host so far."""
    first_pass_tokens: int | None = None
    cancelled: bool = False
    waiters: int = 0
    lease_until: float = 0.0
    finished: anyio.Event = field(default_factory=anyio.Event)

    def renew(self) -> None:
        """Somebody is still there."""
        self.lease_until = time.monotonic() + LEASE_S

    def enter(self, run: RunLog) -> None:
        """Another run of this replay: what was hidden in the one before stays hidden in it."""
        self.runs.append(run.run_id)
        if self.masks is not None:
            run.masks.take(self.masks)
        self.masks = run.masks

    def check_may_go_on(self) -> None:
        """Between two steps: cancelled, out of budget, or left alone?

        Raises:
            Stopped: with the reason.
        """
        if self.cancelled:
            raise Stopped(StopCause.CANCELLED, "cancelled by the host")
        spent = time.monotonic() - self.phases.begun
        if self.budget.max_seconds is not None and spent > self.budget.max_seconds:
            raise Stopped(StopCause.BUDGET, "out of time", max_seconds=self.budget.max_seconds)
        if self.budget.max_steps is not None and len(self.notes) >= self.budget.max_steps:
            raise Stopped(StopCause.BUDGET, "out of steps", max_steps=self.budget.max_steps)
        if not self.waiters and time.monotonic() > self.lease_until:
            raise Stopped(StopCause.LEASE, f"nobody waited for it within {LEASE_S:g} s")

    @contextmanager
    def within_budget(self) -> Generator[None]:
        """Something that may be waited for, but not longer than this replay may take.

        Raises:
            Stopped: its time was over first.
        """
        limit = self.budget.max_seconds
        left = None if limit is None else max(0.0, limit - (time.monotonic() - self.phases.begun))
        with anyio.move_on_after(left) as scope:
            yield
        if scope.cancelled_caught:
            raise Stopped(StopCause.BUDGET, "out of time before the first step", max_seconds=limit)

    def refuse(self, exc: Rejected) -> None:
        """A gate said no; where a value that was given may be why, that is said, too."""
        says, evidence = str(exc), {name: _plain(value) for name, value in exc.evidence.items()}
        name = doubted(self.memory, self.bound.values, self.position, exc)
        if name is not None:
            says = f"{says}; {check_the_value(name, self.bound.values.get(name))}"
            evidence[DOUBTED] = name
        self._end_early(exc.cause.value, says, evidence)

    def stop(self, exc: Stopped) -> None:
        """Ended between two steps."""
        self._end_early(exc.cause.value, str(exc), dict(exc.evidence))
        if exc.cause is StopCause.CANCELLED:
            self.ending = Ending.CANCELLED

    def finish(
        self,
        ending: Ending,
        verdict: str | None,
        unproven: str = "",
        evidence: Mapping[str, JsonValue] = _NOTHING,
    ) -> None:
        """Every step was done."""
        self.ending, self.verdict, self.unproven = ending, verdict, unproven
        self.cause, self.says, self.evidence = None, "", dict(evidence)

    def reopen(self) -> None:
        """Go on: the ending so far was not the last word."""
        self.ending, self.cause, self.says, self.evidence = Ending.RUNNING, None, "", {}
        self.cancelled = False
        self.finished = anyio.Event()
        self.phases.go_on()
        self.renew()

    def _end_early(self, cause: str, says: str, evidence: dict[str, JsonValue]) -> None:
        self.ending = Ending.STOPPED if self.events else Ending.REJECTED
        self.cause, self.says, self.evidence = cause, says, evidence

    # -- what others are told ----------------------------------------------------------------------

    def report(self) -> Report:
        """As the host gets it."""
        early = self.cause is not None
        return Report(
            replay_id=self.replay_id,
            memory=self.memory.tool_name,
            ending=self.ending,
            summary=self._summary(),
            steps_done=len(self.notes),
            steps_total=len(self.memory.steps),
            seconds=round(
                time.monotonic() - self.phases.begun if self.ending is Ending.RUNNING else self.phases.wall, 2
            ),
            cause=self.cause,
            step=self.position + 1 if early else None,
            evidence=self.evidence,
            may_have_changed=self._done_words() if early and self.events else [],
            verdict=self.verdict,
            next=["wait_replay"] if self.ending is Ending.RUNNING else next_tools(self.cause, self._tries()),
        )

    def row(self, at: datetime) -> Replay:
        """As the ledger keeps it."""
        done = self.ending is not Ending.RUNNING
        return Replay(
            id=self.replay_id,
            memory_id=self.memory.id,
            ending=self.ending,
            cause=self.cause or "",
            started_at=self.started_at,
            ended_at=at if done else None,
            events_sent=self.events,
            steps_done=len(self.notes),
            host_tokens=self._tokens(),
            detail={
                "gates": [*self.gates],
                "phases_s": {name: round(seconds, 4) for name, seconds in self.phases.seconds.items()},
                "wall_s": round(self.phases.wall, 4),
                "re_aimed": sum(note.get("binding") == "re-aimed" for note in self.notes),
                "repairs": sum(self.repairs.values()),
                "runs": [*self.runs],
                "step": self.position + 1 if self.cause else None,
                "evidence": self.evidence,
                "says": self.says,
                "first_pass_tokens": self.first_pass_tokens,
                "process": identity(),
                "verdict": self.verdict,
                "unproven": self.unproven,
                "inputs": dict(self.bound.values.items()),
                "steps": [*self.notes],
            },
        )

    def _summary(self) -> str:
        return sentence(f"{self.memory.tool_name}: {self._said()}")

    def _said(self) -> str:
        steps = len(self.memory.steps)
        match self.ending:
            case Ending.VERIFIED:
                return f"all {steps} steps done{self._left_out()}, the artifact is verified"
            case Ending.DONE_UNVERIFIED:
                why = self.unproven or "nothing checked the result"
                return f"all {steps} steps done{self._left_out()}; {why}"
            case Ending.FAILED:
                return f"all steps done, but {self.unproven or 'the artifact is not right'}"
            case Ending.RUNNING:
                return f"step {self.position + 1} of {steps} under way; call wait_replay"
            case Ending.REJECTED:
                return f"refused, nothing was touched: {self.says}"
            case _:
                return f"{self.ending.value} at step {self.position + 1} of {steps}: {self.says}"

    def _left_out(self) -> str:
        """The clicks whose targets were already as they would have left them."""
        numbers = [str(note["step"]) for note in self.notes if "levels" in note]
        return f" (step {', '.join(numbers)} left out: it was so already)" if numbers else ""

    def _done_words(self) -> list[str]:
        words = [f"{note['step']}: {note['action']} {note.get('target', '')}".strip() for note in self.notes]
        return words if len(words) <= 8 else [*words[:3], f"... {len(words) - 6} more", *words[-3:]]

    def _tokens(self) -> int:
        """What the calls and answers so far have cost the host, and this one with its answer."""
        return (
            self.told_tokens
            + call_tokens(self.memory.tool_name, dict(self.bound.values))
            + text_tokens(self.report().answer())
        )

    def _tries(self) -> int:
        return self.repairs.get(self.position, 0)


def _plain(value: object) -> JsonValue:
    if isinstance(value, str | int | float | bool) or value is None:
        return round(value, 4) if isinstance(value, float) else value
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}  # pyright: ignore
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]  # pyright: ignore
    return str(value)

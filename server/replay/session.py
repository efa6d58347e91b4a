"""One replay while it lives: where it stands, what was done, what stopped it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import anyio
from pydantic import JsonValue

from actionlens.records import RunId
from ibtr.errors import Rejected
from memory_store.bindings import Bound
from memory_store.ledger import DOUBTED
from memory_store.models import Check, Memory, ReplayId, StepRole
from memory_store.quarantine import Ending
from server.fallback import MAX_PLANNED, StopCause
from server.replay.budget import Budget
from server.replay.doubt import check_the_value, doubted
from server.replay.phases import Phases
from server.replay.stopped import Stopped
from server.replay.words import PARTLY

if TYPE_CHECKING:
    from actionlens.actions import Action
    from actionlens.mask import Masks
    from actionlens.run_log import RunLog
    from server.replay.aiming import Target
    from server.replay.checking import Conclusion
    from server.replay.effects import Effect

LEASE_S = 15.0
_NOTHING: Final[Mapping[str, JsonValue]] = MappingProxyType({})


@dataclass(slots=True)
class Session:
    """The state of one replay; the engine alone writes it."""

    replay_id: ReplayId
    memory: Memory
    bound: Bound
    started_at: datetime
    budget: Budget = field(default_factory=Budget)
    given: Mapping[str, object] = field(default_factory=dict[str, object])
    """The arguments of its call, as they came."""
    targets: dict[int, tuple[Target, ...]] = field(default_factory=dict)
    position: int = 0
    events: int = 0
    notes: list[dict[str, JsonValue]] = field(default_factory=list[dict[str, JsonValue]])
    planned: list[dict[str, JsonValue]] = field(default_factory=list[dict[str, JsonValue]])
    """Acts that the host planned: no steps of the memory, but they touch the desktop for it."""
    menu_open: bool = False
    """Whether a menu of the program lay open when it was stopped."""
    prepared: list[str] = field(default_factory=list[str])
    """Programs that were started and windows that were raised for it."""
    partly: int | None = None
    """A step, by index, of which some events were sent: doing it again would send them twice."""
    verdicts: list[dict[str, JsonValue]] = field(default_factory=list[dict[str, JsonValue]])
    """What the host said of steps and goal."""
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
    effects: tuple[Effect, ...] = ()
    """What was found of the expected effects after the last step."""
    begun: bool = False
    ending: Ending = Ending.RUNNING
    cause: str | None = None
    says: str = ""
    evidence: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    verdict: str | None = None
    unproven: str = ""
    """Why the verdict proves nothing, if so."""
    question: str = ""
    """What the user has to be asked before the evaluator can say anything; nothing while nobody has to be."""
    told_tokens: int = 0
    """What the calls about this replay and their answers have cost the host so far."""
    first_pass_tokens: int | None = None
    cancelled: bool = False
    waiters: int = 0
    lease_until: float = 0.0
    finished: anyio.Event = field(default_factory=anyio.Event)

    @property
    def bindable(self) -> bool:
        """Whether its arguments fit the memory: otherwise there is no program to go on with."""
        return len(self.bound.actions) == len(self.memory.steps)

    @property
    def spent_s(self) -> float:
        """Its time so far, without the host's: what `max_seconds` counts."""
        return time.monotonic() - self.phases.begun if self.ending is Ending.RUNNING else self.phases.wall

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
        self._expect_within()
        if not self.waiters and time.monotonic() > self.lease_until:
            raise Stopped(StopCause.LEASE, f"nobody waited for it within {LEASE_S:g} s")

    def _expect_within(self) -> None:
        limit, most = self.budget.max_seconds, self.budget.max_steps
        if limit is not None and self.spent_s > limit:
            raise Stopped(StopCause.BUDGET, "out of time", max_seconds=limit)
        if most is not None and self.acts >= most:
            raise Stopped(StopCause.BUDGET, "out of steps", max_steps=most)

    @property
    def acts(self) -> int:
        """Steps and planned acts so far: what `max_steps` counts."""
        return len(self.notes) + len(self.planned)

    def expect_may_plan(self) -> None:
        """Before an act that the host plans.

        Raises:
            Stopped: the replay's own budget is used up, or the bound on planned acts is reached.
        """
        self._expect_within()
        if len(self.planned) >= MAX_PLANNED:
            says = f"{MAX_PLANNED} acts were planned for this replay already: record the task anew"
            raise Stopped(StopCause.BUDGET, says, max_planned=MAX_PLANNED)

    def plan(self, action: Action, target: str | None) -> None:
        """An act of the host's begins: noted before its first input event."""
        words: dict[str, JsonValue] = {"target": target[:80]} if target else {}
        self.planned.append({"action": action.action, "before_step": self.position + 1, **words})
        self.partly = None  # the host sees to it
        if self.ending is Ending.REJECTED:
            self.ending = Ending.STOPPED

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

    def reached_by_plan(self, found: Conclusion) -> None:
        """The host says that the goal is reached, but not by this memory alone: no replay of it is proved."""
        self.ending, self.cause = Ending.STOPPED, StopCause.HOST.value
        self.verdict, self.unproven = found.verdict, found.unproven
        self.says = {
            Ending.VERIFIED: "the goal was reached by a plan of the host, and the artifact is right; "
            "the memory itself was not replayed to its end",
            Ending.FAILED: "the host calls the goal reached, but the artifact is not right",
        }.get(
            found.ending, f"the host calls the goal reached; {found.unproven or 'nothing checked the result'}"
        )
        left: list[JsonValue] = [index + 1 for index in self.undone()]
        self.evidence = {**found.evidence, "reached_by": "plan", "steps_not_replayed": left}

    def undone(self) -> list[int]:
        """Required steps, by index, that this replay has not done itself."""
        done = [note["step"] for note in self.notes if note.get("binding") != PARTLY]
        required = [index for index, step in enumerate(self.memory.steps) if step.role is StepRole.REQUIRED]
        return [index for index in required if index + 1 not in done]

    def proven_repairs(self) -> list[int]:
        """Steps, by index, that a host repaired, and from which this replay went on to its end by itself.

        With acts of the host beside them, none is. What reads an input is found by its value, not by a look.
        """
        last = {note["step"]: note.get("binding") for note in self.notes}
        if self.planned or self.undone() or self.position != len(self.memory.steps):
            return []
        return [
            index
            for index, step in enumerate(self.memory.steps)
            if last.get(index + 1) == "repaired"
            and all(anchor.kind != "echo" for anchor in step.evidence.anchors)
        ]

    def may_redo(self, index: int) -> bool:
        """Whether the replay can go on with a step: it has a program, and none of the step was sent yet."""
        return self.bindable and self.partly != index

    def reopen(self) -> None:
        """Go on: the ending so far was not the last word."""
        self.ending, self.cause, self.says, self.evidence = Ending.RUNNING, None, "", {}
        self.cancelled = self.menu_open = False
        self.finished = anyio.Event()
        self.phases.go_on()
        self.renew()

    def _end_early(self, cause: str, says: str, evidence: dict[str, JsonValue]) -> None:
        self.ending = Ending.STOPPED if self.touched else Ending.REJECTED
        self.cause, self.says, self.evidence = cause, says, evidence

    @property
    def touched(self) -> bool:
        """Whether anything was sent, planned or started: then it was stopped, not rejected."""
        return bool(self.events or self.planned or self.prepared)


def _plain(value: object) -> JsonValue:
    if isinstance(value, str | int | float | bool) or value is None:
        return round(value, 4) if isinstance(value, float) else value
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}  # pyright: ignore
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]  # pyright: ignore
    return str(value)

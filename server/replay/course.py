"""The course of one replay: its run, its begin, its steps, the evaluator, and its row in the ledger."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread
from pydantic import JsonValue

from actionlens.actions import KEYBOARD_ACTIONS
from actionlens.errors import RunUnreadable, SecretMissing
from actionlens.observation import Window
from actionlens.records import RunStatus
from ibtr.errors import EchoPathError, ParameterConflict, Rejected
from ibtr.geometry import Box
from memory_store.evaluators.scene import Answer
from memory_store.models import Check, Outcome, StepRole
from memory_store.quarantine import Ending
from server.bounds import SEAL_S
from server.guard import Guard
from server.memories import Memories
from server.operator import Operator
from server.policy import check_action
from server.replay.aiming import Sight, rest
from server.replay.branching import Branched, branch
from server.replay.breakable import breakable
from server.replay.checking import conclusion, new_dialog, run_check
from server.replay.conditions import meet
from server.replay.effects import await_effects
from server.replay.gates import check_gates, passed
from server.replay.human import question_of
from server.replay.manners import Manners
from server.replay.meanwhile import meanwhile
from server.replay.phases import CHECK, OURS, TARGET_WAIT
from server.replay.session import Session
from server.replay.start_state import examine
from server.replay.steps import Stepper
from server.replay.stopped import Stopped
from server.replay.targets import load_targets
from server.replay.telling import row_of
from server.replay.words import PREPARED
from server.replayer import Progress

if TYPE_CHECKING:
    from actionlens.controller import Frame
    from actionlens.frames import Pixels
    from actionlens.recorder import ActionLens

log = logging.getLogger("echopath.replay")
_CHECK_AGAIN_S = 0.02
First = Callable[[Stepper], Awaitable[None]]
"""Something to be done before a replay goes on: a repair."""


class Course:
    """Takes a session from where it stands to its end, or to what stops it."""

    def __init__(self, operator: Operator, memories: Memories, guard: Guard, manners: Manners) -> None:
        self._operator, self._memories, self._guard, self._manners = operator, memories, guard, manners

    async def recorded(
        self, lens: ActionLens, session: Session, progress: Progress | None, first: First | None
    ) -> None:
        """A replay is itself a run with full evidence; it is sealed whatever happens."""
        goal = session.memory.keys.task_intent
        if not session.begun:
            session.gates = passed(check_gates(session.memory))
        run = await lens.start_run(goal, replay=session.replay_id, memory=session.memory.id)
        session.enter(run)
        await self.enter_in_ledger(session)  # as running: should we die, the next start finds it
        status = RunStatus.FAILED
        try:
            await self._work(lens, session, progress, first)
            status = RunStatus.FINISHED
        except Rejected as exc:
            with suppress(EchoPathError):  # the screen that was refused, for whoever asks why
                seen = await lens.observe(f"refused: {exc}"[:500])
                session.menu_open = any(popup.menu for popup in seen.popups)
            raise
        except (Stopped, anyio.get_cancelled_exc_class()):
            status = RunStatus.CANCELLED
            raise
        finally:
            with anyio.move_on_after(SEAL_S, shield=True), suppress(EchoPathError):
                await lens.finish_run(status, ending=session.ending.value)
        await self.keep_repairs(session)

    async def _work(
        self, lens: ActionLens, session: Session, progress: Progress | None, first: First | None
    ) -> None:
        stepper = Stepper(lens, session, self._manners, self._guard)
        if not session.begun:
            seen = await lens.desktop.capture()
            await breakable(
                session,
                lambda: meanwhile(
                    lambda: lens.keep(seen),  # likely the first frame that is needed, and the only whole one
                    lambda: self._begin(lens, stepper, seen, skip_start=first is not None),
                ),
            )
        if first is not None:
            await first(stepper)
        total = len(session.memory.steps)
        for index in range(session.position, total):
            session.check_may_go_on()
            if progress is not None:
                await progress(index, total, f"step {index + 1}: {session.bound.actions[index].action}")
            spent = session.phases.seconds[OURS]
            await stepper.do(index)
            session.phases.lap()
            session.notes[-1]["ours_s"] = round(session.phases.seconds[OURS] - spent, 4)
        await self.conclude(lens, session)

    async def _begin(self, lens: ActionLens, stepper: Stepper, seen: Frame, *, skip_start: bool) -> None:
        """Evidence, preconditions, start state, and what the evaluator says before anything was done."""
        session, since = stepper.session, time.monotonic()
        memory = session.memory
        await self._expect_allowed(session)
        try:
            await lens.expect_secrets(session.bound.actions)
        except SecretMissing as exc:
            raise ParameterConflict(str(exc)) from exc
        session.targets = await self._memories.use(lambda store: load_targets(memory, store.blob))
        session.phases.lap()

        async def tell(words: str) -> None:
            session.prepared.append(words)
            await lens.note(PREPARED, did=words)

        await meet(
            memory.preconditions,
            lens.desktop,
            session.bound.values,
            self._memories.blob,
            self._guard.check_launch,
            tell=tell,
        )
        session.phases.lap(TARGET_WAIT)
        session.before = await self._check(lens, session)
        session.phases.lap(CHECK)
        session.first_pass_tokens = await to_thread.run_sync(
            self._operator.recorded_tokens, memory.lineage.runs
        )
        if not skip_start:
            session.position = await self._await_start(lens, stepper)
        if session.bound.actions[session.position].action in KEYBOARD_ACTIONS:
            await rest(lens.desktop, since=(since, seen))  # keys are lost on a window that is not ready
        session.begun = True
        session.phases.lap(TARGET_WAIT)

    async def _expect_allowed(self, session: Session) -> None:
        """Ask the policy about every step before the first, in the application it was recorded in."""
        policy = await self._guard.policy()
        for step, action in zip(session.memory.steps, session.bound.actions, strict=True):
            there = Window(id=0, application=step.evidence.before.application, box=Box(0, 0, 0, 0))
            check_action(policy, action, there)

    async def _await_start(self, lens: ActionLens, stepper: Stepper) -> int:
        """Give the start state the time that a first target gets."""
        session = stepper.session
        waiting, at_start = self._manners.waiting, await self._first_screen(session)
        session.phases.lap()
        end = time.monotonic() + waiting.still_s
        seen: object = None
        while True:
            frame, at = await lens.desktop.capture(), time.monotonic()
            if frame.pixels is not seen or at > end:
                seen = frame.pixels
                session.phases.lap(TARGET_WAIT)
                try:
                    look = partial(examine, thorough=at > end)
                    start = await to_thread.run_sync(
                        look, session.memory, session.targets, frame, at_start, abandon_on_cancel=True
                    )
                except Rejected:
                    if at > end:
                        raise
                else:
                    session.gates += [f"start, {probe}: {said}" for probe, said in start.probes.items()]
                    if start.aims is not None:
                        stepper.known[start.first] = Sight(frame, at, start.aims)
                    return start.first
                finally:
                    session.phases.lap()
            await anyio.sleep(waiting.poll_s)

    async def conclude(self, lens: ActionLens, session: Session, *, by_plan: bool = False) -> None:
        """All steps were done, or the host calls its own plan done: are evaluator and effects content?"""
        session.phases.lap()
        end = time.monotonic() + self._manners.artifact_s
        after = await self._check(lens, session)
        while _says_no(after) and time.monotonic() < end:
            await anyio.sleep(_CHECK_AGAIN_S)  # programs write late
            after = await self._check(lens, session)
        if _says_no(after) and await lens.desktop.caught_up():  # a busy one has not come to its last click
            after = await self._check(lens, session)
        session.phases.lap(CHECK)
        session.after = after
        effects = await await_effects(
            session.memory.expected_effects,
            lens.desktop.capture,
            session.bound.values,
            self._memories.blob,
            self._manners.waiting,
            patient=after is None or after.outcome is not Outcome.FAILED,
        )
        session.phases.lap(TARGET_WAIT)
        dialog = new_dialog(session.memory, (await lens.desktop.capture()).window)
        open_ = after is not None and after.outcome is Outcome.COULD_NOT_RUN
        session.question = question_of(session) if open_ else ""
        session.effects = effects
        self._end(session, after, dialog, by_plan=by_plan)

    async def answer(self, lens: ActionLens, session: Session, *, said: bool) -> None:
        """The user has answered the evaluator's question: the same replay, checked once more with that."""
        human = Answer(confirmed=said, by="user")
        session.question = ""
        session.phases.go_on()
        after = session.after = await self._check(lens, session, human)
        session.phases.lap(CHECK)
        self._end(session, after, None, by_plan="reached_by" in session.evidence)
        await self.keep_repairs(session)

    @staticmethod
    def _end(session: Session, after: Check | None, dialog: str | None, *, by_plan: bool) -> None:
        found = conclusion(session.before, after, dialog, session.effects)
        if by_plan or session.undone():
            session.reached_by_plan(found)
        else:
            session.finish(*found)

    async def _check(self, lens: ActionLens, session: Session, human: Answer | None = None) -> Check | None:
        if session.memory.validation.evaluator is None:
            return None
        frame = await lens.desktop.capture()
        allowed = (await self._guard.policy()).allowed()
        return await to_thread.run_sync(
            lambda: run_check(
                session.memory,
                session.bound.values,
                frame.pixels,
                self._memories.blob,
                allowed,
                at=datetime.now(UTC),
                human=human,
            )
        )

    async def keep_repairs(self, session: Session) -> None:
        """Repairs of a replay that ended verified become one candidate branch; its runs are sealed by now."""
        proven = session.proven_repairs() if session.ending is Ending.VERIFIED else []
        if not proven:
            return
        runs = self._operator.runs
        try:
            made = await self._memories.use(lambda store: branch(store, session, proven, runs))
        except RunUnreadable as exc:
            made = Branched(None, (str(exc),))
        kept: dict[str, JsonValue] = {"repaired_branch": made.memory.tool_name} if made.memory else {}
        if made.said:
            kept["repair_warnings" if made.memory else "repair_not_kept"] = [*made.said]
        session.evidence = {**session.evidence, **kept}

    # -- the store -------------------------------------------------------------------------------

    async def _first_screen(self, session: Session) -> Pixels | None:
        """The recorded one, if the first step has no target that says more."""
        from memory_store.images import decode

        kept = session.memory.steps[0].evidence.frames.get("before")
        optional = any(step.role is not StepRole.REQUIRED for step in session.memory.steps)
        if kept is None or (0 in session.targets and not optional):
            return None
        return await self._memories.use(lambda store: decode(store.blob(kept.sha256), kept.media_type))

    async def enter_in_ledger(self, session: Session) -> None:
        """Write down what became of a replay; the store may quarantine its memory for it."""
        at = datetime.now(UTC)
        row = row_of(session, at)
        try:
            reason = await self._memories.use(lambda store: store.record_replay(row, at=at))
        except EchoPathError as exc:
            log.error("replay %s is not in the ledger: %s", session.replay_id, exc)  # noqa: TRY400
            return
        if reason:
            quarantined = f"quarantined: {reason}"
            session.evidence = {**session.evidence, "lifecycle": "quarantined"}
            if session.cause is None:  # every step was done: the verdict is what is told
                session.verdict = "; ".join(filter(None, (session.verdict, quarantined)))
            else:
                session.says = "; ".join(filter(None, (session.says, quarantined)))


def _says_no(check: Check | None) -> bool:
    return check is not None and check.outcome is Outcome.FAILED

"""Replays, one at a time, on the server's desktop: the Replayer that the tools call."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from secrets import token_hex
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup

from actionlens.actions import KEYBOARD_ACTIONS
from actionlens.errors import DesktopBusy, DesktopLost
from actionlens.observation import Window
from actionlens.records import RunStatus
from ibtr.errors import EchoPathError, Rejected
from ibtr.geometry import Box
from memory_store.bindings import bind
from memory_store.models import Check, Memory, Outcome, ReplayId
from memory_store.quarantine import Ending
from server.errors import ReplayNotFound
from server.fallback import StopCause
from server.guard import Guard
from server.memories import Memories
from server.operator import Operator
from server.policy import check_action
from server.replay.aiming import rest
from server.replay.checking import ending_of, run_check
from server.replay.conditions import meet
from server.replay.gates import check_gates
from server.replay.interrupted import past_report, settle_interrupted
from server.replay.phases import CHECK, TARGET_WAIT
from server.replay.session import Budget, Session, Stopped
from server.replay.start_state import examine
from server.replay.steps import Manners, Stepper
from server.replay.targets import load_targets
from server.replayer import Progress
from server.report import Report

if TYPE_CHECKING:
    from actionlens.frames import Pixels
    from actionlens.recorder import ActionLens
    from memory_store.repository import Repository

log = logging.getLogger("echopath.replay")
CALL_S = 45.0  # no call takes longer: hosts give up at 60 s, and progress does not help
First = Callable[[Stepper], Awaitable[None]]
"""Something to be done before a replay goes on: a repair."""
_CHECK_AGAIN_S = 0.1
_KEPT = 50  # replays of which the whole state is kept for repair and resume


class Replays:
    """Runs memories in a task group of the server's, so that a replay outlives the call that started it."""

    def __init__(
        self, operator: Operator, memories: Memories, guard: Guard, group: TaskGroup, manners: Manners
    ) -> None:
        self._operator, self._memories, self._guard = operator, memories, guard
        self._group, self._manners = group, manners
        self._sessions: dict[ReplayId, Session] = {}
        self._desk = anyio.Lock()
        self._settled = False

    # -- what the tools call ---------------------------------------------------------------------

    async def run(
        self,
        memory: Memory,
        inputs: Mapping[str, object],
        *,
        max_steps: int | None = None,
        max_seconds: float | None = None,
        progress: Progress | None = None,
    ) -> Report:
        """Replay a memory; after 45 s the report says `running` and the replay goes on under its lease."""
        budget = Budget(max_steps, max_seconds)
        started = datetime.now(UTC)
        replay_id = ReplayId(f"r{started:%y%m%d%H%M%S}{token_hex(3)}")
        try:
            bound = bind(memory, inputs)
        except Rejected as exc:
            return await self._refused_arguments(replay_id, memory, budget, started, exc)
        session = Session(replay_id, memory, bound, started, budget)
        self._remember(session)
        return await self._start(session, progress)

    async def wait(self, replay_id: ReplayId, seconds: float = CALL_S) -> Report:
        """Renew the lease and wait for the end.

        Raises:
            ReplayNotFound: this server knows no such replay.
        """
        if (past := await self._past(replay_id)) is not None:
            return past
        session = self.session(replay_id)
        await self._attend(session, min(seconds, CALL_S))
        return session.report()

    async def cancel(self, replay_id: ReplayId) -> Report:
        """Stop between two steps."""
        session = self.session(replay_id)
        session.cancelled = True
        await self._attend(session, CALL_S)
        return session.report()

    async def resume(
        self, replay_id: ReplayId, *, progress: Progress | None = None, max_seconds: float | None = None
    ) -> Report:
        """Go on from the step that was refused; one that is running is only waited for."""
        if (past := await self._past(replay_id)) is not None:
            return past
        session = self.session(replay_id)
        if session.ending in (Ending.VERIFIED, Ending.DONE_UNVERIFIED):
            return session.report()
        if session.ending is Ending.RUNNING:
            return await self.wait(replay_id)
        session.budget = Budget(None, max_seconds)
        session.reopen()
        return await self._start(session, progress)

    async def _past(self, replay_id: ReplayId) -> Report | None:
        """A replay that another server ran, if the ledger knows it."""
        if replay_id in self._sessions:
            return None
        await self._settle_past()

        def look(store: Repository) -> Report | None:
            row = store.replay(replay_id)
            return past_report(store, row) if row else None

        return await self._memories.use(look)

    async def _settle_past(self) -> None:
        """Once: end what a server that died has left running in the ledger, and say so."""
        if self._settled:
            return
        self._settled = True
        at = datetime.now(UTC)
        for row in await self._memories.use(lambda store: settle_interrupted(store, at=at)):
            log.warning("replay %s was interrupted: %s", row.id, row.detail.get("says"))

    def session(self, replay_id: str) -> Session:
        """The state of a replay.

        Raises:
            ReplayNotFound: this server knows no such replay.
        """
        if (found := self._sessions.get(ReplayId(replay_id))) is None:
            raise ReplayNotFound(replay_id)
        return found

    # -- one replay ------------------------------------------------------------------------------

    async def go_on(self, session: Session, first: First) -> Report:
        """Go on with a replay that was refused, after something the host has found out."""
        session.reopen()
        return await self._start(session, None, first)

    async def _start(self, session: Session, progress: Progress | None, first: First | None = None) -> Report:
        await self._settle_past()
        session.renew()
        self._group.start_soon(self._drive, session, progress, first)
        try:
            await self._attend(session, CALL_S)
        except anyio.get_cancelled_exc_class():
            session.cancelled = True
            raise
        return session.report()

    async def _attend(self, session: Session, seconds: float) -> None:
        """Wait for the end; while somebody waits, the lease holds."""
        session.waiters += 1
        try:
            with anyio.move_on_after(seconds):
                await session.finished.wait()
        finally:
            session.waiters -= 1
            session.renew()

    async def _drive(self, session: Session, progress: Progress | None, first: First | None) -> None:
        """Carry a replay on until something ends it; whatever that is, it is written down."""
        try:
            async with self._desk:
                lens = await self._operator.lens()
                doing = f"replay {session.replay_id} of {session.memory.tool_name}"
                with self._operator.claims.replaying("a replay of this server", doing):
                    await self._recorded(lens, session, progress, first)
        except Rejected as exc:
            session.refuse(exc)
        except Stopped as exc:
            session.stop(exc)
        except DesktopBusy as exc:
            busy = {"who": exc.who, "since": exc.since.isoformat(), "doing": exc.doing}
            session.stop(Stopped(StopCause.BUSY, str(exc), **busy))
        except DesktopLost as exc:
            session.stop(Stopped(StopCause.LOST, str(exc)))
            await self._operator.close()
        except EchoPathError as exc:
            session.stop(Stopped(StopCause.FAULT, str(exc)))
        except anyio.get_cancelled_exc_class():
            session.stop(Stopped(StopCause.CANCELLED, "the server is closing"))
            raise
        except Exception as exc:
            log.exception("replay %s", session.replay_id)
            session.stop(Stopped(StopCause.FAULT, f"{type(exc).__name__}: {exc}"))
        finally:
            session.phases.lap()
            with anyio.CancelScope(shield=True):
                await self.enter_in_ledger(session)
            session.finished.set()

    async def _recorded(
        self, lens: ActionLens, session: Session, progress: Progress | None, first: First | None
    ) -> None:
        """A replay is itself a run with full evidence; it is sealed whatever happens."""
        goal = session.memory.keys.task_intent
        if not session.begun:
            check_gates(session.memory)
        run = await lens.start_run(goal, replay=session.replay_id, memory=session.memory.id)
        session.runs.append(run.run_id)
        await self.enter_in_ledger(session)  # as running: should we die, the next start finds it
        status = RunStatus.FAILED
        try:
            await self._work(lens, session, progress, first)
            status = RunStatus.FINISHED
        except Rejected as exc:
            with suppress(EchoPathError):  # the screen that was refused, for whoever asks why
                await lens.observe(f"refused: {exc}"[:500])
            raise
        except (Stopped, anyio.get_cancelled_exc_class()):
            status = RunStatus.CANCELLED
            raise
        finally:
            with anyio.CancelScope(shield=True), suppress(EchoPathError):
                await lens.finish_run(status, ending=session.ending.value)

    async def _work(
        self, lens: ActionLens, session: Session, progress: Progress | None, first: First | None
    ) -> None:
        if not session.begun:
            await self._begin(lens, session, skip_start=first is not None)
        stepper = Stepper(lens, session, self._manners, self._guard)
        if first is not None:
            await first(stepper)
        total = len(session.memory.steps)
        for index in range(session.position, total):
            session.check_may_go_on()
            if progress is not None:
                await progress(index, total, f"step {index + 1}: {session.bound.actions[index].action}")
            await stepper.do(index)
            session.phases.lap()
        await self.conclude(lens, session)

    async def _begin(self, lens: ActionLens, session: Session, *, skip_start: bool) -> None:
        """Evidence, preconditions, start state, and what the evaluator says before anything was done."""
        memory = session.memory
        await self._expect_allowed(session)
        session.targets = await self._memories.use(lambda store: load_targets(memory, store.blob))
        await meet(
            memory.preconditions,
            lens.desktop,
            session.bound.values,
            self._memories.blob,
            self._guard.check_launch,
        )
        session.before = await self._check(lens, session)
        session.first_pass_tokens = await to_thread.run_sync(
            self._operator.recorded_tokens, memory.lineage.runs
        )
        at_start = await self._first_screen(memory)
        if not skip_start:
            session.position = await self._await_start(lens, session, at_start)
        if session.bound.actions[session.position].action in KEYBOARD_ACTIONS:
            await rest(
                lens.desktop
            )  # no target is waited for, and keys are lost on a window that is not ready
        session.begun = True
        session.phases.lap(TARGET_WAIT)

    async def _expect_allowed(self, session: Session) -> None:
        """Ask the policy about every step before the first, in the application it was recorded in."""
        policy = await self._guard.policy()
        for step, action in zip(session.memory.steps, session.bound.actions, strict=True):
            there = Window(id=0, application=step.evidence.before.application, box=Box(0, 0, 0, 0))
            check_action(policy, action, there)

    async def _await_start(self, lens: ActionLens, session: Session, at_start: Pixels | None) -> int:
        """Give the start state the time that a first target gets."""
        waiting = self._manners.waiting
        end = time.monotonic() + waiting.still_s
        seen: object = None
        while True:
            frame = await lens.desktop.capture()
            late = time.monotonic() > end
            if frame.pixels is not seen or late:
                seen = frame.pixels
                try:
                    start = await to_thread.run_sync(
                        examine, session.memory, session.targets, frame, at_start
                    )
                except Rejected:
                    if late:
                        raise
                else:
                    return start.first
            await anyio.sleep(waiting.poll_s)

    async def conclude(self, lens: ActionLens, session: Session) -> None:
        """All steps were done: what does the evaluator say?"""
        session.phases.lap()
        end = time.monotonic() + self._manners.artifact_s
        after = await self._check(lens, session)
        while after is not None and after.outcome is Outcome.FAILED and time.monotonic() < end:
            await anyio.sleep(_CHECK_AGAIN_S)  # programs write late
            after = await self._check(lens, session)
        session.phases.lap(CHECK)
        ending, verdict = ending_of(session.before, after)
        session.finish(ending, verdict)

    async def _check(self, lens: ActionLens, session: Session) -> Check | None:
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
            )
        )

    # -- the store -------------------------------------------------------------------------------

    async def _first_screen(self, memory: Memory) -> Pixels | None:
        from memory_store.images import decode

        kept = memory.steps[0].evidence.frames.get("before")
        if kept is None:
            return None
        return decode(await self._memories.use(lambda store: store.blob(kept.sha256)), kept.media_type)

    async def enter_in_ledger(self, session: Session) -> None:
        """Write down what became of a replay; the store may quarantine its memory for it."""
        at = datetime.now(UTC)
        row = session.row(at)
        try:
            reason = await self._memories.use(lambda store: store.record_replay(row, at=at))
        except EchoPathError as exc:
            log.error("replay %s is not in the ledger: %s", session.replay_id, exc)  # noqa: TRY400
            return
        if reason:
            session.says = f"{session.says}; {reason}".strip("; ")

    async def _refused_arguments(
        self, replay_id: ReplayId, memory: Memory, budget: Budget, started: datetime, exc: Rejected
    ) -> Report:
        from memory_store.bindings import Bound

        session = Session(replay_id, memory, Bound((), (), {}, ()), started, budget)
        session.refuse(exc)
        session.phases.lap()
        session.finished.set()
        self._remember(session)
        await self.enter_in_ledger(session)
        return session.report()

    def _remember(self, session: Session) -> None:
        self._sessions[session.replay_id] = session
        while len(self._sessions) > _KEPT:
            oldest = next(iter(self._sessions))
            if self._sessions[oldest].ending is Ending.RUNNING:
                return
            del self._sessions[oldest]

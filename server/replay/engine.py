"""Replays, one at a time, on the server's desktop: the Replayer that the tools call."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from secrets import token_hex
from typing import TYPE_CHECKING

import anyio
from anyio.abc import TaskGroup

from actionlens.errors import DesktopBusy, DesktopLost
from ibtr.errors import EchoPathError, Rejected
from memory_store.bindings import bind
from memory_store.models import Memory, ReplayId
from memory_store.quarantine import Ending
from server.bounds import CALL_S, SEAL_S, left_s
from server.errors import OwnRecording, ReplayNotFound
from server.fallback import StopCause
from server.guard import Guard
from server.memories import Memories
from server.operator import Operator
from server.replay.budget import Budget
from server.replay.course import Course, First
from server.replay.interrupted import past_report
from server.replay.manners import Manners
from server.replay.session import Session
from server.replay.stopped import Stopped
from server.replay.telling import report_of
from server.replayer import Progress
from server.report import Report
from server.settling import settle_past

if TYPE_CHECKING:
    from actionlens.recorder import ActionLens
    from memory_store.repository import Repository

log = logging.getLogger("echopath.replay")
_AT_ITS_END = (Ending.VERIFIED, Ending.DONE_UNVERIFIED, Ending.FAILED)  # no step is left to go on with
_KEPT = 50  # replays of which the whole state is kept for repair and resume


class Replays:
    """Runs memories in a task group of the server's, so that a replay outlives the call that started it."""

    def __init__(
        self, operator: Operator, memories: Memories, guard: Guard, group: TaskGroup, manners: Manners
    ) -> None:
        self._operator, self._memories, self._group = operator, memories, group
        self.course = Course(operator, memories, guard, manners)
        self._sessions: dict[ReplayId, Session] = {}
        self._driven: set[anyio.CancelScope] = set()
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
        session = Session(replay_id, memory, bound, started, budget, given=dict(inputs))
        self.remember(session)
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
        return report_of(session)

    async def cancel(self, replay_id: ReplayId) -> Report:
        """Stop between two steps."""
        session = self.session(replay_id)
        session.cancelled = True
        await self._attend(session, CALL_S)
        return report_of(session)

    async def resume(
        self,
        replay_id: ReplayId,
        *,
        max_steps: int | None = None,
        max_seconds: float | None = None,
        progress: Progress | None = None,
    ) -> Report:
        """Go on from the step that was refused, within the old budget or with so much more.

        One that is running is only waited for; one that has come to its end, or cannot go on, is told again.
        """
        if (past := await self._past(replay_id)) is not None:
            return past
        session = self.session(replay_id)
        if session.ending in _AT_ITS_END or not session.may_redo(session.position):
            return report_of(session)
        if session.ending is Ending.RUNNING:
            return await self.wait(replay_id)
        session.budget = session.budget.more(
            max_steps, max_seconds, done=session.acts, spent_s=session.spent_s
        )
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
        if not self._settled:
            self._settled = True
            await settle_past(self._memories, self._operator.runs)

    def session(self, replay_id: str) -> Session:
        """The state of a replay.

        Raises:
            ReplayNotFound: this server knows no such replay.
        """
        if (found := self._sessions.get(ReplayId(replay_id))) is None:
            raise ReplayNotFound(replay_id)
        return found

    def question(self, replay_id: str) -> str:
        """What the user has to be asked about the result of a replay, if that is all that is missing."""
        session = self._sessions.get(ReplayId(replay_id))
        return session.question if session is not None and session.ending is not Ending.RUNNING else ""

    def unanswered(self, memory: Memory, inputs: Mapping[str, object]) -> Session | None:
        """The last replay of this very call, if it waits for the user's answer."""
        same = [
            one
            for one in self._sessions.values()
            if one.question and one.memory.id == memory.id and dict(one.given) == dict(inputs)
        ]
        return same[-1] if same else None

    async def answer(self, replay_id: str, *, said: bool | None) -> Report:
        """The user's answer to a replay's question; None: nobody could be asked. Nothing is run again."""
        session = self.session(replay_id)
        if said is None:
            session.question = ""
            session.unproven = "this host could not ask the user, who has to say whether the result is right"
        else:
            await self.course.answer(await self._operator.lens(), session, said=said)
        await self.course.enter_in_ledger(session)
        return report_of(session)

    def told(self, replay_id: str, tokens: int) -> None:
        """A call about a replay was answered, for so many tokens; another server's replay is not counted."""
        if (session := self._sessions.get(ReplayId(replay_id))) is not None:
            session.told_tokens += tokens

    # -- one replay ------------------------------------------------------------------------------

    @asynccontextmanager
    async def holding(self, session: Session, what: str = "replay") -> AsyncGenerator[ActionLens]:
        """The desktop for one replay alone, while it acts: whoever else comes is told, and waits for nothing.

        Raises:
            DesktopBusy: another replay runs, or another client drives.
            OwnRecording: the caller is recording itself.
        """
        lens = await self.expect_free()
        doing = f"{what} {session.replay_id} of {session.memory.tool_name}"
        with self._operator.claims.replaying("a replay of this server", doing):
            yield lens

    async def expect_free(self) -> ActionLens:
        """Nobody drives, so that a replay may.

        Raises:
            DesktopBusy: another replay runs, or another client drives.
            OwnRecording: the caller is recording itself.
        """
        lens, claims = await self._operator.lens(), self._operator.claims
        claims.expect_ours()
        known = lens.run.manifest if lens.run else None
        recorded = known is not None and not known.detail.keys() & {"ambient", "replay"}
        if known is not None and recorded and claims.recording_is_ours:
            raise OwnRecording(known.run_id, known.task_goal)
        return lens

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
        return report_of(session)

    async def _attend(self, session: Session, seconds: float) -> None:
        """Wait for the end; while somebody waits, the lease holds."""
        session.waiters += 1
        try:
            with anyio.move_on_after(left_s(seconds)):
                await session.finished.wait()
        finally:
            session.waiters -= 1
            session.renew()

    def stop(self) -> None:
        """The server is closing: end every replay, between two input events."""
        for scope in self._driven:
            scope.cancel()

    async def stopped(self) -> None:
        """Wait until every replay is written down."""
        for session in [one for one in self._sessions.values() if one.ending is Ending.RUNNING]:
            await session.finished.wait()

    async def _drive(self, session: Session, progress: Progress | None, first: First | None) -> None:
        with anyio.CancelScope() as scope:
            self._driven.add(scope)
            try:
                await self._carry_on(session, progress, first)
            finally:
                self._driven.discard(scope)

    async def _carry_on(self, session: Session, progress: Progress | None, first: First | None) -> None:
        """Carry a replay on until something ends it; whatever that is, it is written down."""
        try:
            async with self.holding(session) as lens:
                await self.course.recorded(lens, session, progress, first)
        except Rejected as exc:
            session.refuse(exc)
        except Stopped as exc:
            session.stop(exc)
        except DesktopBusy as exc:
            facts = {"who": exc.who, "since": exc.since.isoformat(), "doing": exc.doing}
            session.stop(Stopped(StopCause.BUSY, str(exc), **facts))
        except OwnRecording as exc:
            session.stop(Stopped(StopCause.RECORDING, str(exc), run_id=exc.run_id, goal=exc.goal[:200]))
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
            with anyio.move_on_after(SEAL_S, shield=True):
                await self.course.enter_in_ledger(session)
            session.finished.set()

    async def _refused_arguments(
        self, replay_id: ReplayId, memory: Memory, budget: Budget, started: datetime, exc: Rejected
    ) -> Report:
        from memory_store.bindings import Bound

        session = Session(replay_id, memory, Bound((), (), {}, ()), started, budget)
        session.refuse(exc)
        session.phases.lap()
        session.finished.set()
        self.remember(session)
        await self.course.enter_in_ledger(session)
        return report_of(session)

    def remember(self, session: Session) -> None:
        """Keep the state of a replay for repair and resume; of many, the latest."""
        self._sessions[session.replay_id] = session
        while len(self._sessions) > _KEPT:
            oldest = next(iter(self._sessions))
            if self._sessions[oldest].ending is Ending.RUNNING:
                return
            del self._sessions[oldest]

"""What a host does where no repair helps: plan an act, do a stored step, judge the result."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
from pydantic import JsonValue

from actionlens.actions import Action
from actionlens.errors import OffScreen, SecretMissing
from actionlens.records import Request
from memory_store.quarantine import Ending
from server.bounds import SEAL_S
from server.replay.session import Session
from server.replay.telling import report_of
from server.report import Report

if TYPE_CHECKING:
    from actionlens.controller import Controller, Frame
    from actionlens.recorder import ActionLens, Done
    from server.replay.engine import Replays
    from server.replay.steps import Stepper

May = Callable[[Action, "Frame", "Controller"], Awaitable[None]]
"""Raises UnsafeAction where the policy forbids an action on a screen."""


class Planner:
    """Goes on with the refused replays of one server as their host says."""

    def __init__(self, replays: Replays) -> None:
        self._replays = replays

    async def planned(
        self, session: Session, action: Action, target: str | None, expect: str | None, may: May
    ) -> Done:
        """One act that the host planned: with the desktop for itself, in a run of its own, counted before it.

        Raises:
            DesktopBusy, OwnRecording: somebody drives, or the host records.
            Stopped: no more acts may be planned for this replay.
            UnsafeAction: the policy says no.
        """
        session.expect_may_plan()
        async with self._replays.holding(session, "a planned act for replay") as lens:
            await may(action, await lens.desktop.capture(), lens.desktop)
            async with self._noted(lens, session, why="planned"):
                session.phases.go_on()
                session.plan(action, target)
                await self._replays.course.enter_in_ledger(session)  # should we die, it is known to be begun
                source: dict[str, JsonValue] = {"replay": session.replay_id, "planned": True}
                request = Request(action=action, target=target, expect=expect, source=source)
                try:
                    done = await lens.act(request)
                except (OffScreen, SecretMissing):
                    session.planned.pop()  # nothing was sent
                    raise
                finally:
                    session.phases.lap()
                session.presses = None  # where keys go from here is the host's choice
        await self._replays.course.enter_in_ledger(session)
        return done

    @asynccontextmanager
    async def _noted(self, lens: ActionLens, session: Session, *, why: str) -> AsyncGenerator[None]:
        """A run of this replay, sealed whatever happens: it keeps nobody out afterwards."""
        goal = session.memory.keys.task_intent
        session.enter(await lens.start_run(goal, replay=session.replay_id, part=why))
        try:
            yield
        finally:
            with anyio.move_on_after(SEAL_S, shield=True):
                await lens.finish_run()

    async def stored_step(self, session: Session, index: int) -> Report:
        """Do one stored step now, wherever the replay stands, and stay there."""
        if not session.may_redo(index):
            return report_of(session)
        await self._replays.expect_free()

        async def first(stepper: Stepper) -> None:
            await stepper.do(index)
            stepper.stay()

        return await self._replays.go_on(session, first)

    async def resume_at(self, session: Session, index: int) -> Report:
        """Go on with the replay from another step, wherever the screen stands: all other gates are asked."""
        if not session.may_redo(index):
            return report_of(session)
        await self._replays.expect_free()
        session.position = index

        async def first(_: Stepper) -> None:
            """Nothing: the host has done what was to be done."""

        return await self._replays.go_on(session, first)

    async def judged(
        self, session: Session, verdict: dict[str, JsonValue], *, goal_reached: bool | None
    ) -> Report:
        """Write the host's verdict down; a goal that it calls reached is checked by the evaluator.

        Only a replay that did all its steps by itself, and was not judged yet, can be verified by that.

        Raises:
            DesktopBusy, OwnRecording: somebody drives, or the host records.
        """
        course = self._replays.course
        if not goal_reached:
            session.verdicts.append(verdict)
            await course.enter_in_ledger(session)
            return report_of(session)
        async with self._replays.holding(session, "the check of replay") as lens:
            session.verdicts.append(verdict)
            async with self._noted(lens, session, why="judged"):
                await lens.note("verdict", replay=session.replay_id, **verdict)
                session.phases.go_on()
                alone = session.position == len(session.memory.steps) and not session.planned
                judged = session.ending is Ending.FAILED
                await course.conclude(lens, session, by_plan=judged or not alone)
            await course.keep_repairs(session)
        await course.enter_in_ledger(session)
        return report_of(session)

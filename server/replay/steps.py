"""One step of a replay: bind it to the screen of now, do it, and see that it led where it led before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anyio import to_thread
from pydantic import JsonValue

from actionlens.actions import KEYBOARD_ACTIONS, Action, Wait
from ibtr.errors import MissingTarget, UnsupportedAction
from memory_store.models import Step, StepRole
from server.fallback import StopCause
from server.guard import Guard
from server.replay.aiming import Aimed, Sight, as_it_was, expect_unswitched, visible
from server.replay.already import told
from server.replay.dialogs import expect_gone
from server.replay.hand import AsSeen, Hand
from server.replay.judging import judge
from server.replay.manners import Manners
from server.replay.placing import placed, report_of
from server.replay.seeking import Seeker
from server.replay.session import Session
from server.replay.stopped import Stopped
from server.replay.unlit import Pointed, off, on

if TYPE_CHECKING:
    from actionlens.recorder import ActionLens, Done

_TRIES = 3  # times that a target may go away as the pointer comes


class Stepper:
    """Does the steps of one session through one lens."""

    def __init__(self, lens: ActionLens, session: Session, manners: Manners, guard: Guard) -> None:
        self._lens, self.session, self._manners = lens, session, manners
        self._hand = Hand(lens, session, manners, guard)
        self._seeker = Seeker(lens.desktop, session, manners, self._hand)

    @property
    def known(self) -> dict[int, Sight]:
        """Targets that were seen before their turn came, by step."""
        return self._seeker.known

    async def do(self, index: int) -> None:
        """Carry out one step, or skip it where its work is already done.

        Raises:
            Rejected: before its input event, or because it did not lead where it should have.
            Stopped: a person is at the mouse, or the desktop could not do it.
        """
        step, action = self.session.memory.steps[index], self.session.bound.actions[index]
        if await self._is_done_already(index, step):
            self._hand.note(index, action, {"binding": "skipped", "why": f"{step.role.value}, already done"})
            return
        if isinstance(action, Wait) and index + 1 in self.session.targets:
            self._hand.note(index, action, {"binding": "skipped", "why": "the next target is waited for"})
            return
        aimed: Aimed | None = None
        if index in self.session.targets:
            if (state := await self._seeker.left_already(index, step)) is not None:
                self._hand.note(index, action, told(state))
                return
            aimed, done = await self._act_on_target(index, step, action)
            how: dict[str, JsonValue] = {"binding": "re-aimed", **report_of(aimed)}
        elif action.points():  # never where it was once
            raise UnsupportedAction(f"step {index + 1}: nothing that finds its target again", step=index + 1)
        else:
            keys = action.action in KEYBOARD_ACTIONS
            frame = await self._hand.expect_application(step, self._seeker.awaited(index)) if keys else None
            done = await self._hand.act(index, step, action, None, frame)
            how = {"binding": self.session.bound.deltas[index].value}
        self._hand.note(index, action, how)
        seen_next = self._hand.ahead is not None and self._hand.ahead.aimed is not None
        await judge(self._lens.desktop, self._manners, self.session, index, done, seen_next=seen_next)
        if step.evidence.closes and aimed is not None and index + 1 < len(self.session.memory.steps):
            targets = self.session.targets[index]
            await expect_gone(self._lens.desktop, self._manners, targets, aimed, index=index)

    async def _act_on_target(self, index: int, step: Step, action: Action) -> tuple[Aimed, Done]:
        """Aim and act; what went away as the pointer came is aimed at again: nothing was pressed."""
        for tries in range(1, _TRIES + 1):
            aimed = await self._seeker.aim_at_rest(index, step)
            expect_unswitched(aimed.aims)
            try:
                done = await self._hand.act(index, step, placed(action, aimed.xy), aimed, aimed.frame)
            except MissingTarget:
                if tries == _TRIES:
                    raise
            else:
                return aimed, done
        raise AssertionError("the last try returns or raises")

    async def do_at(self, pointed: Pointed, why: str, confidence: float, as_seen: AsSeen) -> Done:
        """Carry out one pointer step where the host says its target is: a repair."""
        index = pointed.step
        step, action = self.session.memory.steps[index], self.session.bound.actions[index]
        seen = await self._hand.give_way()
        as_seen(seen)
        at, eye = placed(action, pointed.points_xy), self._lens.desktop
        frame = await off(pointed, seen, self._hand, eye, begun=self.session.events > 0)
        shown = seen if pointed.lit(seen) else frame
        if len(pointed.points_xy) == 1:
            frame = await on(pointed, self._hand, eye)
            as_it_was(at, shown)(frame)
        sure: dict[str, JsonValue] = {"repair": True, "confidence": confidence}
        done = await self._hand.act(index, step, at, None, frame, more=sure, shown=shown)
        self._hand.note(index, action, {"binding": "repaired", "confidence": confidence, "why": why[:120]})
        return done

    async def do_beside(
        self, action: Action, why: str, as_seen: AsSeen | None = None, *, confidence: float | None = None
    ) -> Done:
        """One act that is not a step of the memory: something that was in the way."""
        return await self._hand.beside(action, why, as_seen, confidence=confidence)

    def stay(self) -> None:
        """Do no more than was asked for: the host decides what comes next.

        Raises:
            Stopped: always; that is how a replay ends between two steps.
        """
        raise Stopped(StopCause.HOST, "the host planned this step; it decides what comes next")

    async def _is_done_already(self, index: int, step: Step) -> bool:
        targets = self.session.targets
        ahead = next((later for later in sorted(targets) if later > index), None)
        if step.role is StepRole.REQUIRED or ahead is None:
            return False
        frame = await self._lens.desktop.capture()
        if index in targets and await to_thread.run_sync(visible, targets[index], frame.pixels):
            return False
        return await to_thread.run_sync(visible, targets[ahead], frame.pixels)

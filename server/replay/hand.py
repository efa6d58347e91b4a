"""The hand of a replay: one input event after the last looks, and what is known once it was sent."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import anyio
from pydantic import JsonValue

from actionlens.actions import KEYBOARD_ACTIONS, Action
from actionlens.errors import DesktopLost, Elsewhere, Sent
from actionlens.looks import Looks
from actionlens.records import Request, StepStatus
from ibtr.errors import FocusDrift, MissingTarget
from ibtr.geometry import Point
from memory_store.models import Step
from server.fallback import StopCause
from server.guard import Guard
from server.panic import kept_inside
from server.replay.ahead import Ahead, expect
from server.replay.aiming import Aimed, as_it_was
from server.replay.echoing import hear
from server.replay.focus import drifted, expect_untouched, may_type
from server.replay.last_looks import looks_of, noting
from server.replay.manners import Manners
from server.replay.person import give_way, left_at
from server.replay.reach import expect_no_hint
from server.replay.session import Session
from server.replay.stopped import Stopped
from server.replay.words import PARTLY

if TYPE_CHECKING:
    from actionlens.controller import Frame
    from actionlens.observation import Window
    from actionlens.recorder import ActionLens, Done

AsSeen = Callable[["Frame"], None]
"""Raises MissingTarget where a screen is no more what a host pointed at."""


class Hand:
    """Sends the events of one session through one lens."""

    def __init__(self, lens: ActionLens, session: Session, manners: Manners, guard: Guard) -> None:
        self._lens, self._session, self._manners, self._guard = lens, session, manners, guard
        self.left_at: Point | None = None
        """Where the last event left the pointer; None where it may be somebody else's."""
        self.was_front: Window | None = None
        """The window that was in front as the last step was done."""
        self.ahead: Ahead | None = None
        """What was seen of the next step while the last one settled."""
        self.earlier: Frame | None = None
        """The screen before the last step."""

    async def give_way(self, seen: Frame | None = None) -> Frame:
        """The screen once nobody else is at the mouse: the one that was `seen`, or what they left."""
        frame = seen or await self._lens.desktop.capture()
        return await give_way(self._lens.desktop, self._manners, self.left_at, frame)

    async def expect_application(
        self, step: Step, expected: Callable[[Frame], float] = lambda _: 0.0
    ) -> Frame:
        """Keys go to the application they went to before, or nowhere."""
        begun = time.monotonic()
        while True:
            frame = await self._lens.desktop.capture()
            if may_type(step, frame.window, self._titles()):
                return frame
            if time.monotonic() - begun > max(self._manners.focus_s, expected(frame)):
                raise drifted(step, frame.window)
            await anyio.sleep(self._manners.waiting.poll_s)

    async def beside(
        self,
        action: Action,
        why: str,
        as_seen: AsSeen | None = None,
        *,
        confidence: float | None = None,
        more: Mapping[str, JsonValue] = MappingProxyType({}),
    ) -> Done:
        """One act that is not a step of the memory: something that was in the way."""
        frame = await self.give_way()
        if as_seen is not None:
            as_seen(frame)
        await self._guard.check_frame(action, frame, self._lens.desktop)
        self._session.events += 1
        source: dict[str, JsonValue] = {"replay": self._session.replay_id, "repair": True, **more}
        if confidence is not None:
            source["confidence"] = confidence
        request = Request(action=action, target=why[:500], source=source)
        hover = noting(self._session, as_it_was(action, frame)) if as_seen else None
        looks = Looks(before=frame, hover=hover, over=expect_no_hint if as_seen else None)
        done = await self._lens.act(request, looks)
        self._session.phases.act(done.timings_s)
        self.left_at = left_at(action, done.before)
        if isinstance(done.failure, Elsewhere):
            raise MissingTarget(str(done.failure))
        return done

    async def act(
        self,
        index: int,
        step: Step,
        action: Action,
        aimed: Aimed | None,
        seen: Frame | None = None,
        *,
        more: Mapping[str, JsonValue] = MappingProxyType({}),
        shown: Frame | None = None,
    ) -> Done:
        """The event of one step, on the screen that was `seen` with its target; a host was `shown` another.

        Raises:
            FocusDrift, MissingTarget: the last looks held it back.
            Stopped, DesktopLost: the desktop could not do it, or not all of it.
        """
        keys = action.action in KEYBOARD_ACTIONS
        frame = await self._undisturbed(step, aimed, seen)
        if keys:
            self._session.presses = expect_untouched(self._session.presses, frame)
        await self._guard.check_frame(action, frame, self._lens.desktop)
        source: dict[str, JsonValue] = {"memory": self._session.memory.id, "step": index + 1, **more}
        request = Request(
            action=action, target=step.target or None, expect=step.expect or None, source=source
        )
        ahead = self.ahead = expect(
            self._session, index, action, frame, keep=self._lens.keep, titles=self._titles()
        )
        looks = looks_of(self._session, index, action, frame, aimed=aimed, ahead=ahead, shown=shown)
        self._session.phases.lap()
        self._session.events += 1
        try:
            done = await self._lens.act(request, looks)
            if isinstance(done.failure, Elsewhere):
                raise (FocusDrift if keys else MissingTarget)(str(done.failure)) from done.failure
        except FocusDrift:
            self._session.events -= 1  # the keys were held back
            raise
        except anyio.get_cancelled_exc_class():
            self._note_partly(index, action, "the server was closing")
            raise
        except MissingTarget:
            self.left_at = kept_inside(action.points()[0], frame.bounds)  # the pointer has gone there
            raise
        if keys and done.sent is Sent.NOTHING:
            self._session.events -= 1
        self._session.phases.act(done.timings_s, matched_s=ahead.matched_s if ahead else 0.0)
        self.earlier = frame
        hear(self._session, index, action, done, self.left_at)
        self.was_front = done.before.window
        self.left_at = left_at(action, done.before)
        if done.status is StepStatus.ERROR:
            self._give_up(index, action, done)
        return done

    async def _undisturbed(self, step: Step, aimed: Aimed | None, seen: Frame | None) -> Frame:
        """The screen to act on; what was seen before somebody took the mouse has to be seen again."""
        frame = await self.give_way(seen)
        if seen is None or frame is seen:
            return frame
        self.left_at = None  # from here on it is where they left it
        if aimed is not None or step.action.typed().points():
            raise MissingTarget("somebody took the mouse since the target was found")
        return await self.expect_application(step)

    def _titles(self) -> list[str]:
        return [step.evidence.before.window_title for step in self._session.memory.steps]

    def _give_up(self, index: int, action: Action, done: Done) -> None:
        """The desktop could not do it, or not all of it.

        Raises:
            DesktopLost: it is gone.
            Stopped: with what it said; a step of which events were sent is not done again by itself.
        """
        error, lost = done.error or "the desktop could not do it", isinstance(done.failure, DesktopLost)
        partly: dict[str, JsonValue] = {}
        if done.sent is not Sent.NOTHING:
            self._note_partly(index, action, error)
            partly = {"sent_in_part": index + 1}
            error = (
                f"{error}; step {index + 1} may be half done: put that right with plan_step, then resume_at"
            )
        if done.failure is not None and lost:
            raise done.failure
        cause = StopCause.CANCELLED if self._lens.closing else StopCause.ACTION_FAILED
        raise Stopped(cause, error, **partly)

    def _note_partly(self, index: int, action: Action, why: str) -> None:
        position = self._session.position
        self.note(index, action, {"binding": PARTLY, "why": why[:200]})
        self._session.position, self._session.partly = position, index

    def note(self, index: int, action: Action, how: dict[str, JsonValue]) -> None:
        """A step is over: how it was bound, for the ledger."""
        target = self._session.memory.steps[index].target
        words: dict[str, JsonValue] = {"target": target[:80]} if target else {}
        self._session.notes.append({"step": index + 1, "action": action.action, **words, **how})
        self._session.position = index + 1

"""One step of a replay: bind it to the screen of now, do it, and see that it led where it led before."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread
from pydantic import JsonValue

from actionlens.actions import KEYBOARD_ACTIONS, Action, Wait
from actionlens.errors import DesktopLost, Elsewhere, Sent
from actionlens.looks import Looks
from actionlens.records import Request, StepStatus
from ibtr.errors import FocusDrift, MissingTarget, Rejected, UnsupportedAction
from ibtr.geometry import Point
from memory_store.models import Step, StepRole
from server.fallback import StopCause
from server.guard import Guard
from server.panic import kept_inside
from server.replay.ahead import Ahead, expect
from server.replay.aiming import Aimed, Sight, aim, as_it_was, visible
from server.replay.already import as_left, may_be_left, off, told
from server.replay.awaited import awaited
from server.replay.dialogs import REST_S, expect_gone, just_came
from server.replay.echoing import hear
from server.replay.focus import drifted, expect_untouched, may_type
from server.replay.hint import aside
from server.replay.judging import judge
from server.replay.last_looks import looks_of, noting
from server.replay.manners import Manners
from server.replay.person import give_way, left_at
from server.replay.phases import TARGET_WAIT
from server.replay.placing import placed, report_of
from server.replay.reach import expect_in_front, expect_no_hint
from server.replay.session import Session
from server.replay.start_state import outside
from server.replay.stopped import Stopped
from server.replay.words import PARTLY

if TYPE_CHECKING:
    from actionlens.controller import Frame
    from actionlens.observation import Window
    from actionlens.recorder import ActionLens, Done
    from ibtr.state import State
    from server.replay.aiming import Target

AsSeen = Callable[["Frame"], None]
"""Raises MissingTarget where a screen is no more what a host pointed at."""
_TRIES = 3  # times that a target may go away as the pointer comes
_FRESH_S = 1.0  # a target that was seen twice, longer ago than this, is looked for again


class Stepper:
    """Does the steps of one session through one lens."""

    def __init__(self, lens: ActionLens, session: Session, manners: Manners, guard: Guard) -> None:
        self._lens, self.session, self._manners, self._guard = lens, session, manners, guard
        self._left_at: Point | None = None
        self._was_front: Window | None = None
        self._ahead: Ahead | None = None
        self._earlier: Frame | None = None
        """The screen before the last step."""
        self.known: dict[int, Sight] = {}
        """Targets that were seen before their turn came, by step."""

    async def do(self, index: int) -> None:
        """Carry out one step, or skip it where its work is already done.

        Raises:
            Rejected: before its input event, or because it did not lead where it should have.
            Stopped: a person is at the mouse, or the desktop could not do it.
        """
        step, action = self.session.memory.steps[index], self.session.bound.actions[index]
        if await self._is_done_already(index, step):
            self._note(index, action, {"binding": "skipped", "why": f"{step.role.value}, already done"})
            return
        if isinstance(action, Wait) and index + 1 in self.session.targets:
            self._note(index, action, {"binding": "skipped", "why": "the next target is waited for"})
            return
        aimed: Aimed | None = None
        if index in self.session.targets:
            if (state := await self._left_already(index, step)) is not None:
                self._note(index, action, told(state))
                return
            aimed, done = await self._act_on_target(index, step, action)
            how: dict[str, JsonValue] = {"binding": "re-aimed", **report_of(aimed)}
        elif action.points():  # never where it was once
            raise UnsupportedAction(f"step {index + 1}: nothing that finds its target again", step=index + 1)
        else:
            keys = action.action in KEYBOARD_ACTIONS
            frame = await self._expect_application(step, self._awaited(index)) if keys else None
            done = await self._act(index, step, action, None, frame)
            how = {"binding": self.session.bound.deltas[index].value}
        self._note(index, action, how)
        seen_next = self._ahead is not None and self._ahead.aimed is not None
        await judge(self._lens.desktop, self._manners, self.session, index, done, seen_next=seen_next)
        if step.evidence.closes and aimed is not None and index + 1 < len(self.session.memory.steps):
            targets = self.session.targets[index]
            await expect_gone(self._lens.desktop, self._manners, targets, aimed, index=index)

    async def _act_on_target(self, index: int, step: Step, action: Action) -> tuple[Aimed, Done]:
        """Aim and act; what went away as the pointer came is aimed at again: nothing was pressed."""
        for tries in range(1, _TRIES + 1):
            aimed = await self._aim_at_rest(index, step)
            try:
                done = await self._act(index, step, placed(action, aimed.xy), aimed, aimed.frame)
            except MissingTarget:
                if tries == _TRIES:
                    raise
            else:
                return aimed, done
        raise AssertionError("the last try returns or raises")

    async def do_at(
        self, index: int, points_xy: tuple[Point, ...], why: str, confidence: float, as_seen: AsSeen
    ) -> Done:
        """Carry out one pointer step where the host says its target is: a repair."""
        step, action = self.session.memory.steps[index], self.session.bound.actions[index]
        frame = await self._give_way()
        as_seen(frame)
        sure: dict[str, JsonValue] = {"repair": True, "confidence": confidence}
        done = await self._act(index, step, placed(action, points_xy), None, frame, more=sure)
        self._note(index, action, {"binding": "repaired", "confidence": confidence, "why": why[:120]})
        return done

    async def do_beside(
        self, action: Action, why: str, as_seen: AsSeen | None = None, *, confidence: float | None = None
    ) -> Done:
        """One act that is not a step of the memory: something that was in the way."""
        frame = await self._give_way()
        if as_seen is not None:
            as_seen(frame)
        await self._guard.check_frame(action, frame, self._lens.desktop)
        self.session.events += 1
        source: dict[str, JsonValue] = {"replay": self.session.replay_id, "repair": True}
        if confidence is not None:
            source["confidence"] = confidence
        request = Request(action=action, target=why[:500], source=source)
        hover = noting(self.session, as_it_was(action, frame)) if as_seen else None
        looks = Looks(before=frame, hover=hover, over=expect_no_hint if as_seen else None)
        done = await self._lens.act(request, looks)
        self.session.phases.act(done.timings_s)
        self._left_at = left_at(action, done.before)
        if isinstance(done.failure, Elsewhere):
            raise MissingTarget(str(done.failure))
        return done

    def stay(self) -> None:
        """Do no more than was asked for: the host decides what comes next.

        Raises:
            Stopped: always; that is how a replay ends between two steps.
        """
        raise Stopped(StopCause.HOST, "the host planned this step; it decides what comes next")

    # -- before the input event ------------------------------------------------------------------

    async def _is_done_already(self, index: int, step: Step) -> bool:
        targets = self.session.targets
        ahead = next((later for later in sorted(targets) if later > index), None)
        if step.role is StepRole.REQUIRED or ahead is None:
            return False
        frame = await self._lens.desktop.capture()
        if index in targets and await to_thread.run_sync(visible, targets[index], frame.pixels):
            return False
        return await to_thread.run_sync(visible, targets[ahead], frame.pixels)

    async def _aim_at_rest(self, index: int, step: Step) -> Aimed:
        """Aim; in a dialog that has only just come up, once more when it has been there for a while."""
        aimed, earlier = await self._aim_in_front(index, step), self._earlier
        if just_came(earlier, self.session.targets[index], aimed):
            self._earlier = None
            await anyio.sleep(max(0.0, REST_S - aimed.age_s))
            self.known[index] = Sight(aimed.frame, time.monotonic(), aimed.aims)
            aimed = await self._aim_in_front(index, step)
        return aimed

    async def _left_already(self, index: int, step: Step) -> State | None:
        """Whether the target is as the click would leave it, looked at without the pointer on it."""
        targets = self.session.targets[index]
        if not may_be_left(targets):
            return None
        aimed = await self._aim_in_front(index, step)
        state = await as_left(targets, aimed)
        if state is not None and (move := off(aimed)) is not None:
            await self.do_beside(move, "off the target: lit up by the pointer it may look switched on")
            aimed = await self._aim_in_front(index, step)
            state = await as_left(targets, aimed)
        self.known[index] = Sight(aimed.frame, time.monotonic(), aimed.aims)
        return state

    async def _aim_in_front(self, index: int, step: Step) -> Aimed:
        """Aim; a window that lies behind may be on its way to the front, but is not clicked there.

        Raises:
            FocusDrift: it stays behind.
        """
        end = time.monotonic() + self._manners.focus_s
        while True:
            aimed = await self._aim(index)
            ends = zip(self.session.targets[index], aimed.xy, strict=True)
            away = [at for end_, at in ends if outside(step.evidence.before, end_, aimed.frame, at)]
            try:
                for at in away:
                    expect_in_front(await self._lens.desktop.under(at), aimed.frame.window)
            except FocusDrift:
                if time.monotonic() > end:
                    raise
                await anyio.sleep(self._manners.waiting.poll_s)
            else:
                return aimed

    async def _aim(self, index: int) -> Aimed:
        targets = self.session.targets[index]
        self.session.phases.lap()
        ahead, self._ahead = self._ahead, None
        if ahead and ahead.aimed and ahead.targets is targets and ahead.aimed.age_s < _FRESH_S:
            return ahead.aimed
        known = ahead.sight if ahead and ahead.targets is targets else self.known.pop(index, None)
        try:
            aimed = await self._aim_beside_hints(targets, known, self._awaited(index))
        except Rejected:
            self.session.phases.lap(TARGET_WAIT)
            if self.session.cancelled:  # a wait that was broken off is no refusal
                self.session.check_may_go_on()
            raise
        self.session.phases.lap(of_which={TARGET_WAIT: aimed.waited_s})
        return aimed

    def _awaited(self, index: int) -> Callable[[Frame], float]:
        """How long a screen may rest before this step."""
        return awaited(self.session.memory.steps, self.session.bound.actions, index, self._was_front)

    async def _aim_beside_hints(
        self, targets: tuple[Target, ...], known: Sight | None, expected: Callable[[Frame], float]
    ) -> Aimed:
        """Aim; where a tooltip for what the pointer rests on is in the way, move aside once and aim again."""
        desktop, waiting, session = self._lens.desktop, self._manners.waiting, self.session
        ours = self._left_at is not None

        def give_up(now: Frame) -> bool:
            return session.cancelled or (ours and bool(now.hints))

        try:
            return await aim(desktop, targets, waiting, known=known, give_up=give_up, expected=expected)
        except Rejected:
            move = aside(await desktop.capture()) if ours and not session.cancelled else None
            if move is None:
                raise
        await self.do_beside(move, "out of the way: a tooltip lay over the screen")
        return await aim(desktop, targets, waiting, give_up=lambda _: session.cancelled)

    async def _expect_application(
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

    def _titles(self) -> list[str]:
        return [step.evidence.before.window_title for step in self.session.memory.steps]

    async def _give_way(self, seen: Frame | None = None) -> Frame:
        frame = seen or await self._lens.desktop.capture()
        return await give_way(self._lens.desktop, self._manners, self._left_at, frame)

    async def _undisturbed(self, step: Step, aimed: Aimed | None, seen: Frame | None) -> Frame:
        """The screen to act on; what was seen before somebody took the mouse has to be seen again."""
        frame = await self._give_way(seen)
        if seen is None or frame is seen:
            return frame
        self._left_at = None  # from here on it is where they left it
        if aimed is not None or step.action.typed().points():
            raise MissingTarget("somebody took the mouse since the target was found")
        return await self._expect_application(step)

    # -- the input event and after ---------------------------------------------------------------

    async def _act(
        self,
        index: int,
        step: Step,
        action: Action,
        aimed: Aimed | None,
        seen: Frame | None = None,
        *,
        more: Mapping[str, JsonValue] = MappingProxyType({}),
    ) -> Done:
        keys = action.action in KEYBOARD_ACTIONS
        frame = await self._undisturbed(step, aimed, seen)
        if keys:
            self.session.presses = expect_untouched(self.session.presses, frame)
        await self._guard.check_frame(action, frame, self._lens.desktop)
        source: dict[str, JsonValue] = {"memory": self.session.memory.id, "step": index + 1, **more}
        request = Request(
            action=action, target=step.target or None, expect=step.expect or None, source=source
        )
        ahead = self._ahead = expect(
            self.session, index, action, frame, keep=self._lens.keep, titles=self._titles()
        )
        looks = looks_of(self.session, index, action, frame, aimed=aimed, ahead=ahead)
        self.session.phases.lap()
        self.session.events += 1
        try:
            done = await self._lens.act(request, looks)
            if isinstance(done.failure, Elsewhere):
                raise (FocusDrift if keys else MissingTarget)(str(done.failure)) from done.failure
        except FocusDrift:
            self.session.events -= 1  # the keys were held back
            raise
        except anyio.get_cancelled_exc_class():
            self._note_partly(index, action, "the server was closing")
            raise
        except MissingTarget:
            self._left_at = kept_inside(action.points()[0], frame.bounds)  # the pointer has gone there
            raise
        if keys and done.sent is Sent.NOTHING:
            self.session.events -= 1
        self.session.phases.act(done.timings_s, matched_s=ahead.matched_s if ahead else 0.0)
        self._earlier = frame
        hear(self.session, index, action, done, self._left_at)
        self._was_front = done.before.window
        self._left_at = left_at(action, done.before)
        if done.status is StepStatus.ERROR:
            self._give_up(index, action, done)
        return done

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
        position = self.session.position
        self._note(index, action, {"binding": PARTLY, "why": why[:200]})
        self.session.position, self.session.partly = position, index

    def _note(self, index: int, action: Action, how: dict[str, JsonValue]) -> None:
        target = self.session.memory.steps[index].target
        words: dict[str, JsonValue] = {"target": target[:80]} if target else {}
        self.session.notes.append({"step": index + 1, "action": action.action, **words, **how})
        self.session.position = index + 1

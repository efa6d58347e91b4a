"""One step of a replay: bind it to the screen of now, do it, and see that it led where it led before."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread
from pydantic import JsonValue

from actionlens.actions import ACTION, KEYBOARD_ACTIONS, Action, Wait
from actionlens.errors import DesktopLost
from actionlens.looks import Looks
from actionlens.records import Request, StepStatus
from ibtr.errors import ContradictedTransition, FocusDrift, MissingTarget, Rejected, UnsupportedAction
from ibtr.geometry import Point
from memory_store.models import Step, StepRole
from server.fallback import StopCause
from server.guard import Guard
from server.replay.ahead import Ahead, expect
from server.replay.aiming import Aimed, Sight, aim, check_under_pointer, visible
from server.replay.echoing import hear
from server.replay.focus import drifted, may_type, still_in_front
from server.replay.hint import aside
from server.replay.manners import Manners
from server.replay.person import give_way, left_at
from server.replay.phases import TARGET_WAIT
from server.replay.session import Session, Stopped
from server.replay.transition import Contradiction, contradiction

if TYPE_CHECKING:
    from actionlens.controller import Frame
    from actionlens.recorder import ActionLens, Done
    from server.replay.aiming import Target

_NAMES = (("x", "y"), ("to_x", "to_y"))
_TRIES = 3  # times that a target may go away as the pointer comes
_FRESH_S = 1.0  # a target that was seen twice, longer ago than this, is looked for again


class Stepper:
    """Does the steps of one session through one lens."""

    def __init__(self, lens: ActionLens, session: Session, manners: Manners, guard: Guard) -> None:
        self._lens, self.session, self._manners, self._guard = lens, session, manners, guard
        self._left_at: Point | None = None
        self._ahead: Ahead | None = None
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
        if index in self.session.targets:
            aimed, done = await self._act_on_target(index, step, action)
            how: dict[str, JsonValue] = {"binding": "re-aimed", **report_of(aimed)}
        elif action.points():  # never where it was once
            raise UnsupportedAction(f"step {index + 1}: nothing that finds its target again", step=index + 1)
        else:
            keys = action.action in KEYBOARD_ACTIONS
            frame = await self._expect_application(step) if keys else None
            done = await self._act(index, step, action, None, frame)
            how = {"binding": self.session.bound.deltas[index].value}
        self._note(index, action, how)
        await self._judge(index, step, done)

    async def _act_on_target(self, index: int, step: Step, action: Action) -> tuple[Aimed, Done]:
        """Aim and act; what went away as the pointer came is aimed at again: nothing was pressed."""
        for tries in range(1, _TRIES + 1):
            aimed = await self._aim(index)
            try:
                done = await self._act(index, step, placed(action, aimed.xy), aimed, aimed.frame)
            except MissingTarget:
                self._left_at = None  # the pointer went along, as far as it came
                if tries == _TRIES:
                    raise
            else:
                return aimed, done
        raise AssertionError("the last try returns or raises")

    async def do_at(self, index: int, points_xy: tuple[Point, ...], why: str) -> Done:
        """Carry out one pointer step where the host says its target is: a repair."""
        step, action = self.session.memory.steps[index], self.session.bound.actions[index]
        done = await self._act(index, step, placed(action, points_xy), None)
        self._note(index, action, {"binding": "repaired", "why": why[:120]})
        return done

    async def do_beside(self, action: Action, why: str) -> Done:
        """One act that is not a step of the memory: something that was in the way."""
        frame = await self._give_way()
        await self._guard.check_frame(action, frame)
        self.session.events += 1
        source: dict[str, JsonValue] = {"replay": self.session.replay_id, "repair": True}
        done = await self._lens.act(Request(action=action, target=why[:500], source=source))
        self.session.phases.act(done.timings_s)
        self._left_at = left_at(action, done.before)
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

    async def _aim(self, index: int) -> Aimed:
        targets = self.session.targets[index]
        self.session.phases.lap()
        ahead, self._ahead = self._ahead, None
        if ahead and ahead.aimed and ahead.targets is targets and ahead.aimed.age_s < _FRESH_S:
            return ahead.aimed
        known = ahead.sight if ahead and ahead.targets is targets else self.known.pop(index, None)
        try:
            aimed = await self._aim_beside_hints(targets, known)
        except Rejected:
            self.session.phases.lap(TARGET_WAIT)
            if self.session.cancelled:  # a wait that was broken off is no refusal
                self.session.check_may_go_on()
            raise
        self.session.phases.lap(of_which={TARGET_WAIT: aimed.waited_s})
        return aimed

    async def _aim_beside_hints(self, targets: tuple[Target, ...], known: Sight | None) -> Aimed:
        """Aim; where a tooltip for what the pointer rests on is in the way, move aside once and aim again."""
        desktop, waiting, session = self._lens.desktop, self._manners.waiting, self.session
        ours = self._left_at is not None

        def give_up(now: Frame) -> bool:
            return session.cancelled or (ours and bool(now.hints))

        try:
            return await aim(desktop, targets, waiting, known=known, give_up=give_up)
        except Rejected:
            move = aside(await desktop.capture()) if ours and not session.cancelled else None
            if move is None:
                raise
        await self.do_beside(move, "out of the way: a tooltip lay over the screen")
        return await aim(desktop, targets, waiting, give_up=lambda _: session.cancelled)

    async def _expect_application(self, step: Step) -> Frame:
        """Keys go to the application they went to before, or nowhere."""
        end = time.monotonic() + self._manners.focus_s
        while True:
            frame = await self._lens.desktop.capture()
            if may_type(step, frame.window, self._titles()):
                return frame
            if time.monotonic() > end:
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
        if aimed is not None:
            raise MissingTarget("somebody took the mouse since the target was found")
        return await self._expect_application(step)

    # -- the input event and after ---------------------------------------------------------------

    async def _act(
        self, index: int, step: Step, action: Action, aimed: Aimed | None, seen: Frame | None = None
    ) -> Done:
        frame = await self._undisturbed(step, aimed, seen)
        await self._guard.check_frame(action, frame)
        source: dict[str, JsonValue] = {"memory": self.session.memory.id, "step": index + 1}
        request = Request(
            action=action, target=step.target or None, expect=step.expect or None, source=source
        )
        ahead = self._ahead = expect(
            self.session, index, action, frame, keep=self._lens.keep, titles=self._titles()
        )
        looks = self._looks(index, action, aimed, frame, ahead)
        self.session.phases.lap()
        self.session.events += 1
        try:
            done = await self._lens.act(request, looks)
        except FocusDrift:
            self.session.events -= 1  # the keys were held back
            raise
        self.session.phases.act(done.timings_s, matched_s=ahead.matched_s if ahead else 0.0)
        hear(self.session, index, action, done, self._left_at)
        self._left_at = left_at(action, done.before)
        if isinstance(done.failure, DesktopLost):
            raise done.failure
        if done.status is StepStatus.ERROR:
            raise Stopped(StopCause.ACTION_FAILED, done.error or "the desktop could not do it")
        return done

    def _looks(
        self, index: int, action: Action, aimed: Aimed | None, frame: Frame, ahead: Ahead | None
    ) -> Looks:
        """The last looks before the event, and the first after it."""
        keys = action.action in KEYBOARD_ACTIONS
        hover = check_under_pointer(self.session.targets[index][0], aimed) if aimed else None

        def under(seen: Frame) -> None:
            assert hover is not None
            hover(seen)
            if ahead is not None:
                ahead.saw_under_pointer(seen)

        return Looks(
            before=frame,
            hover=under if hover else None,
            front=still_in_front(self.session.memory.steps[index], frame) if keys else None,
            ready=ahead.ready if ahead else None,
        )

    async def _judge(self, index: int, step: Step, done: Done) -> None:
        """Did it lead where it led before? The next target in sight answers yes."""
        if self._ahead is not None and self._ahead.aimed is not None:
            return
        steps = self.session.memory.steps
        then = steps[index + 1] if index + 1 < len(steps) else None
        against = contradiction(step, done.before, done.after, then) if done.after else None
        if against is None:
            return
        if against.kind == "no_change" and (index + 1 in self.session.targets or then is None):
            return  # the wait for the next target, or the evaluator, says it better
        if against.kind == "application" and then is None and self.session.memory.validation.evaluator:
            return  # the program may have closed later, or sooner, than it did then: the evaluator says it
        begun, patience = time.monotonic(), self._manners.clear_s
        while time.monotonic() - begun < patience:
            frame = await self._lens.desktop.capture()
            ahead = self.session.targets.get(index + 1)
            unmoved = frame.window is not None and done.before.window == frame.window
            patience = self._manners.waiting.longest_s if unmoved else self._manners.clear_s
            if contradiction(step, done.before, frame, then) is None:
                return
            if ahead is not None and await to_thread.run_sync(visible, ahead, frame.pixels):
                return
            await anyio.sleep(self._manners.waiting.poll_s)
        raise _contradicted(against, index)

    def _note(self, index: int, action: Action, how: dict[str, JsonValue]) -> None:
        target = self.session.memory.steps[index].target
        words: dict[str, JsonValue] = {"target": target[:80]} if target else {}
        self.session.notes.append({"step": index + 1, "action": action.action, **words, **how})
        self.session.position = index + 1


def placed(action: Action, points_xy: tuple[Point, ...]) -> Action:
    """The same action at other places."""
    moved = {
        name: round(value)
        for names, point in zip(_NAMES, points_xy, strict=False)
        for name, value in zip(names, point, strict=True)
    }
    return ACTION.validate_python(action.model_dump() | moved)


def report_of(aimed: Aimed) -> dict[str, JsonValue]:
    """The numbers of a re-aim, for the ledger."""
    first = aimed.aims[0]
    return {
        "at": [round(first.point.x), round(first.point.y)],
        "score": round(first.score, 4),
        "margin": round(first.margin, 4),
        "waited_s": round(aimed.waited_s, 3),
    }


def _contradicted(against: Contradiction, index: int) -> ContradictedTransition:
    return ContradictedTransition(
        f"after step {index + 1} {against.says}", kind=against.kind, after_step=index + 1, **against.evidence
    )

"""One step of a replay: bind it to the screen of now, do it, and see that it led where it led before."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import anyio
from anyio import to_thread
from pydantic import JsonValue

from actionlens.actions import ACTION, KEYBOARD_ACTIONS, Action, Wait
from actionlens.records import Request, StepStatus
from ibtr.errors import ContradictedTransition, FocusDrift, Rejected
from ibtr.geometry import Point
from memory_store.models import Step, StepRole
from server.fallback import StopCause
from server.guard import Guard
from server.replay.aiming import Aimed, Waiting, aim, check_under_pointer, visible
from server.replay.echoing import hear
from server.replay.hint import aside, hint_came_up
from server.replay.phases import TARGET_WAIT
from server.replay.session import Session, Stopped
from server.replay.transition import Contradiction, contradiction, is_other_window, same_application

if TYPE_CHECKING:
    from actionlens.controller import Frame
    from actionlens.observation import Window
    from actionlens.recorder import ActionLens, Done
    from server.replay.aiming import Target

_NAMES = (("x", "y"), ("to_x", "to_y"))
_MOVED_PX = 3.0


@dataclass(frozen=True, slots=True)
class Manners:
    """How a replay behaves towards the desktop and a person at it."""

    waiting: Waiting = field(default_factory=Waiting)
    focus_s: float = 1.5  # how long the recorded application may take to come to the front
    clear_s: float = 2.0  # how long a contradiction may take to dissolve
    artifact_s: float = 3.0  # how long a program may take to write what it was told to save
    person: Literal["pause", "refuse"] = "pause"  # what to do when somebody moves the mouse
    person_still_s: float = 1.0
    person_longest_s: float = 15.0


class Stepper:
    """Does the steps of one session through one lens."""

    def __init__(self, lens: ActionLens, session: Session, manners: Manners, guard: Guard) -> None:
        self._lens, self._session, self._manners, self._guard = lens, session, manners, guard
        self._left_at: Point | None = None
        self._after: Frame | None = None

    async def do(self, index: int) -> None:
        """Carry out one step, or skip it where its work is already done.

        Raises:
            Rejected: before its input event, or because it did not lead where it should have.
            Stopped: a person is at the mouse, or the desktop could not do it.
        """
        step, action = self._session.memory.steps[index], self._session.bound.actions[index]
        if await self._is_done_already(index, step):
            self._note(index, action, {"binding": "skipped", "why": f"{step.role.value}, already done"})
            return
        if isinstance(action, Wait) and index + 1 in self._session.targets:
            self._note(index, action, {"binding": "skipped", "why": "the next target is waited for"})
            return
        aimed = await self._aim(index)
        if aimed is not None:
            action = aimed_at(action, aimed)
            done = await self._act(index, step, action, aimed)
            how: dict[str, JsonValue] = {"binding": "re-aimed", **report_of(aimed)}
        else:
            if action.action in KEYBOARD_ACTIONS:
                await self._expect_application(step)
            done = await self._act(index, step, action, None)
            how = {"binding": self._session.bound.deltas[index].value}
        self._note(index, action, how)
        await self._judge(index, step, done)

    async def do_at(self, index: int, points_xy: tuple[Point, ...], why: str) -> Done:
        """Carry out one pointer step where the host says its target is: a repair."""
        step, action = self._session.memory.steps[index], self._session.bound.actions[index]
        done = await self._act(index, step, placed(action, points_xy), None)
        self._note(index, action, {"binding": "repaired", "why": why[:120]})
        return done

    async def do_beside(self, action: Action, why: str) -> Done:
        """One act that is not a step of the memory: something that was in the way."""
        frame = await self._give_way()
        await self._guard.check_frame(action, frame)
        self._session.events += 1
        source: dict[str, JsonValue] = {"replay": self._session.replay_id, "repair": True}
        done = await self._lens.act(Request(action=action, target=why[:500], source=source))
        self._session.phases.act(done.timings_s)
        self._left_at = done.after.pointer if done.after else None
        return done

    def stay(self) -> None:
        """Do no more than was asked for: the host decides what comes next.

        Raises:
            Stopped: always; that is how a replay ends between two steps.
        """
        raise Stopped(StopCause.HOST, "the host planned this step; it decides what comes next")

    # -- before the input event ------------------------------------------------------------------

    async def _is_done_already(self, index: int, step: Step) -> bool:
        targets = self._session.targets
        ahead = next((later for later in sorted(targets) if later > index), None)
        if step.role is StepRole.REQUIRED or ahead is None:
            return False
        frame = await self._lens.desktop.capture()
        if index in targets and await to_thread.run_sync(visible, targets[index], frame.pixels):
            return False
        return await to_thread.run_sync(visible, targets[ahead], frame.pixels)

    async def _aim(self, index: int) -> Aimed | None:
        targets = self._session.targets.get(index)
        if targets is None:
            return None
        self._session.phases.lap()
        try:
            aimed = await self._aim_beside_hints(targets)
        except Rejected:
            self._session.phases.lap(TARGET_WAIT)
            raise
        self._session.phases.lap(of_which={TARGET_WAIT: aimed.waited_s})
        return aimed

    async def _aim_beside_hints(self, targets: tuple[Target, ...]) -> Aimed:
        """Aim; where a hint for what the pointer rests on is in the way, move aside once and aim again."""
        desktop, waiting = self._lens.desktop, self._manners.waiting
        after, left_at = self._after, self._left_at
        try:
            return await aim(desktop, targets, waiting, give_up=lambda now: hint_came_up(after, now, left_at))
        except Rejected:
            frame = await desktop.capture()
            move = aside(frame) if hint_came_up(after, frame, left_at) else None
            if move is None:
                raise
        await self.do_beside(move, "out of the way: a hint lay over the screen")
        return await aim(desktop, targets, waiting)

    async def _expect_application(self, step: Step) -> None:
        """Keys go to the application they went to before, or nowhere."""
        recorded, title = step.evidence.before.application, step.evidence.before.window_title
        if not recorded:
            return
        end = time.monotonic() + self._manners.focus_s
        while True:
            active = (await self._lens.desktop.capture()).window
            right = active is not None and same_application(recorded, active.application)
            if right and active is not None and not is_other_window(self._titles(), title, active.title):
                return
            if time.monotonic() > end:
                raise _drifted(active, recorded, title, same=right)
            await anyio.sleep(self._manners.waiting.poll_s)

    def _titles(self) -> list[str]:
        return [step.evidence.before.window_title for step in self._session.memory.steps]

    async def _give_way(self) -> Frame:
        """Somebody moved the mouse since our last event: wait until they have stopped, or refuse."""
        frame = await self._lens.desktop.capture()
        if self._left_at is None or frame.pointer is None or _near(frame.pointer, self._left_at):
            return frame
        if self._manners.person == "refuse":
            raise Stopped(StopCause.PERSON, "somebody moved the mouse", pointer=[*frame.pointer])
        begun = still = time.monotonic()
        last = frame.pointer
        while time.monotonic() - still < self._manners.person_still_s:
            if time.monotonic() - begun > self._manners.person_longest_s:
                raise Stopped(StopCause.PERSON, "somebody kept moving the mouse", pointer=[*last])
            await anyio.sleep(self._manners.waiting.poll_s)
            frame = await self._lens.desktop.capture()
            if frame.pointer is not None and not _near(frame.pointer, last):
                last, still = frame.pointer, time.monotonic()
        return frame

    # -- the input event and after ---------------------------------------------------------------

    async def _act(self, index: int, step: Step, action: Action, aimed: Aimed | None) -> Done:
        frame = await self._give_way()
        await self._guard.check_frame(action, frame)
        source: dict[str, JsonValue] = {"memory": self._session.memory.id, "step": index + 1}
        request = Request(
            action=action, target=step.target or None, expect=step.expect or None, source=source
        )
        hover = check_under_pointer(self._session.targets[index][0], aimed) if aimed else None
        self._session.phases.lap()
        self._session.events += 1
        done = await self._lens.act(request, hover=hover)
        self._session.phases.act(done.timings_s)
        hear(self._session, index, action, done, self._left_at)
        self._left_at, self._after = done.after.pointer if done.after else None, done.after
        if done.status is StepStatus.ERROR:
            raise Stopped(StopCause.ACTION_FAILED, done.error or "the desktop could not do it")
        return done

    async def _judge(self, index: int, step: Step, done: Done) -> None:
        """Did it lead where it led before? The next target in sight answers yes."""
        steps = self._session.memory.steps
        then = steps[index + 1] if index + 1 < len(steps) else None
        against = contradiction(step, done.before, done.after, then) if done.after else None
        if against is None:
            return
        if against.kind == "no_change" and (index + 1 in self._session.targets or then is None):
            return  # the wait for the next target, or the evaluator, says it better
        end = time.monotonic() + self._manners.clear_s
        while time.monotonic() < end:
            frame = await self._lens.desktop.capture()
            ahead = self._session.targets.get(index + 1)
            if contradiction(step, done.before, frame, then) is None:
                return
            if ahead is not None and await to_thread.run_sync(visible, ahead, frame.pixels):
                return
            await anyio.sleep(self._manners.waiting.poll_s)
        raise _contradicted(against, index)

    def _note(self, index: int, action: Action, how: dict[str, JsonValue]) -> None:
        target = self._session.memory.steps[index].target
        words: dict[str, JsonValue] = {"target": target[:80]} if target else {}
        self._session.notes.append({"step": index + 1, "action": action.action, **words, **how})
        self._session.position = index + 1


def aimed_at(action: Action, aimed: Aimed) -> Action:
    """The same action, its coordinates where the targets are now."""
    return placed(action, aimed.xy)


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


def _drifted(active: Window | None, recorded: str, title: str, *, same: bool) -> FocusDrift:
    seen = active.application if active else "none"
    if not same or active is None:
        return FocusDrift(f"{seen} has the keyboard, not {recorded}", recorded=recorded, active=seen)
    return FocusDrift(
        f"another window of {seen} has the keyboard", recorded=title[:120], active=active.title[:120]
    )


def _contradicted(against: Contradiction, index: int) -> ContradictedTransition:
    return ContradictedTransition(
        f"after step {index + 1} {against.says}", kind=against.kind, after_step=index + 1, **against.evidence
    )


def _near(one: Point, other: Point) -> bool:
    return max(abs(one.x - other.x), abs(one.y - other.y)) <= _MOVED_PX

"""Before the pointer goes: wait for the target of a step, in front and at rest."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import anyio

from ibtr.errors import FocusDrift, Rejected
from memory_store.models import Step
from server.replay.aiming import Aimed, Sight, aim
from server.replay.already import as_left, may_be_left, off
from server.replay.awaited import awaited
from server.replay.dialogs import REST_S, just_came
from server.replay.hand import Hand
from server.replay.hint import aside
from server.replay.manners import Manners
from server.replay.phases import TARGET_WAIT
from server.replay.reach import expect_in_front
from server.replay.session import Session
from server.replay.window_place import outside

if TYPE_CHECKING:
    from actionlens.controller import Controller, Frame
    from ibtr.state import State
    from server.replay.aiming import Target

_FRESH_S = 1.0  # a target that was seen twice, longer ago than this, is looked for again


class Seeker:
    """Finds the targets of one session on one desktop."""

    def __init__(self, eye: Controller, session: Session, manners: Manners, hand: Hand) -> None:
        self._eye, self._session, self._manners, self._hand = eye, session, manners, hand
        self.known: dict[int, Sight] = {}
        """Targets that were seen before their turn came, by step."""

    async def aim_at_rest(self, index: int, step: Step) -> Aimed:
        """Aim; in a dialog that has only just come up, once more when it has been there for a while."""
        aimed, earlier = await self._aim_in_front(index, step), self._hand.earlier
        if just_came(earlier, self._session.targets[index], aimed):
            self._hand.earlier = None
            await anyio.sleep(max(0.0, REST_S - aimed.age_s))
            self.known[index] = Sight(aimed.frame, time.monotonic(), aimed.aims)
            aimed = await self._aim_in_front(index, step)
        return aimed

    async def left_already(self, index: int, step: Step) -> State | None:
        """Whether the target is as the click would leave it, looked at without the pointer on it."""
        targets = self._session.targets[index]
        if not may_be_left(targets):
            return None
        aimed = await self._aim_in_front(index, step)
        state = await as_left(targets, aimed)
        if state is not None and (move := off(aimed)) is not None:
            await self._hand.beside(move, "off the target: lit up by the pointer it may look switched on")
            aimed = await self._aim_in_front(index, step)
            state = await as_left(targets, aimed)
        self.known[index] = Sight(aimed.frame, time.monotonic(), aimed.aims)
        return state

    def awaited(self, index: int) -> Callable[[Frame], float]:
        """How long a screen may rest before this step."""
        return awaited(self._session.memory.steps, self._session.bound.actions, index, self._hand.was_front)

    async def _aim_in_front(self, index: int, step: Step) -> Aimed:
        """Aim; a window that lies behind may be on its way to the front, but is not clicked there.

        Raises:
            FocusDrift: it stays behind.
        """
        end = time.monotonic() + self._manners.focus_s
        while True:
            aimed = await self._aim(index)
            ends = zip(self._session.targets[index], aimed.xy, strict=True)
            away = [at for end_, at in ends if outside(step.evidence.before, end_, aimed.frame, at)]
            try:
                for at in away:
                    expect_in_front(await self._eye.under(at), aimed.frame.window)
            except FocusDrift:
                if time.monotonic() > end:
                    raise
                await anyio.sleep(self._manners.waiting.poll_s)
            else:
                return aimed

    async def _aim(self, index: int) -> Aimed:
        targets = self._session.targets[index]
        self._session.phases.lap()
        ahead, self._hand.ahead = self._hand.ahead, None
        if ahead and ahead.aimed and ahead.targets is targets and ahead.aimed.age_s < _FRESH_S:
            return ahead.aimed
        known = ahead.sight if ahead and ahead.targets is targets else self.known.pop(index, None)
        try:
            aimed = await self._aim_beside_hints(targets, known, self.awaited(index))
        except Rejected:
            self._session.phases.lap(TARGET_WAIT)
            if self._session.cancelled:  # a wait that was broken off is no refusal
                self._session.check_may_go_on()
            raise
        self._session.phases.lap(of_which={TARGET_WAIT: aimed.waited_s})
        return aimed

    async def _aim_beside_hints(
        self, targets: tuple[Target, ...], known: Sight | None, expected: Callable[[Frame], float]
    ) -> Aimed:
        """Aim; where a tooltip for what the pointer rests on is in the way, move aside once and aim again."""
        desktop, waiting, session = self._eye, self._manners.waiting, self._session
        ours = self._hand.left_at is not None

        def give_up(now: Frame) -> bool:
            return session.cancelled or (ours and bool(now.hints))

        try:
            return await aim(desktop, targets, waiting, known=known, give_up=give_up, expected=expected)
        except Rejected:
            move = aside(await desktop.capture()) if ours and not session.cancelled else None
            if move is None:
                raise
        await self._hand.beside(move, "out of the way: a tooltip lay over the screen")
        return await aim(desktop, targets, waiting, give_up=lambda _: session.cancelled)

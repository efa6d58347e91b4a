"""While a screen settles after a step: is what comes next there already, and still?

Then there is nothing left to wait for. Everything else goes on until the screen has rested.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from anyio import to_thread

from actionlens.actions import KEYBOARD_ACTIONS, Action, Hotkey, Type, Wait
from ibtr.errors import Rejected
from ibtr.geometry import Box, Point
from memory_store.models import Step
from server.replay.aiming import Aimed, Sight, find_all
from server.replay.focus import may_type
from server.replay.meanwhile import meanwhile
from server.replay.person import left_at, moved
from server.replay.transition import contradiction

if TYPE_CHECKING:
    from actionlens.controller import Frame
    from actionlens.settle import Settling
    from ibtr import Aim
    from server.replay.aiming import Target
    from server.replay.session import Session

APART_S = 0.04
"""Two sights lie at least so far apart: more than two pictures of a screen at 60 Hz."""
_RESTLESS_S = 0.3  # a screen that has not rested by then will not: it is searched as it is
_SAME_PX = 0.5
_MARGIN_PX = 12  # around a target that must be still as well
_CARET = 0.05  # share of a target's place that may differ between two sights: a caret in it, or a clock


@dataclass(slots=True)
class Ahead:
    """What is expected after one step; `ready` is asked at each grab."""

    step: Step
    then: Step | None
    before: Frame
    left_at: Point | None
    """Where the step leaves the pointer."""
    targets: tuple[Target, ...] | None
    """Of the next step, if that goes to one; None: it is enough that the screen holds still for a moment."""
    may_begin: Callable[[Frame], bool]
    """Whether the next step's keys could go to this screen."""
    keep: Callable[[Frame], Awaitable[None]] | None
    """Stores a frame that may be the last of the step."""
    aimed: Aimed | None = None
    sight: Sight | None = None
    matched_s: float = 0.0
    clock: Callable[[], float] = time.monotonic
    _unlit: object = None
    _since: tuple[object, float] | None = None
    """The pixels of the last grab, and since when the screen has looked exactly so."""

    def saw_under_pointer(self, frame: Frame) -> None:
        """What the screen was right before the button went down: only what differs from it is an effect."""
        self._unlit = frame.pixels

    async def ready(self, frame: Frame, settling: Settling) -> bool:
        """Whether the next step could be taken on this screen."""
        if self._since is None or self._since[0] is not frame.pixels:
            self._since = frame.pixels, self.clock()
        rests = settling.looks > 1 and settling.quiet_s >= APART_S
        if not self._led_on(frame) or (not rests and settling.now_s < _RESTLESS_S):
            self.sight = None  # whatever was seen before has to be seen twice again
            return False
        if self.targets is None:
            return rests and self.may_begin(frame)
        return await self._seen_twice(self.targets, frame, self._since[1])

    def _led_on(self, frame: Frame) -> bool:
        """The step had its effect, nothing speaks against it, and nobody took the mouse."""
        if frame.pixels is self.before.pixels or frame.pixels is self._unlit:
            return False
        if moved(frame, self.left_at):
            return False
        return contradiction(self.step, self.before, frame, self.then) is None

    async def _seen_twice(self, targets: tuple[Target, ...], frame: Frame, since: float) -> bool:
        """Found in an earlier grab too, at the same place; a search is dear, so it comes once they rest."""
        last, at = self.sight, self.clock()
        if last is not None and last.frame.pixels is frame.pixels:
            aims = last.aims
        else:
            aims = await self._search(targets, frame)
        agreed = last is not None and aims is not None and _agree(last, frame, aims)
        self.sight = Sight(frame, last.at if last and agreed else since, aims)
        if aims is None or not agreed or at - self.sight.at < APART_S:
            return False
        self.aimed = Aimed(aims, frame, 0.0, self.matched_s)
        return True

    async def _search(self, targets: tuple[Target, ...], frame: Frame) -> tuple[Aim, ...] | None:
        begun, keep = time.monotonic(), self.keep

        async def store() -> None:
            if keep is not None:
                await keep(frame)

        try:
            return await meanwhile(
                store, lambda: to_thread.run_sync(_found, targets, frame.pixels, abandon_on_cancel=True)
            )
        finally:
            self.matched_s += time.monotonic() - begun


def expect(
    session: Session,
    index: int,
    action: Action,
    before: Frame,
    *,
    keep: Callable[[Frame], Awaitable[None]],
    titles: Sequence[str],
) -> Ahead | None:
    """What to look for while a step settles; nothing where only rest tells that it is over.

    A step that changed nothing when it was recorded has no effect to see. Keys after a click or a hotkey
    wait until the screen has rested: what they will go to may still be on its way. Keys after other keys
    come to the same window, in their order.
    """
    steps, actions, after = session.memory.steps, session.bound.actions, index + 1
    if after < len(steps) and isinstance(actions[after], Wait) and after + 1 in session.targets:
        after += 1
    then = steps[after] if after < len(steps) else None
    targets = session.targets.get(after)
    unproven = then is None and session.memory.validation.evaluator is None
    if unproven or not steps[index].evidence.changed:
        return None
    if then is not None and targets is None:
        keys = {action.action, actions[after].action} <= KEYBOARD_ACTIONS
        if (
            not keys
            or isinstance(action, Hotkey)
            or then.evidence.before.window_title != steps[index].evidence.before.window_title
        ):
            return None
    secret = isinstance(action, Type) and action.text_ref is not None
    return Ahead(
        step=steps[index],
        then=then,
        before=before,
        left_at=left_at(action, before),
        targets=targets,
        may_begin=lambda frame: then is None or may_type(then, frame.window, titles),
        keep=None if secret else keep,
    )


def _found(targets: tuple[Target, ...], pixels: object) -> tuple[Aim, ...] | None:
    """The targets as they were drawn; what was drawn anew is sought once the screen rests."""
    try:
        return find_all(targets, pixels, thorough=False)
    except Rejected:
        return None


def _agree(last: Sight, frame: Frame, aims: tuple[Aim, ...]) -> bool:
    """The same targets at the same places, and their places looking the same."""
    if last.aims is None:
        return False
    if last.frame.pixels is frame.pixels:
        return True
    return all(
        _apart(one.point, other.point) <= _SAME_PX and _still(last.frame, frame, one.box)
        for one, other in zip(last.aims, aims, strict=True)
    )


def _still(one: Frame, other: Frame, box: Box) -> bool:
    import numpy as np

    from ibtr.pixels import cut

    if one.image != other.image:
        return False
    place = box.grow(_MARGIN_PX).clip(one.image)
    differs = (cut(one.pixels, place) != cut(other.pixels, place)).any(axis=2)
    return int(np.count_nonzero(differs)) <= _CARET * place.area


def _apart(one: Point, other: Point) -> float:
    return max(abs(one.x - other.x), abs(one.y - other.y))

"""After a step: did it lead where it led before? What has not come yet is waited for."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread

from ibtr.errors import ContradictedTransition
from server.replay.aiming import visible
from server.replay.transition import contradiction

if TYPE_CHECKING:
    from actionlens.controller import Controller, Frame
    from actionlens.recorder import Done
    from server.replay.manners import Manners
    from server.replay.session import Session
    from server.replay.transition import Contradiction


async def judge(
    eye: Controller, manners: Manners, session: Session, index: int, done: Done, *, seen_next: bool
) -> None:
    """See that a step led where it led; the next target in sight answers yes.

    Raises:
        ContradictedTransition: it did not, and that does not dissolve.
    """
    steps = session.memory.steps
    step, then = steps[index], steps[index + 1] if index + 1 < len(steps) else None
    against = contradiction(step, done.before, done.after, then) if done.after else None
    if seen_next or against is None or _left_to_others(session, index, against):
        return
    begun, patience, ahead = time.monotonic(), manners.clear_s, session.targets.get(index + 1)
    while time.monotonic() - begun < patience:
        frame = await eye.capture()
        unmoved = frame.window is not None and done.before.window == frame.window
        patience = manners.waiting.longest_s if unmoved else manners.clear_s
        if contradiction(step, done.before, as_kept(session, frame), then) is None:
            return
        if ahead is not None and await to_thread.run_sync(
            visible, ahead, frame.pixels, abandon_on_cancel=True
        ):
            return
        await anyio.sleep(manners.waiting.poll_s)
    raise ContradictedTransition(
        f"after step {index + 1} {against.says}", kind=against.kind, after_step=index + 1, **against.evidence
    )


def as_kept(session: Session, frame: Frame) -> Frame:
    """The frame as it may be kept: without the places where this replay has typed a secret."""
    return frame if session.masks is None else replace(frame, pixels=session.masks.over(frame.pixels))


def _left_to_others(session: Session, index: int, against: Contradiction) -> bool:
    """Whether the wait for the next target, or the evaluator, says it better."""
    last = index + 1 == len(session.memory.steps)
    if against.kind == "no_change":
        after_none = any("levels" in note for note in session.notes if note["step"] == index)
        return last or index + 1 in session.targets or after_none  # a click left out changes nothing
    # the program may have closed later, or sooner, than it did then
    return against.kind == "application" and last and session.memory.validation.evaluator is not None

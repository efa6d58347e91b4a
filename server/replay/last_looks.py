"""The last looks before the event of a step, and the first after it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from actionlens.actions import KEYBOARD_ACTIONS, Action
from actionlens.looks import Hover, Looks, Over
from server.replay.aiming import as_it_was, check_under_pointer
from server.replay.focus import still_in_front
from server.replay.reach import expect_no_hint, expect_reached

if TYPE_CHECKING:
    from actionlens.controller import Frame
    from server.replay.ahead import Ahead
    from server.replay.aiming import Aimed
    from server.replay.session import Session


def looks_of(
    session: Session,
    index: int,
    action: Action,
    frame: Frame,
    *,
    aimed: Aimed | None,
    ahead: Ahead | None,
    shown: Frame | None = None,
) -> Looks:
    """For a target that was aimed at, a place that a host pointed at as it was `shown`, keys, or none."""
    steps, keys = session.memory.steps, action.action in KEYBOARD_ACTIONS
    step, then = steps[index], steps[index + 1] if index + 1 < len(steps) else None
    hover: Hover | None = None
    over: Over | None = None
    if aimed is not None:
        targets = session.targets[index]
        hover = check_under_pointer(targets, aimed)
        over = partial(expect_reached, step, then, targets[0], frame.windows)
    elif action.points():
        hover, over = as_it_was(action, shown or frame), expect_no_hint
    return Looks(
        before=frame,
        hover=noting(session, hover, ahead) if hover else None,
        over=over,
        front=still_in_front(step, frame) if keys else None,
        presses=frame.presses if keys else None,
        ready=ahead.ready if ahead else None,
    )


def noting(session: Session, hover: Hover, ahead: Ahead | None = None) -> Hover:
    """With the look under the pointer comes the last that others did before the click."""

    def look(seen: Frame) -> None:
        hover(seen)
        session.presses = seen.presses
        if ahead is not None:
            ahead.saw_under_pointer(seen)

    return look

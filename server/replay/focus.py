"""Before keys: is the window in front the one they went to when they were recorded?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ibtr.errors import FocusDrift
from memory_store.models import Step
from server.replay.transition import is_other_window, same_application

if TYPE_CHECKING:
    from actionlens.controller import Frame
    from actionlens.observation import Window


def may_type(step: Step, window: Window | None, titles: Sequence[str]) -> bool:
    """Whether the keys of a step may go to this window; `titles` are those of all recorded windows."""
    recorded = step.evidence.before
    if not recorded.application:
        return True
    return (
        window is not None
        and same_application(recorded.application, window.application)
        and not is_other_window(
            titles, recorded.window_title, window.title, same_kind=recorded.dialog == window.dialog
        )
    )


def expect_untouched(known: int | None, frame: Frame) -> int | None:
    """Nobody else may have pressed a button or a key since our last click: it tells where the keys go.

    Raises:
        FocusDrift: somebody has; another field of the same window may have the keyboard now.
    """
    if known is not None and frame.presses != known:
        others = frame.presses - known if frame.presses is not None else None
        raise FocusDrift("somebody else pressed a button or a key since the last click", presses=others)
    return frame.presses


def still_in_front(step: Step, frame: Frame) -> Callable[[Window | None], None]:
    """The last look before keys go down: the window must be the one of `frame`, where they were allowed."""

    def check(window: Window | None) -> None:
        if _id(window) != _id(frame.window):
            raise drifted(step, window)

    return check


def drifted(step: Step, active: Window | None) -> FocusDrift:
    """The refusal: another application has the keyboard, or another window of the right one."""
    recorded = step.evidence.before
    if active is None or not same_application(recorded.application, active.application):
        seen = active.application if active else "none"
        return FocusDrift(
            f"{seen} has the keyboard, not {recorded.application}", recorded=recorded.application, active=seen
        )
    return FocusDrift(
        f"another window of {active.application} has the keyboard",
        recorded=recorded.window_title[:120],
        active=active.title[:120],
    )


def _id(window: Window | None) -> int | None:
    return window.id if window else None

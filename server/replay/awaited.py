"""Pure: how long a screen may rest before what comes next counts as not coming.

Ordinarily a few seconds. Longer where the recording itself waited; and where another window was in front by
then, as long as the old one still is: a dialog may take its time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from actionlens.actions import Action, Wait
from memory_store.models import Step, Surroundings

if TYPE_CHECKING:
    from actionlens.controller import Frame
    from actionlens.observation import Window

WINDOW_S = 8.0
"""For a window that is expected and has not come."""
MARGIN_S = 2.0
"""Beyond what the recording waited."""


def awaited(
    steps: Sequence[Step], actions: Sequence[Action], index: int, front: Window | None
) -> Callable[[Frame], float]:
    """Seconds of rest that a screen is given before step `index`; 0: nothing more than usual is expected.

    `front` was in front as the action before was done; None: that is not known.
    """
    before, waited = index - 1, 0.0
    while before >= 0 and isinstance(wait := actions[before], Wait):
        before, waited = before - 1, waited + wait.seconds
    at_least = waited + MARGIN_S if waited else 0.0
    another = before >= 0 and _differ(steps[before].evidence.before, steps[index].evidence.before)

    def seconds(frame: Frame) -> float:
        here = frame.window
        unmoved = front is not None and (here is None or (here.id, here.title) == (front.id, front.title))
        return max(at_least, WINDOW_S) if another and unmoved else at_least

    return seconds


def _differ(one: Surroundings, other: Surroundings) -> bool:
    """Whether another window was in front."""
    return (one.application, one.window_title, one.dialog) != (
        other.application,
        other.window_title,
        other.dialog,
    )

"""Pure: would a click reach the application that it reached when it was recorded, in the window in front?

What was inside the window in front has to be there again; a menu or a dialog of the application counts. What
was outside (a panel, an icon of the desktop, another window) is known by the applications around the step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ibtr.errors import FocusDrift, MissingTarget
from memory_store.models import Step
from server.replay.transition import same_application
from server.replay.window_place import was_inside

if TYPE_CHECKING:
    from actionlens.observation import Under, Window
    from server.replay.aiming import Target


def expect_in_front(under: Under | None, active: Window | None) -> None:
    """Of what lies outside of the active window: it must not be another window that lies behind it.

    Raises:
        FocusDrift: it is.
    """
    if under is not None and under.managed and active is not None and under.id != active.id:
        raise FocusDrift(
            f"the target is in a window of {under.application or 'no name'} that is not in front",
            active=active.title[:120],
            reached=under.application,
        )


def expect_reached(
    step: Step, then: Step | None, target: Target, windows: Sequence[Window], under: Under | None
) -> None:
    """The last look at the window that would get the click.

    Raises:
        MissingTarget: it is a tooltip, or of an application that has nothing to do with this step.
    """
    expect_no_hint(under)
    wanted = _applications(step, then, inside=was_inside(step.evidence.before, target))
    if not wanted or any(same_application(one, other) for one in wanted for other in _of(under, windows)):
        return
    if not was_inside(step.evidence.before, target) and _nobodys(under):
        return
    reached = (under.application or "a window without a name") if under else "the bare screen"
    raise MissingTarget(
        f"the click would reach {reached}, not {wanted[0]}", reached=reached, recorded=wanted[0]
    )


def expect_no_hint(under: Under | None) -> None:
    """A tooltip takes the click that was meant for what it covers.

    Raises:
        MissingTarget: one lies there.
    """
    if under is not None and under.hint:
        raise MissingTarget("a tooltip lies over the target and does not go", reached=under.application)


def _applications(step: Step, then: Step | None, *, inside: bool) -> list[str]:
    """The applications that the step may reach; none where nobody told when it was recorded."""
    seen = step.evidence
    if not seen.before.application:
        return []
    around = [] if inside else [seen.after.application, then.evidence.before.application if then else ""]
    return [seen.before.application, *filter(None, around)]


def _of(under: Under | None, windows: Sequence[Window]) -> list[str]:
    """The application of a window, and those of the windows that it goes with."""
    if under is None:
        return []
    return [under.application, *(one.application for one in windows if one.id in under.owners)]


def _nobodys(under: Under | None) -> bool:
    """The desktop itself, or something that does not say whose it is."""
    return under is None or under.standing or not under.application

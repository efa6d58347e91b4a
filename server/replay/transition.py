"""Pure: did a step lead where it led when it was recorded?

Contradicted by another application in front, a window that nobody expected, or no change where there was
one; never by the pixels of the whole screen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memory_store.models import Step

if TYPE_CHECKING:
    from actionlens.controller import Frame


class Contradiction(NamedTuple):
    """What speaks against a transition."""

    kind: str
    says: str
    evidence: dict[str, str]


def same_application(one: str, other: str) -> bool:
    """Whether two window classes are of one application."""
    return one.casefold() == other.casefold()


def contradiction(step: Step, before: Frame, after: Frame) -> Contradiction | None:
    """The first thing that speaks against it, or nothing."""
    recorded, now = step.evidence.after, after.window
    if recorded.application and (now is None or not same_application(recorded.application, now.application)):
        seen = now.application if now else "none"
        return Contradiction(
            "application",
            "another application is in front",
            {"recorded": recorded.application, "active": seen},
        )
    known = {window.id for window in before.windows}
    same_window = step.evidence.before.window_title == recorded.window_title
    if now is not None and same_window and known and now.id not in known:
        return Contradiction(
            "window", "a window came up that was not there before", {"window": now.title[:120]}
        )
    if step.evidence.changed and after.pixels is before.pixels:
        return Contradiction("no_change", "nothing changed where something did when it was recorded", {})
    return None

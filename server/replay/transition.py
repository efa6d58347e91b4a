"""Pure: did a step lead where it led when it was recorded?

Contradicted by another application in front, a window that nobody expected, or no change where there was
one; never by the pixels of the whole screen.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

from memory_store.models import Step

if TYPE_CHECKING:
    from actionlens.controller import Frame


_TELLS = 0.4  # likeness that two titles without a word in common do not have
_ONE_WINDOW = 0.75  # titles that are so alike may be of one window: a star, another document


class Contradiction(NamedTuple):
    """What speaks against a transition."""

    kind: str
    says: str
    evidence: dict[str, str]


def same_application(one: str, other: str) -> bool:
    """Whether two window classes are of one application."""
    return one.casefold() == other.casefold()


def contradiction(step: Step, before: Frame, after: Frame, then: Step | None = None) -> Contradiction | None:
    """The first thing that speaks against it, or nothing.

    What was in front before the step that came `then` was expected as well: a dialog may have come up only
    after the recorded screen had settled.
    """
    now = after.window
    places = [step.evidence.after, *([then.evidence.before] if then else [])]
    recorded = [place.application for place in places if place.application]
    if recorded and (now is None or not any(same_application(one, now.application) for one in recorded)):
        seen = now.application if now else "none"
        return Contradiction(
            "application", "another application is in front", {"recorded": recorded[0], "active": seen}
        )
    known = {window.id for window in before.windows}
    same_window = all(place.window_title == step.evidence.before.window_title for place in places)
    if now is not None and same_window and known and now.id not in known:
        return Contradiction(
            "window", "a window came up that was not there before", {"window": now.title[:120]}
        )
    if step.evidence.changed and after.pixels is before.pixels:
        return Contradiction("no_change", "nothing changed where something did when it was recorded", {})
    return None


def is_other_window(titles: Iterable[str], wanted: str, active: str, *, same_kind: bool) -> bool:
    """Whether the active window is rather another one of the recorded windows than the one that is wanted.

    Titles differ from run to run (a document's name, a star for unsaved work), so no title is asked for; but
    one that is most like that of another recorded window shows that the wanted one is not there yet. One that
    is like none of them, as in another language, does not tell: then it must be of the same kind, a dialog
    or none.
    """
    others = [title for title in set(titles) if title and _alike(title, wanted) < _ONE_WINDOW]
    if not wanted or not others:
        return False
    likeness, rival = _alike(wanted, active), max(_alike(title, active) for title in others)
    return rival > likeness if max(likeness, rival) >= _TELLS else not same_kind


def _alike(one: str, other: str) -> float:
    return SequenceMatcher(None, one.casefold(), other.casefold(), autojunk=False).ratio()

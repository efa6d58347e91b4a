"""A target that reads what was typed: looked for by the letters that this replay has put on the screen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ibtr.errors import AmbiguousTarget, MissingTarget
from ibtr.geometry import Box, Point

if TYPE_CHECKING:
    from actionlens.actions import Action
    from actionlens.frames import Pixels
    from actionlens.recorder import Done
    from ibtr import Aim, Evidence
    from ibtr.evidence import CropAnchor
    from memory_store.echo import Echo, Letters
    from server.replay.session import Session


@dataclass(frozen=True, slots=True)
class Typed:
    """A text that this replay has typed: the screens around it, and where its field was clicked."""

    text: str
    before: Pixels
    after: Pixels
    focus: Point | None


@dataclass(frozen=True, slots=True)
class Echoed:
    """A target to look for by what was typed."""

    evidence: Evidence
    echo: Echo
    typed: Typed | None = None
    """Until it is typed the target is nowhere: what was recorded shows the value of that day."""
    at_once: bool = False
    """Nothing was done since: the screen of now shows the field, and all that was typed."""

    @property
    def crop(self) -> CropAnchor:
        """How it looked when it was recorded."""
        return self.evidence.crop

    def find(self, screen: Pixels) -> Aim:
        """Where it stands.

        Raises:
            MissingTarget, AmbiguousTarget: it does not, or at several places.
        """
        from memory_store.echo import find

        name = self.echo.input
        if self.typed is None:
            raise MissingTarget(f"this replay has not typed the {name} that the target reads", text=name)
        letters = self._letters(self.typed, screen)
        if letters is None:
            raise MissingTarget(f"the {name} that was typed cannot be seen", text=name)
        text = f"{self.typed.text[:60]!r}, the {name} that was typed"
        try:
            place, rival = find(self.echo, letters, screen)
        except MissingTarget as no:
            raise MissingTarget(f"no place reads {text}", **no.evidence) from no
        except AmbiguousTarget as no:
            raise AmbiguousTarget(f"{no.evidence['places']} places read {text}", **no.evidence) from no
        return _aim(self.echo, place.box, place.score, rival, place.least)

    def _letters(self, typed: Typed, screen: Pixels) -> Letters | None:
        from memory_store.echo import letters_of

        for seen in (screen, typed.after) if self.at_once else (typed.after,):
            if (found := letters_of(typed.before, seen, typed.focus, typed.text)) is not None:
                return found
        return None


def hear(session: Session, index: int, action: Action, done: Done, focus: Point | None) -> None:
    """A text was typed: the targets that read it are looked for by it from now on."""
    text = getattr(action, "text", None)
    if not text or done.after is None:
        return
    typed = Typed(text, done.before.pixels, done.after.pixels, focus)
    for later, (target, *_) in session.targets.items():
        if isinstance(target, Echoed) and target.echo.typed_by == index:
            session.targets[later] = (replace(target, typed=typed, at_once=later == index + 1),)


def _aim(echo: Echo, box: Box, score: float, rival: float, least: float) -> Aim:
    from ibtr.report import Aim
    from ibtr.sight import Sight

    inside = min(max(0.0, echo.click.x), box.width - 1), min(max(0.0, echo.click.y), box.height - 1)
    point = Point(box.x + inside[0], box.y + inside[1])
    sight = Sight(point, 1.0, score, score, score, least, score)
    one = Point(1.0, 1.0)
    return Aim(point, score, score - rival, "typed", "echo", one, box, None, sight, Point(0.0, 0.0), {})

"""How well a target can be found again, judged on the screen it was recorded on."""

from __future__ import annotations

from dataclasses import dataclass

from ibtr.errors import Rejected
from ibtr.evidence import Evidence
from ibtr.judge import DEFAULT, Limits, judge, verified
from ibtr.pixels import Pixels
from ibtr.places import sights
from ibtr.sight import structure_at
from ibtr.view import View
from ibtr.work import Scaling, Work

PLAIN = 24
"""Structure nearer than this (to each side) belongs to the click; a plain spot leans on its row."""


@dataclass(frozen=True, slots=True)
class Quality:
    """Whether to expect that a target will be found again."""

    strong: bool
    reason: str
    lookalikes: int
    """Other places on this screen that show the same widget."""

    def __str__(self) -> str:
        return f"{'strong' if self.strong else 'weak'}: {self.reason}"


def quality(evidence: Evidence, screen: Pixels, limits: Limits = DEFAULT) -> Quality:
    """Look for the target on the very screen it was recorded on.

    Raises:
        BadImage: `screen` is not a picture.
    """
    anchor = evidence.crop
    work = Work(anchor, View(screen), Scaling(1.0, 1.0))
    seen = sights(work, limits)
    others = sum(verified(s, limits, limits.rival) for s in seen) - 1
    places = f"{others} other place{'s' if others != 1 else ''} on this screen"
    reach = structure_at(work)
    if reach is None:
        return Quality(False, "there is nothing but plain colour around the click", max(0, others))
    try:
        verdict = judge(seen, limits)
    except Rejected:
        reason = f"looks like {places}" if others > 0 else "is not found even where it was recorded"
        return Quality(False, reason, max(0, others))
    if reach > PLAIN:
        return Quality(False, f"a plain spot, known only by what stands {reach} px beside it", others)
    if others > 0:
        return Quality(True, f"looks like {places}, told apart by its {verdict.crop}", others)
    return Quality(True, "nothing else on this screen looks like it", 0)

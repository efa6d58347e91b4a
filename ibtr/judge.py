"""Strong, alone and verified?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ibtr.errors import AmbiguousTarget, MissingTarget, Rejected
from ibtr.verify import Sight


@dataclass(frozen=True, slots=True)
class Limits:
    """How sure we must be before the pointer may move."""

    score: float = 0.78
    """Least correlation of a crop (paper, B.3)."""
    margin: float = 0.02
    """Least distance to the strongest rival's (paper, B.3)."""
    smallest: float = 0.5
    """Least scale (paper, B.3)."""
    largest: float = 2.0
    """Greatest scale (paper, B.3)."""
    spot: float = 0.8
    """Least likeness of the structure under the click."""
    core: float = 0.8
    """Least likeness of the widget."""
    weakest: float = 0.62
    """Least likeness of each part of the widget."""
    support: float = 0.65
    """Least likeness of what lies around it."""
    twin: float = 0.2
    """Least distance in that likeness to a place whose widget also passes."""
    rival: float = 0.75
    """Share of these likenesses from which another place counts as a rival."""
    colour: float = 0.7
    """Least likeness of the colours."""


DEFAULT = Limits()


class Verdict(NamedTuple):
    """The sight that is strong, alone and verified, and what it was measured against."""

    best: Sight
    crop: str
    score: float
    margin: float
    rival: Sight | None


def verified(sight: Sight, limits: Limits, share: float = 1.0) -> bool:
    """Whether the pixels under the click are the target's."""
    alike = sight.spot >= limits.spot * share and sight.core >= limits.core * share
    return alike and sight.weakest >= limits.weakest * share and sight.colour >= limits.colour


def judge(sights: Sequence[Sight], limits: Limits) -> Verdict:
    """The one sight that may be clicked.

    Raises:
        MissingTarget: no sight is verified and supported by its surroundings.
        AmbiguousTarget: another one might be it as well.
    """
    passing = [s for s in sights if verified(s, limits)]
    if not passing:
        nearest = max(sights, key=lambda s: (min(s.spot, s.core), s.context), default=None)
        raise MissingTarget("no place on the screen shows the target", **_numbers(nearest, limits))
    best = max(passing, key=lambda s: s.context + s.score)
    elsewhere = [s for s in sights if _apart(s, best)]
    home = max(elsewhere, key=lambda s: s.context, default=None)
    if best.context < limits.support:
        raise MissingTarget("the target's surroundings are not there", **_numbers(best, limits))
    if home is not None and not verified(home, limits) and home.context - best.context > limits.twin:
        raise MissingTarget("its surroundings are elsewhere, without it", **_numbers(home, limits))
    rivals = [s for s in elsewhere if verified(s, limits, limits.rival)]
    close = max(rivals, key=lambda s: s.context, default=None)
    if close is not None and best.context - close.context < limits.twin:
        raise _ambiguous(best, close)
    return _alone(best, elsewhere, limits)


def _alone(best: Sight, elsewhere: Sequence[Sight], limits: Limits) -> Verdict:
    """Score and margin of the target crop; where that has a rival, the context crop may tell them apart."""
    if best.score < limits.score:
        raise MissingTarget("nothing correlates enough", **_numbers(best, limits))
    rival = max(elsewhere, key=lambda s: s.score, default=None)
    margin = best.score - (rival.score if rival else 0.0)
    if margin >= limits.margin:
        return Verdict(best, "target", best.score, margin, rival)
    rival = max(elsewhere, key=lambda s: s.context_score, default=None)
    wider = best.context_score - (rival.context_score if rival else 0.0)
    if best.context_score >= limits.score and wider >= limits.margin:
        return Verdict(best, "context", best.context_score, wider, rival)
    raise AmbiguousTarget("two places look alike", score=best.score, margin=margin)


def _apart(sight: Sight, best: Sight) -> bool:
    return abs(sight.point.x - best.point.x) > 4 or abs(sight.point.y - best.point.y) > 4


def _ambiguous(best: Sight, rival: Sight) -> Rejected:
    return AmbiguousTarget(
        "two places look alike, their surroundings too",
        score=best.score,
        margin=best.score - rival.score,
        context=best.context,
        rival_context=rival.context,
        point=list(best.point),
        rival_point=list(rival.point),
    )


def _numbers(sight: Sight | None, limits: Limits) -> dict[str, object]:
    if sight is None:
        return {"score": 0.0}
    return {
        "score": sight.score,
        "spot": sight.spot,
        "core": sight.core,
        "weakest": sight.weakest,
        "context": sight.context,
        "colour": sight.colour,
        "scale": sight.scale,
        "point": list(sight.point),
    }

"""What re-aiming found, with every number behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ibtr.geometry import Box, Point
from ibtr.judge import Verdict
from ibtr.sight import Sight
from ibtr.work import Work

SWITCHED = "switched"
"""Begins the name of the representation in which a target is as its click would leave it."""


@dataclass(frozen=True)
class Aim:
    """Where to click, in image pixels, and why there."""

    point: Point
    score: float
    """Correlation of the crop that was decisive."""
    margin: float
    """Its distance to the strongest rival's."""
    representation: str
    """`gray`, `inverted`, `between pixels`, `by its row`, `beside pointer`, `lit`, `cut off`, `among icons`,
    `re-rendered`, `reflowed`, `rows slid`, `spread`, `by its ends` or `redrawn`; with `switched` before it,
    the target is as its click would leave it: not to be clicked."""
    crop: str
    """The kind of crop that was alone: `target`, `context` or `row`."""
    scale: Point
    """How much larger than recorded, across and down."""
    box: Box
    """The widget on the screen."""
    rival: Box | None
    """The place that looks most like it."""
    sight: Sight
    """The comparison of the pixels under the click, and around."""
    shift: Point
    """Where the recorded screen's corner would be now."""
    ms: Mapping[str, float]
    """Milliseconds per phase."""

    @property
    def switched(self) -> bool:
        """Whether the target is as its click would leave it, and so not to be clicked."""
        return self.representation.startswith(SWITCHED)

    @property
    def patch(self) -> Box:
        """The part of the screen to grab for `verify` once the pointer is in place."""
        return self.box.grow(round(14 * max(1.0, self.scale.x)))

    @property
    def verification(self) -> float:
        """The least likeness among those of the pixels under the click."""
        return min(self.sight.spot, self.sight.core, self.sight.weakest)

    @property
    def transform(self) -> tuple[float, float, float, float]:
        """Screen pixel = scale x picture pixel + shift, as (sx, sy, dx, dy) for the recorded screen."""
        return self.scale.x, self.scale.y, self.shift.x, self.shift.y

    def to_json(self) -> dict[str, object]:
        """Plain values for a record."""
        return {
            "point": [round(float(v), 2) for v in self.point],
            "score": round(self.score, 4),
            "margin": round(self.margin, 4),
            "representation": self.representation,
            "crop": self.crop,
            "scale": [round(v, 4) for v in self.scale],
            "box": list(self.box),
            "rival": list(self.rival) if self.rival else None,
            "verification": round(self.verification, 4),
            "sight": numbers(self.sight),
            "transform": [round(v, 4) for v in self.transform],
            "ms": {phase: round(ms, 2) for phase, ms in self.ms.items()},
        }


def numbers(sight: Sight) -> dict[str, float]:
    """A sight's likenesses."""
    names = ("score", "spot", "core", "weakest", "colour", "context", "context_score")
    return {name: round(float(getattr(sight, name)), 4) for name in names}


def aim_of(work: Work, verdict: Verdict, representation: str, ms: Mapping[str, float]) -> Aim:
    """The report on an accepted verdict."""
    anchor, best = work.anchor, verdict.best
    recorded = Point(anchor.source.x + anchor.click.x, anchor.source.y + anchor.click.y)
    shift = Point(best.point.x - work.scaling.x * recorded.x, best.point.y - work.scaling.y * recorded.y)
    rival = box_at(work, verdict.rival.point) if verdict.rival is not None else None
    return Aim(
        point=best.point,
        score=verdict.score,
        margin=verdict.margin,
        representation=representation,
        crop=verdict.crop,
        scale=Point(*work.scaling),
        box=box_at(work, best.point),
        rival=rival,
        sight=best,
        ms=dict(ms),
        shift=shift,
    )


def box_at(work: Work, at: Point) -> Box:
    """The widget's box if the click were at `at`."""
    core, click, scaling = work.anchor.core, work.anchor.click, work.scaling
    left, top = at.x + (core.x - click.x) * scaling.x, at.y + (core.y - click.y) * scaling.y
    return Box(round(left), round(top), round(core.width * scaling.x), round(core.height * scaling.y))

"""reaim(): the algorithm end to end."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from ibtr.errors import MissingTarget, Rejected
from ibtr.evidence import CropAnchor, Evidence
from ibtr.geometry import Point
from ibtr.judge import DEFAULT, Limits, Verdict, judge, verified
from ibtr.pixels import Pixels
from ibtr.search import Candidate, Scaling, Work, close, coarse
from ibtr.verify import Sight, look, look_around, look_beside_pointer
from ibtr.view import View

TARGETS = 24
CONTEXTS = 4
HOMES = 2
LOOKS = 10


@dataclass(frozen=True)
class Aim:
    """Where to click, in image pixels, and why."""

    point: Point
    verdict: Verdict
    representation: str
    ms: dict[str, float] = field(default_factory=dict)


def reaim(evidence: Evidence, screen: Pixels | View, limits: Limits = DEFAULT) -> Aim:
    """Find the target again, or refuse."""
    view = screen if isinstance(screen, View) else View(screen)
    anchor = evidence.crop
    refusals: list[Rejected] = []
    for scaling in priors(anchor, view):
        try:
            start = time.perf_counter()
            work = Work(anchor, view, scaling)
            seen = sights(work, limits)
            try:
                verdict = judge(seen, limits)
            except MissingTarget:
                verdict = judge(uncovered(work, seen, limits), limits)
            return Aim(verdict.best.point, verdict, "gray", {"all": (time.perf_counter() - start) * 1e3})
        except Rejected as no:
            refusals.append(no)
    raise refusals[0] if refusals else MissingTarget("no scale to try")


def priors(anchor: CropAnchor, view: View) -> list[Scaling]:
    """Scales worth trying first: that of the screens, and none."""
    ratio = Scaling(view.size.width / anchor.screen.width, view.size.height / anchor.screen.height)
    found = [ratio] if abs(ratio.x / ratio.y - 1) < 0.02 else []
    if all(abs(s.mean - 1) > 0.01 for s in found):
        found.append(Scaling(1.0, 1.0))
    return found


def sights(work: Work, limits: Limits) -> list[Sight]:
    """Every place that may be the target, looked at from close by."""
    anchor = work.anchor
    box = work.box(anchor.target)
    near: list[Candidate] = []
    homes: list[Candidate] = []
    for candidate in coarse(work, anchor.context, CONTEXTS, 0.35)[:HOMES]:
        found = close(work, candidate, box, 4)
        homes.append(found if found.score >= 0.5 else Candidate(candidate.point, found.score))
    rough = coarse(work, anchor.target, TARGETS, 0.45)
    for candidate in rough:
        if candidate.score < rough[0].score - 0.35:
            break
        if not any(_same(candidate, other, 2) for other in [*near, *homes]):
            near.append(close(work, candidate, box, 4))
    near.sort(key=lambda c: -c.score)
    best = max([c.score for c in [*homes, *near[:1]]], default=0.0)
    seen = [look(work, c) for c in homes]
    for candidate in near[:LOOKS]:
        if candidate.score < best - 0.3:
            break
        if not any(_same(candidate, other, 2) for other in seen):
            seen.append(look(work, candidate))
    return [
        look_around(work, s) if i < len(homes) or verified(s, limits, limits.rival) else s
        for i, s in enumerate(seen)
    ]


def uncovered(work: Work, seen: list[Sight], limits: Limits) -> list[Sight]:
    """The same sights, those with a pointer on them by what it leaves free."""
    better: list[Sight] = []
    for sight in seen:
        free = None
        if sight.context >= limits.support and not verified(sight, limits):
            free = look_beside_pointer(work, Candidate(sight.point, sight.score))
        better.append(sight if free is None else look_around(work, free))
    return better


def _same(a: Candidate | Sight, b: Candidate | Sight, within: float = 3) -> bool:
    return abs(a.point.x - b.point.x) <= within and abs(a.point.y - b.point.y) <= within

"""Every place on a screen that may be the target, looked at from close by."""

from __future__ import annotations

from ibtr.along import HIGHER, rows_by_text
from ibtr.errors import AmbiguousTarget
from ibtr.judge import Limits, twins, verified
from ibtr.peaks import Wanted
from ibtr.reading import read_text
from ibtr.search import Candidate, closest, coarse, half_off, listed
from ibtr.sight import Sight, glance, look, look_along, look_around, read_list
from ibtr.work import Work

TARGETS = Wanted(least=0.45, reach=0.25, most=24, crowd=400)
"""Places at which the target crop is tried at full resolution."""
HOMES = Wanted(least=0.35, reach=0.1, most=8, crowd=400)
"""The same for the context crop."""
CROWD = 120
"""Places with the same target and the same surroundings that are told apart, at most."""
LOOKS = 10
"""Places that are compared closely; more only if they are as good as the best."""
THERE = 0.5
"""Correlation below which the target is not where its surroundings are."""
FAR = 0.3
"""How far below the best one a place is not looked at."""


def sights(work: Work, limits: Limits) -> list[Sight]:
    """Every place that may be the target, looked at from close by; twins also along their rows.

    Raises:
        AmbiguousTarget: there are more of them than can be looked at.
    """
    homes = _homes(work, limits, rows_by_text(work))
    seen = [look(work, home) for home in homes if home.score >= THERE]
    alike = 0.05 + 1 - half_off(work, work.box(work.anchor.target))
    near = _near(work, homes, max(FAR, alike))
    best = max([c.score for c in [*homes, *near[:1]]], default=0.0)
    if best < limits.score:
        seen += [look(work, c) for c in _at_the_edge(work) if c.score >= limits.score]
    for index, candidate in enumerate(near):
        if candidate.score < best - (FAR if index < LOOKS else alike):
            break
        if not any(same_place(candidate, other) for other in seen):
            seen.append(look(work, candidate))
    seen = _with_surroundings(work, seen, homes, limits)
    seen = _one_each(work, seen)
    seen = [read_text(work, read_list(work, s)) if verified(s, limits, limits.rival) else s for s in seen]
    group = twins(seen, limits)
    return _with_list(work, seen, group, limits) if len(group) > 1 else seen


def _with_surroundings(work: Work, seen: list[Sight], homes: list[Candidate], limits: Limits) -> list[Sight]:
    """The sights that may be it with what lies around them, then the homes without it as far as they count.

    Beside a place that has everything, the surroundings alone only count where they are as much alike.
    """
    whole = [look_around(work, s) for s in seen if verified(s, limits, limits.rival)]
    least = min((s.context for s in whole if verified(s, limits)), default=0.0) - limits.margin
    least = least if least >= limits.nearby else -1.0
    places = {home.point for home in homes}
    others = [s for s in seen if not verified(s, limits, limits.rival)]
    others = [look_around(work, s, least) if s.point in places else s for s in others]
    empty = [glance(work, home, least) for home in homes if home.score < THERE]
    return [*whole, *others, *empty]


def _homes(work: Work, limits: Limits, named: list[Candidate]) -> list[Candidate]:
    """Where the surroundings are, the target at its best place there or, failing that, where it should be.

    And the rows that are `named` by their text; those alone where most of the screen looks like it.
    """
    box, homes = work.locator, list[Candidate]()
    rough = coarse(work, work.anchor.context, HOMES)
    for index, (candidate, best) in enumerate(zip(rough, closest(work, rough, box, 4, THERE), strict=True)):
        if best.score < 0.7 and index >= HOMES.most:
            continue
        found = best if best.score >= THERE else Candidate(candidate.point, best.score)
        if not any(same_place(found, other) for other in homes):
            homes.append(found)
    if len(homes) <= CROWD and len(rough) < HOMES.crowd:
        return _a_row_each(homes, named) if named else homes
    if named:
        return named
    if any(verified(look(work, c), limits, limits.rival) for c in homes[:: len(homes) // LOOKS or 1]):
        raise AmbiguousTarget("more places look like it than can be told apart", places=len(homes))
    return homes[: HOMES.most]  # along a bare edge everything looks like its outline, and nothing like it


def _a_row_each(homes: list[Candidate], named: list[Candidate]) -> list[Candidate]:
    """The rows that are named, and of each other one the place below these: a spot is anywhere along it."""
    rows = list(named)
    for home in homes:
        if not any(abs(home.point.y - row.point.y) <= HIGHER for row in rows):
            rows.append(home._replace(point=home.point._replace(x=named[0].point.x)))
    return rows


def _near(work: Work, homes: list[Candidate], reach: float) -> list[Candidate]:
    """Where else the target itself may be, within `reach` of the best, best first.

    A part of a long field is anywhere along it, and is not sought.
    """
    if any(work.slides):
        return []
    rough = coarse(work, work.anchor.target, TARGETS)
    least = max([c.score for c in homes], default=0.0) - reach
    found = closest(work, rough, work.box(work.anchor.target), 3, least)
    best = max([c.score for c in [*homes, *found]], default=0.0)
    near: list[Candidate] = []
    for candidate, there in zip(rough, found, strict=True):
        if there.score >= best - reach and not any(same_place(candidate, other) for other in [*near, *homes]):
            near.append(there)
    return sorted(near, key=lambda c: -c.score)


def _at_the_edge(work: Work) -> list[Candidate]:
    """Where the widget itself may be so close to the edge of the screen that its crop goes past that."""
    core, target = work.anchor.core, work.anchor.target
    rough = [] if any(work.slides) else coarse(work, core, TARGETS, beyond=target)
    return closest(work, rough, work.box(core), 6)


def _one_each(work: Work, seen: list[Sight]) -> list[Sight]:
    """The best sight of each long field: a place further along it is not another target."""
    if not any(work.slides):
        return seen
    reach = [
        (extent / 2 if slides else 0.0) + 4
        for extent, slides in zip(work.anchor.core[2:], work.slides, strict=True)
    ]
    best: list[Sight] = []
    for sight in sorted(seen, key=lambda s: -s.context):
        along = [(abs(sight.point.x - b.point.x), abs(sight.point.y - b.point.y)) for b in best]
        if not any(x <= reach[0] * sight.scale and y <= reach[1] * sight.scale for x, y in along):
            best.append(sight)
    return best


def _with_list(work: Work, seen: list[Sight], group: list[Sight], limits: Limits) -> list[Sight]:
    """Twins are often items of one list: find the rest of it, and compare their rows and columns.

    Where all around them is the same, they are copies of a window; what is cut off of one does not tell it.
    Then only a row or a column tells that had its equals when it was recorded.
    """
    reach = round(limits.list_length * work.scaling.mean * work.shrink.x)
    for candidate in listed(work, group[0].point, work.box(work.anchor.target), reach):
        if not any(same_place(candidate, other) for other in seen):
            seen.append(look_around(work, look(work, candidate)))
    everyone = twins(seen, limits)
    most = max((s.context for s in everyone), default=0.0)
    copies = sum(s.context >= most - limits.margin for s in everyone) > 1
    along = read_list if copies else look_along
    return [read_text(work, along(work, s)) if s in everyone else s for s in seen]


def same_place(a: Candidate | Sight, b: Candidate | Sight, within: float = 2) -> bool:
    """Whether two are as good as at one point."""
    return abs(a.point.x - b.point.x) <= within and abs(a.point.y - b.point.y) <= within

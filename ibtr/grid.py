"""An empty cell of a grid looks like all the others: it is sought by what names it, its row and its column.

Its column, from the heading down to the cell, is laid over the whole screen, and so is its row from its
beginning; where both read as they did is the cell. What is read must be drawn with the same pixels.
"""

from __future__ import annotations

from collections.abc import Mapping

from ibtr.errors import AmbiguousTarget, MissingTarget
from ibtr.evidence import CropAnchor
from ibtr.judge import Limits, Verdict, ambiguous, numbers, places, reads_the_same, verified
from ibtr.peaks import Wanted
from ibtr.pixels import cut
from ibtr.reading import exact, read_text
from ibtr.report import Aim, aim_of
from ibtr.search import Candidate, closest, coarse
from ibtr.sight import Sight, look, look_around, read_list
from ibtr.view import View
from ibtr.work import Scaling, Work

STRIPS = Wanted(least=0.35, reach=0.1, most=40, crowd=400)
"""Places at which a row, or a column, is compared at full resolution."""
SAME = 0.9
"""Correlation of a strip below which it is another one."""


def named(anchor: CropAnchor) -> bool:
    """Whether a target is an empty cell, named by what stands before it and above it.

    One that may hold anything is known by its names, wherever these stand now: there letters do not tell.
    """
    row, column = anchor.row, anchor.column
    if row is None or column is None or (anchor.vary is not None and cut(anchor.vary, anchor.core).any()):
        return False
    return row.context.right <= row.click.x and column.context.bottom <= column.click.y


def aim_in_grid(anchor: CropAnchor, view: View, limits: Limits, ms: Mapping[str, float]) -> Aim:
    """The cell whose row and column read as they did, in the size in which they were recorded.

    Raises:
        MissingTarget: there is none.
        AmbiguousTarget: there are several.
    """
    work = Work(anchor, view, Scaling(1.0, 1.0))
    seen = [look(work, candidate) for candidate in _places(work)]
    alike = [look_around(work, s) for s in seen if verified(s, limits, limits.rival)]
    alike = [read_text(work, read_list(work, s)) for s in alike]
    return aim_of(work, _alone(work, alike, limits), "gray", ms)


def _places(work: Work) -> list[Candidate]:
    """Where its column is, and where its row is; each tells the whole place."""
    found: list[Candidate] = []
    for strip in (work.column, work.row):
        assert strip is not None
        part = strip.anchor.wide
        for candidate in closest(strip, coarse(strip, part, STRIPS), strip.box(part), 4):
            if candidate.score >= SAME and not any(_near(candidate, other) for other in found):
                found.append(candidate)
    return found


def _near(one: Candidate, other: Candidate) -> bool:
    return abs(one.point.x - other.point.x) <= 2 and abs(one.point.y - other.point.y) <= 2


def _alone(work: Work, alike: list[Sight], limits: Limits) -> Verdict:
    own = [s for s in alike if verified(s, limits) and reads_the_same(s, limits) and not s.misread]
    own = places([s for s in own if s.score >= limits.score and s.context >= limits.support])
    if len(own) > 1:
        raise ambiguous(*own[:2])
    if not own or not exact(work, own[0].point):
        raise MissingTarget("no cell has its row and its heading", **numbers(own[0] if own else None))
    best = own[0]
    rivals = [s for s in places(alike) if s is not best]
    rival = min(rivals, key=lambda s: _ahead(best, s), default=None)
    margin = _ahead(best, rival) if rival is not None else best.score
    if margin < limits.margin:
        raise AmbiguousTarget("two cells look alike", margin=margin, **numbers(best))
    return Verdict(best, "row and column", best.score, margin, rival)


def _ahead(best: Sight, other: Sight) -> float:
    """How much more alike its row or its column is, whichever tells more."""
    pairs = ((best.row, other.row), (best.column, other.column))
    return max(mine.score - theirs.score for mine, theirs in pairs if mine and theirs)

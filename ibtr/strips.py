"""Twins in one list or grid: told apart by what stands in their rows and columns, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ibtr.sight import Along, Sight

if TYPE_CHECKING:
    from ibtr.judge import Limits

AXES = ("row", "column")
NONE = Along(-1.0, -1.0)


class Told(NamedTuple):
    """The twin that reads as the target did, and by how much the others do not."""

    best: Sight
    axes: str
    score: float
    margin: float
    rival: Sight


def told_apart(group: Sequence[Sight], limits: Limits) -> Told | None:
    """Among twins in one column the one whose row reads the same; among twins in one row, its column.

    Elsewhere twins stay twins: of two copies of a window neither is the right one.
    """
    found = [told for sight in group if (told := _stands_out(sight, group, limits)) is not None]
    return found[0] if len(found) == 1 else None


def _stands_out(best: Sight, group: Sequence[Sight], limits: Limits) -> Told | None:
    used, least, nearest = set[str](), 2.0, best
    for other in group:
        if other is best:
            continue
        axes = [axis for axis in AXES if _by(best, other, axis, limits)]
        if not axes or not one_list(best, other, group, limits) or _loses(best, other, limits):
            return None
        axis = max(axes, key=lambda axis: _margin(best, other, axis))
        used.add(axis)
        if _margin(best, other, axis) < least:
            least, nearest = _margin(best, other, axis), other
    score = min(strip_of(best, axis).score for axis in used)
    return Told(best, " and ".join(axis for axis in AXES if axis in used), score, least, nearest)


def _by(best: Sight, other: Sight, axis: str, limits: Limits) -> bool:
    """Whether this axis tells the two apart: the one's strip is strong, the other's is clearly less."""
    mine, theirs = strip_of(best, axis), strip_of(other, axis)
    alone = mine.weakest - theirs.weakest >= limits.strip and mine.score - theirs.score >= limits.margin
    strong = mine.weakest >= limits.weakest and mine.score >= limits.score
    return not _lined(best, other, axis, limits) and alone and strong


def _loses(best: Sight, other: Sight, limits: Limits) -> bool:
    """Whether the other one reads better along an axis on which they differ."""
    return any(
        strip_of(other, axis).score - strip_of(best, axis).score >= limits.margin
        for axis in AXES
        if not _lined(best, other, axis, limits)
    )


def one_list(best: Sight, other: Sight, group: Sequence[Sight], limits: Limits) -> bool:
    """Whether they are items of one list, or of one grid: then a third one stands at one of its corners."""
    near = limits.list_length * best.scale
    if max(abs(best.point.x - other.point.x), abs(best.point.y - other.point.y)) > near:
        return False
    if any(_lined(best, other, axis, limits) for axis in AXES):
        return True
    corners = (AXES, AXES[::-1])
    return any(_lined(best, s, a, limits) and _lined(other, s, b, limits) for s in group for a, b in corners)


def _lined(a: Sight, b: Sight, axis: str, limits: Limits) -> bool:
    """Whether both stand in the same row, or column."""
    apart = a.point.y - b.point.y if axis == "row" else a.point.x - b.point.x
    return abs(apart) <= limits.lined * a.scale


def in_line(best: Sight, other: Sight, axis: str, limits: Limits) -> bool:
    """Whether two are items of one list whose items are told by their rows, or columns: under one another."""
    return _lined(best, other, AXES[1 - AXES.index(axis)], limits)


def _margin(best: Sight, other: Sight, axis: str) -> float:
    return strip_of(best, axis).score - strip_of(other, axis).score


def strip_of(sight: Sight, axis: str) -> Along:
    """The row or the column of a sight; nothing is alike where nobody looked."""
    return (sight.row if axis == "row" else sight.column) or NONE

"""One long field, and the many places along it that look the same: all of it is one target.

In a window of another width its middle is further from its label. So the label is read from where the field
begins, and a place in the middle of it is as good as the next.
"""

from __future__ import annotations

from ibtr.geometry import Box, Point
from ibtr.lists import EDGE
from ibtr.masks import edges, flooded
from ibtr.pixels import cut
from ibtr.plain import LEVELS, WIDEST, field
from ibtr.reading import read_text
from ibtr.search import Candidate
from ibtr.sight import Sight, look, look_around, read_list
from ibtr.work import Work


def one_per_field(work: Work, seen: list[Sight], likely: list[Sight]) -> list[Sight]:
    """Of the sights in one long field the best `likely` one; where its label was kept, as far behind that.

    What is written elsewhere in the same field is not another place that the target is gone from.
    """
    kept: list[tuple[Sight, Box | None]] = []
    for sight in sorted(likely, key=lambda s: -s.context):
        if not any(own is not None and _goes_on(work, own, best.point, sight.point) for best, own in kept):
            kept.append((sight, field(work.view.gray, sight.point, WIDEST)))
    fields = [own for _, own in kept if own is not None]
    others = [s for s in seen if s not in likely and not any(own.contains(s.point) for own in fields)]
    return [*(sight if own is None else _behind_its_label(work, sight, own) for sight, own in kept), *others]


def _goes_on(work: Work, own: Box, start: Point, end: Point) -> bool:
    """Whether a field goes on from one point of it to another, with nothing in between: no word, no line."""
    if not own.contains(end):
        return False
    left, right = sorted((int(start.x), int(end.x)))
    return not edges(cut(work.view.gray, Box(left, own.y, right - left + 1, own.height)), EDGE).any()


def _behind_its_label(work: Work, sight: Sight, own: Box) -> Sight:
    """A place of the same field, as far from its beginning as the recorded one, where its row is read."""
    if work.row is None:
        return sight
    row = work.anchor.row or work.anchor
    began, _ = flooded(row.gray, row.click, LEVELS)
    there = Point(own.x + row.click.x - began.x, sight.point.y)
    if not _goes_on(work, own, sight.point, there):
        return sight
    return read_text(work, read_list(work, look_around(work, look(work, Candidate(there, sight.score)))))

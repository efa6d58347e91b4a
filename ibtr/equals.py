"""One of several buttons in a row: its neighbours have the same around them, which does not mean it is gone.

A place with the target's surroundings and without the target is where it was, if it is gone from there. But
what stood beside it when it was recorded, and stands there still, is only its neighbour.
"""

from __future__ import annotations

from ibtr.judge import Limits, verified
from ibtr.pixels import correlation, cut
from ibtr.sight import Sight
from ibtr.work import Scaling, Work

_PLAIN = 8.0  # deviation, in levels, of what shows nothing to know it by


def among_equals(work: Work, seen: list[Sight], limits: Limits) -> list[Sight]:
    """The same sights, with no surroundings where the recorded neighbours of the only target stand."""
    sure = [s for s in seen if verified(s, limits)]
    if len(sure) != 1 or work.inverted or work.flat or work.scaling != Scaling(1.0, 1.0):
        return seen
    return [
        s._replace(context=-1.0) if s is not sure[0] and _stood_beside(work, sure[0], s, limits) else s
        for s in seen
    ]


def _stood_beside(work: Work, own: Sight, other: Sight, limits: Limits) -> bool:
    """Whether a place shows what the recorded picture shows as far away from the target."""
    dx, dy = round(other.point.x - own.point.x), round(other.point.y - own.point.y)
    anchor, box = work.anchor, work.anchor.target
    then = box._replace(x=box.x + dx, y=box.y + dy)
    left, top = round(other.point.x - anchor.click.x), round(other.point.y - anchor.click.y)
    now = box._replace(x=box.x + left, y=box.y + top)
    if then.clip(anchor.size) != then or now.clip(work.view.size) != now:
        return False
    known, seen = cut(anchor.lasting, then).copy(), cut(work.view.gray, now).copy()
    return float(known.std()) >= _PLAIN and correlation(known, seen) >= limits.support  # it is kept lossy

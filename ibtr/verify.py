"""Are the pixels under the click still the target?"""

from __future__ import annotations

from ibtr.anew import REDRAWN, verify_anew
from ibtr.ends import ENDS, verify_within
from ibtr.errors import MissingTarget
from ibtr.evidence import Evidence
from ibtr.geometry import Box, Point
from ibtr.inlaid import INLAID, look_inlaid
from ibtr.judge import DEFAULT, Limits, numbers, verified
from ibtr.pixels import Pixels
from ibtr.report import Aim
from ibtr.search import Candidate, close
from ibtr.sight import Sight, beyond, look, near_part
from ibtr.stretched import STRETCHED, verify_stretched
from ibtr.view import View
from ibtr.work import Scaling, Work

DRIFT = 2
"""Pixels by which the target may have moved since it was aimed at."""
PLACE = 0.9
"""Share of the likenesses that is asked for with the pointer in place: widgets light up under it."""


def verify(evidence: Evidence, aim: Aim, patch: Pixels, offset: Point, limits: Limits = DEFAULT) -> Sight:
    """Compare the target once more with a small patch of the screen whose corner is at `offset`.

    `aim.patch` is the part of the screen worth grabbing. What the patch leaves out is not compared, but it
    must show the widget.

    Raises:
        BadImage: `patch` is not a picture.
        MissingTarget: the patch does not show the widget, or shows something else in its place.
    """
    view = View(patch)
    area = Box(round(offset.x), round(offset.y), *view.size)
    if not area.contains(aim.point) or aim.box.intersect(area).area < 0.9 * aim.box.area:
        raise MissingTarget("the patch does not show the widget", box=list(aim.box), patch=list(area))
    if aim.representation == REDRAWN:
        return verify_anew(evidence.crop, aim, view.page, Point(area.x, area.y))
    if aim.representation == STRETCHED:
        return verify_stretched(aim, view, Point(area.x, area.y))
    if aim.representation == ENDS:
        return verify_within(evidence.crop, aim, view, Point(area.x, area.y), limits)
    work = Work(evidence.crop, view, Scaling(*aim.scale), inverted="inverted" in aim.representation)
    at = Candidate(Point(aim.point.x - area.x, aim.point.y - area.y), 0.0)
    found = close(work, at, work.box(evidence.crop.core), DRIFT)
    sight = look(work, found, beyond(work, found.point, near_part(work)))
    if aim.representation == INLAID:
        sight = look_inlaid(work, sight, limits, PLACE) or sight
    moved = Point(sight.point.x + area.x, sight.point.y + area.y)
    sight = sight._replace(point=moved)
    if not verified(sight, limits, PLACE) or sight.score < limits.score * PLACE:
        raise MissingTarget("something else is under the pointer now", **numbers(sight))
    return sight

"""Places where the target was not to be seen, looked at again: a pointer or a highlight may lie on it."""

from __future__ import annotations

from ibtr.along import along_row
from ibtr.covered import in_part
from ibtr.elastic import look_around_anew
from ibtr.equals import among_equals
from ibtr.following import with_row
from ibtr.geometry import Box, Point
from ibtr.icons import among_icons
from ibtr.inlaid import INLAID, frames_put_right
from ibtr.judge import Limits, verified
from ibtr.letterwise import read_anew
from ibtr.reading import read_text
from ibtr.reflow import laid_out_anew
from ibtr.search import Candidate
from ibtr.sight import Sight, look, look_along, look_around, look_beside_pointer, read_list
from ibtr.slid import by_rows
from ibtr.spread import SPREAD, by_spread
from ibtr.tint import tint
from ibtr.view import View
from ibtr.work import Work, aligned

MOST = 16
"""Places that are looked at without their highlight: all cells of an empty sheet might have one."""


def uncovered(work: Work, seen: list[Sight], limits: Limits) -> list[Sight]:
    """The same sights, those with a pointer on them by what it leaves free."""
    better: list[Sight] = []
    for sight in seen:
        free = None
        if sight.context >= limits.support and not verified(sight, limits):
            free = look_beside_pointer(work, Candidate(sight.point, sight.score))
        better.append(sight if free is None else read_list(work, look_around(work, free)))
    return better


def redrawn(work: Work, seen: list[Sight], limits: Limits) -> list[Sight]:
    """The same sights by redrawn surroundings, if a widget is there in all its parts but they are not."""
    if not any(verified(s, limits) and s.score >= limits.score for s in seen):
        return seen
    return [
        read_anew(work, look_around_anew(work, with_row(work, s, limits, above=True)))
        if s.context >= 0
        else s
        for s in seen
    ]


def unlit(work: Work, seen: list[Sight], limits: Limits) -> list[Sight]:
    """The same sights, those that lit up without their highlight: of many, the ones with most around them."""
    lit = sorted((s for s in seen if _may_be_lit(s, limits)), key=lambda s: -s.context)[:MOST]
    return [_without_tint(work, s) if s in lit else s for s in seen]


def _may_be_lit(sight: Sight, limits: Limits) -> bool:
    return sight.context >= limits.support * limits.rival and sight.core >= limits.core * limits.rival


def _without_tint(work: Work, sight: Sight) -> Sight:
    part = work.box(work.anchor.wide)
    found = tint(*aligned(work, sight.point, part, colour=True))
    if found is None or work.inverted:
        return sight
    box = _on_screen(work, sight.point, part, found.box).clip(work.view.size)
    dark = Work(work.anchor, View(found.taken_back(work.view.image, box)), work.scaling, flat=work.flat)
    again = look_around(dark, look(dark, Candidate(sight.point, sight.score)))
    return read_text(dark, (look_along if sight.row and sight.column else read_list)(dark, again))


def _on_screen(work: Work, at: Point, part: Box, box: Box) -> Box:
    """A box of a compared part, in screen pixels."""
    left, top = (
        at.x + (part.x + box.x - work.click.x) / work.shrink.x,
        at.y + (part.y + box.y - work.click.y) / work.shrink.y,
    )
    return Box(round(left), round(top), round(box.width / work.shrink.x), round(box.height / work.shrink.y))


RETRIES = (
    ("gray", among_equals),
    ("by its row", along_row),
    ("beside pointer", uncovered),
    ("lit", unlit),
    (INLAID, frames_put_right),
    ("cut off", in_part),
    ("among icons", among_icons),
    ("re-rendered", redrawn),
    ("reflowed", laid_out_anew),
    ("rows slid", by_rows),
    (SPREAD, by_spread),
)
"""What is tried in this order, by the name that the report gives it."""
WHERE_UNCLEAR = tuple(
    one for one in RETRIES if one[0] in (INLAID, "by its row", "lit", "cut off", "among icons", "reflowed")
)
"""The same for one of several: a row that lit up, is cut off, or whose columns moved reads otherwise."""

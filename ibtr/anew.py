"""Aim and verify by marks, for a target that was drawn anew: the report in the form of every other aim."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from ibtr.errors import MissingTarget, Rejected
from ibtr.evidence import CropAnchor
from ibtr.fields import Plain, refound, same_content
from ibtr.geometry import Box, Point, Size
from ibtr.memory import Memory, remembered
from ibtr.page import Page, Pair
from ibtr.pixels import Pixels
from ibtr.plain import field
from ibtr.redrawn import Place, placed, redrawn
from ibtr.report import Aim
from ibtr.sheet import recorded_sheet, refound_cell
from ibtr.sight import Sight
from ibtr.sure import SURE

REDRAWN = "redrawn"
"""The representation's name in the report."""
DRIFT = 3.0
"""Pixels by which the target may have moved since it was aimed at."""


def aim_anew(anchor: CropAnchor, screen: Page, ms: Mapping[str, float], *, framed: bool = False) -> Aim:
    """The target, drawn anew; `framed`: though the frames around it are as they were.

    Raises:
        MissingTarget, AmbiguousTarget: as `redrawn` says.
    """
    memory = remembered(anchor)
    if not memory.covers:
        if framed:
            raise MissingTarget("nothing around the field was drawn anew, and it is not there")
        return _aim_field(anchor, _by_field(anchor, memory), screen, ms)
    try:
        best, rival = redrawn(memory, screen, framed=framed)
    except Rejected as no:
        if framed or not memory.filled:
            raise
        with suppress(Rejected):
            return _aim_field(anchor, _by_field(anchor, memory), screen, ms)
        raise no from None
    recorded = Point(anchor.source.x + anchor.click.x, anchor.source.y + anchor.click.y)
    return Aim(
        point=best.point,
        score=max(best.match.whole, best.match.pixels),
        margin=best.support - (rival.support if rival is not None else 0.0),
        representation=REDRAWN,
        crop="context" if rival is not None else "target",
        scale=Point(best.scale, best.scale),
        box=_with(best.box, best.point).clip(Size(screen.gray.shape[1], screen.gray.shape[0])),
        rival=rival.box if rival is not None else None,
        sight=_sight(best, best.point),
        shift=Point(best.point.x - best.scale * recorded.x, best.point.y - best.scale * recorded.y),
        ms=dict(ms),
    )


def _by_field(anchor: CropAnchor, memory: Memory) -> Memory:
    """A field that is about to be filled without what is written in it; any other as it is."""
    return remembered(anchor, by_field=True) if memory.filled else memory


def _aim_field(anchor: CropAnchor, memory: Memory, screen: Page, ms: Mapping[str, float]) -> Aim:
    best, rival = refound(memory, screen)
    point = within_field(anchor.click, memory.field or best.box, best.box)
    return _aim_plain(anchor, point, best, rival, ms)


def _aim_plain(
    anchor: CropAnchor, point: Point, best: Plain, rival: Plain | None, ms: Mapping[str, float]
) -> Aim:
    recorded = Point(anchor.source.x + anchor.click.x, anchor.source.y + anchor.click.y)
    return Aim(
        point=point,
        score=best.support,
        margin=best.support - (rival.support if rival is not None else 0.0),
        representation=REDRAWN,
        crop="context",
        scale=Point(best.scale, best.scale),
        box=best.box,
        rival=rival.box if rival is not None else None,
        sight=_plain_sight(best.scale, best.support, point),
        shift=Point(point.x - best.scale * recorded.x, point.y - best.scale * recorded.y),
        ms=dict(ms),
    )


def aim_cell(anchor: CropAnchor, screen: Page, ms: Mapping[str, float]) -> Aim:
    """The empty cell of a sheet that was drawn anew, among its headings.

    Raises:
        MissingTarget, AmbiguousTarget: as `refound_cell` says.
    """
    sheet = recorded_sheet(anchor)
    if sheet is None:
        raise MissingTarget("too little of the sheet was kept to know its headings again")
    box = refound_cell(sheet, screen)
    point = within_field((anchor.beyond or anchor).click, sheet.inside, box)
    scale = box.height / sheet.inside.height
    return _aim_plain(anchor, point, Plain(box, 1.0, 1.0, len(sheet.headings), scale), None, ms)


def within_field(click: Point, old: Box, new: Box) -> Point:
    """The same spot of a field of another size."""
    across, down = (click.x - old.x + 0.5) / old.width, (click.y - old.y + 0.5) / old.height
    return Point(new.x + across * new.width - 0.5, new.y + down * new.height - 0.5)


def _plain_sight(scale: float, support: float, point: Point) -> Sight:
    return Sight(point, scale, 1.0, 1.0, 1.0, 1.0, 1.0, support, support)


def verify_anew(anchor: CropAnchor, aim: Aim, patch: Page, corner: Point) -> Sight:
    """The target's marks once more, on a small patch of the screen whose corner is at `corner`.

    Raises:
        MissingTarget: they are not there, or not where they were.
    """
    memory = remembered(anchor)
    if not memory.covers:
        return _verify_field(memory, aim, patch, corner)
    for place in placed(memory, Pair(memory.page, patch), SURE):
        point = Point(place.point.x + corner.x, place.point.y + corner.y)
        if abs(point.x - aim.point.x) <= DRIFT and abs(point.y - aim.point.y) <= DRIFT:
            return _sight(place, point)._replace(context=aim.sight.context)
    if memory.filled:
        return _verify_field(memory, aim, patch, corner)
    raise MissingTarget(
        "something else is under the pointer now", score=0.0, point=[float(v) for v in aim.point]
    )


def _verify_field(memory: Memory, aim: Aim, patch: Page, corner: Point) -> Sight:
    """The same for a plain field: its frame, and nothing more written in it."""
    known = Box(aim.box.x - round(corner.x), aim.box.y - round(corner.y), aim.box.width, aim.box.height)
    there = still_field(patch.gray, aim.box, aim.point, corner)
    pair = Pair(memory.page, patch)
    if (
        there
        and memory.field is not None
        and (memory.filled or same_content(pair, memory.field, known, aim.scale.x, SURE))
    ):
        return _plain_sight(aim.scale.x, aim.sight.context, aim.point)
    raise MissingTarget("the field is not under the pointer now", score=0.0, point=[*map(float, aim.point)])


def still_field(patch: Pixels, box: Box, point: Point, corner: Point) -> bool:
    """Whether the field under a point of the screen, seen on a patch of it, is the one at `box`."""
    now = field(patch, Point(point.x - corner.x, point.y - corner.y))
    known = Box(box.x - round(corner.x), box.y - round(corner.y), box.width, box.height)
    return now is not None and max(abs(a - b) for a, b in zip(now, known, strict=True)) <= DRIFT


def _sight(place: Place, point: Point) -> Sight:
    strokes, letters = place.match.whole, place.match.weakest
    if place.match.pixels >= SURE.pixels:
        strokes = letters = place.match.pixels
    return Sight(point, place.scale, strokes, strokes, strokes, letters, 1.0, place.support, place.support)


def _with(box: Box, point: Point) -> Box:
    """The box, and the click where it lies beside the marks."""
    x, y = int(point.x), int(point.y)
    left, top = min(box.x, x - 3), min(box.y, y - 3)
    return Box(left, top, max(box.right, x + 4) - left, max(box.bottom, y + 4) - top)

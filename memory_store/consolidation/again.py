"""Will a target be found the second time, on the screen that the run has left behind?"""

from __future__ import annotations

from typing import NamedTuple

import cv2

from actionlens.frames import Pixels
from ibtr.aim import reaim
from ibtr.errors import Rejected
from ibtr.evidence import CropAnchor, Evidence
from ibtr.geometry import Box, Point
from ibtr.lists import APART, INK, equals
from ibtr.pixels import cut, size_of, to_gray
from memory_store.consolidation.seen import on_screen
from memory_store.crops import as_kept

_BESIDE, _OWN = 2, 8
"""Pixels between a target and where it was found again; pixels around a widget that are its own."""


class Again(NamedTuple):
    """What came of looking for a target on the screen that it was cut from."""

    weak: str
    strays: bool = False
    """It was taken for something else."""


def found_again(evidence: Evidence, screen: Pixels) -> Again:
    """A target that is not found on its own screen, by what is kept of it, will not be found on another."""
    try:
        aim = reaim(as_kept(evidence), screen)
    except Rejected as no:
        return Again(f"weak crop: not found again even on its own screen ({no.cause.value}: {no})")
    return again_at(evidence, aim.point)


def again_at(evidence: Evidence, point: Point) -> Again:
    """A target that was found at `point` of its own screen; beside its own widget, it is another's."""
    own = clicked(evidence)
    off = max(abs(point.x - own.x), abs(point.y - own.y))
    if off <= _BESIDE:
        return Again("")
    return Again(
        f"weak crop: found {off:.0f} px beside the target on its own screen",
        strays=not on_screen(evidence.crop).grow(_OWN).contains(point),
    )


def refused_on(evidence: Evidence, screen: Pixels, moved: tuple[int, int] | None) -> str:
    """Why a target is not found on another screen, where it was `moved`; nothing if it is found there."""
    try:
        point = reaim(as_kept(evidence), screen).point
    except Rejected as no:
        return f"{no.cause.value}: {no}"
    if moved is None:
        return ""
    back = Point(point.x - moved[0], point.y - moved[1])
    inside = on_screen(evidence.crop).grow(_OWN).contains(back)
    return "" if inside else "ambiguous_target: another place is taken for it"


def told_by_row(evidence: Evidence, screen: Pixels) -> bool:
    """Whether an item of a list differs from each of its equals in what is not known to vary.

    Where it stands, and what stands around it, does not tell it: lists are sorted anew.
    """
    anchor, gray = evidence.crop, to_gray(screen)
    core = on_screen(anchor)
    down, across = equals(gray, core)
    row = all(_differs(anchor.row, core, gray, 0, step) for step in down)
    return row and all(_differs(anchor.column, core, gray, step, 0) for step in across)


def _differs(strip: CropAnchor | None, core: Box, gray: Pixels, dx: int, dy: int) -> bool:
    """Whether a row or a column differs from the one that lies so far away."""
    if strip is None or strip.vary is None:
        return True
    mine = strip.source
    there = Box(mine.x + dx, mine.y + dy, mine.width, mine.height).clip(size_of(gray))
    mine = Box(there.x - dx, there.y - dy, there.width, there.height)
    apart = cv2.absdiff(cut(gray, mine), cut(gray, there)) >= APART
    apart &= cut(strip.vary, Box(mine.x - strip.source.x, mine.y - strip.source.y, *mine[2:])) == 0
    inner = core.intersect(mine)
    apart[inner.y - mine.y : inner.bottom - mine.y, inner.x - mine.x : inner.right - mine.x] = False
    return int(apart.sum()) >= INK


def clicked(evidence: Evidence) -> Point:
    """Where a target was clicked, in pixels of its own screen."""
    anchor = evidence.crop
    return Point(anchor.source.x + anchor.click.x, anchor.source.y + anchor.click.y)

"""How much like itself is a part of a small picture, where its pixels fell half a pixel on?"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from ibtr.evidence import CropAnchor
from ibtr.geometry import Box, Size
from ibtr.pixels import Pixels, correlate, correlation, cut, moments, resized, size_of
from ibtr.view import View, level_for
from ibtr.work import Scaling, Work

HALF_ON = ((0.5, 0.0), (0.0, 0.5), (0.5, 0.5))
"""Parts of a small pixel, across and down."""
SMOOTH = 3
"""Pixels of the small picture that smoothing mixes one with, to each side."""


def with_fades(anchor: CropAnchor, view: View) -> CropAnchor:
    """The same anchor with what is asked below of its crops at their own scale."""
    work, level = Work(anchor, view, Scaling(1.0, 1.0)), level_for(1.0)
    boxes = (anchor.context, anchor.target)
    return replace(anchor, fades=tuple((box, in_place(work, work.part(box, level), level)) for box in boxes))


def faded(work: Work, box: Box, level: int, enough: float) -> float:
    """The least that a crop, shrunk, scores against itself half a pixel on, across, down or both.

    Where that is more than `enough`, something in between: then its own place is looked at alone.
    """
    part, recorded = work.part(box, level), dict(work.anchor.fades)
    known = box in recorded and not work.flat and work.exact(level) and level == level_for(1.0)
    if (score := recorded[box] if known else in_place(work, part, level)) > enough:
        return score
    template = work.piece(part, level)
    gray, by, worst = work.anchor.gray, work.by(level), 1.0
    room = part.grow(4).clip(Size(int(gray.shape[1] * by.x), int(gray.shape[0] * by.y)))
    near = Box(int(room.x / by.x), int(room.y / by.y), int(room.width / by.x), int(room.height / by.y))
    for dx, dy in HALF_ON:
        moved_by = Box(round(near.x + dx / by.x), round(near.y + dy / by.y), near.width, near.height)
        patch = work.shrunk(cut(gray, moved_by.clip(size_of(gray))), level)
        if patch.shape[0] >= template.shape[0] and patch.shape[1] >= template.shape[1]:
            worst = min(worst, float(correlate(patch, template).max()))
    return worst


def in_place(work: Work, part: Box, level: int) -> float:
    """No more than that: the least without looking around for it; -1 where that is not so easily told."""
    if not work.exact(level) or work.flat:
        return -1.0
    template = work.piece(part, level)
    seen = [half_on(work, part, level, *step) for step in HALF_ON]
    if any(there.shape != template.shape for there in seen):
        return -1.0
    crop = cast("Pixels", template)
    own = moments(crop)
    return min(correlation(crop, there, own=own) for there in seen)


def half_on(work: Work, part: Box, level: int, dx: float, dy: float) -> Pixels:
    """That part of the whole small picture, half a pixel on; only what has an influence on it is shrunk."""
    above = work.halves(level - 1)[round(2 * dy) :, round(2 * dx) :]
    near = part.grow(SMOOTH).clip(Size(above.shape[1] // 2, above.shape[0] // 2))
    small = resized(cut(above, Box(*(2 * side for side in near))), Size(near.width, near.height))
    soft = cast("Pixels", work.soft(small, level))
    return cut(soft, Box(part.x - near.x, part.y - near.y, part.width, part.height))

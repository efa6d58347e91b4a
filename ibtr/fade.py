"""How much like itself is a part of a small picture, where its pixels fell half a pixel on?"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from ibtr.geometry import Box, Size
from ibtr.pixels import Floats, Pixels, correlate, correlation, cut

if TYPE_CHECKING:
    from ibtr.search import Work


def faded(work: Work, part: Box, level: int, enough: float) -> float:
    """The least that a part of the small picture scores against it half a pixel on, across, down or both.

    Where that is more than `enough`, something in between: then its own place is looked at alone.
    """
    gray, by, worst = work.anchor.gray, work.by(level), 1.0
    template = work.small(level)[part.y : part.bottom, part.x : part.right]
    room = part.grow(4).clip(Size(int(gray.shape[1] * by.x), int(gray.shape[0] * by.y)))
    near = Box(int(room.x / by.x), int(room.y / by.y), int(room.width / by.x), int(room.height / by.y))
    own = Box(part.x - room.x, part.y - room.y, *part[2:])
    for dx, dy in ((0.5, 0.0), (0.0, 0.5), (0.5, 0.5)):
        moved_by = Box(round(near.x + dx / by.x), round(near.y + dy / by.y), near.width, near.height)
        inside = moved_by.clip(Size(gray.shape[1], gray.shape[0]))
        patch = work.shrunk(cut(gray, inside), level)
        if patch.shape[0] >= template.shape[0] and patch.shape[1] >= template.shape[1]:
            worst = min(worst, _scores(patch, template, own, enough))
    return worst


def _scores(patch: Pixels | Floats, template: Pixels | Floats, own: Box, enough: float) -> float:
    """How much alike a crop is somewhere on a patch; or only at its `own` place, if that is enough."""
    here = patch[own.y : own.bottom, own.x : own.right]
    if here.shape == template.shape and here.dtype == template.dtype == np.uint8:
        score = correlation(cast("Pixels", here), cast("Pixels", template))
        if score > enough:
            return score
    return float(correlate(patch, template).max())

"""A pad of signs that grew with its window: each keeps its pixels, and all distances grew by one measure.

By one across, and by another one down: the buttons of a calculator that fills the screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibtr.evidence import CropAnchor
from ibtr.geometry import Box
from ibtr.judge import Limits, verified
from ibtr.memory import Mate, remembered
from ibtr.peaks import Wanted, peaks
from ibtr.pixels import Pixels, correlate, cut
from ibtr.reflow import AROUND, main_of
from ibtr.sight import Sight
from ibtr.work import Work

PLACES = 4
"""Places that are looked at, at most."""
FEW, MOST = 5, 12
"""Signs that must be there, and signs that are sought on the whole screen."""
FAR = 24
"""Pixels from which a distance shows by how much it grew."""
GROWN = (0.3, 8.0)
"""Least and most by which distances may have grown."""
OFF = 4
"""Pixels by which a sign may stand off: buttons have whole pixels, too."""
MANY = Wanted(least=AROUND, most=12)
"""Places where one of them is."""


class _Sign(NamedTuple):
    """A mark around the target, and every place that shows it, seen from the target."""

    mate: Mate
    at: NDArray[np.float64]


def by_spread(work: Work, seen: list[Sight], limits: Limits) -> list[Sight]:
    """The same sights, their surroundings where all distances to them grew by one measure."""
    likely = [s for s in seen if verified(s, limits)]
    if abs(work.scaling.mean - 1) > 0.01 or work.inverted or work.flat or not 0 < len(likely) <= PLACES:
        return seen
    whole = work.anchor.beyond or work.anchor
    memory = remembered(whole)
    mates = sorted((m for m in memory.around if m.alone), key=lambda m: -m.weight)[:MOST]
    if len(mates) < FEW:
        return seen
    signs = [_Sign(mate, _places(work.view.gray, whole, memory.page.box(mate.mark))) for mate in mates]
    main = main_of(memory)
    if main is None:
        return seen
    off = np.array((main.center.x - whole.click.x, main.center.y - whole.click.y))
    return [_spread(s, signs, off) if s in likely else s for s in seen]


def _places(gray: Pixels, anchor: CropAnchor, box: Box) -> NDArray[np.float64]:
    """The middle of every place on the screen that shows a mark."""
    mark = box.grow(1).clip(anchor.size)
    if mark.width > gray.shape[1] or mark.height > gray.shape[0]:
        return np.empty((0, 2))
    found = peaks(correlate(gray, cut(anchor.gray, mark)), MANY)
    middles = [(x + mark.width / 2, y + mark.height / 2) for x, y, _ in found]
    return np.array(middles, np.float64).reshape(-1, 2)


def _spread(sight: Sight, signs: Sequence[_Sign], off: NDArray[np.float64]) -> Sight:
    """The same sight, the target's middle standing `off` from its point."""
    here = np.array(sight.point) + off
    share = _share([sign._replace(at=sign.at - here) for sign in signs])
    return sight._replace(context=max(sight.context, share))


def _share(signs: Sequence[_Sign]) -> float:
    """The share of the signs that stand where they stood, by those measures by which most of them do."""
    best = 0.0
    for across in _measures(signs, 0):
        for down in _measures(signs, 1):
            there = [sign.mate for sign in signs if _stands(sign, across, down)]
            if len(there) >= FEW and _all_around(there):
                best = max(best, sum(mate.weight for mate in there))
    return best / sum(sign.mate.weight for sign in signs)


def _measures(signs: Sequence[_Sign], axis: int) -> list[float]:
    """By how much distances may have grown, across or down, as the places of each sign say."""
    found: set[float] = set()
    for mate, at in signs:
        known = (mate.dx, mate.dy)[axis]
        if abs(known) >= FAR:
            found.update(float(v) for v in at[:, axis] / known)
    return sorted({round(v, 2) for v in found if GROWN[0] <= v <= GROWN[1]})


def _stands(sign: _Sign, across: float, down: float) -> bool:
    off = sign.at - np.array((sign.mate.dx * across, sign.mate.dy * down))
    return bool((np.abs(off).max(axis=1, initial=0) <= OFF).any()) if len(off) else False


def _all_around(mates: Sequence[Mate]) -> bool:
    """Whether they stand in several rows and several columns: one row may stand elsewhere, too."""
    columns, rows = {round(m.dx / FAR) for m in mates}, {round(m.dy / FAR) for m in mates}
    return min(len(columns), len(rows)) > 1

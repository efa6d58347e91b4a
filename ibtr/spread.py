"""A pad of signs that grew with its window: each keeps its pixels, and all distances grew by one measure.

By one across, and by another one down: the buttons of a calculator that fills the screen. They say where the
target must be; there it is verified like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibtr.geometry import Box, Point
from ibtr.judge import Limits
from ibtr.memory import Mate, mates_of
from ibtr.page import Page
from ibtr.pixels import correlate, cut, size_of
from ibtr.reading import read_text
from ibtr.reflow import AROUND
from ibtr.search import Candidate, close
from ibtr.sight import Sight, look, look_around
from ibtr.work import Work

SPREAD = "spread"
"""The representation's name in the report."""
FEW, MOST = 5, 12
"""Signs that must be there, and signs that are sought on the whole screen."""
FAR = 24
"""Pixels from which a distance shows by how much it grew."""
GROWN, GREW = (0.3, 8.0), 0.04
"""Least and most by which distances may have grown, and from when on they have: else context tells."""
OFF = 4
"""Pixels by which a sign may stand off: buttons have whole pixels, too."""
SIZED, AGAIN = 1, 0.05
"""Pixels by which one may seem larger, and how much less alike a second one may be: then it does not tell."""


class _Sign(NamedTuple):
    """A mark around the target, and the one place that shows it; None where none does."""

    mate: Mate
    at: Point | None


class _Fit(NamedTuple):
    """By what measures most signs stand where they stood, and where the target's middle is then."""

    share: float
    here: Point


def by_spread(work: Work, seen: list[Sight], limits: Limits) -> list[Sight]:
    """The same sights, and the one that the signs around the target tell, if all distances grew alike.

    Only signs that are there once count: a calendar shows two months, and each of their days in both. An item
    of a list is told by its row, and that does not spread.
    """
    listed = work.anchor.row is not None or work.anchor.column is not None or any(work.slides)
    as_it_was = any(sight.context >= limits.support for sight in seen)
    if abs(work.scaling.mean - 1) > 0.01 or work.inverted or work.flat or listed or as_it_was:
        return seen
    whole = work.anchor.beyond or work.anchor
    page, every = mates_of(whole, whole.core)
    mates = sorted((m for m in every if m.alone), key=lambda m: -m.weight)[:MOST]
    if len(mates) < FEW:
        return seen
    found = [(mate, _places(page, mate.mark, work.view.page)) for mate in mates]
    fit = _fit([_Sign(mate, at[0] if at else None) for mate, at in found if len(at) <= 1])
    if fit is None or fit.share < limits.support:
        return seen
    middle = whole.core.center
    guess = Point(fit.here.x + whole.click.x - middle.x, fit.here.y + whole.click.y - middle.y)
    if not Box(0, 0, *work.view.size).contains(guess):
        return seen
    there = close(work, Candidate(guess, 0.0), work.box(work.anchor.target), OFF)
    sight = read_text(work, look_around(work, look(work, there)))
    elsewhere = [s for s in seen if not _same(s.point, there.point)]
    return [sight._replace(context=max(sight.context, fit.share)), *elsewhere]


def _places(known: Page, mark: int, seen: Page) -> list[Point]:
    """The middle of the place on the screen that shows a mark, and of another one that does as well."""
    own = known.box(mark)
    wide, high = (np.abs(seen.boxes[:, 2 + n] - own[2 + n]) <= SIZED for n in (0, 1))
    found = [_alike(known, own, seen, seen.box(int(m))) for m in np.flatnonzero(wide & high)]
    best = max((one.score for one in found), default=0.0)
    alike = [one.point for one in found if one.score >= max(AROUND, best - AGAIN)]
    return [p for n, p in enumerate(alike) if not any(_same(p, other) for other in alike[:n])]


def _alike(known: Page, own: Box, seen: Page, there: Box) -> Candidate:
    """Where about a mark another one fits best, and how well."""
    left, top = round(there.center.x - own.width / 2), round(there.center.y - own.height / 2)
    near = Box(left, top, own.width, own.height).grow(SIZED + 1).clip(size_of(seen.gray))
    if near.width < own.width or near.height < own.height:
        return Candidate(there.center, 0.0)
    scores = correlate(cut(seen.gray, near), cut(known.gray, own))
    y, x = divmod(int(scores.argmax()), scores.shape[1])
    return Candidate(Point(near.x + x + own.width / 2, near.y + y + own.height / 2), float(scores[y, x]))


def _same(one: Point, other: Point) -> bool:
    return max(abs(one.x - other.x), abs(one.y - other.y)) <= OFF


def _fit(signs: Sequence[_Sign]) -> _Fit | None:
    """The measures by which most of the signs stand where they stood; None where they are too few."""
    placed = [(sign.mate, sign.at) for sign in signs if sign.at is not None]
    if len(placed) < FEW:
        return None
    weights = np.array([mate.weight for mate, _ in placed])
    known = np.array([(mate.dx, mate.dy) for mate, _ in placed])
    seen = np.array([at for _, at in placed])
    across, down = (_measures(known[:, axis], seen[:, axis]) for axis in (0, 1))
    fits = [_stand(known[:, n], seen[:, n], measures) for n, measures in enumerate((across, down))]
    counted = (fits[0] * weights) @ fits[1].T
    if not counted.size:
        return None
    x, y = np.unravel_index(int(counted.argmax()), counted.shape)
    there = fits[0][x] & fits[1][y]
    if int(there.sum()) < FEW or not _all_around(known[there]):
        return None
    share = float(counted[x, y]) / sum(sign.mate.weight for sign in signs)
    if max(abs(across[x, 1] - 1), abs(down[y, 1] - 1)) < GREW:
        return None
    return _Fit(share, Point(float(across[x, 0]), float(down[y, 0])))


def _measures(known: NDArray[np.float64], seen: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where the target may be, and by how much distances grew, as each two signs say."""
    first, second = np.triu_indices(len(known), 1)
    apart = known[second] - known[first]
    far = np.abs(apart) >= FAR
    grown = (seen[second] - seen[first])[far] / apart[far]
    likely = (grown >= GROWN[0]) & (grown <= GROWN[1])
    here = seen[first][far] - grown * known[first][far]
    return np.stack([here[likely], grown[likely]], axis=1)


def _stand(
    known: NDArray[np.float64], seen: NDArray[np.float64], measures: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Which signs stand where each of the measures says."""
    stands: NDArray[np.bool_] = np.abs(seen[None] - (measures[:, :1] + measures[:, 1:] * known[None])) <= OFF
    return stands


def _all_around(known: NDArray[np.float64]) -> bool:
    """Whether they stand in several rows and several columns: one row may stand elsewhere, too."""
    return all(len(np.unique(np.round(known[:, axis] / FAR))) > 1 for axis in (0, 1))

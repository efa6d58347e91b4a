"""Is the target's neighbourhood still drawn with the same pixels? Then nothing was drawn anew."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ibtr.evidence import CropAnchor
from ibtr.geometry import Box
from ibtr.pixels import Pixels
from ibtr.scales import priors
from ibtr.search import Wanted, Work, close, coarse
from ibtr.view import View

TILE = 24
"""Pixels to a side of the pieces that are compared."""
INK = 8.0
"""Deviation, in levels, of a piece that shows something."""
ALIKE = 0.9
"""Correlation from which a piece shows the same."""
FEW = 6
"""Pieces below which there is nothing to tell by."""


def unchanged(anchor: CropAnchor, view: View) -> float:
    """The share of what stood around the target that is there with the same pixels, wherever it fits best."""
    works = [Work(anchor, view, scaling) for scaling in priors(anchor, view)]
    return max((_share(work) for work in works), default=0.0)


def _share(work: Work) -> float:
    whole, best = work.box(work.anchor.wide), 0.0
    for rough in coarse(work, work.anchor.wide, Wanted(least=0.1)):
        found = close(work, rough, whole, 3)
        seen, _, _ = work.window(found.point, whole, 0)
        best = max(best, _same(work, seen))
    return best


def _same(work: Work, seen: Pixels) -> float:
    height, width = (min(a, b) // TILE for a, b in zip(work.gray.shape, seen.shape, strict=True))
    known, now = (_tiles(picture, height, width) for picture in (work.gray, seen))
    spread = known.std(axis=2)
    told = (spread >= INK) & ~_own(work.box(work.anchor.target), height, width)
    if told.sum() < FEW:
        return 0.0
    both = (known - known.mean(axis=2, keepdims=True)) * (now - now.mean(axis=2, keepdims=True))
    alike = both.mean(axis=2) >= ALIKE * np.maximum(spread * now.std(axis=2), 1e-6)
    return float(alike[told].mean())


def _tiles(picture: Pixels, height: int, width: int) -> NDArray[np.float32]:
    part = picture[: height * TILE, : width * TILE].astype(np.float32)
    return part.reshape(height, TILE, width, TILE).swapaxes(1, 2).reshape(height, width, TILE * TILE)


def _own(target: Box, height: int, width: int) -> NDArray[np.bool_]:
    """The pieces that show the target itself."""
    own = np.zeros((height, width), bool)
    own[
        max(0, target.y // TILE) : target.bottom // TILE + 1,
        max(0, target.x // TILE) : target.right // TILE + 1,
    ] = True
    return own

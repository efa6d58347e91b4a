"""Do two marks show the same strokes, though one is drawn anew: larger, in another font, in other colours?

A mark becomes a picture of its ink, of a fixed height. Columns of the one are laid onto columns of the other,
then rows onto rows, within a narrow band: letters may be wider or higher, none may be missing or another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ibtr.geometry import Box, Size
from ibtr.pixels import Floats, Pixels, cut, padded, resized, size_of, smoothed
from ibtr.warp import warped

TALL = 16
"""Rows of a mark's picture."""
WIDEST = 192
"""Columns of it, at most."""
RIM = 2
"""Empty pixels around it."""
BLUR = 0.9
LETTER = 9
"""Columns of a letter, about: each such part must be alike."""


class Match(NamedTuple):
    """How alike two marks are; 1 is the same."""

    whole: float
    weakest: float
    """The part as wide as a letter that is least alike."""
    pixels: float = 0.0
    """Share of an icon's pixels that are the same."""


NONE = Match(-1.0, -1.0)


def ink(gray: Pixels, box: Box) -> tuple[Floats, Box]:
    """The picture of a mark: 0 where it shows its ground, 1 in its strokes, whatever the colours; its box.

    A pale sign beside a word (an empty check box) is not part of it.
    """
    part = _part(gray, box.grow(2))
    rim = np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]])
    away = np.abs(part.astype(np.float32) - float(np.median(rim)))
    top = float(np.percentile(away, 97))
    shown = np.minimum(255, away * (255 / max(top, 8.0))).astype(np.uint8)
    inner = _tight(shown, 90)
    tight = cut(shown, inner)
    width = max(3, min(WIDEST, round(tight.shape[1] * TALL / tight.shape[0])))
    picture = resized(tight, Size(width, TALL)).astype(np.float32) / 255
    at = Box(box.x - 2 + inner.x, box.y - 2 + inner.y, inner.width, inner.height)
    return smoothed(np.pad(picture, RIM).astype(np.float32), BLUR), at


def _tight(shown: Pixels, least: int) -> Box:
    """Its box without the empty rows and columns around it."""
    rows, columns = np.flatnonzero(shown.max(axis=1) >= least), np.flatnonzero(shown.max(axis=0) >= least)
    if not len(rows):
        return Box(0, 0, *size_of(shown))
    left, top = int(columns[0]), int(rows[0])
    return Box(left, top, int(columns[-1]) + 1 - left, int(rows[-1]) + 1 - top)


def _part(gray: Pixels, box: Box) -> Pixels:
    inside = box.clip(size_of(gray))
    return cut(gray, box) if inside == box else padded(cut(gray, inside), inside, box)


def alike(known: Sequence[Floats], seen: Sequence[Floats]) -> list[Match]:
    """Compare pictures of marks, pair by pair: columns laid onto columns, then rows onto rows."""
    wide = warped(known, seen)
    both = warped([k.T for k in known], [w.T for w in wide])
    return [Match(_correlation(k, w.T), _weakest(k, w.T)) for k, w in zip(known, both, strict=True)]


def _correlation(a: Floats, b: Floats) -> float:
    x, y = (a - a.mean()).ravel(), (b - b.mean()).ravel()
    norm = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / norm if norm > 1e-6 else 0.0


def _weakest(a: Floats, b: Floats) -> float:
    n = a.shape[1]
    width = min(n, LETTER)
    starts = range(0, n - width + 1, max(1, width // 3))
    values = [_local(a[:, s : s + width], b[:, s : s + width]) for s in starts]
    return min(values)


def _local(a: Floats, b: Floats) -> float:
    """Correlation that does not forgive a part that is empty in one of them only."""
    apart = float(((a - b) ** 2).sum())
    power = float(((a - a.mean()) ** 2).sum() + ((b - b.mean()) ** 2).sum()) + 2.0
    return 1 - apart / power

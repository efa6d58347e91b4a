"""Icons keep their pixels when the theme changes; only the ground under them is another one."""

from __future__ import annotations

import numpy as np

from ibtr.geometry import Box
from ibtr.pixels import Floats, Pixels, cut, padded, size_of

LEAST, STOUT = 10, 12
"""Longer side of an icon, and the shorter one of what is no letter."""
RESIZED = 3
"""Pixels by which its strokes may seem larger on another ground."""
INK = 24
"""Levels from which a pixel is not the ground."""
SAME, SHARE = 32, 0.3
"""Levels up to which a pixel is the same, and the share of the icon's contrast that these may be."""


def icon(box: Box) -> bool:
    """Whether a mark has the shape of one."""
    return max(box.width, box.height) >= LEAST and 0.5 <= box.width / box.height <= 2


def stout(box: Box) -> bool:
    """Whether it is no letter, either: neither narrow nor low."""
    return icon(box) and min(box.width, box.height) >= STOUT


def same_pixels(known: Pixels, at: Box, seen: Pixels, there: Box) -> float:
    """Share of an icon's pixels that are the same, ground left out; 0 where the size is another one."""
    if not icon(at) or abs(at.width - there.width) > RESIZED or abs(at.height - there.height) > RESIZED:
        return 0.0
    a = _part(known, at.grow(1))
    best = 0.0
    left, top = round(there.center.x - at.width / 2), round(there.center.y - at.height / 2)
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            b = _part(seen, Box(left + dx, top + dy, at.width, at.height).grow(1))
            best = max(best, _share(a, b))
    return best


def _share(a: Floats, b: Floats) -> float:
    away = _from_ground(a), _from_ground(b)
    drawn = np.maximum(*away) >= INK
    same = np.abs(a - b).max(axis=2) <= min(SAME, SHARE * max(float(one.max()) for one in away))
    return float((same & drawn).sum()) / max(1, int(drawn.sum()))


def _from_ground(part: Floats) -> Floats:
    rim = np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]])
    return np.asarray(np.abs(part - np.median(rim, axis=0)).max(axis=2), np.float32)


def _part(image: Pixels, box: Box) -> Floats:
    inside = box.clip(size_of(image))
    part = cut(image, box) if inside == box else padded(cut(image, inside), inside, box)
    return part.astype(np.float32)

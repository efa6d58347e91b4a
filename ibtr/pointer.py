"""A pointer painted into the screenshot: which pixels does it hide?"""

from __future__ import annotations

import numpy as np

from ibtr.geometry import Box, Size
from ibtr.masks import closed, components, filled, grown
from ibtr.pixels import Pixels, absolute_difference, cut, size_of

DIFFERS = 26
"""Levels from which a pixel is another one."""
LARGEST = Size(34, 40)
SMALLEST = Size(9, 14)
DARK, BRIGHT = 75, 180
TIP, POINTED = 7, 0.4
"""Part of its height that is its tip, and how wide that is, in shares of its widest row."""


def pointer_mask(known: Pixels, seen: Pixels) -> Pixels | None:
    """1 where an arrow hides the picture; None unless one arrow explains nearly every difference."""
    apart = (absolute_difference(known, seen) >= DIFFERS).astype(np.uint8)
    joined = closed(apart, Size(5, 5))
    labels, boxes = components(joined)
    fitting = [i for i, box in enumerate(boxes) if i and _fits(box)]
    if not fitting:
        return None
    sizes = {i: int(apart[labels == i].sum()) for i in fitting}
    largest = max(fitting, key=lambda i: sizes[i])
    if sizes[largest] < 0.75 * int(apart.sum()):
        return None
    shape = filled((labels == largest).astype(np.uint8))
    box = boxes[largest]
    if not (_two_coloured(cut(seen, box), cut(shape, box)) and _arrow(cut(shape, box))):
        return None
    return grown(shape, 2)


def _fits(box: Box) -> bool:
    wide = SMALLEST.width <= box.width <= LARGEST.width
    return wide and SMALLEST.height <= box.height <= LARGEST.height


def _two_coloured(seen: Pixels, shape: Pixels) -> bool:
    values = seen[shape > 0]
    dark, bright = float((values <= DARK).mean()), float((values >= BRIGHT).mean())
    return min(dark, bright) >= 0.12 and dark + bright >= 0.65


def _arrow(shape: Pixels) -> bool:
    """A straight left side from a tip down, and nothing above the slope to the right."""
    height = size_of(shape).height
    upper = shape[: max(3, int(height * 0.55))] > 0
    if not upper.any(axis=1).all():
        return False
    left = upper.argmax(axis=1)
    right = upper.shape[1] - 1 - upper[:, ::-1].argmax(axis=1)
    wide, slope = right - left, 1.15 * np.arange(len(left)) + 5
    pointed = float(wide[: max(2, height // TIP)].mean()) <= POINTED * int(wide.max())
    return bool(pointed and (left <= 3).mean() >= 0.85 and (wide <= slope).mean() >= 0.85)

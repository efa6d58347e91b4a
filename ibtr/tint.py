"""A rectangle that lit up, or went darker, under the pointer: what was there without it?

A highlight is one and the same change of all pixels of a rectangle. Its edge runs through letters and would
be taken for one; taken back, the picture is judged as any other is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ibtr.geometry import Box, Size
from ibtr.masks import closed, components
from ibtr.pixels import Floats, Pixels, absolute_difference, cut

DIFFERS = 5
"""Levels from which a pixel is another one."""
SMALLEST = Size(8, 8)
FULL = 0.6
"""Share of the rectangle that must differ: a blend leaves one level as it is."""
CONTRAST = (0.65, 1.35)
"""What a highlight may leave of the contrast, or add to it: what fades more is disabled, or gone."""
STRUCTURE = 6.0
"""Least deviation, in levels, of what lies under it: a plain patch of another colour is another patch."""
LEFT, MOSTLY = 8.0, 0.9
"""Levels that may be left over, and the share of pixels of which that holds."""


class Tint(NamedTuple):
    """A rectangle, and how each channel was changed in it: contrast and brightness."""

    box: Box
    contrast: Floats
    brightness: Floats

    def taken_back(self, picture: Pixels, box: Box) -> Pixels:
        """The picture without it, where it lies on `box` there."""
        whole = picture.copy()
        part = (cut(picture, box).astype(np.float32) - self.brightness) / self.contrast
        whole[box.y : box.bottom, box.x : box.right] = np.clip(part + 0.5, 0, 255).astype(np.uint8)
        return whole


def tint(known: Pixels, seen: Pixels) -> Tint | None:
    """The highlight that lies on `seen`, both in colour; None unless one explains the largest difference."""
    apart = absolute_difference(known, seen).max(axis=2)
    differs = (apart >= DIFFERS).astype(np.uint8)
    labels, boxes = components(closed(differs, Size(5, 5)))
    sizes = [int((labels == i).sum()) if i else 0 for i in range(len(boxes))]
    if len(boxes) < 2:
        return None
    box = boxes[int(np.argmax(sizes))]
    if box.width < SMALLEST.width or box.height < SMALLEST.height or cut(differs, box).mean() < FULL:
        return None
    if float(cut(known, box).std(axis=(0, 1)).min()) < STRUCTURE:
        return None
    fits = [_fit(cut(known, box)[:, :, i], cut(seen, box)[:, :, i]) for i in range(3)]
    contrast, brightness = (np.array(values, np.float32) for values in zip(*fits, strict=True))
    if contrast.min() < CONTRAST[0] or contrast.max() > CONTRAST[1]:
        return None
    found = Tint(box, contrast, brightness)
    over = np.abs(cut(known, box) * contrast + brightness - cut(seen, box)).max(axis=2)
    return found if float((over <= LEFT).mean()) >= MOSTLY else None


def _fit(known: Pixels, seen: Pixels) -> tuple[float, float]:
    """Contrast and brightness that make the one of the other."""
    a, b = known.astype(np.float32).ravel(), seen.astype(np.float32).ravel()
    mean_a, mean_b = float(a.mean()), float(b.mean())
    contrast = float(((a - mean_a) * (b - mean_b)).mean() / ((a - mean_a) ** 2).mean())
    return contrast, mean_b - contrast * mean_a

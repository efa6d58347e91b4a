"""How alike two aligned pictures are, place by place: by structure, not by brightness."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ibtr.geometry import Box, Point
from ibtr.pixels import Floats, Pixels, above, at_least_zero, local_mean, root, same, smoothed

NOISE = 25.0
"""Variance below which a window counts as plain (5 levels)."""
FULL = 20.0
"""Deviation of a window, in levels, from which it counts in full."""
LITTLE = 0.15
"""Share of that below which it does not count."""


class Likeness(NamedTuple):
    """Per pixel: -1..1 for how alike the structure is, and 0..1 for how much there is to compare."""

    alike: Floats
    weight: Floats
    """Structure in either picture."""
    known: Floats
    """Structure in the remembered picture alone."""

    def over(self, part: Floats, *, known: bool = False) -> float:
        """Mean over `part`; 1 where there is nothing to compare."""
        weight = (self.known if known else self.weight) * part
        total = float(weight.sum())
        return float(np.vdot(self.alike, weight)) / total if total > 1e-6 else 1.0


def likeness(known: Pixels, seen: Pixels, window: int = 5, blur: float = 0.7) -> Likeness:
    """Compare two pictures of the same size window by window."""
    if same(known, seen):
        return _whole(known, window, blur)
    a, b = smoothed(known, blur), smoothed(seen, blur)
    mean_a, mean_b = local_mean(a, window), local_mean(b, window)
    alike = local_mean(a * b, window)
    alike -= mean_a * mean_b
    var_a, var_b = _variance(a, mean_a, window), _variance(b, mean_b, window)
    alike *= np.float32(2)
    alike += np.float32(NOISE)
    most = var_a + var_b
    most += np.float32(NOISE)
    alike /= most
    known_weight, seen_weight = (above(root(var), LITTLE * FULL, FULL) for var in (var_a, var_b))
    return Likeness(alike, np.maximum(known_weight, seen_weight, out=seen_weight), known_weight)


def _whole(known: Pixels, window: int, blur: float) -> Likeness:
    """The same of a picture and itself, by half the work."""
    a = smoothed(known, blur)
    weight = above(root(_variance(a, local_mean(a, window), window)), LITTLE * FULL, FULL)
    return Likeness(np.ones_like(weight), weight, weight)


def _variance(image: Floats, mean: Floats, window: int) -> Floats:
    squares = local_mean(image * image, window)
    squares -= mean * mean
    return at_least_zero(squares)


def around(size: tuple[int, int], at: Point, sigma: tuple[float, float]) -> Floats:
    """A soft spot on a picture of `size` (height, width)."""
    y = np.exp(-((np.arange(size[0], dtype=np.float32) - at.y) ** 2) / (2 * sigma[1] ** 2))
    x = np.exp(-((np.arange(size[1], dtype=np.float32) - at.x) ** 2) / (2 * sigma[0] ** 2))
    return np.outer(y, x).astype(np.float32)


def inside(size: tuple[int, int], box: Box) -> Floats:
    """1 inside the box, else 0."""
    mask = np.zeros(size, np.float32)
    mask[max(0, box.y) : box.bottom, max(0, box.x) : box.right] = 1
    return mask

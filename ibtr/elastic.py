"""Surroundings that were drawn anew: another theme recolours them, another scale moves them a little.

Each small part may lie up to two pixels off and have its contrast the other way round; what it shows must
agree. This may only support a widget whose own pixels were verified strictly.
"""

from __future__ import annotations

import numpy as np

from ibtr.compare import inside
from ibtr.geometry import Box
from ibtr.pixels import Floats, Pixels, local_mean, smoothed
from ibtr.sight import Sight, kept_mask
from ibtr.work import Work, aligned

SHIFTS = tuple((dx, dy) for dy in (-1, 0, 1) for dx in (-2, -1, 0, 1, 2))
POOL = 11
"""Side of the parts that move as one."""
NOISE = 30.0
"""Variance below which a part counts as plain."""
FULL = 20.0
"""Deviation of a part, in levels, from which it counts in full."""


def look_around_anew(work: Work, sight: Sight) -> Sight:
    """The same sight, its surroundings compared whatever their contrast and up to small shifts."""
    part = work.box(work.anchor.context)
    known, seen = aligned(work, sight.point, part)
    alike, weight = elastic(known, seen, max(5, round(POOL * work.zoom.x)))
    core = work.box(work.anchor.core)
    within = inside(known.shape[:2], Box(core.x - part.x, core.y - part.y, core.width, core.height))
    weight = weight * (1 - within) * kept_mask(work, part)
    total = float(weight.sum())
    return sight._replace(context=float((alike * weight).sum()) / total if total > 1e-6 else 0.0)


def elastic(known: Pixels, seen: Pixels, pool: int) -> tuple[Floats, Floats]:
    """Per pixel the best correlation of the part around it over small shifts, and how much there is."""
    a, b = smoothed(known, 0.8), smoothed(seen, 0.8)
    mean_a, var_a = _moments(a, pool)
    _, var_b = _moments(b, pool)
    best = np.zeros(a.shape, np.float32)
    for dx, dy in SHIFTS:
        moved = np.roll(b, (dy, dx), (0, 1))
        mean_b, spread = _moments(moved, pool)
        both = local_mean(a * moved, pool) - mean_a * mean_b
        best = np.maximum(best, np.abs(both) / np.sqrt((var_a + NOISE) * (spread + NOISE)))
    weight = np.minimum(1, np.sqrt(np.maximum(var_a, var_b)) / FULL)
    weight[weight < 0.2] = 0
    return best.astype(np.float32), weight.astype(np.float32)


def _moments(image: Floats, pool: int) -> tuple[Floats, Floats]:
    mean = local_mean(image, pool)
    variance = np.maximum(local_mean(image * image, pool) - mean * mean, 0)
    return mean, variance.astype(np.float32)

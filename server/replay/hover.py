"""Pure: is it still the same target, now that the pointer is on it?

A pointer lights up what it rests on: a menu row turns blue and its letters white, a link is underlined. So the
screen of now is not searched again; it is compared with the screen on which the target was verified, in place,
by structure and whatever its sign.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ibtr.compare import NOISE, Likeness, inside
from ibtr.geometry import Box, Point, Size
from ibtr.pixels import Floats, Pixels, cut, local_mean, size_of, smoothed, to_gray
from ibtr.sight import PART, weakest

REACH = Size(160, 90)
"""How far around the pointer the screen must be the same."""
WIDGET, AROUND, LEAST = 0.75, 0.75, 0.5
"""Least likeness of the widget, of its surroundings, and of every part of the widget."""
_FULL = 20.0


class Hovered(NamedTuple):
    """How like the verified screen the screen under the pointer is, each 0..1."""

    widget: float
    around: float
    least: float

    @property
    def same(self) -> bool:
        """Whether it is the target still."""
        return self.widget >= WIDGET and self.around >= AROUND and self.least >= LEAST


SAME = Hovered(1.0, 1.0, 1.0)


def hovered(verified: Pixels, now: Pixels, widget: Box, at: Point) -> Hovered:
    """Compare what lies around `at` on both screens; `widget` is the target's box."""
    if now is verified:
        return SAME
    if now.shape != verified.shape:
        return Hovered(0.0, 0.0, 0.0)
    part = _part(widget, at, size_of(now))
    known, seen = to_gray(cut(verified, part)), to_gray(cut(now, part))
    if np.array_equal(known, seen):
        return SAME
    alike = _structure(known, seen)
    within = inside(known.shape[:2], Box(widget.x - part.x, widget.y - part.y, widget.width, widget.height))
    return Hovered(
        widget=alike.over(within, known=True),
        around=alike.over((1 - within).astype(np.float32), known=True),
        least=weakest(alike, within, PART),
    )


def _part(widget: Box, at: Point, screen: Size) -> Box:
    left, top = min(widget.x, round(at.x) - REACH.width), min(widget.y, round(at.y) - REACH.height)
    right = max(widget.right, round(at.x) + REACH.width)
    bottom = max(widget.bottom, round(at.y) + REACH.height)
    return Box(left, top, right - left, bottom - top).clip(screen)


def _structure(known: Pixels, seen: Pixels, window: int = 5) -> Likeness:
    """As `ibtr.compare.likeness`, but dark on light equals light on dark."""
    a, b = (smoothed(one.astype(np.float32), 0.7) for one in (known, seen))
    mean_a, mean_b = local_mean(a, window), local_mean(b, window)
    var_a = np.maximum(local_mean(a * a, window) - mean_a * mean_a, 0)
    var_b = np.maximum(local_mean(b * b, window) - mean_b * mean_b, 0)
    both = np.abs(local_mean(a * b, window) - mean_a * mean_b)
    alike = ((2 * both + NOISE) / (var_a + var_b + NOISE)).astype(np.float32)
    return Likeness(alike, _weight(np.maximum(var_a, var_b)), _weight(var_a))


def _weight(variance: Floats) -> Floats:
    weight = np.minimum(1, np.sqrt(variance) / _FULL).astype(np.float32)
    weight[weight < 0.15] = 0
    return weight

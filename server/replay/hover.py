"""Pure: is it still the same target, now that the pointer is on it?

A pointer lights up what it rests on: a menu row turns blue and its letters white, a link is underlined. So
the screen of now is not searched again; it is compared with the screen on which the target was verified, in
place, by structure and whatever its sign.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ibtr.geometry import Box, Point, Size
from ibtr.pixels import Floats, Pixels, cut, local_mean, size_of, smoothed, to_gray

REACH = Size(160, 90)
"""How far around the pointer the screen must be the same."""
NEAR = Size(60, 24)
WIDGET, AROUND, LEAST = 0.75, 0.75, 0.5
"""Least likeness of the widget, of its surroundings, and of every part of the widget."""
_NOISE = 25.0  # variance of a plain place
_FULL, _PLAIN = (
    20.0,
    0.15,
)  # deviation in levels that counts in full, share that counts for nothing
_PIECE = 13  # side of the pieces of a widget that must each be there


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
    alike, weight = _structure(known, seen)
    weight = (weight * _letters(known)).astype(np.float32)
    inner = np.zeros_like(weight)
    rows = slice(widget.y - part.y, widget.bottom - part.y)
    columns = slice(widget.x - part.x, widget.right - part.x)
    inner[rows, columns] = weight[rows, columns]
    return Hovered(
        widget=_mean(alike, inner),
        around=_mean(alike, weight - inner),
        least=_least(alike, inner * _near(inner, Point(at.x - part.x, at.y - part.y))),
    )


def _part(widget: Box, at: Point, screen: Size) -> Box:
    left, top = min(widget.x, round(at.x) - REACH.width), min(widget.y, round(at.y) - REACH.height)
    right = max(widget.right, round(at.x) + REACH.width)
    bottom = max(widget.bottom, round(at.y) + REACH.height)
    return Box(left, top, right - left, bottom - top).clip(screen)


def _structure(known: Pixels, seen: Pixels, window: int = 5) -> tuple[Floats, Floats]:
    """Likeness around every pixel, dark on light equal to light on dark, and what there was to compare."""
    a, b = (smoothed(one.astype(np.float32), 0.7) for one in (known, seen))
    mean_a, mean_b = local_mean(a, window), local_mean(b, window)
    var_a = np.maximum(local_mean(a * a, window) - mean_a * mean_a, 0)
    var_b = np.maximum(local_mean(b * b, window) - mean_b * mean_b, 0)
    both = np.abs(local_mean(a * b, window) - mean_a * mean_b)
    weight = np.minimum(1, np.sqrt(var_a) / _FULL)
    weight[weight < _PLAIN] = 0
    alike = (2 * both + _NOISE) / (var_a + var_b + _NOISE)
    return alike.astype(np.float32), weight.astype(np.float32)


def _letters(known: Pixels, window: int = 7) -> Floats:
    """1 where lines meet, 0 on straight ones: the edge of a row that was lit is no part of what is there."""
    gray = smoothed(known.astype(np.float32), 0.7)
    down, across = (np.asarray(one, np.float32) for one in np.gradient(gray))
    xx, yy, xy = (local_mean(one, window) for one in (across * across, down * down, across * down))
    least = (xx + yy) / 2 - np.sqrt(((xx - yy) / 2) ** 2 + xy * xy)
    return np.minimum(1, np.maximum(least, 0) / _NOISE).astype(np.float32)


def _mean(alike: Floats, weight: Floats) -> float:
    total = float(weight.sum())
    return float((alike * weight).sum()) / total if total > 1e-6 else 1.0


def _near(shaped: Floats, at: Point) -> Floats:
    """1 close to the pointer, where every piece must be the same; an icon further off may look different."""
    near = np.zeros_like(shaped)
    left, top = max(0, round(at.x) - NEAR.width), max(0, round(at.y) - NEAR.height)
    near[top : round(at.y) + NEAR.height, left : round(at.x) + NEAR.width] = 1
    return near


def _least(alike: Floats, weight: Floats) -> float:
    """Of the windows that hold structure, the least alike."""
    mass, sums = local_mean(weight, _PIECE), local_mean(alike * weight, _PIECE)
    there = mass >= 0.2
    return float((sums[there] / mass[there]).min()) if there.any() else 1.0

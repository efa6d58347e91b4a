"""Pure: does a target lie under a veil? What a modal dialog dims is there to be seen, not to be clicked.

A correlation does not see it: ink and paper are darkened alike. So their shades are compared as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ibtr.geometry import Box, Point
from ibtr.pixels import Pixels, cut, size_of, to_gray

if TYPE_CHECKING:
    from ibtr.evidence import CropAnchor

DIMMED = 0.85
"""Share of its light from which on a place is as bright as it was."""
ALIKE = 24.0
"""Levels by which the darkest shade may differ from what the same veil would make of it."""
CONTRAST = 40.0
"""Levels between ink and paper, below which nothing can be said."""


def veiled(anchor: CropAnchor, screen: Pixels, point: Point) -> float | None:
    """The share of light that is left, if everything around `point` is darker by that one share."""
    near = anchor.context
    left, top = point.x + near.x - anchor.click.x, point.y + near.y - anchor.click.y
    place = Box(round(left), round(top), near.width, near.height).clip(size_of(screen))
    if place.area < near.area / 2:
        return None
    (dark, light), (dark_now, light_now) = _shades(cut(anchor.image, near)), _shades(cut(screen, place))
    share = light_now / max(light, 1.0)
    if light - dark < CONTRAST or share >= DIMMED:
        return None
    return share if abs(dark_now - share * dark) <= ALIKE and light_now - dark_now > CONTRAST / 4 else None


def _shades(part: Pixels) -> tuple[float, float]:
    """The shades of ink and paper, or of paper and ink."""
    dark, light = np.percentile(to_gray(part), (2, 98))
    return float(dark), float(light)

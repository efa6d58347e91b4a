"""A switch: a pill with a knob at one of its ends. It has no name of its own; that stands in its row."""

from __future__ import annotations

import cv2
import numpy as np

from ibtr.geometry import Box
from ibtr.masks import pieces
from ibtr.pixels import Pixels, cut

LONGER, HIGH = (1.4, 2.6), (12, 34)
"""Its width in heights, and its height in pixels."""
KNOB, ROUND = 0.4, (0.8, 1.25)
"""Least height of the knob in heights of the pill, and its own width in heights."""
SOLID = (0.7, 0.92)
"""The share of its box that a disc fills, about: a square fills more, letters less."""
END = 0.15
"""How far the knob's middle is from that of the pill, at least, in widths of the pill."""
CLEAR = 24
"""Levels between the knob and the pill, at least."""


def is_switch(gray: Pixels, box: Box) -> bool:
    """Whether what is drawn in a box is a pill with nothing on it but a disc at one end."""
    if not HIGH[0] <= box.height <= HIGH[1] or not LONGER[0] <= box.width / box.height <= LONGER[1]:
        return False
    inner = cut(gray, Box(box.x + 2, box.y + 2, box.width - 4, box.height - 4))
    level, _ = cv2.threshold(inner, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    light = inner > level
    low, high = inner[~light], inner[light]
    if not len(low) or not len(high) or float(np.median(high)) - float(np.median(low)) < CLEAR:
        return False
    return any(_is_knob(one.astype(np.uint8), box) for one in (light, ~light))


def _is_knob(ink: Pixels, box: Box) -> bool:
    """Whether the ink is one disc at an end of the pill, and specks in its corners."""
    _, stats = pieces(ink)
    large = [s for s in stats[1:] if s[3] >= KNOB * box.height]
    if len(large) != 1:
        return False
    x, _, width, height, count = (int(v) for v in large[0])
    off = abs(2 + x + width / 2 - box.width / 2) / box.width
    disc = SOLID[0] <= count / (width * height) <= SOLID[1]
    return disc and ROUND[0] <= width / height <= ROUND[1] and off >= END

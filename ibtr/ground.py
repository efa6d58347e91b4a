"""Where does the target's window end? Beyond its border lay the bare screen, and anything may lie there now.

A strip along a side of what is kept that shows one colour, up to a straight line at which something else
begins, tells nothing of the target.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ibtr.evidence import CropAnchor
from ibtr.geometry import Box
from ibtr.pixels import Pixels

PLAIN = 6
"""Levels by which a plain ground may differ from its middle."""
BORDER, ALONG = 24, 0.95
"""Levels by which what begins at a border differs from the ground, and the share of its length that must."""
NEAR = 4
"""Pixels of a border, which looks otherwise on another ground."""
LEAST = 6
"""Pixels of a strip that is one."""


def inside_borders(gray: Pixels) -> Box:
    """The part of a picture within the borders beyond which it shows one colour up to its edge."""
    height, width = gray.shape[:2]
    left, right, top, bottom = (_strip(side) for side in (gray.T, gray.T[::-1], gray, gray[::-1]))
    return Box(left, top, max(0, width - left - right), max(0, height - top - bottom))


def clipped(box: Box, window: Box, least: Box) -> Box:
    """The part of a box within the target's window; all of it where that leaves out some of `least`."""
    inner = box.intersect(window)
    return inner if least.intersect(window) == least else box


def without_ground(anchor: CropAnchor) -> CropAnchor | None:
    """The same target by what stood around it in its own window; None where that is all that is known."""
    context = clipped(anchor.context, inside_borders(anchor.gray), anchor.target)
    return replace(anchor, context=context) if context != anchor.context else None


def _strip(gray: Pixels) -> int:
    """Rows from the top up to a border, with its own; 0 if there is none.

    A border goes on to an end of the picture: one that ends on both sides within it is a widget's.
    """
    ground = int(np.median(gray[:LEAST]))
    low, high = gray.min(axis=1), gray.max(axis=1)
    busy = np.flatnonzero((low < ground - PLAIN) | (high > ground + PLAIN))
    if not len(busy) or busy[0] < LEAST:
        return 0
    begins = gray[busy[0] : busy[0] + NEAR].astype(np.int16) - ground
    across = np.abs(begins).max(axis=0) >= BORDER
    there = np.flatnonzero(across)
    if not len(there) or not (across[0] or across[-1]):
        return 0
    straight = float(across[there[0] : there[-1] + 1].mean()) >= ALONG
    return int(busy[0]) + NEAR if straight else 0

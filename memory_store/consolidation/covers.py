"""Places of a recorded frame that were painted over because they showed a secret: no part of what is looked for.

The screen of a replay has no such cover: there stands another value, longer or shorter, with letters that reach
higher or lower. So a cover varies, and so does the plain ground around it where another value would go; and the
paint itself gives way to the ground, as if nothing had been typed.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from actionlens.frames import Pixels, crop, size_of
from ibtr.geometry import Box

SHADES = 12
"""Levels within which a background is plain."""


def covered(screen: Pixels, covers: Iterable[Box]) -> list[Box]:
    """The covers, each with the room that another value may take."""
    return [_with_room(screen, box.clip(size_of(screen))) for box in covers if box.clip(size_of(screen)).area]


def uncovered(screen: Pixels, covers: Iterable[Box]) -> Pixels:
    """The frame with the colour of the ground in place of each cover; itself without any."""
    filled = screen
    for box in covers:
        if filled is screen:
            filled = screen.copy()
        crop(filled, box)[:] = _ground(screen, box)
    return filled


def _ground(screen: Pixels, box: Box) -> NDArray[np.uint8]:
    """The middle colour of the line around a cover."""
    outer = box.grow(1).clip(size_of(screen))
    ring = np.ones((outer.height, outer.width), np.bool_)
    ring[box.y - outer.y : box.bottom - outer.y, box.x - outer.x : box.right - outer.x] = False
    around = crop(screen, outer)[ring]
    return np.median(around, axis=0).astype(np.uint8) if len(around) else screen[box.y, box.x]


def _with_room(screen: Pixels, box: Box) -> Box:
    """The cover, widened over plain ground: up and down by half its height, then right by twice its width."""
    above = Box(box.x, box.y - box.height // 2, box.width, box.height // 2).clip(size_of(screen))
    below = Box(box.x, box.bottom, box.width, box.height // 2).clip(size_of(screen))
    up, down = _room(crop(screen, above)[::-1]), _room(crop(screen, below))
    tall = Box(box.x, box.y - up, box.width, box.height + up + down)
    right = Box(box.right, tall.y, 2 * box.width, tall.height).clip(size_of(screen))
    return Box(tall.x, tall.y, box.width + _room(crop(screen, right).swapaxes(0, 1)), tall.height)


def _room(lines: NDArray[np.uint8]) -> int:
    """How many lines are plain, of the first one's shade, before the first that is not."""
    if not lines.size:
        return 0
    shade = np.median(lines[0], axis=0)
    plain = (np.abs(lines.astype(np.float64) - shade).max(axis=2) <= SHADES).all(axis=1)
    return sum(1 for _ in takewhile(bool, plain))

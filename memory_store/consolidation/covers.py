"""Places of a recorded frame that were painted over for a secret: no part of what is looked for.

The screen of a replay has no such cover: there stands another value, longer or shorter, with letters that
reach higher or lower. So a cover varies, and so does the plain ground around it where another value would go;
and the paint itself gives way to the ground, as if nothing had been typed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from actionlens.frames import Pixels, crop, size_of
from ibtr.geometry import Box

SHADES = 12
"""Levels within which a background is plain."""
RING = 6
"""Pixels around a cover that lies within another one."""


def covered(screen: Pixels, covers: Iterable[Box]) -> list[Box]:
    """The covers, each with the room that another value may take."""
    return [_with_room(screen, box.clip(size_of(screen))) for box in covers if box.clip(size_of(screen)).area]


def uncovered(screen: Pixels, covers: Sequence[Box]) -> Pixels:
    """The frame with the colour of the ground in place of each cover; itself without any."""
    if not covers:
        return screen
    filled, bare = screen.copy(), np.ones(screen.shape[:2], np.bool_)
    for box in covers:
        bare[box.y : box.bottom, box.x : box.right] = False
    for box in covers:
        crop(filled, box)[:] = _ground(screen, bare, box)
    return filled


def _ground(screen: Pixels, bare: NDArray[np.bool_], box: Box) -> NDArray[np.uint8]:
    """The middle colour of what lies bare around a cover."""
    for reach in (1, RING, 4 * RING):
        outer = box.grow(reach).clip(size_of(screen))
        around = crop(screen, outer)[bare[outer.y : outer.bottom, outer.x : outer.right]]
        if len(around):
            return np.asarray(np.median(around, axis=0), np.uint8)
    return np.asarray(screen[box.y, box.x], np.uint8)


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

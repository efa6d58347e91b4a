"""What changed between two screenshots: how much, and where. Pixels in, a few boxes out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np

from actionlens.frames import Pixels, changed_box, crop
from ibtr.geometry import Box

LEVEL = 10
"""Levels of any channel from which a pixel counts as changed."""
JOIN = (25, 9)
"""Changes closer than this, across and down, are one place: the letters of a word, the words of a line."""
CARET = 3
"""A place not wider than this is a text caret."""
MAX_BOXES = 12


@dataclass(frozen=True, slots=True)
class Change:
    """What differs between two frames; a blinking caret does not count."""

    fraction: float = 0.0
    boxes: tuple[Box, ...] = ()
    """Image pixels, largest first."""

    def __bool__(self) -> bool:
        return bool(self.boxes)


NOTHING = Change()


def change(one: Pixels, other: Pixels, flicker: Iterable[Box] = ()) -> Change:
    """What changed, but for carets and places that are known to `flicker`."""
    box = changed_box(one, other)
    if box is None:
        return NOTHING
    if one.shape != other.shape:
        return Change(1.0, (box,))
    mask = _mask(crop(one, box), crop(other, box))
    for part in flicker:
        inside = part.grow(2).intersect(box)
        mask[inside.y - box.y : inside.bottom - box.y, inside.x - box.x : inside.right - box.x] = 0
    return _change(mask, box, one.shape[0] * one.shape[1])


def places(mask: Pixels) -> list[tuple[Box, int]]:
    """The places where a mask is set, each with its number of pixels; carets are left out."""
    if not mask.any():
        return []
    joined = cv2.dilate(mask, np.ones((JOIN[1], JOIN[0]), np.uint8))
    count, labels = cv2.connectedComponents(joined)
    labels = np.where(mask > 0, labels, 0)
    found: list[tuple[Box, int]] = []
    for label in range(1, count):
        rows, columns = np.nonzero(labels == label)
        left, top = int(columns.min()), int(rows.min())
        box = Box(left, top, int(columns.max()) + 1 - left, int(rows.max()) + 1 - top)
        if box.width > CARET:
            found.append((box, len(rows)))
    return found


def same_pixels(one: Pixels, other: Pixels, box: Box) -> float:
    """Share of the pixels in `box` that are the same in both frames."""
    if one.shape != other.shape or not box.area:
        return 0.0
    return 1.0 - float(_mask(crop(one, box), crop(other, box)).mean())


def _mask(one: Pixels, other: Pixels) -> Pixels:
    return cast("Pixels", (cv2.absdiff(one, other).max(axis=2) >= LEVEL).astype(np.uint8))


def _change(mask: Pixels, box: Box, whole: int) -> Change:
    found = sorted(places(mask), key=lambda place: place[0].area, reverse=True)
    if not found:
        return NOTHING
    boxes = [Box(part.x + box.x, part.y + box.y, part.width, part.height) for part, _ in found]
    fraction = sum(pixels for _, pixels in found) / whole
    return Change(fraction, tuple(boxes[:MAX_BOXES]))

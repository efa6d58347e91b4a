"""Masks: where something is drawn, which parts of it hang together, and what they enclose."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from ibtr.geometry import Box, Point, Size
from ibtr.pixels import Floats, Pixels


def painted_over(gray: Pixels, mask: Pixels) -> Pixels:
    """`gray` with every pixel under `mask` as the nearest one beside it: what stood there is gone."""
    hidden = (mask != 0).astype(np.uint8)
    free = hidden == 0
    if not free.any():
        return gray
    _, nearest = cast(
        "tuple[Floats, NDArray[np.int32]]",
        cv2.distanceTransformWithLabels(hidden, cv2.DIST_L2, 3, labelType=cv2.DIST_LABEL_PIXEL),
    )
    shades = np.zeros(int(nearest.max()) + 1, np.uint8)
    shades[nearest[free]] = gray[free]
    return shades[nearest]


def edges(gray: Pixels, levels: int) -> Pixels:
    """1 where a pixel differs from a neighbour by `levels`, else 0."""
    spread = cast("Pixels", cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, np.ones((2, 2), np.uint8)))
    return (spread >= levels).astype(np.uint8)


def closed(mask: Pixels, gap: Size) -> Pixels:
    """A mask with the gaps up to `gap` filled."""
    kernel = np.ones((gap.height, gap.width), np.uint8)
    return cast("Pixels", cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel))


def components(mask: Pixels) -> tuple[NDArray[np.int32], list[Box]]:
    """The number of the connected part that each pixel belongs to, and the box of each part."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    rows = cast("list[list[int]]", stats.tolist())
    return cast("NDArray[np.int32]", labels), [Box(*row[:4]) for row in rows]


def pieces(mask: Pixels) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The same as arrays, for many parts: x, y, width, height and the number of pixels of each."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    return cast("NDArray[np.int32]", labels), cast("NDArray[np.int32]", stats)


def grown(mask: Pixels, by: int) -> Pixels:
    """A mask with `by` more pixels all around."""
    return cast("Pixels", cv2.dilate(mask, np.ones((2 * by + 1, 2 * by + 1), np.uint8)))


def filled(mask: Pixels) -> Pixels:
    """A mask with its holes filled."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    solid = np.zeros_like(mask)
    cv2.drawContours(solid, outlines, -1, 1, cv2.FILLED)
    return solid


def flooded(gray: Pixels, point: Point, levels: int) -> tuple[Box, int]:
    """The box and the area of the pixels around `point` that have its colour, up to `levels`."""
    image, at = np.ascontiguousarray(gray).copy(), (int(point.x), int(point.y))
    flags = 4 | cv2.FLOODFILL_FIXED_RANGE | cv2.FLOODFILL_MASK_ONLY
    area, _, _, found = cv2.floodFill(image, None, at, 0, levels, levels, flags)
    return Box(*(int(v) for v in found)), int(area)

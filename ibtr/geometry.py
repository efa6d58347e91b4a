"""Points, sizes and boxes, and the only conversions between the three coordinate frames.

`px`    pixels of a full screenshot, origin at its top left.
`xy`    controller units: what the pointer is moved by. The origin may be negative (several monitors).
`host`  pixels of the downscaled picture that the host agent was shown.
"""

from __future__ import annotations

import math
from typing import NamedTuple


class Point(NamedTuple):
    """A place; the variable's name says in which frame."""

    x: float
    y: float


ORIGIN = Point(0, 0)


class Size(NamedTuple):
    """Width and height."""

    width: int
    height: int


class Box(NamedTuple):
    """A rectangle; the right and bottom edges are exclusive."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """First column to the right of the box."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """First row below the box."""
        return self.y + self.height

    @property
    def center(self) -> Point:
        """Middle of the box."""
        return Point(self.x + self.width / 2, self.y + self.height / 2)

    @property
    def area(self) -> int:
        """Pixels covered; an empty or inverted box covers none."""
        return max(0, self.width) * max(0, self.height)

    def contains(self, point: Point) -> bool:
        """Whether `point` lies inside."""
        return self.x <= point.x < self.right and self.y <= point.y < self.bottom

    def intersect(self, other: Box) -> Box:
        """The common part; its area is 0 when there is none."""
        left, top = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Box(left, top, max(0, right - left), max(0, bottom - top))

    def clip(self, size: Size) -> Box:
        """The part that lies on a screen of `size`."""
        return self.intersect(Box(0, 0, size.width, size.height))

    def grow(self, by: int) -> Box:
        """The same middle, `by` more on each side."""
        return Box(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)


class Scale(NamedTuple):
    """Image pixels per controller unit, from what was observed (2.0 on a HiDPI screen)."""

    x: float = 1.0
    y: float = 1.0


def scale_of(image: Size, screen: Size) -> Scale:
    """Scale between a screenshot and the logical screen it shows (paper, B.1)."""
    return Scale(image.width / screen.width, image.height / screen.height)


def px_to_xy(px: Point, scale: Scale, origin: Point = ORIGIN) -> Point:
    """Controller coordinate of an image pixel, rounded as the paper does (B.3)."""
    return Point(round(px.x / scale.x) + origin.x, round(px.y / scale.y) + origin.y)


def xy_to_px(xy: Point, scale: Scale, origin: Point = ORIGIN) -> Point:
    """Image pixel of a controller coordinate."""
    return Point((xy.x - origin.x) * scale.x, (xy.y - origin.y) * scale.y)


def fit(image: Size, longest: int) -> Size:
    """Largest size of the same shape whose long side is at most `longest`; never larger than `image`."""
    factor = min(1.0, longest / max(image))
    return Size(max(1, round(image.width * factor)), max(1, round(image.height * factor)))


def host_to_px(host: Point, shown: Size, image: Size) -> Point:
    """Image pixel under the middle of a pixel of the picture that the host was shown."""
    return Point(
        min(image.width - 1, math.floor((host.x + 0.5) * image.width / shown.width)),
        min(image.height - 1, math.floor((host.y + 0.5) * image.height / shown.height)),
    )


def host_to_px_box(host: Box, shown: Size, image: Size) -> Box:
    """A box of the picture that the host was shown, in pixels of the image."""
    wide, high = image.width / shown.width, image.height / shown.height
    left, top = math.floor(host.x * wide), math.floor(host.y * high)
    right, bottom = math.ceil(host.right * wide), math.ceil(host.bottom * high)
    return Box(left, top, right - left, bottom - top).clip(image)


def px_to_host(px: Point, shown: Size, image: Size) -> Point:
    """Pixel of the shown picture that covers an image pixel."""
    return Point(
        min(shown.width - 1, math.floor((px.x + 0.5) * shown.width / image.width)),
        min(shown.height - 1, math.floor((px.y + 0.5) * shown.height / image.height)),
    )

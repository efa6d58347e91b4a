"""One target at one scale, in the frame in which it is compared with a screen."""

from __future__ import annotations

import math
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ibtr.evidence import CropAnchor
from ibtr.geometry import Box, Point, Size
from ibtr.pixels import (
    Floats,
    Pixels,
    cut,
    halved,
    moved,
    resized,
    size_of,
    softened,
    spread,
    structure,
)
from ibtr.slides import slides
from ibtr.view import View

RIM = 2
"""Pixels of a small picture's edge that are not sought: smoothing mixes them with what lies beyond."""


class Scaling(NamedTuple):
    """How much larger the screen shows things than they were recorded."""

    x: float
    y: float

    @property
    def mean(self) -> float:
        """One number for both."""
        return math.sqrt(self.x * self.y)


class Work:
    """One anchor at one scale, in the frame in which it is compared.

    Below scale 1 the crop is shrunk; above, the screen is, so that neither invents pixels. `flat` looks for
    fine structure alone: where one strong border would otherwise outweigh all the rest.
    """

    def __init__(
        self, anchor: CropAnchor, view: View, scaling: Scaling, *, inverted: bool = False, flat: bool = False
    ) -> None:
        self.anchor, self.view, self.scaling = anchor, view, scaling
        self.inverted, self.flat = inverted, flat
        size = anchor.size
        ax, ay = min(1.0, scaling.x), min(1.0, scaling.y)
        shown = Size(max(4, round(size.width * ax)), max(4, round(size.height * ay)))
        self.zoom = Point(shown.width / size.width, shown.height / size.height)
        self._shown = shown
        self.masks: dict[Box, Floats] = {}
        self._boxes: dict[Box, Box] = {}
        self._small: dict[int, Pixels | Floats] = {}
        self._scores: dict[tuple[Box, int], Floats] = {}
        self._halves: dict[int, Pixels] = {0: anchor.gray}
        self.click = Point(
            (anchor.click.x + 0.5) * self.zoom.x - 0.5, (anchor.click.y + 0.5) * self.zoom.y - 0.5
        )
        self.shrink = Point(self.zoom.x / scaling.x, self.zoom.y / scaling.y)

    @cached_property
    def gray(self) -> Pixels:
        """Its luma: nobody needs it where a coarse look finds nothing."""
        gray = resized(self.anchor.gray, self._shown)
        return ~gray if self.inverted else gray

    @cached_property
    def picture(self) -> Pixels:
        """The picture in colour."""
        picture = resized(self.anchor.image, self._shown)
        return ~picture if self.inverted else picture

    @cached_property
    def row(self) -> Work | None:
        """The same for the row through the target, where that was kept."""
        return self._strip(self.anchor.row)

    @cached_property
    def column(self) -> Work | None:
        """The same for the column."""
        return self._strip(self.anchor.column)

    def _strip(self, anchor: CropAnchor | None) -> Work | None:
        return Work(anchor, self.view, self.scaling, inverted=self.inverted) if anchor else None

    @cached_property
    def slides(self) -> tuple[bool, bool]:
        """Whether the target crop looks the same a little further across, or down: a part of a long field."""
        if self.zoom == Point(1, 1) and not self.inverted:
            return self.anchor.slides
        return slides(self._lasting, self.box(self.anchor.target))

    @cached_property
    def locator(self) -> Box:
        """The smallest crop that fits at one place only, in this frame."""
        if not any(self.slides):
            return self.box(self.anchor.target)
        context = self.box(self.anchor.context)
        return self.box(self.anchor.wide) if any(slides(self._lasting, context)) else context

    @cached_property
    def surroundings(self) -> Box:
        """What must be around it: the context, or all that was kept where that fits all along a field."""
        whole, context = self.box(self.anchor.wide), self.box(self.anchor.context)
        return whole if self.locator == whole else context

    @cached_property
    def busiest(self) -> slice:
        """Those rows of the context crop, a third of them, that show most."""
        rows = cut(self.gray, self.surroundings)
        third = rows.shape[0] // 3
        top = max(
            (0, third, rows.shape[0] - third), key=lambda y: spread(rows[y : y + third]) if third else 0.0
        )
        return slice(top, top + third)

    def exact(self, level: int) -> bool:
        """Whether a pixel of the screen shrunk `level` times is a whole number of the picture's."""
        return level > 0 and self.scaling == (1.0, 1.0) and min(self.anchor.size) >= 4 * 2**level

    def by(self, level: int) -> Point:
        """How much smaller than the picture it is sought on the screen shrunk `level` times."""
        whole, cell = self.anchor.size, 2**level
        if self.exact(level):
            return Point(1 / cell, 1 / cell)
        size = (max(4, round(n * by / cell)) for n, by in zip(whole, self.scaling, strict=True))
        return Point(*(n / full for n, full in zip(size, whole, strict=True)))

    def small(self, level: int) -> Pixels | Floats:
        """The picture as it is sought on the screen shrunk `level` times."""
        if level not in self._small:
            exact = self.exact(level)
            self._small[level] = (
                self.soft(self.halves(level), level) if exact else self.shrunk(self.anchor.gray, level)
            )
        return self._small[level]

    def part(self, box: Box, level: int) -> Box:
        """The part of that picture that a box of the anchor becomes."""
        fx, fy = self.by(level)
        size = size_of(self.small(level))
        wide, high = max(3, round(box.width * fx)), max(3, round(box.height * fy))
        part = Box(round(box.x * fx), round(box.y * fy), wide, high).clip(size)
        inner = part.intersect(Box(RIM, RIM, size.width - 2 * RIM, size.height - 2 * RIM))
        return inner if min(inner.width, inner.height) >= 3 else part

    def piece(self, part: Box, level: int) -> Pixels | Floats:
        """What is sought for that part."""
        return self.small(level)[part.y : part.bottom, part.x : part.right]

    def scores(self, part: Box, level: int) -> Floats:
        """How much of it there is like that part at every place of the screen shrunk `level` times."""
        if (part, level) not in self._scores:
            searched = self.view.searched(level, flat=self.flat)
            self._scores[part, level] = searched.correlate(self.piece(part, level))
        return self._scores[part, level]

    def halves(self, times: int) -> Pixels:
        """The picture halved so many times, without what fills no pixel."""
        if times not in self._halves:
            above = self.halves(times - 1)
            size = Size(above.shape[1] // 2, above.shape[0] // 2)
            self._halves[times] = resized(above[: 2 * size.height, : 2 * size.width], size)
        return self._halves[times]

    def shrunk(self, gray: Pixels, level: int) -> Pixels | Floats:
        """A part of it, likewise."""
        by, cell = self.by(level), 2**level
        if self.exact(level):  # without what fills no pixel: halving is far quicker
            gray = gray[: gray.shape[0] // cell * cell, : gray.shape[1] // cell * cell]
        size = Size(round(gray.shape[1] * by.x), round(gray.shape[0] * by.y))
        return self.soft(halved(gray, size, level), level)

    def soft(self, small: Pixels, level: int) -> Pixels | Floats:
        """What is left of a part that was shrunk `level` times, as it is sought."""
        picture = softened(small, level)
        picture = ~picture if self.inverted else picture
        return structure(picture) if self.flat else picture

    @cached_property
    def _lasting(self) -> Pixels:
        """The luma without what varies: a value in a long field does not make it another one."""
        return self.gray if self.anchor.vary is None else resized(self.anchor.lasting, self._shown)

    @cached_property
    def varies(self) -> Pixels | None:
        """Not 0 where pixels of this frame are known to vary."""
        vary = self.anchor.vary
        return None if vary is None else resized(vary * np.uint8(255), self._shown)

    def kept(self, part: Box) -> Floats | None:
        """0 where pixels under `part` of this frame are known to vary; None if all of them count, or none."""
        if self.varies is None:
            return None
        mask = cut(self.varies, part)
        return (mask == 0).astype(np.float32) if 0 < np.count_nonzero(mask) < mask.size else None

    def box(self, box: Box) -> Box:
        """A box of the anchor in this frame."""
        if box not in self._boxes:
            self._boxes[box] = self._box(box)
        return self._boxes[box]

    def _box(self, box: Box) -> Box:
        left, top = round(box.x * self.zoom.x), round(box.y * self.zoom.y)
        right, bottom = round(box.right * self.zoom.x), round(box.bottom * self.zoom.y)
        return Box(left, top, max(2, right - left), max(2, bottom - top)).clip(self._shown)

    def window(self, at: Point, box: Box, pad: int, *, colour: bool = False) -> tuple[Pixels, Point, Point]:
        """The screen under `box` (grown by `pad`) if the click were at `at`.

        Gives the patch in this frame, the screen pixel of its corner, and its pixels per screen pixel.
        """
        bx, by = self.shrink
        if bx == by == 1:  # as below, and most often
            x, y = round(at.x + box.x - pad - self.click.x), round(at.y + box.y - pad - self.click.y)
            wide, high = box.width + 2 * pad, box.height + 2 * pad
            return self.view.window(Box(x, y, wide, high), colour=colour), Point(x, y), self.shrink
        left, top = at.x + (box.x - pad - self.click.x) / bx, at.y + (box.y - pad - self.click.y) / by
        width, height = (box.width + 2 * pad) / bx, (box.height + 2 * pad) / by
        part = Box(round(left), round(top), max(1, round(width)), max(1, round(height)))
        patch = self.view.window(part, colour=colour)
        if abs(bx - 1) > 1e-3 or abs(by - 1) > 1e-3:
            patch = resized(patch, Size(box.width + 2 * pad, box.height + 2 * pad))
        per = Point(patch.shape[1] / part.width, patch.shape[0] / part.height)
        return patch, Point(part.x, part.y), per

    def place(self, corner: Point, per: Point, x: float, y: float, box: Box) -> Point:
        """Click on the screen if `box` was found with its corner at `x`, `y` of a window."""
        cx, cy = x + self.click.x - box.x, y + self.click.y - box.y
        return Point(corner.x + (cx + 0.5) / per.x - 0.5, corner.y + (cy + 0.5) / per.y - 0.5)


def aligned(work: Work, at: Point, box: Box, *, colour: bool = False) -> tuple[Pixels, Pixels]:
    """The crop under `box` and the screen's pixels there, sampled at the same places."""
    patch, corner, per = work.window(at, box, 0, colour=colour)
    found = Point((at.x - corner.x + 0.5) * per.x - 0.5, (at.y - corner.y + 0.5) * per.y - 0.5)
    dx, dy = work.click.x - found.x - box.x, work.click.y - found.y - box.y
    source = work.picture if colour else work.gray
    if abs(dx) < 0.12 and abs(dy) < 0.12:
        return cut(source, box), patch
    return moved(source, Point(box.x + dx, box.y + dy), Size(box.width, box.height)), patch

"""Where could the target be? A coarse look over the whole screen, then a close one at each place."""

from __future__ import annotations

import math
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ibtr.evidence import CropAnchor
from ibtr.geometry import Box, Point, Size
from ibtr.pixels import Floats, Pixels, correlate, cut, local_maximum, moved, resized, structure
from ibtr.view import View, level_for


class Scaling(NamedTuple):
    """How much larger the screen shows things than they were recorded."""

    x: float
    y: float

    @property
    def mean(self) -> float:
        """One number for both."""
        return math.sqrt(self.x * self.y)


class Candidate(NamedTuple):
    """A place that may be the target. `point` is where the click would go, in screen pixels."""

    point: Point
    score: float
    """Correlation of the crop it was found by."""


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
        gray = resized(anchor.gray, shown)
        self.gray = ~gray if inverted else gray
        self._shown = shown
        self.click = Point(
            (anchor.click.x + 0.5) * self.zoom.x - 0.5, (anchor.click.y + 0.5) * self.zoom.y - 0.5
        )
        self.shrink = Point(self.zoom.x / scaling.x, self.zoom.y / scaling.y)

    @cached_property
    def picture(self) -> Pixels:
        """The picture in colour."""
        picture = resized(self.anchor.image, self._shown)
        return ~picture if self.inverted else picture

    def box(self, box: Box) -> Box:
        """A box of the anchor in this frame."""
        left, top = round(box.x * self.zoom.x), round(box.y * self.zoom.y)
        right, bottom = round(box.right * self.zoom.x), round(box.bottom * self.zoom.y)
        return Box(left, top, max(2, right - left), max(2, bottom - top)).clip(Size(*self.gray.shape[::-1]))

    def window(self, at: Point, box: Box, pad: int, *, colour: bool = False) -> tuple[Pixels, Point, Point]:
        """The screen under `box` (grown by `pad`) if the click were at `at`.

        Gives the patch in this frame, the screen pixel of its corner, and its pixels per screen pixel.
        """
        bx, by = self.shrink
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


def coarse(work: Work, box: Box, most: int, least: float, *, at_least: int = 0) -> list[Candidate]:
    """Places where the crop under `box` may be, from a small picture of the whole screen."""
    scaling = work.scaling
    level = max(at_least, level_for(scaling.mean))
    screen = work.view.structure(level) if work.flat else work.view.level(level)
    kx, ky = work.view.size.width / screen.shape[1], work.view.size.height / screen.shape[0]
    whole = work.anchor.size
    size = Size(max(4, round(whole.width * scaling.x / kx)), max(4, round(whole.height * scaling.y / ky)))
    picture = resized(work.anchor.gray, size)
    fx, fy = size.width / whole.width, size.height / whole.height
    part = Box(
        round(box.x * fx), round(box.y * fy), max(3, round(box.width * fx)), max(3, round(box.height * fy))
    )
    part = part.clip(size)
    if part.width > screen.shape[1] or part.height > screen.shape[0]:
        return []
    picture = ~picture if work.inverted else picture
    template = cut(structure(picture), part) if work.flat else cut(picture, part)
    if template.std() < 1.0:
        return []
    scores = correlate(screen, template)
    click = Point((work.anchor.click.x + 0.5) * fx - part.x, (work.anchor.click.y + 0.5) * fy - part.y)
    return [
        Candidate(Point((x + click.x) * kx - 0.5, (y + click.y) * ky - 0.5), score)
        for x, y, score in peaks(scores, most, least)
    ]


def peaks(scores: Floats, most: int, least: float) -> list[tuple[float, float, float]]:
    """The highest local maxima with their place between pixels."""
    top = (scores >= local_maximum(scores, 3)) & (scores >= least)
    rows, columns = np.nonzero(top)
    values = scores[rows, columns]
    order = np.argsort(-values, kind="stable")[:most]
    return [(*between(scores, int(columns[i]), int(rows[i])), float(values[i])) for i in order]


def between(scores: Floats, x: int, y: int) -> tuple[float, float]:
    """A maximum's place between pixels, by a parabola through its neighbours."""

    def offset(before: float, here: float, after: float) -> float:
        bend = before - 2 * here + after
        return 0.0 if bend > -1e-9 else max(-0.5, min(0.5, 0.5 * (before - after) / bend))

    height, width = scores.shape
    here = float(scores[y, x])
    dx = offset(float(scores[y, x - 1]), here, float(scores[y, x + 1])) if 0 < x < width - 1 else 0.0
    dy = offset(float(scores[y - 1, x]), here, float(scores[y + 1, x])) if 0 < y < height - 1 else 0.0
    return x + dx, y + dy


def close(work: Work, candidate: Candidate, box: Box, pad: int) -> Candidate:
    """The best place of the crop under `box` (in the work's frame) within `pad` of a candidate."""
    template = cut(work.gray, box)
    patch, corner, per = work.window(candidate.point, box, pad)
    scores = correlate(patch, template)
    y, x = divmod(int(scores.argmax()), scores.shape[1])
    fx, fy = between(scores, x, y)
    return Candidate(work.place(corner, per, fx, fy, box), float(scores[y, x]))


def listed(work: Work, at: Point, box: Box, reach: int) -> list[Candidate]:
    """Places above, below and beside `at` where the crop under `box` is again, at full resolution."""
    template = cut(work.gray, box)
    across, down = (
        Box(box.x - reach, box.y, box.width + 2 * reach, box.height),
        Box(box.x, box.y - reach, box.width, box.height + 2 * reach),
    )
    found: list[Candidate] = []
    for strip in (across, down):
        patch, corner, per = work.window(at, strip, 3)
        for x, y, score in peaks(correlate(patch, template), 30, 0.8):
            found.append(Candidate(work.place(corner, per, x, y, box), score))
    return found


def aligned(work: Work, at: Point, box: Box, *, colour: bool = False) -> tuple[Pixels, Pixels]:
    """The crop under `box` and the screen's pixels there, sampled at the same places."""
    patch, corner, per = work.window(at, box, 0, colour=colour)
    found = Point((at.x - corner.x + 0.5) * per.x - 0.5, (at.y - corner.y + 0.5) * per.y - 0.5)
    dx, dy = work.click.x - found.x - box.x, work.click.y - found.y - box.y
    source = work.picture if colour else work.gray
    if abs(dx) < 0.12 and abs(dy) < 0.12:
        return cut(source, box), patch
    matrix = np.array([[1, 0, box.x + dx], [0, 1, box.y + dy]], np.float64)
    return moved(source, matrix, Size(box.width, box.height)), patch

"""What may have happened to a screen between recording and replay: one seeded function per condition.

Each takes the recorded screen and the target and gives the new screen with the place where the target is now,
or None where it is gone. A condition that cannot be built for a case gives None instead of a Scene.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ibtr.geometry import Box, Point, Size
from ibtr.pixels import Pixels, cut, size_of

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Donor:
    """Another labelled target on another screen, for pasting and for "another screen"."""

    screen: Pixels
    box: Box


@dataclass(frozen=True, slots=True)
class Scene:
    """A screen for replay. `box` and `click` are None where nothing may be clicked."""

    screen: Pixels
    click: Point | None
    box: Box | None
    decoys: tuple[Box, ...] = ()


Maker = Callable[[Pixels, Box, Point, Donor, Rng], Scene | None]


def original(screen: Pixels, box: Box, click: Point, donor: Donor, rng: Rng) -> Scene:
    """As it was recorded."""
    return Scene(screen, click, box)


def scaled(screen: Pixels, box: Box, click: Point, by: float) -> Scene:
    """The whole screen at another size."""
    size = Size(round(screen.shape[1] * by), round(screen.shape[0] * by))
    how = cv2.INTER_AREA if by < 1 else cv2.INTER_LINEAR
    image = np.asarray(cv2.resize(screen, tuple(size), interpolation=how), np.uint8)
    fx, fy = size.width / screen.shape[1], size.height / screen.shape[0]
    left, top = int(box.x * fx), int(box.y * fy)
    new = Box(left, top, int(np.ceil(box.right * fx)) - left, int(np.ceil(box.bottom * fy)) - top)
    return Scene(image, Point((click.x + 0.5) * fx - 0.5, (click.y + 0.5) * fy - 0.5), new)


def scale_random(screen: Pixels, box: Box, click: Point, donor: Donor, rng: Rng) -> Scene:
    """The paper's anti-copy condition: resized by 0.6 to 1.6."""
    return scaled(screen, box, click, float(rng.uniform(0.6, 1.6)))


def scale_1600(screen: Pixels, box: Box, click: Point, donor: Donor, rng: Rng) -> Scene:
    """From 1920 to 1600 wide."""
    return scaled(screen, box, click, 1600 / 1920)


def _region(screen: Pixels, box: Box, rng: Rng) -> Box:
    """A window-sized part of the screen around the target."""
    size = size_of(screen)
    left, right = (int(rng.integers(120, 420)) for _ in "lr")
    top, bottom = (int(rng.integers(90, 300)) for _ in "tb")
    return Box(box.x - left, box.y - top, box.width + left + right, box.height + top + bottom).clip(size)


def _new_place(region: Box, size: Size, rng: Rng, apart: int = 40) -> tuple[int, int] | None:
    for _ in range(60):
        x = int(rng.integers(0, max(1, size.width - region.width)))
        y = int(rng.integers(0, max(1, size.height - region.height)))
        if abs(x - region.x) + abs(y - region.y) >= apart:
            return x, y
    return None


def _drag(screen: Pixels, box: Box, click: Point, rng: Rng, *, clear: bool) -> Scene | None:
    size, region = size_of(screen), _region(screen, box, rng)
    place = _new_place(region, size, rng)
    if place is None:
        return None
    image, window = screen.copy(), cut(screen, region).copy()
    dx, dy = place[0] - region.x, place[1] - region.y
    if clear:
        cut(image, region)[:] = rng.integers(30, 220, 3)
    image[place[1] : place[1] + region.height, place[0] : place[0] + region.width] = window
    here = Box(box.x + dx, box.y + dy, box.width, box.height)
    pasted = Box(*place, region.width, region.height)
    left = () if clear or pasted.intersect(box).area else (box,)
    if not clear and not left:
        return None
    return Scene(image, Point(click.x + dx, click.y + dy), here, left)


def dragged(screen: Pixels, box: Box, click: Point, donor: Donor, rng: Rng) -> Scene | None:
    """The window around the target at another place."""
    return _drag(screen, box, click, rng, clear=True)


def copy_left(screen: Pixels, box: Box, click: Point, donor: Donor, rng: Rng) -> Scene | None:
    """The window moved, and its picture stayed behind."""
    return _drag(screen, box, click, rng, clear=False)


def _without(length: int, total: int, keep: tuple[int, int], rng: Rng) -> NDArray[np.intp]:
    """Indices left after cutting strips of `total` in all out of a line, none of them touching `keep`."""
    rest = np.ones(length, bool)
    for part in (total // 2, total - total // 2):
        spots = [
            i
            for i in range(0, length - part, 7)
            if (i + part <= keep[0] or i >= keep[1]) and rest[i : i + part].all()
        ]
        if spots:
            at = int(rng.choice(spots))
            rest[at : at + part] = False
    kept = np.flatnonzero(rest)
    surplus = len(kept) - (length - total)
    if surplus > 0:  # no room for the strips: cut at the far end instead
        kept = kept[:-surplus] if keep[1] <= kept[-surplus] else kept[surplus:]
    return kept


def reflowed(screen: Pixels, box: Box, click: Point, donor: Donor, rng: Rng) -> Scene | None:
    """A screen of 5/6 the size, content unscaled: strips away from the target have gone."""
    height, width = screen.shape[:2]
    near = box.grow(70).clip(size_of(screen))
    columns = _without(width, width // 6, (near.x, near.right), rng)
    rows = _without(height, height // 6, (near.y, near.bottom), rng)
    x, y = int(np.searchsorted(columns, box.x)), int(np.searchsorted(rows, box.y))
    dx, dy = x - box.x, y - box.y
    if not (
        np.isin(np.arange(box.x, box.right), columns).all()
        and np.isin(np.arange(box.y, box.bottom), rows).all()
    ):
        return None
    image = np.ascontiguousarray(screen[rows][:, columns])
    return Scene(image, Point(click.x + dx, click.y + dy), Box(x, y, box.width, box.height))


def jpeg(screen: Pixels, box: Box, click: Point, donor: Donor, rng: Rng) -> Scene:
    """As a remote desktop shows it."""
    _, data = cv2.imencode(".jpg", screen, [cv2.IMWRITE_JPEG_QUALITY, 60])
    return Scene(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8), click, box)


def half_pixel(screen: Pixels, box: Box, click: Point, donor: Donor, rng: Rng) -> Scene:
    """Drawn half a pixel further."""
    matrix = np.array([[1, 0, 0.5], [0, 1, 0.5]], np.float64)
    image = cv2.warpAffine(
        screen, matrix, (screen.shape[1], screen.shape[0]), borderMode=cv2.BORDER_REPLICATE
    )
    return Scene(np.asarray(image, np.uint8), Point(click.x + 0.5, click.y + 0.5), box)


def gamma(screen: Pixels, box: Box, click: Point, donor: Donor, rng: Rng) -> Scene:
    """Another monitor profile."""
    power = float(rng.choice([0.7, 0.8, 1.25, 1.4]))
    table = (255 * (np.arange(256) / 255) ** power).round().astype(np.uint8)
    return Scene(table[screen], click, box)


def hover(screen: Pixels, box: Box, click: Point, donor: Donor, rng: Rng) -> Scene:
    """Lit up under a pointer."""
    image, part = screen.copy(), box.grow(3).clip(size_of(screen))
    tint = np.array([(255, 255, 255), (0, 0, 0), (230, 160, 60), (200, 200, 200)][int(rng.integers(4))])
    share = float(rng.uniform(0.1, 0.25))
    cut(image, part)[:] = (cut(image, part) * (1 - share) + tint * share).astype(np.uint8)
    return Scene(image, click, box)


ARROW = np.array([(0, 0), (0, 17), (4, 13), (7, 19), (9, 18), (6, 12), (12, 12)], np.int32)


def pointer(screen: Pixels, box: Box, click: Point, donor: Donor, rng: Rng) -> Scene:
    """Partly under the pointer's arrow."""
    image = screen.copy()
    outline = ARROW + np.array([round(click.x), round(click.y)], np.int32)
    dark = bool(rng.integers(2))
    fill, edge = ((0, 0, 0), (255, 255, 255)) if dark else ((255, 255, 255), (0, 0, 0))
    cv2.fillPoly(image, [outline], fill)
    cv2.polylines(image, [outline], isClosed=True, color=edge, thickness=1, lineType=cv2.LINE_AA)
    return Scene(image, click, box)


def inverted(screen: Pixels, box: Box, click: Point, donor: Donor, rng: Rng) -> Scene:
    """All colours turned round."""
    return Scene(255 - screen, click, box)

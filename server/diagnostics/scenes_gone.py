"""Scenes in which the target is gone or has a twin, and the list of all conditions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ibtr.geometry import Box, Point, Size
from ibtr.pixels import Pixels, cut, resized, size_of
from server.diagnostics import scenes
from server.diagnostics.scenes import Donor, Maker, Rng, Scene


def ring_colour(screen: Pixels, box: Box) -> NDArray[np.float64]:
    """The colour around a box."""
    outer = box.grow(4).clip(size_of(screen))
    mask = np.ones((outer.height, outer.width), bool)
    mask[box.y - outer.y : box.bottom - outer.y, box.x - outer.x : box.right - outer.x] = False
    return np.asarray(np.median(cut(screen, outer)[mask], axis=0), np.float64)


def _changed(before: Pixels, after: Pixels, box: Box) -> bool:
    """Whether a person would see that something is gone: 2 % of the box or 12 px differ by 24 levels."""
    apart = np.abs(cut(before, box).astype(int) - cut(after, box)).max(axis=2) >= 24
    return int(apart.sum()) >= max(12, 0.02 * box.area)


def erased(screen: Pixels, box: Box, click: Point, donor: Donor, rng: Rng) -> Scene | None:
    """The widget painted over with what is around it."""
    image, part = screen.copy(), box.grow(1).clip(size_of(screen))
    cut(image, part)[:] = ring_colour(screen, part).astype(np.uint8)
    return Scene(image, None, None, (box,)) if _changed(screen, image, box) else None


def replaced(screen: Pixels, box: Box, click: Point, donor: Donor, rng: Rng) -> Scene | None:
    """Another widget in its place."""
    image, part = screen.copy(), box.grow(1).clip(size_of(screen))
    cut(image, part)[:] = ring_colour(screen, part).astype(np.uint8)
    patch = cut(donor.screen, donor.box)
    by = min(1.0, box.width / donor.box.width, box.height / donor.box.height)
    size = (max(1, int(donor.box.width * by)), max(1, int(donor.box.height * by)))
    patch = resized(patch, Size(*size))
    x, y = box.x + (box.width - size[0]) // 2, box.y + (box.height - size[1]) // 2
    image[y : y + size[1], x : x + size[0]] = patch
    return Scene(image, None, None, (box,)) if _changed(screen, image, box) else None


def another_screen(screen: Pixels, box: Box, click: Point, donor: Donor, rng: Rng) -> Scene:
    """Something else altogether."""
    return Scene(donor.screen, None, None)


def _pasted_copy(screen: Pixels, box: Box, part: Box, click: Point, rng: Rng) -> Scene | None:
    size, image = size_of(screen), screen.copy()
    for _ in range(80):
        x = int(rng.integers(0, max(1, size.width - part.width)))
        y = int(rng.integers(0, max(1, size.height - part.height)))
        if not Box(x, y, part.width, part.height).intersect(part.grow(10)).area:
            image[y : y + part.height, x : x + part.width] = cut(screen, part)
            decoy = Box(x + box.x - part.x, y + box.y - part.y, box.width, box.height)
            return Scene(image, click, box, (decoy,))
    return None


def copy_element(screen: Pixels, box: Box, click: Point, donor: Donor, rng: Rng) -> Scene | None:
    """A twin of the widget elsewhere."""
    return _pasted_copy(screen, box, box.clip(size_of(screen)), click, rng)


def copy_neighbourhood(screen: Pixels, box: Box, click: Point, donor: Donor, rng: Rng) -> Scene | None:
    """A twin of the widget with its surroundings elsewhere."""
    around = box.grow(int(rng.integers(40, 120))).clip(size_of(screen))
    return _pasted_copy(screen, box, around, click, rng)


MAKERS: dict[str, Maker] = {
    "original": scenes.original,
    "scale 0.6-1.6": scenes.scale_random,
    "scale 1600/1920": scenes.scale_1600,
    "window dragged": scenes.dragged,
    "smaller, reflowed": scenes.reflowed,
    "JPEG q60": scenes.jpeg,
    "half-pixel shift": scenes.half_pixel,
    "gamma": scenes.gamma,
    "hover tint": scenes.hover,
    "pointer on it": scenes.pointer,
    "inverted": scenes.inverted,
    "erased": erased,
    "replaced": replaced,
    "another screen": another_screen,
    "copy of the element": copy_element,
    "copy of its surroundings": copy_neighbourhood,
    "copy left behind": scenes.copy_left,
}

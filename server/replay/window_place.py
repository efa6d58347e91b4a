"""Pure: where a window stood when something was recorded, and whether a target is in its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ibtr.geometry import Box, Point, xy_to_px
from memory_store.models import Surroundings

if TYPE_CHECKING:
    from actionlens.controller import Frame
    from actionlens.frames import Pixels
    from server.replay.aiming import Target

_STRUCTURE = 8.0  # deviation, in levels, that tells a target from a plain place
_LEVEL = 24  # pixels that differ by more ...
_OTHER = 12  # ... and how many of them are too many: a dot on an icon counts
_EDGE = 2  # pixels by which a target may stick out of its window


def outside(before: Surroundings, target: Target, frame: Frame, at: Point) -> bool:
    """Whether a target was inside the active window, and `at`, in controller units, is outside of it now."""
    if frame.window is None or not was_inside(before, target):
        return False
    return not frame.window.box.grow(_EDGE).contains(at)


def was_inside(before: Surroundings, target: Target) -> bool:
    """Whether a target was inside the window that was active when it was recorded, as far as is known."""
    if before.window_xy is None:
        return False
    anchor = target.crop
    own = Point(anchor.source.x + anchor.click.x, anchor.source.y + anchor.click.y)
    return window_box(before, anchor.screen).contains(own)


def window_px(before: Surroundings, screen: Pixels) -> Box:
    """The window that was in front, in pixels of its screen; all of it where nobody told."""
    from ibtr.pixels import size_of

    return window_box(before, size_of(screen))


def window_box(before: Surroundings, image: tuple[int, int]) -> Box:
    """The window that was in front, in pixels of a picture of this size."""
    whole = Box(0, 0, *image)
    if before.window_xy is None or before.screen_xy is None:
        return whole
    fx, fy = image[0] / before.screen_xy[0], image[1] / before.screen_xy[1]
    x, y, width, height = before.window_xy
    left, top = x - before.origin_xy[0], y - before.origin_xy[1]
    box = Box(round(left * fx), round(top * fy), round(width * fx), round(height * fy))
    return box if box.intersect(whole).area else whole


def front_px(frame: Frame) -> Box:
    """The window in front, in pixels of its frame."""
    assert frame.window is not None
    box = frame.window.box
    ends = (Point(box.x, box.y), Point(box.right, box.bottom))
    (left, top), (right, bottom) = (xy_to_px(at, frame.scale, frame.origin) for at in ends)
    return Box(round(left), round(top), round(right - left), round(bottom - top))


def stood(target: Target, screen: Pixels) -> bool:
    """Whether the target is on another frame of its own recording, at its own place: a look, not a search."""
    import numpy as np

    from ibtr.pixels import cut, size_of, to_gray

    anchor = target.crop
    place = anchor.source
    if size_of(screen) != anchor.screen or place.intersect(Box(0, 0, *anchor.screen)) != place:
        return False
    core = cut(anchor.image, anchor.core)
    seen = cut(screen, Box(place.x + anchor.core.x, place.y + anchor.core.y, *size_of(core)))
    apart = np.abs(core.astype(np.int16) - seen.astype(np.int16)).max(axis=2)
    structure = float(to_gray(core).std())
    return structure >= _STRUCTURE and int((apart > _LEVEL).sum()) < _OTHER

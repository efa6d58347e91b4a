"""What an observation or a picture tells, in pixels of its frame."""

from __future__ import annotations

from collections.abc import Iterable

from actionlens.observation import Observation
from ibtr.evidence import CropAnchor
from ibtr.geometry import Box, Point
from memory_store.models import Surroundings


def px(box: Box, seen: Observation) -> Box:
    """Controller units as pixels of the frame."""
    x, y = (box.x - seen.origin.x) * seen.scale.x, (box.y - seen.origin.y) * seen.scale.y
    return Box(round(x), round(y), round(box.width * seen.scale.x), round(box.height * seen.scale.y))


def front_id(seen: Observation) -> int | None:
    """The window that had the keyboard."""
    return seen.window.id if seen.window else None


def under_hint(seen: Observation, point: Point) -> bool:
    """Whether a tooltip lay over a pixel."""
    return any(px(box, seen).contains(point) for box in seen.hints)


def outside(box: Box, inner: Box) -> list[Box]:
    """The parts of a box that lie above, below, left and right of another one."""
    parts = (
        Box(box.x, box.y, box.width, inner.y - box.y),
        Box(box.x, inner.bottom, box.width, box.bottom - inner.bottom),
        Box(box.x, box.y, inner.x - box.x, box.height),
        Box(inner.right, box.y, box.right - inner.right, box.height),
    )
    return [part.intersect(box) for part in parts if part.width > 0 and part.height > 0]


def beside(box: Box, inner: Iterable[Box]) -> list[Box]:
    """The parts of a box that lie in none of the others."""
    parts = [box]
    for one in inner:
        parts = [piece for part in parts for piece in outside(part, one)]
    return parts


def on_screen(crop: CropAnchor) -> Box:
    """The target itself, in pixels of the frame that it was cut from."""
    core = crop.core
    return Box(core.x + crop.source.x, core.y + crop.source.y, core.width, core.height)


def surroundings(seen: Observation) -> Surroundings:
    """What was in front, and the frame's coordinates."""
    window = seen.window
    return Surroundings(
        application=window.application if window else "",
        window_title=window.title if window else "",
        dialog=bool(window and window.dialog),
        screen_xy=(seen.screen.width, seen.screen.height),
        image_px=(seen.image.width, seen.image.height),
        origin_xy=(round(seen.origin.x), round(seen.origin.y)),
        window_xy=window.box if window else None,
    )

"""Where a screen is known by: distinct places of a recorded window, beside the targets themselves.

For starts that no target can prove: a memory that begins with keys, a first target that has twins or is
covered. Landmarks say where a place of the recorded screen is now; then it can be looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ibtr.geometry import Box, Point, Size

if TYPE_CHECKING:
    from ibtr import Aim, Evidence
    from ibtr.pixels import Floats, Pixels

Transform = tuple[float, float, float, float]
"""Pixel of now = scale x recorded pixel + shift, as (sx, sy, dx, dy)."""
CELL = Size(96, 40)
"""One landmark at most in each."""
_LEAST = 12.0  # deviation, in levels, of a place worth knowing
_ACROSS = 3  # landmarks that are taken from one row of cells, strongest first
MOST = 6
_OWN = 12  # pixels around a target that are its own
_DRIFT = 5  # pixels by which a place may have moved
_TILE = 14  # about the side of what is compared on its own
_TILE_LEAST, _TILE_ALIKE = 4.0, 0.5  # deviation of a tile that shows something, and when it still does
_ALONE = 0.7  # the same for a place of one tile, beside which nothing else agrees: a minus is half a plus
ALIKE = 0.5  # share of a place that must show what it showed: it may be lit up, or half covered


def landmarks(screen: Pixels, window: Box, near: Box | None = None) -> Iterator[Evidence]:
    """Evidence of distinct places in a window: those next to `near`, or from its top down.

    Menus and bars, at the top, outlive what is below.
    """
    from ibtr import remember
    from memory_store.consolidation.seen import on_screen

    places = [cell.center for row in cells(screen, window) for cell in row[:_ACROSS]]
    if near is not None:
        places.sort(key=lambda place: _apart(place, near.center))
    found = 0
    for place in places:
        landmark = remember(screen, place, content=True)
        if (
            near is None or not on_screen(landmark.crop).intersect(near.grow(_OWN)).area
        ):  # a target is no landmark
            found += 1
            yield landmark
        if found == MOST:
            return


def still_shows(at_start: Pixels, box: Box, layout: Transform, now: Pixels) -> float:
    """Share of a part of the recorded screen that looks as it did, where a layout puts it now.

    Structure is compared tile by tile: one strong edge must not vouch for all the rest.
    """
    import numpy as np

    from ibtr.pixels import correlate, cut, resized, size_of, structure, to_gray

    part = box.clip(size_of(at_start))
    sx, sy, dx, dy = layout
    size = Size(max(8, round(part.width * sx)), max(8, round(part.height * sy)))
    place = Box(round(part.x * sx + dx), round(part.y * sy + dy), *size)
    if place.clip(size_of(now)) != place:
        return 0.0
    then = structure(resized(to_gray(cut(at_start, part)), size))
    here = structure(to_gray(cut(now, place.grow(_DRIFT).clip(size_of(now)))))
    alike = correlate(here, then)
    y, x = np.unravel_index(int(alike.argmax()), alike.shape)
    seen = here[y : y + size.height, x : x + size.width]

    def likeness(tile: Box) -> float:
        one, other = (cut(image, tile).ravel() - cut(image, tile).mean() for image in (then, seen))
        norm = float(np.linalg.norm(one) * np.linalg.norm(other))
        return float(one @ other) / norm if norm > 0 else 0.0

    tiles = [tile for tile in _tiles(size) if _deviation(cut(then, tile)) >= _TILE_LEAST]
    least = _TILE_ALIKE if len(tiles) > 1 else _ALONE
    return sum(likeness(tile) >= least for tile in tiles) / len(tiles) if tiles else 0.0


def _tiles(size: Size) -> Iterator[Box]:
    across, down = max(1, size.width // _TILE), max(1, size.height // _TILE)
    wide, high = size.width // across, size.height // down
    for row in range(down):
        for column in range(across):
            yield Box(column * wide, row * high, wide, high)


def _deviation(image: Floats) -> float:
    return float(image.std())


def agreed(one: Aim, known: Sequence[Aim], place: Point) -> bool:
    """Whether another landmark says the same of where a place of the recorded screen is now."""
    here = _mapped(one, place)
    return any(_apart(_mapped(other, place), here) <= 2 * _DRIFT for other in known if other is not one)


def _mapped(landmark: Aim, place: Point) -> Point:
    sx, sy, dx, dy = landmark.transform
    return Point(place.x * sx + dx, place.y * sy + dy)


def cells(screen: Pixels, window: Box) -> Iterator[list[Box]]:
    """The cells of a window that show something, strongest first in each row, from the top down."""
    import numpy as np

    from ibtr.pixels import cut, size_of, to_gray

    inner = window.clip(size_of(screen))
    wide, high = CELL
    gray = to_gray(cut(screen, inner)).astype(np.float32)
    for top in range(0, inner.height - high + 1, high):
        row = [
            (_deviation(gray[top : top + high, left : left + wide]), left)
            for left in range(0, inner.width - wide + 1, wide)
        ]
        shown = [left for strength, left in sorted(row, reverse=True) if strength >= _LEAST]
        if shown:
            yield [Box(inner.x + left, inner.y + top, wide, high) for left in shown]


def _apart(one: Point, other: Point) -> float:
    return abs(one.x - other.x) + abs(one.y - other.y)

"""Is a window laid out as it was? What stood in it must stand where one and the same layout puts it.

One landmark proves little: programs of a family have the same menus, and rows of a list are alike. So many
places, from all parts of the window, are looked at where they must be now.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from ibtr.geometry import Box, Point
from server.replay.landmarks import ALIKE, CELL, cells, still_shows

if TYPE_CHECKING:
    from ibtr.pixels import Pixels
    from server.replay.landmarks import Transform

_PROOFS = ((1, 0.8), (2, 0.6), (None, 0.6))
"""Rows of cells from the top, and the share of them that must stand there still: menus and bars outlive what
is below them, but a row alone must be nearly whole, as programs of a family share the half of it."""
_SAME = 0.75  # share of a cell that must show what it showed: equal frames around other icons are half of it
_FEW = 3  # places below which nothing is told by their share
_EDGE = 2  # pixels by which a place at the rim may stick out of its window
_RIM = 8  # pixels of a place past a rim that can show something
_EVEN = 0.01  # difference of two ratios that are one scale


@dataclass(frozen=True, slots=True)
class Then:
    """A recorded screen and the window that was in front on it, beside a screen of now."""

    screen: Pixels
    window: Box
    now: Pixels
    inside: Box
    """The window in front now, or all of the screen where nobody told."""

    def layouts(self) -> Iterator[Transform]:
        """How the window may be laid out where the one of now is: in its size, or grown as a whole."""
        then, now = self.window, self.inside
        across, down = now.width / then.width, now.height / then.height
        scales = {(1.0, 1.0), (across, down)} if abs(across / down - 1) <= _EVEN else {(1.0, 1.0)}
        for sx, sy in scales:
            yield sx, sy, now.x - sx * then.x, now.y - sy * then.y

    def holds(self, layout: Transform) -> bool:
        """Whether most of the bars, or of the whole window, is where this layout puts it."""
        rows = list(cells(self.screen, self.window))
        least = min(_FEW, sum(map(len, rows)))
        seen: list[list[bool]] = []
        for upto, share in _PROOFS:
            seen += [self._seen(row, layout) for row in rows[len(seen) : upto]]
            told = [*chain.from_iterable(seen)]
            if sum(told) >= max(1, least) and sum(told) >= share * len(told):
                return True
        return False

    def moved(self, place: Box, layout: Transform) -> bool:
        """Whether a place's own rows stand where a layout puts them, and no more of them where they stood.

        A bar that came in moves whole rows; what lies over a part of one leaves the rest of it in its place.
        """
        beside = [cell for row in cells(self.screen, self.window) for cell in row if _in_row(cell, place)]
        here = sum(self._seen(beside, layout))
        return all(sum(self._seen(beside, other)) <= here for other in self.layouts())

    def goes_on(self, place: Box, layout: Transform) -> bool:
        """Whether a place goes on past the rim of the window in front: then it is of one that lies behind."""
        place = place.intersect(self.window)  # one at the edge of its own window went on past it then, too
        sx, sy, dx, dy = layout
        rim = [round(v) for v in ((self.inside.x - dx) / sx, (self.inside.y - dy) / sy)]
        end = [round(v) for v in ((self.inside.right - dx) / sx, (self.inside.bottom - dy) / sy)]
        past = (
            Box(place.x, place.y, rim[0] - place.x, place.height),
            Box(end[0], place.y, place.right - end[0], place.height),
            Box(place.x, place.y, place.width, rim[1] - place.y),
            Box(place.x, end[1], place.width, place.bottom - end[1]),
        )
        parts = (part.intersect(place) for part in past if min(part.width, part.height) >= _RIM)
        return any(still_shows(self.screen, part, layout, self.now) >= ALIKE for part in parts if part.area)

    def _seen(self, places: Sequence[Box], layout: Transform) -> list[bool]:
        """Whether each place shows what it showed; a smaller window cuts off what is right and below."""
        sx, sy, dx, dy = layout
        kept = [
            place
            for place in places
            if place.right * sx + dx <= self.inside.right and place.bottom * sy + dy <= self.inside.bottom
        ]
        return [
            self.inside.grow(_EDGE).contains(Point(place.x * sx + dx, place.y * sy + dy))
            and still_shows(self.screen, place, layout, self.now) >= _SAME
            for place in kept
        ]


def _in_row(cell: Box, place: Box) -> bool:
    near = place.grow(CELL.height)
    return cell.y < near.bottom and near.y < cell.bottom and not cell.intersect(place).area

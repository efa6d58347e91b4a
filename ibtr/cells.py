"""A cell of a grid: its row and its heading name it, whatever it holds, or if it is empty."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ibtr.geometry import Box, Point, Size
from ibtr.letters import stretches
from ibtr.lists import APART, BORDER, EDGE, GAP, INK, framed_again
from ibtr.masks import edges
from ibtr.pixels import Pixels, absolute_difference, cut, size_of, turned
from ibtr.plain import field

LARGEST = Size(400, 48)
"""A larger one is no cell."""
TOUCHING = 4
"""Pixels between two cells of a grid, at most."""
BESIDE = (3, 2)
"""Pixels before and behind the edge of a cell within which the line beside it is."""
BREAK = 10
"""Pixels over which a line may be broken: by one that crosses it, or by the handle of a selected cell."""
SHADES = 3
"""Levels within which the ground is that of the cell."""
LOWEST = 5
"""Height of a line of text."""
HEADED = 4
"""Pixels by which two letters or numbers at the edge of a sheet differ, at least: I and J, 3 and 8."""


class Cell(NamedTuple):
    """A cell, and what names it, in pixels of its screen."""

    inside: Box
    row: Box
    """From the beginning of its row to its own end."""
    names: Box
    """What stands before it there."""
    column: Box
    """From the top of its column to its own end."""
    heading: Box
    """What stands at the top of it, to the end of the first text in a cell."""
    contents: tuple[Box, ...]
    """What the cells of its column hold, its own among them: any of it may be another value next time."""


class Lined(NamedTuple):
    """A cell, and as far as the lines beside it go: all that stands before it, and above it."""

    inside: Box
    before: Box
    above: Box


class _Grid(NamedTuple):
    """A cell among others, and all that stands before it and above it."""

    inside: Box
    down: list[int]
    across: list[int]
    before: Box
    above: Box

    def cell(self, heading: Box, contents: tuple[Box, ...]) -> Cell:
        """The cell, named by what stands before it and by its heading."""
        row = self.before._replace(width=self.inside.right - self.before.x)
        column = self.above._replace(height=self.inside.bottom - self.above.y)
        return Cell(self.inside, row, self.before, column, heading, contents)


def cell_at(gray: Pixels, point: Point) -> Cell | None:
    """The cell under `point`, if it stands in a grid and is named as no other in its column or row is."""
    grid = _grid_at(gray, point)
    if grid is None:
        return None
    own, down = grid.inside, grid.down
    heading, words = _heading(gray, grid.above, own), _words(gray, grid.before, own)
    if not all(any(_apart(gray, word, 0, step) for word in words) for step in down):
        return None
    if not all(_apart(gray, heading, step, 0) for step in grid.across):
        return None
    cells = (Box(own.x, own.y + step, own.width, own.height) for step in (0, *down))
    between = Box(own.x, heading.bottom, own.width, own.y - heading.bottom)
    return grid.cell(heading, (between, *(cell for cell in cells if cell.y >= heading.bottom)))


def blank_at(gray: Pixels, point: Point) -> Cell | None:
    """The empty cell under `point`, told by its place in a grid: here the number before it counts."""
    grid = _grid_at(gray, point)
    if grid is None or edges(cut(gray, grid.inside), EDGE).any():
        return None
    heading = _heading(gray, grid.above, grid.inside)
    rows = all(_apart(gray, grid.before, 0, step, HEADED) for step in grid.down)
    columns = all(_apart(gray, heading, step, 0, HEADED) for step in grid.across)
    touching = any(abs(step) <= grid.inside.width + TOUCHING for step in grid.across)
    return grid.cell(heading, ()) if rows and columns and touching else None


def lined_at(gray: Pixels, point: Point) -> Lined | None:
    """The cell under `point`, if lines go on beside it to the left and upwards."""
    own = field(gray, point)
    if own is None or own.width > LARGEST.width or own.height > LARGEST.height:
        return None
    left, top = _begins(gray, own), _begins(turned(gray), _turned(own))
    before, above = Box(left, own.y, own.x - left, own.height), Box(own.x, top, own.width, own.y - top)
    return Lined(own, before, above) if before.area and above.area else None


def _grid_at(gray: Pixels, point: Point) -> _Grid | None:
    lined = lined_at(gray, point)
    if lined is None:
        return None
    own = lined.inside
    down, across = framed_again(gray, own)
    touching = any(abs(step) <= own.height + TOUCHING for step in down)
    return _Grid(own, down, across, lined.before, lined.above) if touching else None


def _begins(gray: Pixels, own: Box) -> int:
    """Where the row of a cell begins: as far to the left as the lines above and below it go."""
    upper, lower = (
        np.flatnonzero(_stepped(gray[max(0, edge - BESIDE[0]) : edge + BESIDE[1], : own.x]))
        for edge in (own.y, own.bottom + 1)
    )
    return max(_unbroken(upper, own.x), _unbroken(lower, own.x))


def _stepped(band: Pixels) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """The columns of a band in which something changes from one row to the next."""
    found: np.ndarray[tuple[int], np.dtype[np.bool_]] = (
        np.abs(np.diff(band.astype(np.int16), axis=0)).max(axis=0, initial=0) >= BORDER
    )
    return found


def _unbroken(at: np.ndarray[tuple[int], np.dtype[np.intp]], end: int) -> int:
    """The beginning of the stretch that goes on to the `end`."""
    parts = stretches(at, BREAK)
    return parts[-1][0] if parts and end - parts[-1][1] <= BREAK else end


def _heading(gray: Pixels, above: Box, own: Box) -> Box:
    """From the top of a column to the end of the first text on the ground of the cell: `B`, and `Amount`."""
    ground = _ground(gray, own)
    lines = stretches(np.flatnonzero(edges(cut(gray, above), EDGE).max(axis=1)))
    for start, end in lines:
        line = Box(above.x, above.y + start, above.width, end - start)
        if line.height >= LOWEST and abs(_ground(gray, line) - ground) < SHADES:
            return above._replace(height=min(end + 1, above.height))
    return above


def _words(gray: Pixels, names: Box, own: Box) -> list[Box]:
    """What is written before a cell on the ground of its own: the number of a row is no name."""
    ground = _ground(gray, own)
    runs = stretches(np.flatnonzero(edges(cut(gray, names), EDGE).max(axis=0)), GAP)
    found = [Box(names.x + start, names.y, end - start, names.height) for start, end in runs]
    return [word for word in found if abs(_ground(gray, word) - ground) < SHADES]


def _ground(gray: Pixels, box: Box) -> int:
    """The commonest level in a box."""
    return int(np.bincount(cut(gray, box).ravel()).argmax())


def _apart(gray: Pixels, part: Box, dx: int, dy: int, least: int = INK) -> bool:
    """Whether a part of the screen reads otherwise than the one so far away, if that is on the screen."""
    there = Box(part.x + dx, part.y + dy, part.width, part.height)
    if there.clip(size_of(gray)) != there:
        return True
    return int((absolute_difference(cut(gray, part), cut(gray, there)) >= APART).sum()) >= least


def _turned(box: Box) -> Box:
    return Box(box.y, box.x, box.height, box.width)

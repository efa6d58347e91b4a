"""What is written in a grid so close to its lines that it hangs together with them: without these."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from ibtr.geometry import Box, Size
from ibtr.masks import grown
from ibtr.pixels import Pixels, cut

LINE = 29
"""An upright run of ink as long as this is a line, as no letter is."""
LONG = 87
"""So is one across that is longer than any word;"""
BARE = 127
"""or a shorter one, if no more of what is around it is ink, in 255 parts."""
AROUND = Size(29, 9)
"""What is around it."""
BEYOND = 4
"""Pixels by which lines go on beyond a crossing."""
CROSSED, FILLED = 30, 0.25
"""Crossings of a grid, at least, and their share of those that its lines could have: a frame has few."""
SIDE = 11
"""Pixels of the side of a cell, at least, from the line above it to the one below."""
LOWEST, WIDEST = 6, 448
"""Height below which a piece on a line across is what is left of it; most width of what is written."""


def unlined(labels: NDArray[np.int32], large: NDArray[np.bool_]) -> Pixels:
    """The ink of the `large` pieces that is no line, where that is a grid."""
    held = np.take(large.astype(np.uint8), labels)
    across, upright = _runs(held, LINE, 1), _runs(held, 1, LINE)
    grids = _grids(labels, across, upright, len(large))
    if not grids.any():
        return np.zeros_like(held)
    across = _bare(across, held)
    lines = across | upright
    rest = np.take(grids.astype(np.uint8), labels) & (1 - lines)
    return _written(rest & (1 - _sides(rest, lines)), across, upright)


def _grids(labels: NDArray[np.int32], across: Pixels, upright: Pixels, many: int) -> NDArray[np.uint8]:
    """Which pieces are grids: their lines cross, and go on, in many places that stand in rows and columns."""
    height, width = across.shape
    rows, columns = np.divmod(np.flatnonzero((across & upright).view(bool)), width)
    goes_on = np.ones(len(rows), bool)
    for step in (-BEYOND, BEYOND):
        goes_on &= across[rows, np.clip(columns + step, 0, width - 1)] != 0
        goes_on &= upright[np.clip(rows + step, 0, height - 1), columns] != 0
    rows, columns = rows[goes_on], columns[goes_on]
    held, grids = labels[rows, columns], np.zeros(many, np.uint8)
    for piece in np.flatnonzero(np.bincount(held, minlength=many) >= CROSSED):
        down, right = (_lines_at(at[held == piece]) for at in (rows, columns))
        wide = int(right.max()) + 1
        crossings = np.count_nonzero(np.bincount(down * wide + right))
        could = (int(down.max()) + 1) * wide
        grids[piece] = crossings >= max(CROSSED, FILLED * could)
    return grids


def _lines_at(at: NDArray[np.intp]) -> NDArray[np.intp]:
    """The number of the line that each place is on: pixels side by side are one."""
    there = np.zeros(int(at.max()) + 2, np.intp)
    there[at] = 1
    begins = np.diff(there, prepend=0) == 1
    return (np.cumsum(begins) - 1)[at]


def _bare(across: Pixels, held: Pixels) -> Pixels:
    """The lines across: in a word, too, ink goes on so far, but more stands above and below it."""
    density = cast("Pixels", cv2.blur(held * 255, AROUND))
    return _runs(across, LONG, 1) | (across & (density <= BARE))


def _runs(mask: Pixels, width: int, height: int) -> Pixels:
    return cast("Pixels", cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((height, width), np.uint8)))


def _sides(rest: Pixels, lines: Pixels) -> Pixels:
    """Upright runs of ink from one line to the next: the sides of a cell."""
    sides = np.zeros_like(rest)
    columns = np.flatnonzero(_runs(rest, 1, SIDE).any(axis=0))
    ink, line = rest[:, columns] != 0, grown(lines, 1)[:, columns] != 0
    rows, end = np.arange(len(rest))[:, None], len(rest) - 1
    before = np.maximum.accumulate(np.where(ink, 0, rows), axis=0)
    behind = np.minimum.accumulate(np.where(ink, end, rows)[::-1], axis=0)[::-1]
    lined = np.take_along_axis(line, before, axis=0) & np.take_along_axis(line, behind, axis=0)
    sides[:, columns] = ink & lined & (behind - before > SIDE)
    return sides


def _written(rest: Pixels, across: Pixels, upright: Pixels) -> Pixels:
    """Without what is too wide for a text, and what is left of lines across: a minus stands on none."""
    outlines, _ = cv2.findContours(rest, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    near = grown(across, 1), grown(upright, 1)
    none = [outline for outline in outlines if _is_left_over(Box(*cv2.boundingRect(outline)), *near)]
    cv2.drawContours(rest, none, -1, 0, cv2.FILLED)
    return rest


def _is_left_over(piece: Box, across: Pixels, upright: Pixels) -> bool:
    """Whether a piece is too wide, or low and on a line across, or between two upright ones."""
    if piece.height >= LOWEST:
        return piece.width > WIDEST
    beside = cut(upright, piece)
    return bool(cut(across, piece).any() or (beside[:, 0].any() and beside[:, -1].any()))

"""What is drawn on a screen, piece by piece: words, labels, icons; whatever their colours.

A mark is a group of strokes that stand close together. Frames and long lines are left out: themes draw them
anew, and every button has one. The same strokes are grouped by several gaps, so that a label is one mark even
where another font sets its words closer.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ibtr.geometry import Box, Size
from ibtr.masks import closed, edges, pieces
from ibtr.pixels import Pixels, cut
from ibtr.unlined import unlined

Boxes: TypeAlias = NDArray[np.int32]
"""One row per mark: x, y, width, height."""

EDGE = 20
"""Levels between neighbouring pixels that make a stroke."""
GAPS = (2, 4, 8)
"""Pixels between strokes of one mark, across: letters, words, labels."""
TALLEST = 56
"""Higher strokes are frames, pictures or panes."""
LONGEST = 28
"""Thin strokes longer than this are lines."""
RIM = 4
"""Thickness of a frame, at most."""
ALONG, FREE = 0.75, 0.15
"""Share of its width that a frame's upper and lower line go along, and of its inside that is covered."""
LEAST = 3
"""A mark's longer side; less is noise."""
LONG, ICON = 1.5, 12
"""Width of a word, in heights, at least; and the shorter side of an icon."""
TWO = 10
"""Width of two letters, at least."""
UNEVEN = 2
"""Pixels by which what follows on a word in its line is higher."""
INDICATOR = 22
"""A square no larger than this beside a label shows a state; themes draw it anew."""
MOST = 12000
"""Marks that are looked at, at most: more are a photograph."""


def marks(gray: Pixels) -> Boxes:
    """The boxes of all marks, in reading order."""
    strokes = _strokes(edges(gray, EDGE))
    found = [_grouped(strokes, gap) for gap in GAPS]
    boxes = np.unique(np.concatenate(found), axis=0)[:MOST]
    return np.stack([boxes[:, 1], boxes[:, 0], boxes[:, 3], boxes[:, 2]], axis=1).astype(np.int32)


def _strokes(ink: Pixels) -> Pixels:
    """The ink without frames and lines."""
    labels, stats = pieces(ink)
    width, height, count = stats[:, 2], stats[:, 3], stats[:, 4]
    line = (np.minimum(width, height) <= 3) & (np.maximum(width, height) > LONGEST)
    hollow = (height > 16) & (count < 0.3 * width * height) & (width > 16)
    large = (height > TALLEST) | (width > 8 * TALLEST)
    keep = (~(line | hollow | large)).astype(np.uint8)
    keep[0] = 0
    strokes = np.take(keep, labels)
    around = ~(line | large) & (width > INDICATOR) & (height > 3 * RIM) & (count < 0.6 * width * height)
    around[0] = False
    for index in np.flatnonzero(around):
        box = Box(*(int(v) for v in stats[index, :4]))
        own = cut(labels, box) == index
        if _frame(own):
            inner = np.zeros_like(own)
            inner[RIM:-RIM, RIM:-RIM] = own[RIM:-RIM, RIM:-RIM]
            cut(strokes, box)[own] = inner[own]
    large[0] = False  # the ground, no piece
    return strokes | unlined(labels, large)


def _frame(own: NDArray[np.bool_]) -> bool:
    """Whether a stroke goes around something and leaves most of it free; a letter may touch it."""
    ends = own[:RIM].mean(axis=1).max(), own[-RIM:].mean(axis=1).max()
    return min(ends) >= ALONG and float(own[RIM:-RIM, RIM:-RIM].mean()) < FREE


def _grouped(strokes: Pixels, gap: int) -> Boxes:
    """y, x, height, width of the groups of strokes not further apart than `gap` (and little up or down)."""
    _, stats = pieces(closed(strokes, Size(gap + 1, 4)))
    x, y, width, height = (stats[1:, i] for i in range(4))
    large = (np.maximum(width, height) >= LEAST) & (height <= TALLEST)
    return np.stack([y[large], x[large], height[large], width[large]], axis=1).astype(np.int32)


def box_of(row: NDArray[np.int32]) -> Box:
    """One mark as a box."""
    return Box(*(int(v) for v in row))


def words(gray: Pixels) -> Boxes:
    """The words and labels of a picture: icons keep their pixels where these are drawn anew."""
    return words_of(marks(gray))


def words_of(every: Boxes) -> Boxes:
    """The marks that are longer than high, and neither a row of icons nor a small arrow."""
    wide = every[:, 2] > LONG * every[:, 3]
    stout = every[~wide, 2:].min(axis=1) >= ICON
    long = every[wide & (every[:, 2] >= TWO)]
    icons = np.array([_all_stout(row, every[~wide], stout) for row in long], bool)
    written = [not of_icons or _begins(row, long[~icons]) for row, of_icons in zip(long, icons, strict=True)]
    found: Boxes = long[np.array(written, bool)]
    return found


def _all_stout(text: NDArray[np.int32], parts: Boxes, stout: NDArray[np.bool_]) -> bool:
    """Whether a wide mark is made of nothing but icons, words in it left aside."""
    held = _inside(text, parts)
    return bool(held.any()) and bool(stout[held].all())


def _begins(text: NDArray[np.int32], words: Boxes) -> bool:
    """Whether a mark begins with a word, and is hardly higher: "(1)" behind it has the shape of an icon."""
    first = _inside(text, words) & (words[:, 0] == text[0])
    return bool((first & (words[:, 3] + UNEVEN >= text[3])).any())


def _inside(text: NDArray[np.int32], parts: Boxes) -> NDArray[np.bool_]:
    """Which parts lie in a mark."""
    x, y, width, height = text
    right, bottom = parts[:, 0] + parts[:, 2], parts[:, 1] + parts[:, 3]
    held = (parts[:, 0] >= x) & (right <= x + width) & (parts[:, 1] >= y) & (bottom <= y + height)
    return np.asarray(held, bool)


def word(box: Box) -> bool:
    """Whether a mark has the shape of a word: two letters, side by side."""
    return box.width >= TWO and box.width > LONG * box.height


def indicator(box: Box) -> bool:
    """Whether a mark has the shape of a sign that shows a state."""
    return max(box.width, box.height) <= INDICATOR and 0.75 <= box.width / box.height <= 1.33


def signed(every: Boxes, box: Box) -> bool:
    """Whether a mark is a sign that shows a state and the word beside it, each a mark of its own as well."""
    x, y, width, height = every.T
    held = (x >= box.x) & (y >= box.y) & (x + width <= box.right) & (y + height <= box.bottom)
    inner = [box_of(row) for row in every[held & (width < box.width)]]
    signs = [one for one in inner if indicator(one)]
    words = [one for one in inner if word(one)]
    return any(_both(box, sign, text) or _both(box, text, sign) for sign in signs for text in words)


def _both(whole: Box, left: Box, right: Box) -> bool:
    """Whether two marks, side by side, make up a third."""
    return left.x == whole.x and right.right == whole.right and left.right <= right.x

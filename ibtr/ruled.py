"""Lines across a screen, what lies between two of them, and how a text is set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibtr.geometry import Box
from ibtr.letters import around, stretches
from ibtr.pixels import Pixels, cut, size_of

STEP = 5
"""Levels by which a line differs from its ground."""
DEEP = 640
"""How far below something its frame ends, at most."""
BREAK = 3
"""Pixels over which a line may be broken: by one that crosses it."""
ALONG = 0.9
"""Share of something's width that a line goes along."""
ENDS = 3
"""Pixels by which two lines of one frame may end apart: its corners may be round."""
MARGIN = 2
"""Pixels between a frame and what is in it, at least: a letter has lines of its own."""
UNDER, FURTHER = 14, 12
"""How far below a text the line of its field is, and how far it goes on behind the text."""
BOLD, FAINT = 1.25, 0.8
"""How much bolder the letters of a heading are than those under them, or how much fainter."""
STROKE = 24
"""Levels from which a pixel is ink."""


class Rules(NamedTuple):
    """Where the level changes from one row of pixels to the next, from the row `top` of the screen on."""

    steps: NDArray[np.bool_]
    top: int

    @classmethod
    def around(cls, gray: Pixels, own: Box, above: int) -> Rules:
        """The lines above and below something."""
        part = Box(0, own.y - above, gray.shape[1], above + own.height + DEEP).clip(size_of(gray))
        return cls(np.abs(np.diff(cut(gray, part).astype(np.int16), axis=0)) >= STEP, part.y)

    def along(self, part: Box) -> bool:
        """Whether a line goes all along a part, or another ground begins in it."""
        return bool((self._share(part) >= ALONG).any())

    def underlined(self, text: Box, row: Box) -> bool:
        """Whether a line runs under a text and further, but not along the whole row: a field has one."""
        under = Box(text.x, text.bottom - 1, text.width + FURTHER, UNDER)
        whole = Box(row.x, under.y, row.width, UNDER)
        return bool(((self._share(under) >= ALONG) & (self._share(whole) < ALONG)).any())

    def frames(self, own: Box) -> list[Box]:
        """What lies between two lines that go along something, above and below, and end alike."""
        lines = self._through(own)
        above = [line for line in lines if line.y <= own.y - MARGIN]
        below = [line for line in lines if line.y >= own.bottom + MARGIN - 2]
        pairs = [around(upper, lower) for upper in above for lower in below if _alike(upper, lower)]
        return sorted(pairs, key=lambda frame: frame.height)

    def own_frame(self, own: Box, other: Box) -> Box | None:
        """The smallest frame around something, if it does not hold the other thing, too."""
        frame = next(iter(self.frames(own)), None)
        return frame if frame is not None and frame.intersect(other) != other else None

    def _share(self, part: Box) -> NDArray[np.float64]:
        """How much of each row of a part is a line."""
        rows = self.steps[max(0, part.y - self.top) : part.bottom - self.top, part.x : part.right]
        shares: NDArray[np.float64] = rows.mean(axis=1)
        return shares

    def _through(self, own: Box) -> list[Box]:
        """The lines above and below something, all of which they go along."""
        found: list[Box] = []
        for y in np.flatnonzero(self.steps[:, own.x : own.right].mean(axis=1) >= ALONG):
            for start, end in stretches(np.flatnonzero(self.steps[y]), BREAK):
                if start <= own.x and own.right <= end:
                    found.append(Box(start, self.top + int(y), end - start, 1))
        return found


def _alike(upper: Box, lower: Box) -> bool:
    return max(abs(upper.x - lower.x), abs(upper.right - lower.right)) <= ENDS


def bolder(gray: Pixels, pairs: Sequence[tuple[Box, Box]]) -> bool:
    """Whether the first text of every pair has wider strokes than the second."""
    return all(_strokes(gray, one) >= BOLD * _strokes(gray, other) for one, other in pairs)


def fainter(gray: Pixels, pairs: Sequence[tuple[Box, Box]]) -> bool:
    """Whether the first text of every pair has less contrast than the second."""
    return all(_ink(gray, one).max() <= FAINT * _ink(gray, other).max() for one, other in pairs)


def _ink(gray: Pixels, text: Box) -> NDArray[np.int16]:
    """By how many levels each pixel of a text differs from its ground."""
    part = cut(gray, text.grow(1).clip(size_of(gray)))
    return np.abs(part.astype(np.int16) - int(np.bincount(part.ravel()).argmax()))


def _strokes(gray: Pixels, text: Box) -> float:
    """The width of the strokes of a text, in the middle."""
    ink = _ink(gray, text)
    runs = [row[a:b].sum() for row in ink for a, b in stretches(np.flatnonzero(row >= STROKE))]
    return float(np.median(runs)) / float(ink.max()) if runs else 0.0

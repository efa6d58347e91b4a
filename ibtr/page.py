"""The marks of one picture, with what is needed to compare them; each is drawn once, when first asked for."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ibtr.emblem import same_pixels
from ibtr.geometry import Box, Size
from ibtr.marks import Boxes, box_of, marks
from ibtr.pixels import Floats, Pixels, correlate, cut, resized
from ibtr.strokes import NONE, Match, alike, ink

THUMB = Size(20, 10)
"""A mark at a glance."""
LONGER, TALLER = 1.45, (0.6, 2.1)
"""How much another rendering may change a mark's proportions, and its height."""
GLANCE = 0.4
"""Least correlation at a glance; below it nobody looks closer."""


SAME = 0.95
"""Correlation of marks that have the same pixels."""
UNTOUCHED = 4.0
"""Levels by which marks differ, at most, that nobody drew anew: a codec's noise."""
BATCH = 24
"""Pairs that are compared together: those of like length."""


class Page:
    """A picture taken apart."""

    def __init__(self, gray: Pixels, picture: Pixels) -> None:
        self.gray, self.picture = gray, picture
        self.boxes: Boxes = marks(gray)
        self.middles: NDArray[np.float64] = self.boxes[:, :2] + self.boxes[:, 2:] / 2
        self._inks: dict[int, tuple[Floats, Box]] = {}
        self._thumbs: dict[int, NDArray[np.float32]] = {}

    def box(self, mark: int) -> Box:
        """Where a mark is."""
        return box_of(self.boxes[mark])

    def ink(self, mark: int) -> Floats:
        """What it looks like."""
        if mark not in self._inks:
            self._inks[mark] = ink(self.gray, self.box(mark))
        return self._inks[mark][0]

    def tight(self, mark: int) -> Box:
        """Where its strokes are."""
        self.ink(mark)
        return self._inks[mark][1]

    def thumb(self, mark: int) -> NDArray[np.float32]:
        """The same at a glance, without mean and of length one."""
        if mark not in self._thumbs:
            small = resized((self.ink(mark) * 255).astype(np.uint8), THUMB).astype(np.float32).ravel()
            small -= small.mean()
            self._thumbs[mark] = small / max(1e-6, float(np.linalg.norm(small)))
        return self._thumbs[mark]

    def shaped(self, box: Box, among: NDArray[np.intp]) -> NDArray[np.intp]:
        """Those of `among` that could be a mark of this shape."""
        width, height = (np.maximum(1, self.boxes[among, i] - 1).astype(np.float64) for i in (2, 3))
        taller = height / max(1, box.height - 1)
        longer = np.abs(np.log((width / height) / (max(1, box.width - 1) / max(1, box.height - 1))))
        slack = np.log(LONGER) + 1.5 / np.minimum(height, max(1, box.height - 1))
        fits: NDArray[np.intp] = among[(taller >= TALLER[0]) & (taller <= TALLER[1]) & (longer <= slack)]
        return fits


class Pair:
    """Two pages, and how alike their marks are."""

    def __init__(self, known: Page, seen: Page) -> None:
        self.known, self.seen = known, seen
        self._done: dict[tuple[int, int], Match] = {}

    def match(self, a: int, b: int) -> Match:
        """Mark `a` of the known page against mark `b` of the seen one."""
        self.compare([(a, b)])
        return self._done[a, b]

    def compare(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Compare many at once: far quicker than one by one."""
        new = [p for p in dict.fromkeys(pairs) if p not in self._done]
        self._done.update((p, NONE) for p in new)
        due = [(a, b) for a, b in new if float(self.known.thumb(a) @ self.seen.thumb(b)) >= GLANCE]
        due.sort(key=lambda p: self.known.ink(p[0]).shape[1])
        for start in range(0, len(due), BATCH):
            part = due[start : start + BATCH]
            matches = alike([self.known.ink(a) for a, _ in part], [self.seen.ink(b) for _, b in part])
            self._done.update(zip(part, matches, strict=True))
        for a, b in new:
            self._done[a, b] = self._done[a, b]._replace(pixels=self._pixels(a, b))

    def same(self, a: int, b: int) -> bool:
        """Whether two marks have the same pixels, colours apart."""
        old, new = self.known.box(a), self.seen.box(b)
        if old[2:] != new[2:]:
            return False
        return float(correlate(cut(self.known.gray, old), cut(self.seen.gray, new)).max()) >= SAME

    def untouched(self, a: int, b: int) -> bool:
        """Whether two marks have the same pixels, colours and ground too."""
        old, new = self.known.box(a), self.seen.box(b)
        if old[2:] != new[2:]:
            return False
        apart = np.abs(cut(self.known.picture, old).astype(np.int16) - cut(self.seen.picture, new))
        return float(apart.mean()) <= UNTOUCHED

    def _pixels(self, a: int, b: int) -> float:
        return same_pixels(self.known.picture, self.known.box(a), self.seen.picture, self.seen.box(b))

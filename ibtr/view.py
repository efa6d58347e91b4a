"""A screen seen at several sizes, each made once; shared by all targets that are sought on it."""

from __future__ import annotations

import math
from functools import cached_property

from ibtr.geometry import Box, Size
from ibtr.page import Page
from ibtr.pixels import Floats, Pixels, checked, cut, padded, resized, size_of, softened, structure, to_gray


class View:
    """One screenshot in gray, and its halves, quarters and eighths on demand."""

    def __init__(self, screen: object) -> None:
        self.image = checked(screen)
        self.size = size_of(self.image)
        self.gray = to_gray(self.image)
        self._levels: dict[int, Pixels] = {0: self.gray}
        self._softened: dict[int, Pixels] = {}
        self._structures: dict[int, Floats] = {}

    def level(self, n: int) -> Pixels:
        """The screen shrunk 2^n times."""
        if n not in self._levels:
            base = max(k for k in self._levels if k < n)
            above = self._levels[base] if base else self.gray
            by = 2 ** (n - base)
            size = Size(max(1, above.shape[1] // by), max(1, above.shape[0] // by))
            self._levels[n] = resized(above[: size.height * by, : size.width * by], size)
        return self._levels[n]

    def soft(self, n: int) -> Pixels:
        """Level `n` as it is searched: a thin line looks alike wherever it falls between its pixels."""
        if n not in self._softened:
            self._softened[n] = softened(self.level(n), n)
        return self._softened[n]

    def structure(self, n: int) -> Floats:
        """What stands out at level `n`; the same for every target sought."""
        if n not in self._structures:
            self._structures[n] = structure(self.soft(n))
        return self._structures[n]

    @cached_property
    def page(self) -> Page:
        """What is drawn on it, as marks."""
        return Page(self.gray, self.image)

    def window(self, box: Box, *, colour: bool = False) -> Pixels:
        """The pixels under `box`; where it leaves the screen the edge is repeated."""
        image = self.image if colour else self.gray
        inside = box.clip(self.size)
        if inside == box:
            return cut(image, box)
        if not inside.area:
            inside = Box(
                min(max(box.x, 0), self.size.width - 1), min(max(box.y, 0), self.size.height - 1), 1, 1
            )
        return padded(cut(image, inside), inside, box)


def level_for(scale: float) -> int:
    """How often the screen may be halved so that a crop at `scale` keeps a quarter of its size."""
    return max(0, min(4, round(2 + math.log2(max(scale, 0.05)))))

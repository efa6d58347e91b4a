"""A screen seen at several sizes, each made once; shared by all targets that are sought on it."""

from __future__ import annotations

import math
from functools import cached_property

from ibtr.geometry import Box, Size
from ibtr.page import Page
from ibtr.pixels import Pixels, checked, cut, padded, resized, size_of, softened, structure, to_gray
from ibtr.spectrum import Searched


class View:
    """One screenshot in gray, and its halves, quarters and eighths on demand."""

    def __init__(self, screen: object) -> None:
        self.image = checked(screen)
        self.size = size_of(self.image)
        self.gray = to_gray(self.image)
        self._levels: dict[int, Pixels] = {0: self.gray}
        self._softened: dict[int, Pixels] = {}
        self._searched: dict[tuple[int, bool], Searched] = {}

    def level(self, n: int) -> Pixels:
        """The screen shrunk 2^n times."""
        if n not in self._levels:
            above = self.level(n - 1)  # halving twice is far quicker than quartering
            size = Size(max(1, above.shape[1] // 2), max(1, above.shape[0] // 2))
            self._levels[n] = resized(above[: size.height * 2, : size.width * 2], size)
        return self._levels[n]

    def soft(self, n: int) -> Pixels:
        """Level `n` as it is searched: a thin line looks alike wherever it falls between its pixels."""
        if n not in self._softened:
            self._softened[n] = softened(self.level(n), n)
        return self._softened[n]

    def searched(self, n: int, *, flat: bool) -> Searched:
        """That, or what stands out of it, made ready for every target that is sought."""
        if (n, flat) not in self._searched:
            self._searched[n, flat] = Searched(structure(self.soft(n)) if flat else self.soft(n))
        return self._searched[n, flat]

    @cached_property
    def page(self) -> Page:
        """What is drawn on it, as marks."""
        return Page(self.gray, self.image)

    def window(self, box: Box, *, colour: bool = False) -> Pixels:
        """The pixels under `box`; where it leaves the screen the edge is repeated."""
        image = self.image if colour else self.gray
        left, top, width, height = box
        if left >= 0 and top >= 0 and left + width <= self.size.width and top + height <= self.size.height:
            return image[top : top + height, left : left + width]
        inside = box.clip(self.size)
        if not inside.area:
            inside = Box(
                min(max(box.x, 0), self.size.width - 1), min(max(box.y, 0), self.size.height - 1), 1, 1
            )
        return padded(cut(image, inside), inside, box)


def level_for(scale: float) -> int:
    """How often the screen may be halved so that a crop at `scale` keeps a quarter of its size."""
    return max(0, min(4, round(2 + math.log2(max(scale, 0.05)))))

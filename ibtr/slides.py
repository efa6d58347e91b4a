"""Is a crop part of a long field? Then it looks the same a little further on."""

from __future__ import annotations

from ibtr.geometry import Box, Size
from ibtr.pixels import FLAT, Pixels, correlation, cut, moments

SLIDE, PLAIN = 8, 0.985
"""How far, and how much, a crop must look the same further on to be part of a long field."""


def slides(gray: Pixels, box: Box) -> tuple[bool, bool]:
    """Whether what lies under `box` goes on unchanged across, or down, to either side."""
    here, after = cut(gray, box), Size(gray.shape[1] - box.right, gray.shape[0] - box.bottom)
    own = moments(here)

    def goes_on(dx: int, dy: int, room: int) -> bool:
        """Whether it stays the same in one direction, for `SLIDE` pixels or as far as there is room."""
        far = min(SLIDE, room)
        if far < SLIDE // 2 or own[1] < FLAT:
            return far >= SLIDE // 2
        further = (  # the last differs most
            Box(box.x + n * dx, box.y + n * dy, *box[2:]) for n in range(far, 0, -1)
        )
        return all(correlation(here, cut(gray, there), own=own) >= PLAIN for there in further)

    across = goes_on(-1, 0, box.x) or goes_on(1, 0, after.width)
    return across, goes_on(0, -1, box.y) or goes_on(0, 1, after.height)

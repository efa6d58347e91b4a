"""A click on a plain spot of a field: its rim must be there still.

In a dark theme it is faint, and the label beside it outweighs it: with the field gone, nearly all would be as
it was. Along a rim pixels are the same, so their means show it, however faint.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ibtr.errors import MissingTarget
from ibtr.geometry import Box, Point
from ibtr.pixels import Floats, Pixels, cut, size_of, turned
from ibtr.plain import LEVELS, field
from ibtr.view import View

PLAIN = 4
"""Pixels around the click that show nothing."""
ALONG, ACROSS = 20, 4
"""Pixels of a rim that are looked at to each side of the click, and before and behind it."""
SHOWS = 3.0
"""Levels between which the means across a rim lie, at least."""
THERE = 0.5
"""Correlation of these means from which it is there."""


def expect_rim(known: Pixels, click: Point, view: View, at: Point) -> None:
    """Where a field was clicked that shows nothing, one of its sides at least is there at a place.

    Raises:
        MissingTarget: none is.
    """
    x, y = round(click.x), round(click.y)
    if np.ptp(cut(known, Box(x - PLAIN, y - PLAIN, 2 * PLAIN, 2 * PLAIN).clip(size_of(known)))) > LEVELS:
        return
    own = field(known, click)
    if own is None:
        return
    dx, dy = round(at.x - click.x), round(at.y - click.y)
    seen = view.window(Box(dx, dy, known.shape[1], known.shape[0]))
    alike = [_alike(*pair) for pair in _sides(known, seen, own, click)]
    if alike and max(alike) < THERE:
        raise MissingTarget("the field that was clicked is not there", rim=max(alike), point=[at.x, at.y])


def _sides(known: Pixels, seen: Pixels, own: Box, click: Point) -> Iterator[tuple[Floats, Floats]]:
    """The means along each side of a field that shows, in both pictures."""
    for one, other, box, middle in (
        (known, seen, own, click.x),
        (turned(known), turned(seen), Box(own.y, own.x, own.height, own.width), click.y),
    ):
        left, right = max(box.x, round(middle) - ALONG), min(box.right, round(middle) + ALONG)
        for edge in (box.y, box.bottom):
            part = Box(left, edge - ACROSS, right - left, 2 * ACROSS)
            means = [
                cut(picture, part.clip(size_of(one))).mean(axis=1, dtype=np.float32)
                for picture in (one, other)
            ]
            if part.clip(size_of(one)) == part and np.ptp(means[0]) >= SHOWS:
                yield means[0], means[1]


def _alike(known: Floats, seen: Floats) -> float:
    """How alike two rows of means are, a pixel on or back, in either theme; 0 where one of them is plain."""
    if np.ptp(seen) < SHOWS / 2:
        return 0.0
    inner = known[1:-1]
    windows = (seen[first : first + len(inner)] for first in range(3))
    return max(abs(float(np.corrcoef(inner, one)[0, 1])) if np.ptp(one) else 0.0 for one in windows)

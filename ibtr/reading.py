"""The line of text that a click was on must read the same, letter by letter and to its end.

Toolkits draw the same text with the same pixels, so where a screen is drawn as it was recorded every pixel of
a letter counts: "Maler" is not "Maier", and "Approve all" is not "Approve". Where it is not (a codec, another
scale), pixels do not tell, and the likeness of letters decides.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ibtr.geometry import Box, Point, Size
from ibtr.marks import Boxes, marks
from ibtr.pixels import Pixels, absolute_difference, components, edges
from ibtr.search import Work, aligned
from ibtr.sight import Sight, kept_mask

LOWEST, HIGHEST = 5, 24
"""Height of a line of text."""
BESIDE = 4
"""Pixels above or below a line at which a click is still on it."""
SPACE = 0.7
"""Widest space between two words, in heights."""
REACH = 160
"""Pixels to each side of the click within which a text is read: of a sentence the part that was clicked."""
LABELLED = Size(400, 120)
"""How far to the left, and to the right, of a plain spot its label is looked for."""
PLAIN = 6
"""Half the side of a plain spot."""
INK = 24
"""Levels between neighbouring pixels that make a stroke."""
SAME, NOISE, NEVER = 48, 4, 100
"""Levels by which a pixel of a letter may differ, how much more per level of noise, and where that ends."""
SPECK = 2
"""Pixels of a difference, at least."""
CARET = Size(2, 12)
"""A caret is no wider, and no lower."""
RESCALED = 0.01
"""Another scale than this far from 1 draws other pixels."""
UNDERLINE = 5
"""Width from which a stroke of one pixel is a line under a text."""


def line_at(gray: Pixels, click: Point, core: Box) -> Box | None:
    """The text that a click was on, or beside where it stood alone, as far as its words go on."""
    every = marks(gray)
    fits = (every[:, 3] >= LOWEST) & (every[:, 3] <= HIGHEST)
    fits &= (every[:, 1] - BESIDE <= click.y) & (every[:, 1] + every[:, 3] + BESIDE >= click.y)
    boxes = every[fits]
    inside = (boxes[:, 0] < core.right) & (boxes[:, 0] + boxes[:, 2] > core.x)
    if inside.any():
        whole = _chain(boxes[inside], boxes)
        nearest = min(max(round(click.x), whole.x), whole.right)
        return whole.intersect(Box(nearest - REACH, 0, 2 * REACH, len(gray)))
    label = _label_of(gray, click, boxes)
    return _chain(label, boxes) if len(label) else None


def _label_of(gray: Pixels, click: Point, boxes: Boxes) -> Boxes:
    """What names a plain spot: the text before it, else the one after it."""
    x, y = round(click.x), round(click.y)
    spot = gray[max(0, y - PLAIN) : y + PLAIN, max(0, x - PLAIN) : x + PLAIN]
    if not len(boxes) or edges(spot, INK).any():
        return boxes[:0]
    away = click.x - (boxes[:, 0] + boxes[:, 2])
    after = boxes[:, 0] - click.x
    for distance, far in ((away, LABELLED.width), (after, LABELLED.height)):
        near = (distance >= 0) & (distance <= far)
        if near.any():
            nearest: Boxes = boxes[near & (distance == distance[near].min())]
            return nearest
    return boxes[:0]


def _chain(first: Boxes, boxes: Boxes) -> Box:
    """The words that follow on one another, from the first ones on."""
    left, top = first[:, :2].min(axis=0)
    right, bottom = (first[:, :2] + first[:, 2:]).max(axis=0)
    while True:
        space = SPACE * min(HIGHEST, bottom - top)
        near = (boxes[:, 0] <= right + space) & (boxes[:, 0] + boxes[:, 2] >= left - space)
        reach = boxes[near]
        wider = min(left, reach[:, 0].min()), max(right, (reach[:, 0] + reach[:, 2]).max())
        top, bottom = min(top, reach[:, 1].min()), max(bottom, (reach[:, 1] + reach[:, 3]).max())
        if wider == (left, right):
            return Box(int(left), int(top), int(right - left), int(bottom - top))
        left, right = wider


def around_line(line: Box) -> Box:
    """A line with the space after and before it that its words would go on in."""
    space = round(SPACE * line.height) + 2
    return Box(line.x - space, line.y - 1, line.width + 2 * space, line.height + 2)


def noise(known: Pixels, seen: Pixels) -> float:
    """How far apart the strokes of two pictures are, in levels: most of them."""
    ink = edges(known, INK) > 0
    return float(np.median(absolute_difference(known, seen)[ink])) if ink.any() else 0.0


def misread(known: Pixels, seen: Pixels, kept: NDArray[np.float32], noise_level: float) -> int:
    """Pixels of the largest difference between two lines that is no caret and no underline; 0 if none is."""
    limit = SAME + NOISE * noise_level
    if limit > NEVER:
        return 0
    apart = ((absolute_difference(known, seen) >= limit) & (kept > 0)).astype(np.uint8)
    labels, boxes = components(apart)
    sizes = [int((labels == i).sum()) for i in range(len(boxes)) if i and _letter(boxes[i], len(apart))]
    return max((size for size in sizes if size >= SPECK), default=0)


def _letter(box: Box, height: int) -> bool:
    caret = box.width <= CARET.width and box.height >= CARET.height
    under = box.height == 1 and box.width >= UNDERLINE and box.y >= height - BESIDE
    return not caret and not under


def read_line(work: Work, sight: Sight) -> Sight:
    """The same sight, with the text read that was clicked, where it has the size it was recorded in."""
    line = work.anchor.line
    if line is None or work.inverted or abs(work.scaling.mean - 1) > RESCALED:
        return sight
    part, context = work.box(around_line(line).clip(work.anchor.size)), work.box(work.anchor.context)
    whole = Point(*(round(v - c) + c for v, c in zip(sight.point, work.click, strict=True)))
    level, at = min((noise(*aligned(work, at, context)), at) for at in (sight.point, whole))
    return sight._replace(misread=misread(*aligned(work, at, part), kept_mask(work, part), level))

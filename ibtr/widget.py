"""Which widget was clicked? The edges that belong together under the click, or next to it."""

from __future__ import annotations

import numpy as np

from ibtr.emblem import stout
from ibtr.evidence import WIDGET
from ibtr.geometry import Box, Point, Size
from ibtr.lists import equals, line_in
from ibtr.masks import closed, components, edges, pieces
from ibtr.pixels import Pixels, cut, size_of
from ibtr.plain import field

ROW = Size(240, 60)
"""How far to each side a widget is looked for."""
EDGE = 14
"""Levels between neighbouring pixels that make an edge."""
GAP = Size(9, 5)
"""Edges closer than this belong to one widget."""
NEAR = ((0.35, 1.4), (0.12, 1.8))
"""What a pixel beside and below counts when the click was on a plain spot: a row reads sideways."""
FAR = 28
"""Edges that far away, so counted, do not belong to the click."""
ICON, CLOSE, PALE = 28, Size(3, 3), 64
"""How far from the click a faint icon reaches, how close its strokes are, and how many levels these span."""
WORD, ALONG = 10, 0.9
"""How far beside it the next word of a text begins, and the share of its height that a border goes along."""
EDGING = 3
"""Width of the frame around a field."""
SPOT = 24
"""Side of the core where there are no edges near the click."""


def framed(gray: Pixels, click: Point) -> Box:
    """The widget under the click; where what stands around it hangs together with it, the field alone."""
    core = single(gray, click)
    if core.width <= WIDGET.width and core.height <= WIDGET.height:
        return core
    own = field(gray, click)
    if own is None or own.height + 2 * EDGING > WIDGET.height:
        return pale_icon(gray, click) or core
    return own.grow(EDGING).intersect(core)


def pale_icon(gray: Pixels, click: Point) -> Box | None:
    """The faint icon under the click, which edges that hang together with it would outweigh: its frame."""
    near = Box(round(click.x) - ICON, round(click.y) - ICON, 2 * ICON, 2 * ICON).clip(size_of(gray))
    labels, stats = pieces(edges(cut(gray, near), EDGE))
    x, y, width, height = (stats[:, i] for i in range(4))
    inside = (x > 0) & (y > 0) & (x + width < near.width) & (y + height < near.height)
    inside[0] = False
    _, boxes = components(closed(np.take(inside.astype(np.uint8), labels), CLOSE))
    found = [Box(b.x + near.x, b.y + near.y, b.width, b.height) for b in boxes[1:]]
    own = next((box for box in found if stout(box) and box.contains(click)), None)
    if own is None or int(np.ptp(cut(gray, own))) > PALE or _goes_on(gray, own):
        return None
    return own


def _goes_on(gray: Pixels, box: Box) -> bool:
    """Whether something stands right beside it in its line that is no border: it is a word of a text."""
    line = Box(box.x - WORD, box.y, box.width + 2 * WORD, box.height).clip(size_of(gray))
    ink = edges(cut(gray, line), EDGE).mean(axis=0)
    ink[max(0, box.x - 1 - line.x) : box.right + 1 - line.x] = 0
    return bool(((ink > 0) & (ink < ALONG)).any())


def single(gray: Pixels, click: Point) -> Box:
    """The widget under the click: of several equal ones that touch, the one."""
    core = widget(gray, click)
    line = line_in(core, click.y)
    touching = [abs(step) for step in equals(gray, line).down if core.y - 4 <= line.y + step < core.bottom]
    if not touching:
        return core
    pitch = min(touching)
    return core.intersect(Box(core.x, round(click.y) - pitch // 2, core.width, pitch))


def widget(gray: Pixels, click: Point) -> Box:
    """The box of the edges that belong together under the click, or next to it."""
    x, y = round(click.x), round(click.y)
    window = Box(x - ROW.width, y - ROW.height, 2 * ROW.width, 2 * ROW.height).clip(size_of(gray))
    ink = edges(cut(gray, window), EDGE)
    labels, boxes = components(closed(ink, GAP))
    rows, columns = np.nonzero(ink)
    for across, down in NEAR:
        away = np.hypot((columns - (x - window.x)) * across, (rows - (y - window.y)) * down)
        if len(away) and away.min() <= FAR:
            nearest = int(away.argmin())
            found = boxes[int(labels[rows[nearest], columns[nearest]])]
            return Box(found.x + window.x, found.y + window.y, found.width, found.height)
    return Box(x - SPOT // 2, y - SPOT // 2, SPOT, SPOT)


def within(core: Box, click: Point, size: Size) -> Box:
    """The part of a core next to the click that is not too large; it always holds the click."""
    x, y = round(click.x), round(click.y)
    left, top = min(core.x, x - 3), min(core.y, y - 3)
    right, bottom = max(core.right, x + 4), max(core.bottom, y + 4)
    reach_left = max(WIDGET.width // 2, x - core.right + WIDGET.width // 2)
    reach_right = max(WIDGET.width // 2, core.x - x + WIDGET.width // 2)
    left, right = max(left, x - reach_left), min(right, x + reach_right)
    top, bottom = max(top, y - WIDGET.height // 2), min(bottom, y + WIDGET.height // 2)
    return Box(left, top, right - left, bottom - top).clip(size)

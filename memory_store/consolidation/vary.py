"""Which pixels around a target are known to vary: typed text, flicker, what differed between before-frames.

A replay types other text, so what shows it cannot be part of what is looked for. Masks hide as little as they
can: a target that is hidden whole is refused, which is right only if it really shows an input.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np

from actionlens.frames import Pixels, crop
from ibtr.geometry import Box, Point, Size
from memory_store.consolidation.screens import change, same_pixels
from memory_store.consolidation.trace import Trace, TracedStep

LETTER = 7.5
"""Width of a letter, roughly, where only the number of letters is known."""
LINE = 48
"""No line of a form is higher than this."""
NEAR = 80
"""Text appears at most so far from where its field was clicked."""
SOFT = 2
"""The soft edges of letters, which change too little to be seen as changed."""
RING = 12
"""What lies so close around a field shows whether it is the same field in another frame."""
SAME_FIELD = 0.75
MIRROR = 0.85
"""Correlation from which a place shows the typed text again."""
WORD = 60
"""How far the rest of a word may reach to each side."""
GAP = 9
"""Letters closer than this belong to one word."""
INK = 24
"""Levels from the background that make a letter."""
REACH = Size(300, 180)
SPOT = Size(40, 28)
SMALL = 0.005
"""Share of the screen up to which a change without any action is a clock or a counter, not an event."""


@dataclass(frozen=True, slots=True)
class TypedText:
    """The text of one input as it appeared on the screen."""

    name: str
    value: str
    box: Box
    frame: Pixels
    """The screen once it was typed."""
    application: str

    def shown_in(self, screen: Pixels, application: str, point: Point) -> list[Box]:
        """Where a frame shows this text, or another one in the same field, around a target."""
        found: list[Box] = []
        if application == self.application and _same_field(self.frame, screen, self.box):
            found.append(to_the_edge(screen, self.box))
        return [box.grow(SOFT) for box in [*found, *_mirrors(self, screen, point)]]


def text_box(step: TracedStep, focus: Point | None, text: str) -> Box | None:
    """The place where a text appeared while it was typed: near its field, of the height of its lines."""
    lines = text.split("\n")
    boxes = [box for box in step.during.boxes if box.height <= LINE * len(lines)]
    if focus is not None:
        near = [box for box in boxes if _distance(box, focus) <= NEAR]
        return min(near, key=lambda box: _distance(box, focus), default=None)
    width = LETTER * max(map(len, lines))
    return min(boxes, key=lambda box: abs(box.width - width), default=None)


def unsteady(trace: Trace, step: TracedStep, targets: Iterable[Point]) -> list[Box]:
    """Places that changed without anybody doing anything: carets, clocks, counters; never a target itself."""
    small = (one.between.boxes for one in trace.steps if one.between.fraction <= SMALL)
    carets = (place.box for place in trace.flicker if place.front == (step.application, step.title))
    found = [*carets, *(box for boxes in small for box in boxes)]
    points = list(targets)
    return [
        box for box in dict.fromkeys(found) if not any(box.grow(SOFT).contains(point) for point in points)
    ]


def whole_word(screen: Pixels, box: Box) -> Box:
    """The run of ink that a change belongs to: when the minutes change, the hours will."""
    around = Box(box.x - WORD, box.y - SOFT, box.width + 2 * WORD, box.height + 2 * SOFT).clip(_size(screen))
    gray = cv2.cvtColor(crop(screen, around), cv2.COLOR_BGR2GRAY)
    ink = (cv2.absdiff(gray, np.full_like(gray, int(np.median(gray)))) > INK).astype(np.uint8)
    if not ink.any():
        return box
    joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((5, GAP), np.uint8))
    _, labels = cv2.connectedComponents(joined)
    inner = Box(box.x - around.x, box.y - around.y, box.width, box.height)
    touched = np.setdiff1d(labels[inner.y : inner.bottom, inner.x : inner.right], [0])
    columns = np.flatnonzero(np.isin(labels, touched).any(axis=0))
    if not len(columns):
        return box
    left = min(box.x, around.x + int(columns[0]))
    right = max(box.right, around.x + int(columns[-1]) + 1)
    return Box(left, box.y, right - left, box.height)


def differences(screen: Pixels, other: Pixels, point: Point) -> list[Box]:
    """What differs around a target between two frames in which it was used, unless it is nearly all of it."""
    around = _around(point, REACH).clip(_size(screen))
    if screen.shape != other.shape:
        return []
    changed = change(crop(screen, around), crop(other, around))
    boxes = [Box(box.x + around.x, box.y + around.y, box.width, box.height) for box in changed.boxes]
    spot = _around(point, Size(SPOT.width // 2, SPOT.height // 2))
    hidden = sum(box.intersect(spot).area for box in boxes)
    return boxes if hidden <= 0.6 * spot.area and changed.fraction <= 0.3 else []


def to_the_edge(screen: Pixels, box: Box) -> Box:
    """The box, widened to the right over plain background: a longer text would go there."""
    gray = cv2.cvtColor(
        crop(screen, Box(box.x, box.y, screen.shape[1] - box.x, box.height)), cv2.COLOR_BGR2GRAY
    )
    rows = gray[:, box.width :].astype(np.int16)
    if not rows.size:
        return box
    plain = (np.ptp(rows, axis=0) <= 8) & (abs(rows[0] - rows[0, 0]) <= 8)
    ends = np.flatnonzero(~plain)
    room = int(ends[0]) if len(ends) else rows.shape[1]
    return Box(box.x, box.y, box.width + min(room, 2 * box.width), box.height)


def _same_field(typed: Pixels, screen: Pixels, box: Box) -> bool:
    if typed.shape != screen.shape:
        return False
    outer = box.grow(RING).clip(_size(screen))
    same = same_pixels(typed, screen, outer) * outer.area - same_pixels(typed, screen, box) * box.area
    return same >= SAME_FIELD * (outer.area - box.area)


def _mirrors(typed: TypedText, screen: Pixels, point: Point) -> Iterator[Box]:
    """Other places near the target that show the same glyphs: the row that reads the client's name."""
    glyphs = cv2.cvtColor(crop(typed.frame, typed.box), cv2.COLOR_BGR2GRAY)
    around = _around(point, REACH).clip(_size(screen))
    too_small = len(typed.value) < 3 or min(glyphs.shape) < 6 or float(glyphs.std()) < 8
    if too_small or glyphs.shape[0] > around.height or glyphs.shape[1] > around.width:
        return
    gray = cv2.cvtColor(crop(screen, around), cv2.COLOR_BGR2GRAY)
    scores = cast(
        "np.ndarray[tuple[int, int], np.dtype[np.float32]]",
        cv2.matchTemplate(gray, glyphs, cv2.TM_CCOEFF_NORMED),
    )
    while True:
        row, column = np.unravel_index(int(abs(scores).argmax()), scores.shape)
        if abs(float(scores[row, column])) < MIRROR:
            return
        yield Box(around.x + int(column), around.y + int(row), typed.box.width, typed.box.height)
        top, left = max(0, int(row) - typed.box.height), max(0, int(column) - typed.box.width)
        scores[top : int(row) + typed.box.height, left : int(column) + typed.box.width] = 0


def _distance(box: Box, point: Point) -> float:
    across = max(box.x - point.x, 0, point.x - box.right)
    down = max(box.y - point.y, 0, point.y - box.bottom)
    return max(across, down)


def _around(point: Point, reach: Size) -> Box:
    return Box(round(point.x) - reach.width, round(point.y) - reach.height, 2 * reach.width, 2 * reach.height)


def _size(pixels: Pixels) -> Size:
    return Size(pixels.shape[1], pixels.shape[0])

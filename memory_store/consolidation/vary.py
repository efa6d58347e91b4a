"""Which pixels around a target are known to vary: typed text, flicker, what differed between before-frames.

A replay types other text, so what shows it cannot be part of what is looked for. Masks hide as little as they
can: a target that is hidden whole is refused, which is right only if it really shows an input.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile

import cv2
import numpy as np
from numpy.typing import NDArray

from actionlens.frames import Pixels, crop
from ibtr.geometry import Box, Point, Size
from memory_store.consolidation.screens import change, same_pixels
from memory_store.consolidation.trace import Trace, TracedStep

LETTER = 7.5
"""Width of a letter, roughly, where only the number of letters is known."""
LINE = 48
"""No line of a form is higher than this."""
NEAR = (300, 40)
"""Text appears at most so far across and down from where its field was clicked: fields are wide."""
MOVED = 3
"""So many times as far away where a button was clicked that moves the focus."""
CARET_ROOM = 6
"""The caret stands so close behind a text."""
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
SHADES = 12
"""Levels within which a background is plain."""
INK = 24
"""Levels from the background that make a letter."""
REACH = Size(300, 180)
SPOT = Size(40, 28)
SMALL, CLOCKS = 0.005, 2
"""Share of the screen, and places, up to which a change without any action is a clock or a counter.

More of them are the late effect of an action: a small page that went away was no clock.
"""


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
        # An empty field has nothing to hide; a mask over it would only make it look like any other.
        same = application == self.application and _same_field(self.frame, screen, self.box)
        if same and not is_plain(screen, self.box):
            found.append(self.box)
        found += _mirrors(self, screen, point)
        return [softened(screen, to_the_edge(screen, box)) for box in found]

    def read_in(self, screen: Pixels, point: Point) -> list[Box]:
        """Where else a frame shows this text around a target: items of a list that are another one for it."""
        return [box for box in _mirrors(self, screen, point) if not box.intersect(self.box).area]

    def copies_in(self, screen: Pixels, point: Point) -> list[Box]:
        """Every place around a point where a frame shows this text, its own field included."""
        return [*_mirrors(self, screen, point)]


def text_box(changed: Iterable[Box], focus: Point | None, text: str) -> Box | None:
    """The place where a text appeared while it was typed: near its field, of the height of its lines."""
    lines = text.split("\n")
    boxes = [box for box in changed if box.height <= LINE * len(lines)]
    width = LETTER * max(map(len, lines))
    if focus is None:
        return min(boxes, key=lambda box: abs(box.width - width), default=None)
    near = [box for box in boxes if _distance(box, focus) <= 1]
    if near:
        return min(near, key=lambda box: _distance(box, focus))
    # A button may have moved the focus: then it is the only place that is as wide as the text.
    close = [box for box in boxes if _distance(box, focus) <= MOVED]
    fitting = [box for box in close if width / 2 <= box.width <= 2 * width]
    return fitting[0] if len(fitting) == 1 else None


def with_first_letters(before: Pixels, after: Pixels, box: Box) -> Box:
    """A text that appeared, with the letters that a caret had blinked over: what flickers was left out."""
    for whole in change(before, after).boxes:
        letters = without_caret(after, whole)
        if whole.intersect(box) == box and letters.x < box.x:
            return Box(letters.x, box.y, box.right - letters.x, box.height)
    return box


def unsteady(trace: Trace, step: TracedStep, screen: Pixels, targets: Iterable[Point]) -> list[Box]:
    """Places that changed without anybody doing anything: carets, clocks, counters; never a target itself."""
    quiet = (one.between for one in trace.steps if one.between.fraction <= SMALL)
    small = (between.boxes for between in quiet if len(between.boxes) <= CLOCKS)
    carets = (place.box for place in trace.flicker if place.front == (step.application, step.title))
    clocks = (whole_word(screen, box) for boxes in small for box in boxes)
    found = [box for box in (*carets, *clocks) if box.clip(_size(screen)) == box]
    points = list(targets)
    return [
        box for box in dict.fromkeys(found) if not any(box.grow(SOFT).contains(point) for point in points)
    ]


def whole_word(screen: Pixels, box: Box) -> Box:
    """The run of ink that a change belongs to: when the minutes change, the hours will."""
    around = Box(box.x - WORD, box.y - SOFT, box.width + 2 * WORD, box.height + 2 * SOFT).clip(_size(screen))
    if not around.area:
        return box
    gray = gray_part(screen, around)
    ink = (abs(gray - background(gray)) > INK).astype(np.uint8)
    if not ink.any():
        return box
    joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((5, GAP), np.uint8))
    _, labels = cv2.connectedComponents(joined)
    inner = Box(box.x - around.x, box.y - around.y, box.width, box.height)
    lines = np.union1d(labels[:, 0], labels[:, -1])  # What goes on beyond is a line, not a word.
    touched = np.setdiff1d(labels[inner.y : inner.bottom, inner.x : inner.right], [0, *lines])
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


def softened(screen: Pixels, box: Box) -> Box:
    """The box with the soft edges of its letters, as far as the background goes: never over a border."""
    outer = box.grow(SOFT).clip(_size(screen))
    gray = gray_part(screen, outer)
    inner = Box(box.x - outer.x, box.y - outer.y, box.width, box.height)
    plain = abs(gray - background(gray)) <= SHADES
    rows, columns = slice(inner.y, inner.bottom), slice(inner.x, inner.right)
    left = _free(np.atleast_1d(plain[rows, : inner.x][:, ::-1].all(axis=0)))
    right = _free(np.atleast_1d(plain[rows, inner.right :].all(axis=0)))
    top = _free(np.atleast_1d(plain[: inner.y, columns][::-1].all(axis=1)))
    bottom = _free(np.atleast_1d(plain[inner.bottom :, columns].all(axis=1)))
    return Box(box.x - left, box.y - top, box.width + left + right, box.height + top + bottom)


def _free(plain: Iterable[bool | np.bool_]) -> int:
    """How many lines are plain before the first that is not."""
    return sum(1 for _ in takewhile(bool, plain))


def to_the_edge(screen: Pixels, box: Box) -> Box:
    """The box, widened to the right over plain background: a longer text would go there."""
    right = Box(box.right, box.y, screen.shape[1] - box.right, box.height)
    if not right.area:
        return box
    shade = background(gray_part(screen, box))
    gray = gray_part(screen, right)
    plain = np.atleast_1d((abs(gray - shade) <= SHADES).all(axis=0))
    plain[:CARET_ROOM] = True
    room = _free(plain)
    return box if room <= CARET_ROOM else Box(box.x, box.y, box.width + min(room, 2 * box.width), box.height)


def is_plain(screen: Pixels, box: Box) -> bool:
    """Whether nothing is written in a box."""
    gray = gray_part(screen, box)
    return float((abs(gray - background(gray)) > SHADES).mean()) < 0.01


def _same_field(typed: Pixels, screen: Pixels, box: Box) -> bool:
    if typed.shape != screen.shape:
        return False
    outer = box.grow(RING).clip(_size(screen))
    same = same_pixels(typed, screen, outer) * outer.area - same_pixels(typed, screen, box) * box.area
    return same >= SAME_FIELD * (outer.area - box.area) and _same_lines(typed, screen, box, outer)


def _same_lines(typed: Pixels, screen: Pixels, box: Box, outer: Box) -> bool:
    """The lines around a field are where they were, in whatever colour: white beside white is no field."""
    one, other = _ink_around(typed, box, outer), _ink_around(screen, box, outer)
    near = np.ones((2 * SOFT + 1, 2 * SOFT + 1), np.uint8)
    met = [cv2.bitwise_and(ink, cv2.dilate(to, near)) for ink, to in ((one, other), (other, one))]
    return bool(sum(map(np.count_nonzero, met)) >= SAME_FIELD * sum(map(np.count_nonzero, (one, other))))


def _ink_around(screen: Pixels, box: Box, outer: Box) -> NDArray[np.uint8]:
    """1 where the ring between two boxes differs from its background."""
    gray = gray_part(screen, outer)
    ink = (abs(gray - background(gray)) > INK).astype(np.uint8)
    ink[box.y - outer.y : box.bottom - outer.y, box.x - outer.x : box.right - outer.x] = 0
    return ink


def _mirrors(typed: TypedText, screen: Pixels, point: Point) -> Iterator[Box]:
    """Places near the target that show the same letters: the row that reads the client's name."""
    letters = without_caret(typed.frame, typed.box)
    around = _around(point, REACH).clip(_size(screen))
    glyphs = gray_part(typed.frame, letters).astype(np.uint8)
    too_small = len(typed.value) < 3 or min(glyphs.shape) < 6 or float(glyphs.std()) < SHADES
    if too_small or letters.height > around.height or letters.width > around.width:
        return
    seen = gray_part(screen, around).astype(np.uint8)
    scores = np.abs(np.asarray(cv2.matchTemplate(seen, glyphs, cv2.TM_CCOEFF_NORMED), np.float32))
    while True:
        row, column = divmod(int(scores.argmax()), scores.shape[1])
        if scores[row, column] < MIRROR:
            return
        yield Box(around.x + column, around.y + row, letters.width, letters.height)
        top, left = max(0, row - letters.height), max(0, column - letters.width)
        scores[top : row + letters.height, left : column + letters.width] = 0


def without_caret(screen: Pixels, box: Box) -> Box:
    """The letters in a box: its ink, but for a caret (a line as high as the box) behind the last of them."""
    gray = gray_part(screen, box)
    ink = abs(gray - background(gray)) > INK
    inked = np.flatnonzero(np.atleast_1d(ink.any(axis=0)))
    full = np.atleast_1d(ink.all(axis=0))
    if len(inked) and full[inked[-1]]:
        caret = sum(1 for _ in takewhile(bool, full[: inked[-1] + 1][::-1]))
        ink[:, inked[-1] + 1 - caret :] = False
    rows, columns = np.nonzero(ink)
    if not len(rows):
        return box
    left, top = int(columns.min()), int(rows.min())
    return Box(box.x + left, box.y + top, int(columns.max()) + 1 - left, int(rows.max()) + 1 - top)


def gray_part(screen: Pixels, box: Box) -> NDArray[np.int16]:
    """Luma of a part of a screen, with room for differences."""
    return np.asarray(cv2.cvtColor(crop(screen, box), cv2.COLOR_BGR2GRAY), np.int16)


def background(gray: NDArray[np.int16]) -> int:
    """The commonest shade; the middle one is ink where letters stand close."""
    return int(np.bincount(gray.ravel()).argmax())


def _distance(box: Box, point: Point) -> float:
    across = max(box.x - point.x, 0, point.x - box.right)
    down = max(box.y - point.y, 0, point.y - box.bottom)
    return max(across / NEAR[0], down / NEAR[1])


def _around(point: Point, reach: Size) -> Box:
    return Box(round(point.x) - reach.width, round(point.y) - reach.height, 2 * reach.width, 2 * reach.height)


def _size(pixels: Pixels) -> Size:
    return Size(pixels.shape[1], pixels.shape[0])

"""What a run leaves behind: pixels around a target that the next run finds changed.

A list has one row more, a line counts, a field keeps what was typed: where the application stays open, that is
the screen on which the second run looks for the same targets. So the last screen is compared with the one on
which a target was used; what differs around it, where the target itself is the same, is known to vary.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

import cv2
import numpy as np
from numpy.typing import NDArray

from actionlens.frames import Pixels, crop, size_of
from actionlens.observation import Observation
from ibtr.geometry import Box, Point, Size
from memory_store.consolidation.screens import change, same_pixels
from memory_store.consolidation.seen import front_id, outside
from memory_store.consolidation.vary import SHADES, background, gray_part, softened, whole_word

REACH = Size(300, 180)
"""How far around a target its surroundings go."""
SAME = 0.97
"""Correlation from which a place shows the same widget."""
BETWEEN = 0.9
"""It must fall below this between two places: else they are one."""
MOST = 0.5
"""Share of the surroundings from which too much has changed: it is another screen."""
PLAIN = 0.02
"""Share of a place that may be ink where nothing is written."""
LINES = 12
"""Lines that a list may grow by below what has changed, at most."""


@dataclass(frozen=True, slots=True)
class Own:
    """A target, and where typed texts show around it on the last screen."""

    core: Box
    texts: tuple[Box, ...] = ()
    replaced: bool = False
    """Whatever it holds is selected and typed over: it may hold anything."""


@dataclass(frozen=True, slots=True)
class Left:
    """The last screen of a run, as the next run may find it."""

    seen: Observation
    pixels: Pixels

    def same_window(self, seen: Observation) -> bool:
        """Whether the window in front was in front at the end, in the same place."""
        here, then = self.seen.window, seen.window
        return (
            here is not None
            and then is not None
            and front_id(self.seen) == front_id(seen)
            and here.box[:2] == then.box[:2]
            and self.seen.image == seen.image
        )

    def around(self, screen: Pixels, point: Point, own: Own) -> list[Box]:
        """What varies around a target that is still there, in pixels of the screen on which it was used."""
        moved = self.moved(screen, own.core) or ((0, 0) if own.replaced else None)
        if moved is None or screen.shape != self.pixels.shape:
            return []
        left, top = round(point.x) - REACH.width, round(point.y) - REACH.height
        wide = Box(left, top, 2 * REACH.width, 2 * REACH.height)
        wide = _inside(wide.clip(size_of(screen)), moved, size_of(self.pixels))
        then, now = crop(screen, wide), crop(self.pixels, _shifted(wide, moved))
        changed = change(then, now)
        if changed.fraction > MOST:
            return []
        core = _shifted(own.core, (-wide.x, -wide.y))
        shown = [_shifted(box, (-wide.x - moved[0], -wide.y - moved[1])) for box in own.texts]
        boxes = [*_varying(then, now, changed.boxes, core, shown, pushed=moved != (0, 0))]
        found = [_shifted(box, (wide.x, wide.y)) for box in boxes]
        return found if own.replaced else [part for box in found for part in _beside(box, own.core)]

    def moved(self, screen: Pixels, core: Box) -> tuple[int, int] | None:
        """By how much a target was moved, along one axis; None where it is not to be seen, or not alone."""
        if screen.shape != self.pixels.shape:
            return None
        part = core.grow(2).clip(size_of(screen))
        if same_pixels(screen, self.pixels, part) >= SAME:
            return 0, 0
        down = _along(self.pixels, screen, part)
        across = _along(self.pixels.swapaxes(0, 1), screen.swapaxes(0, 1), _turned(part))
        if 0 in down:
            return 0, 0
        places = [*((0, y) for y in down), *((x, 0) for x in across)]
        return places[0] if len(places) == 1 else None


def _varying(
    then: Pixels, now: Pixels, boxes: Iterable[Box], core: Box, shown: Sequence[Box], *, pushed: bool
) -> Iterator[Box]:
    """Of all that changed around a target, what does not tell which one it is.

    What came where nothing was, and what shows a typed text now. Anything else may be another item in the same
    place, and in the target's own line even what was added may be its state. Where a typed text was put in and
    has pushed the target away, all that lies on that side is another list every time.
    """
    inserted = [box for box in shown if pushed and not box.intersect(core).area]
    for box in boxes:
        typed = [text for text in shown if _touch(box, text)]
        line = box.y < core.bottom and box.bottom > core.y
        new = not line and _is_plain(then, box)
        beyond = any(_beyond(box, text, core) for text in inserted)
        if typed or new or beyond:
            yield _with_room(now, _union(box, *typed, *([whole_word(then, box)] if typed else [])))


def _touch(one: Box, other: Box) -> bool:
    """Whether a part of a line has changed that shows a text."""
    return one.intersect(other).height >= other.height // 2 and one.grow(2).intersect(other).width > 0


def _union(*boxes: Box) -> Box:
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return Box(left, top, right - left, bottom - top)


def _beyond(box: Box, text: Box, core: Box) -> bool:
    """Whether a box lies on the same side of a target as the text that was put in there."""
    if text.bottom <= core.y:
        return box.bottom <= core.y
    return text.y >= core.bottom and box.y >= core.bottom


def _is_plain(screen: Pixels, box: Box) -> bool:
    gray = gray_part(screen, box)
    return float((abs(gray - background(gray)) > SHADES).mean()) < PLAIN


def _along(now: Pixels, then: Pixels, part: Box) -> list[int]:
    """By how much the same part stands higher or lower, wherever it does."""
    strip = np.ascontiguousarray(now[:, part.x : part.right])
    wanted = np.ascontiguousarray(crop(then, part))
    if wanted.std() < 2:
        return []
    scores = np.asarray(cv2.matchTemplate(strip, wanted, cv2.TM_CCOEFF_NORMED), np.float32)[:, 0]
    runs = np.split(np.arange(len(scores)), np.flatnonzero(scores < BETWEEN))
    best = [int(run[scores[run].argmax()]) for run in runs if len(run) and scores[run].max() >= SAME]
    return [row - part.y for row in best]


def _with_room(now: Pixels, box: Box) -> Box:
    """The box with the plain ground beside and below it, where a longer text or the next line will stand."""
    size, box = size_of(now), softened(now, box)
    shade = background(gray_part(now, box))
    right = Box(box.right, box.y, size.width - box.right, box.height)
    wide = box._replace(width=box.width + _room(now, right, shade, across=True))
    below = Box(wide.x, wide.bottom, wide.width, min(size.height - wide.bottom, LINES * max(box.height, 12)))
    return wide._replace(height=wide.height + _room(now, below, shade, across=False))


def _room(now: Pixels, part: Box, shade: int, *, across: bool) -> int:
    """How many columns or rows of a part are plain before the first that is not."""
    if not part.area:
        return 0
    plain: NDArray[np.bool_] = np.abs(gray_part(now, part) - shade) <= SHADES
    lines = np.atleast_1d(plain.all(axis=0 if across else 1))
    return sum(1 for _ in takewhile(bool, lines))


def _beside(box: Box, core: Box) -> list[Box]:
    """What of a box lies beside the target itself: that never varies."""
    return outside(box, core) if box.intersect(core).area else [box]


def _inside(box: Box, moved: tuple[int, int], size: Size) -> Box:
    """The part of a box that is on the screen there, too."""
    there = _shifted(box, moved).clip(size)
    return _shifted(there, (-moved[0], -moved[1]))


def _shifted(box: Box, by: tuple[int, int]) -> Box:
    return Box(box.x + by[0], box.y + by[1], box.width, box.height)


def _turned(box: Box) -> Box:
    return Box(box.y, box.x, box.height, box.width)

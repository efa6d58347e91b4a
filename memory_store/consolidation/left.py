"""What a run leaves behind: pixels around a target that the next run finds changed.

A list has one row more, a line counts, a field keeps what was typed: where the application stays open, that
is the screen on which the second run looks for the same targets. So the last screen is compared with the one
on which a target was used; what differs around it, where the target itself is the same, is known to vary.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from actionlens.frames import Pixels, crop, size_of
from actionlens.observation import Observation
from ibtr.geometry import Box, Point, Size
from memory_store.consolidation.screens import LEVEL, change, same_pixels
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
LINE = 14
"""Half the height of a line that a target stands in."""
RIM = 2
"""Rows by which a line may be touched from above or below."""
PLAIN, OTHERS = 0.05, 0.2
"""Share of what changed that may have been ink where something was added; of all that stands there."""
LIT = 10
"""Pixels around a target's letters that light up with it."""
LINES = 12
"""Lines that a list may grow by below what has changed, at most."""


@dataclass(frozen=True, slots=True)
class Own:
    """A target, and where typed texts show around it on the last screen."""

    core: Box
    texts: tuple[Box, ...] = ()
    replaced: bool = False
    """Whatever it holds is selected and typed over: it may hold anything."""

    def seen_from(self, part: Box, moved: tuple[int, int]) -> Own:
        """The same in pixels of a part of the screen; the texts in those of where it was `moved`."""
        texts = (_shifted(box, (-part.x - moved[0], -part.y - moved[1])) for box in self.texts)
        return replace(self, core=_shifted(self.core, (-part.x, -part.y)), texts=tuple(texts))


class Next(NamedTuple):
    """What a step will see the next time, and by how much its target was moved there."""

    pixels: Pixels
    moved: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Left:
    """The last screen of a run, as the next run may find it, and the first one."""

    seen: Observation
    pixels: Pixels
    start: Pixels
    pointer: Point | None = None
    """Where it rests."""

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

    def next_time(self, screen: Pixels, own: Own) -> Next:
        """What a step will see the next time.

        A target that stands on the last screen is seen there. What came up in between, a menu, comes up over
        that screen again: where the run had not changed anything yet, the end of the run shows.
        """
        moved = self.moved(screen, own.core)
        if moved is not None or own.replaced or not screen.shape == self.start.shape == self.pixels.shape:
            return Next(self.pixels, moved or (0, 0))
        unchanged = cv2.absdiff(screen, self.start).max(axis=2, keepdims=True) < LEVEL
        return Next(np.where(unchanged, self.pixels, screen).astype(np.uint8), (0, 0))

    def left_alone(self, screen: Pixels, core: Box, later: Next) -> Next:
        """The same without the pointer on the target: what it lights up is as it was."""
        here = core.grow(LIT).clip(size_of(screen))
        there = _shifted(here, later.moved)
        whole = there.clip(size_of(later.pixels)) == there and later.pixels.shape == screen.shape
        if not whole or self.pointer is None or not there.contains(self.pointer):
            return later
        pixels = later.pixels.copy()
        crop(pixels, there)[:] = crop(screen, here)
        return later._replace(pixels=pixels)

    def around(self, screen: Pixels, point: Point, own: Own) -> list[Box]:
        """What varies around a target, in pixels of the screen on which it was used."""
        if screen.shape != self.pixels.shape:
            return []
        later, moved = self.next_time(screen, own)
        left, top = round(point.x) - REACH.width, round(point.y) - REACH.height
        wide = Box(left, top, 2 * REACH.width, 2 * REACH.height)
        wide = _inside(wide.clip(size_of(screen)), moved, size_of(later))
        then, now = crop(screen, wide), crop(later, _shifted(wide, moved))
        changed = change(then, now)
        if changed.fraction > MOST:
            return []
        here = own.seen_from(wide, moved)
        click = Point(point.x - wide.x, point.y - wide.y)
        boxes = [*_varying(_Pair(then, now), changed.boxes, here, click, pushed=moved != (0, 0))]
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


def _varying(pair: _Pair, boxes: Iterable[Box], own: Own, click: Point, *, pushed: bool) -> Iterator[Box]:
    """Of all that changed around a target, what does not tell which one it is.

    What came where nothing was, and what shows a typed text now. Anything else may be another item in the
    same place, and in the target's own line even what was added may be its state. Where a typed text was put
    in and has pushed the target away, all that lies on that side is another list every time.
    """
    line = own.core.intersect(Box(own.core.x, round(click.y) - LINE, own.core.width, 2 * LINE))
    inserted = [box for box in own.texts if pushed and not box.intersect(own.core).area]
    for box in boxes:
        typed = [text for text in own.texts if _touch(box, text)]
        beside = min(box.bottom, line.bottom) - max(box.y, line.y) > RIM
        added = not beside and pair.added(box)
        beyond = any(_beyond(box, text, own.core) for text in inserted)
        if typed or added or beyond:
            words = [whole_word(pair.then, box)] if typed else []
            yield _with_room(pair.now, _union(box, *typed, *words))


class _Pair(NamedTuple):
    """The surroundings of a target, when it was used and the next time."""

    then: Pixels
    now: Pixels

    def added(self, box: Box) -> bool:
        """Whether all that changed in a box came where nothing was."""
        gray, apart = gray_part(self.then, box), cv2.absdiff(crop(self.then, box), crop(self.now, box))
        inked = np.abs(gray - background(gray)) > SHADES
        changed = apart.max(axis=2) >= LEVEL
        return float(inked.mean()) <= OTHERS and float(inked[changed].mean()) <= PLAIN


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

"""Where is what stood around a target cut off? Something else may lie over a part of its window.

A straight line then runs through it: on the target's side everything is as it was, beyond it nothing is, and
what crossed it does not go on. Another text differs in its own row alone, and between the columns of a list
with other entries nothing is cut through: neither makes such a line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibtr.compare import inside, likeness
from ibtr.evidence import CropAnchor
from ibtr.geometry import Box, Point
from ibtr.masks import edges
from ibtr.pixels import Floats, Pixels, absolute_difference, cut, local_mean, size_of
from ibtr.sight import kept_mask, vicinity
from ibtr.work import Work, aligned

BLUR, SAME = 7, 32.0
"""Side of a window, and levels by which its mean may differ: far surroundings are kept lossy."""
NEAR, BEHIND, BEYOND = 8, 4, (16, 32)
"""Pixels to each side of a line in which what crosses it shows, and from where to where it must be gone: one
letter may be like another by chance, three in a row are not."""
STROKE = 24
"""Levels between neighbouring pixels that make a stroke."""
CROSSING, STROKES = 8, 100
"""Rows of pixels that cross a line beside the target's own row, and strokes beyond it, at least."""
FEW, GONE = 20, 0.3
"""Strokes that are as good as none, and the most likeness of some that are gone."""
ALIKE, ALL = 0.5, 0.97
"""Likeness from which a stroke is there, and the share of those that must be, where nothing is cut off."""
LOST = 0.1
"""Share of a window's pixels that are strokes which are gone, from which it is not as it was."""
FAR = 1 << 16
"""How far away a side is that nothing cuts off."""


def is_cut_off(work: Work, at: Point) -> bool:
    """Whether all around a click at `at` is as it was, up to a line that something is cut through at."""
    anchor = work.anchor
    known, seen = aligned(work, at, anchor.wide)
    if as_it_was(work, known, seen) is None:
        return False
    shape, alike = known.shape[:2], likeness(known, seen).alike
    part = as_it_was(work, known, seen, _lost(known, alike))
    if part is None or not (met := sides_met(part, anchor)):
        return False
    sides = Sides(known, seen, alike, inside(shape, part), np.zeros(shape, np.float32))
    crossed = [turn for turn in met if sides.turned(turn).is_crossed(lines=True)]
    cuts = [turn for turn in met if turn in crossed or sides.turned(turn).is_gone()]
    return bool(crossed) and all_there(known, alike, opened(part, cuts).clip(anchor.size))


def as_it_was(work: Work, known: Pixels, seen: Pixels, lost: NDArray[np.bool_] | None = None) -> Box | None:
    """The part around the click that is as it was; None where something right beside it is not."""
    anchor = work.anchor
    apart = np.abs(_mean(known) - _mean(seen)) >= SAME
    if lost is not None:
        apart |= lost
    apart = (apart & (kept_mask(work, anchor.wide) > 0)).astype(np.uint8)
    start = vicinity(anchor.click, 1.0).clip(anchor.size)
    return None if cut(apart, start).any() else grown(apart, start)


def _lost(known: Pixels, alike: Floats) -> NDArray[np.bool_]:
    """Where strokes are gone: thin ones, on a ground that is the same, hardly change the level."""
    strokes = (edges(known, STROKE) > 0) & (alike < ALIKE)
    return local_mean(strokes.astype(np.float32), BLUR) >= LOST


def _mean(picture: Pixels) -> Floats:
    return local_mean(picture.astype(np.float32), BLUR)


def sides_met(part: Box, anchor: CropAnchor) -> list[int]:
    """The sides at which a part ends within the picture."""
    return [turn for turn in range(4) if ends(part, turn) < ends(anchor.wide, turn)]


def all_there(known: Pixels, alike: Floats, part: Box) -> bool:
    """Whether all strokes of a part, or nearly all, are as they were."""
    return float((cut(alike, part)[cut(edges(known, STROKE), part) > 0] >= ALIKE).mean()) >= ALL


def grown(apart: Pixels, start: Box) -> Box:
    """The largest box that grows from `start` to all sides, each until it meets something that differs.

    Along a line that was met, pixels may differ a little before it: as far as that is blurred, none is asked.
    """
    return max((_grown(apart, start, first) for first in ((), (0, 2), (1, 3))), key=lambda box: box.area)


def _grown(apart: Pixels, start: Box, first: Sequence[int]) -> Box:
    """The same with some of the sides `first`: what lies over a corner would stop them."""
    sides, lasts = [start.x, start.y, start.right, start.bottom], (0, 0, *size_of(apart))
    met = [False] * 4
    for turns in (first, range(4)):
        growing = [side for side in turns if not met[side]]
        while growing:
            for side in tuple(growing):
                if sides[side] == lasts[side]:
                    growing.remove(side)
                elif _differs_at(apart, sides, side, met):
                    met[side] = True
                    growing.remove(side)
                else:
                    sides[side] += -1 if side < 2 else 1
    return Box(sides[0], sides[1], sides[2] - sides[0], sides[3] - sides[1])


def _differs_at(apart: Pixels, sides: list[int], side: int, met: list[bool]) -> bool:
    """Whether something differs in the line beside a box, but for what is near a side that was met."""
    start, end = (1, 3) if side % 2 == 0 else (0, 2)
    part = slice(sides[start] + BLUR * met[start], sides[end] - BLUR * met[end])
    line = sides[side] - (1 if side < 2 else 0)
    return bool((apart[part, line] if side % 2 == 0 else apart[line, part]).any())


def ends(box: Box, turn: int) -> int:
    """How far a box goes to the right, below, to the left or up."""
    return (box.right, box.bottom, -box.x, -box.y)[turn]


def opened(part: Box, cuts: list[int]) -> Box:
    """A part without the sides at which nothing is cut off, and what the line itself may have a share in."""
    right, bottom, left, top = (ends(part, turn) - BLUR if turn in cuts else FAR for turn in range(4))
    return Box(-left, -top, right + left, bottom + top)


class Sides(NamedTuple):
    """What is compared, with the side to the right at which something may be cut off."""

    known: Pixels
    seen: Pixels
    alike: Floats
    part: Floats
    """1 where everything is as it was."""
    own: Floats
    """1 where something is to be read that goes on beyond it."""

    def turned(self, turn: int) -> Sides:
        """The same with the lower, left or upper side there."""
        known, seen = np.rot90(self.known, turn), np.rot90(self.seen, turn)
        return Sides(known, seen, *(np.rot90(one, turn) for one in (self.alike, self.part, self.own)))

    def is_gone(self) -> bool:
        """Whether nothing that was beyond that part is there."""
        strokes = self._beyond()
        return int(strokes.sum()) < FEW or float(self.alike[strokes].mean()) <= GONE

    def is_crossed(self, *, lines: bool = False) -> bool:
        """Whether things crossed its side in other rows, and go on in none of them; `lines` along it, too."""
        strokes, line = self._beyond(), self._line()
        before = slice(max(0, line - NEAR), line)
        crossing = _strokes(self.known)[:, before].max(axis=1) & _strokes(self.seen)[:, before].max(axis=1)
        crossing &= strokes[:, line : line + NEAR].max(axis=1) & (self.own.max(axis=1) == 0)
        through = self._through(line) if lines else np.zeros_like(crossing)
        there = (strokes & crossing[:, None]) | through[:, None]
        behind = [slice(line + BEHIND, line + end) for end in BEYOND]
        crossed = [self.alike[:, part][there[:, part]] for part in behind]
        enough = int((crossing | through).sum()) >= CROSSING and int(strokes.sum()) >= STROKES
        return enough and any(len(part) > 0 and float(part.mean()) <= GONE for part in crossed)

    def _through(self, line: int) -> NDArray[np.bool_]:
        """The rows in which a line ran through its side: a frame, or those between the cells of a sheet."""
        known, seen = (_strokes(picture.T).T for picture in (self.known, self.seen))
        before = np.all(seen[:, max(0, line - 2 * NEAR) : max(0, line - NEAR)], axis=1)
        behind = np.all(known[:, line : line + 2 * NEAR], axis=1)
        return np.asarray(before & behind & (self.part.max(axis=1) > 0), bool)

    def _line(self) -> int:
        return int(np.flatnonzero(self.part.max(axis=0))[-1]) + 1

    def _beyond(self) -> NDArray[np.bool_]:
        """The strokes that were beyond it, in its rows."""
        strokes: NDArray[np.bool_] = _strokes(self.known) & (self.part.max(axis=1) > 0)[:, None]
        strokes[:, : self._line()] = False
        return strokes


def _strokes(picture: Pixels) -> NDArray[np.bool_]:
    """Where pixels differ from the next one across."""
    strokes = np.zeros(picture.shape, bool)
    strokes[:, 1:] = absolute_difference(picture[:, 1:].copy(), picture[:, :-1].copy()) >= STROKE
    return strokes

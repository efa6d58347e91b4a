"""How far is the target's window to be seen? Something else may lie over a part of what stood around it.

Where a window is partly covered, or leaves the screen, a straight line runs through what stood around the
target: on the target's side everything is as it was, beyond it nothing is, and what crossed it does not go
on. What was there does not read otherwise now; it is not to be seen. Another text differs in its own row
alone, and between the columns of a list with other entries nothing is cut through: neither makes such a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibtr.compare import inside, likeness
from ibtr.evidence import CropAnchor
from ibtr.geometry import Box, Point
from ibtr.judge import Limits, verified
from ibtr.lists import APART, INK, equals_at
from ibtr.pixels import Floats, Pixels, absolute_difference, cut, edges, local_mean, size_of, turned
from ibtr.reading import around_line, read_text
from ibtr.search import Candidate, Scaling, Work, aligned
from ibtr.sight import Sight, kept_mask, look, near_part, read_list, relative, vicinity

BLUR, SAME = 7, 32.0
"""Side of a window, and levels by which its mean may differ: far surroundings are kept lossy."""
NEAR, BEYOND = 8, (4, 16)
"""Pixels to each side of a line in which what crosses it shows, and those behind it where it must be gone."""
STROKE = 24
"""Levels between neighbouring pixels that make a stroke."""
CROSSING, STROKES = 8, 100
"""Rows of pixels that cross a line beside the target's own row, and strokes beyond it, at least."""
FEW, GONE = 20, 0.3
"""Strokes that are as good as none, and the most likeness of some that are gone."""
ALIKE, ALL = 0.5, 0.97
"""Likeness from which a stroke is there, and the share of those that must be, where nothing is cut off."""
MOST = 10
"""Places that are looked at so: those with most of what stood around the target."""
FAR = 1 << 16
"""How far away a side is that nothing cuts off."""
CLOSE = 34
"""Pixels beside a widget where what tells its row must be seen: a box that shows its state stands there."""


def in_part(work: Work, seen: list[Sight], limits: Limits) -> list[Sight]:
    """The same sights, read as far as they are to be seen, if something else lies over the rest of one."""
    if work.inverted or work.flat or work.scaling != Scaling(1.0, 1.0):
        return seen
    likely = [s for s in seen if s.spot >= limits.spot and s.context >= limits.support]
    likely = sorted(likely, key=lambda s: -s.context)[:MOST]
    parts = {s.point: part for s in likely if (part := free(work, s.point)) is not None}
    if not parts:
        return seen
    least = next(iter(parts.values()))  # what tells one from its equals must tell it by that, too
    alike = [s.point for s in seen if s.point in parts or verified(s, limits, limits.rival)]
    return [_read(work, s, parts.get(s.point, least)) if s.point in alike else s for s in seen]


def _read(work: Work, sight: Sight, part: Box) -> Sight:
    near = near_part(work)
    hidden = 1 - inside((near.height, near.width), relative(part, near))
    again = look(work, Candidate(sight.point, sight.score), hidden)
    again = again._replace(context=sight.context, context_score=sight.context_score)
    return read_text(work, read_list(work, again, part), part)


def free(work: Work, at: Point) -> Box | None:
    """The part that is to be seen around a click at `at`, where a line cuts off some of what must be read.

    None where there is no such line, or where too little is left: the widget, and what tells it from its
    equals. A line beyond the picture is seen where all around the row was kept.
    """
    anchor = work.anchor
    if anchor.beyond is not None:
        further = Work(_pictured(anchor, anchor.beyond), work.view, work.scaling)
        part = free(further, at)
        return part and moved_to(part, further.anchor, anchor)
    known, seen = aligned(work, at, anchor.wide)
    part = _as_it_was(work, known, seen)
    if part is None:
        return None
    read = list(_to_read(anchor))
    met = _met(part, anchor)
    cuts = [turn for turn in met if any(_ends(box, turn) > _ends(part, turn) for box in read)]
    sure = _open(part, cuts)
    if not cuts or any(box.intersect(sure) != box for box in _whole(anchor)):
        return None
    shape, alike = known.shape[:2], likeness(known, seen).alike
    empty = np.zeros(shape, np.float32)
    gone: list[int] = []
    for turn in met:
        own = (inside(shape, box) for box in read if turn in cuts and _ends(box, turn) > _ends(part, turn))
        side = _Pictures(known, seen, alike, inside(shape, part), sum(own, empty)).turned(turn)
        gone += [turn] if side.is_gone() else []
        if turn in cuts and not (turn in gone and side.is_crossed()):
            return None
    if not _all_there(known, alike, _open(part, gone).clip(anchor.size)):
        return None
    return sure if _tells(anchor, seen, sure.clip(anchor.size)) else None


def is_cut_off(work: Work, at: Point) -> bool:
    """Whether all around a click at `at` is as it was, up to a line that something is cut through at."""
    anchor = work.anchor
    known, seen = aligned(work, at, anchor.wide)
    part = _as_it_was(work, known, seen)
    if part is None or not (met := _met(part, anchor)):
        return False
    shape, alike = known.shape[:2], likeness(known, seen).alike
    sides = _Pictures(known, seen, alike, inside(shape, part), np.zeros(shape, np.float32))
    gone = [turn for turn in met if sides.turned(turn).is_gone()]
    crossed = any(sides.turned(turn).is_crossed() for turn in gone)
    return crossed and _all_there(known, alike, _open(part, gone).clip(anchor.size))


def _as_it_was(work: Work, known: Pixels, seen: Pixels) -> Box | None:
    """The part around the click that is as it was; None where something right beside it is not."""
    anchor = work.anchor
    levels = np.abs(_mean(known) - _mean(seen)) * kept_mask(work, anchor.wide)
    apart = (levels >= SAME).astype(np.uint8)
    start = vicinity(anchor.click, 1.0).clip(anchor.size)
    return None if cut(apart, start).any() else grown(apart, start)


def _met(part: Box, anchor: CropAnchor) -> list[int]:
    """The sides at which a part ends within the picture."""
    return [turn for turn in range(4) if _ends(part, turn) < _ends(anchor.wide, turn)]


def _all_there(known: Pixels, alike: Floats, part: Box) -> bool:
    """Whether all strokes of a part, or nearly all, are as they were."""
    return float((cut(alike, part)[cut(edges(known, STROKE), part) > 0] >= ALIKE).mean()) >= ALL


def _pictured(anchor: CropAnchor, other: CropAnchor) -> CropAnchor:
    """The same target in another picture of its screen."""
    core, target, context = (moved_to(b, anchor, other) for b in (anchor.core, anchor.target, anchor.context))
    return replace(
        anchor, image=other.image, click=other.click, core=core, target=target, context=context,
        source=other.source, vary=other.vary, line=anchor.line and moved_to(anchor.line, anchor, other),
        field=None, label=None, beyond=None,
    )  # fmt: skip


def _mean(picture: Pixels) -> Floats:
    return local_mean(picture.astype(np.float32), BLUR)


def _to_read(anchor: CropAnchor) -> Iterable[Box]:
    """All that must read the same, in pixels of the picture."""
    yield anchor.core
    if anchor.line is not None:
        yield around_line(anchor.line)
    for strip in (anchor.row, anchor.column):
        if strip is not None:
            yield moved_to(strip.context, strip, anchor)


def _whole(anchor: CropAnchor) -> Iterable[Box]:
    """What must be seen of that: a text as far as the widget goes; of one with equals, all that is near."""
    yield vicinity(anchor.click, 1.0).intersect(anchor.core)
    if anchor.line is not None:
        yield anchor.line.intersect(anchor.core)
    for strip in (anchor.row, anchor.column):
        if strip is not None:
            yield anchor.core
            yield anchor.core.grow(CLOSE).intersect(moved_to(strip.context, strip, anchor)).clip(anchor.size)


def moved_to(box: Box, one: CropAnchor, other: CropAnchor) -> Box:
    """A box of one picture in pixels of another one of the same screen."""
    return Box(box.x + one.source.x - other.source.x, box.y + one.source.y - other.source.y, *box[2:])


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


def _ends(box: Box, turn: int) -> int:
    """How far a box goes to the right, below, to the left or up."""
    return (box.right, box.bottom, -box.x, -box.y)[turn]


def _open(part: Box, cuts: list[int]) -> Box:
    """A part without the sides at which nothing is cut off, and what the line itself may have a share in."""
    right, bottom, left, top = (_ends(part, turn) - BLUR if turn in cuts else FAR for turn in range(4))
    return Box(-left, -top, right + left, bottom + top)


class _Pictures(NamedTuple):
    """What is compared, with the side to the right at which something may be cut off."""

    known: Pixels
    seen: Pixels
    alike: Floats
    part: Floats
    """1 where everything is as it was."""
    own: Floats
    """1 where something is to be read that goes on beyond it."""

    def turned(self, turn: int) -> _Pictures:
        """The same with the lower, left or upper side there."""
        known, seen = np.rot90(self.known, turn), np.rot90(self.seen, turn)
        return _Pictures(known, seen, *(np.rot90(one, turn) for one in (self.alike, self.part, self.own)))

    def is_gone(self) -> bool:
        """Whether nothing that was beyond that part is there."""
        strokes = self._beyond()
        return int(strokes.sum()) < FEW or float(self.alike[strokes].mean()) <= GONE

    def is_crossed(self) -> bool:
        """Whether things crossed its side in other rows, and go on in none of them."""
        strokes, line = self._beyond(), self._line()
        before = _strokes(self.seen)[:, max(0, line - NEAR) : line].max(axis=1)
        crossing = before & strokes[:, line : line + NEAR].max(axis=1) & (self.own.max(axis=1) == 0)
        behind = slice(line + BEYOND[0], line + BEYOND[1])
        crossed = self.alike[:, behind][strokes[:, behind] & crossing[:, None]]
        enough = int(crossing.sum()) >= CROSSING and int(strokes.sum()) >= STROKES and len(crossed) > 0
        return enough and float(crossed.mean()) <= GONE

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


def _tells(anchor: CropAnchor, seen: Pixels, part: Box) -> bool:
    """Whether what is to be seen of its row and column differs from those of all its equals there."""
    core, row, column = relative(anchor.core, part), anchor.row, anchor.column
    shown = cut(seen, part)
    found = equals_at(shown, core, anchor.click.y - part.y)
    if row is not None and not _differs(
        shown, core, relative(moved_to(row.wide, row, anchor), part), found.down
    ):
        return False
    if column is None:
        return True
    strip = relative(moved_to(column.wide, column, anchor), part)
    return _differs(turned(shown), _turned(core), _turned(strip), found.across)


def _turned(box: Box) -> Box:
    return Box(box.y, box.x, box.height, box.width)


def _differs(shown: Pixels, core: Box, row: Box, down: list[int]) -> bool:
    """Whether a row differs, beside the widget, from each that is `down` from it; some of them are there."""
    row, told = row.clip(size_of(shown)), 0
    for step in down:
        theirs = row._replace(y=row.y + step)
        if theirs.clip(size_of(shown)) != theirs:
            continue
        apart = absolute_difference(cut(shown, row), cut(shown, theirs)) >= APART
        apart[:, max(0, core.x - row.x) : max(0, core.right - row.x)] = False
        if int(apart.sum()) < INK:
            return False
        told += 1
    return told > 0

"""What names a target whose row reads like those of all its equals: a heading, a label, a question.

Such a line stands at the same place beside every one of them, and reads otherwise there.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from ibtr.geometry import Box
from ibtr.letters import around, level, lines
from ibtr.lists import APART, INK, MOSTLY, ROWS
from ibtr.pixels import Pixels, absolute_difference, cut, size_of
from ibtr.reading import within_borders

FURTHEST = 360
"""How far above a target what names it may stand, and how far before it begin."""
PLACED = 3
"""Pixels by which the beginning, the middle or the end of such a line may stand elsewhere beside an equal."""


def named_above(gray: Pixels, core: Box, down: Sequence[int]) -> Box | None:
    """The lines above a target, as far as its next equal, that name it; None where there are none.

    `down` is where its equals stand, in pixels from it.
    """
    up = [-step for step in down if step < 0]
    pitch = min(FURTHEST + core.height, *(up or down))
    part = Box(0, core.bottom - pitch, gray.shape[1], pitch - core.height)
    if part.height <= 0:  # they touch
        return None
    near = core.x - FURTHEST, core.right
    return _names(gray, part, near, [(0, step) for step in sorted(down, key=abs)[:ROWS]])


def _names(gray: Pixels, part: Box, near: tuple[int, int], steps: Sequence[tuple[int, int]]) -> Box | None:
    """The lines that begin `near` in a part of the screen, stand beside the equals and read otherwise."""
    size = size_of(gray)
    here = part.clip(size)
    theirs = [(step, _moved(here, step)) for step in steps]
    those = [(step, _lines(gray, box)) for step, box in theirs if box.clip(size) == box]
    found: list[Box] = []
    for line in (one for one in _lines(gray, here) if near[0] <= one.x <= near[1]):
        same = [(step, one) for step, others in those for one in others if _at(_moved(line, step), one)]
        at = {step for step, _ in same}
        if same and len(at) >= MOSTLY * len(those) and any(_differs(gray, line, *one) for one in same):
            found.append(line)
    return within_borders(gray, reduce(around, found)) if found else None


def _lines(gray: Pixels, part: Box) -> list[Box]:
    """The lines of text in a part of the screen."""
    return [_moved(line.box, (part.x, part.y)) for line in lines(cut(gray, part))] if part.area else []


def _moved(box: Box, by: tuple[int, int]) -> Box:
    return Box(box.x + by[0], box.y + by[1], box.width, box.height)


def _at(one: Box, other: Box) -> bool:
    """Whether two lines stand at one place, be they of other lengths."""
    off = one.x - other.x, one.right - other.right, one.center.x - other.center.x
    return level(one, other) and min(map(abs, off)) <= PLACED


def _differs(gray: Pixels, line: Box, step: tuple[int, int], other: Box) -> bool:
    """Whether a line reads otherwise than that of an equal."""
    whole = around(line, _moved(other, (-step[0], -step[1]))).clip(size_of(gray))
    there = _moved(whole, step)
    if there.clip(size_of(gray)) != there:
        return True
    return int((absolute_difference(cut(gray, whole), cut(gray, there)) >= APART).sum()) >= INK

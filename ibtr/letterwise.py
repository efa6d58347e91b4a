"""A text is read again where it has other pixels: letter by letter, and a few letters pixel by pixel."""

from __future__ import annotations

import numpy as np

from ibtr.geometry import Box, Point, Size
from ibtr.letters import lines, without_rule
from ibtr.lists import EDGE
from ibtr.masks import edges
from ibtr.pixels import Pixels, correlation, cut, moved, size_of
from ibtr.reading import RESCALED, around_line, between_pixels, readable, same_text
from ibtr.sight import Sight
from ibtr.spelled import spelled
from ibtr.tone import DRAWN, Tone
from ibtr.work import Work

FOUND = 0.9
"""Least correlation of what is no text."""
ALIKE, APART, CLEAR = 0.8, 0.38, 0.33
"""Least correlation of a letter, and how far apart it may be at its worst place; the same where most is drawn
with the recorded pixels."""
SHORT = 4
"""Letters below which a text is compared pixel by pixel: in so few, another one is not seen to stand out."""
PHASES = ((0.0, 0.0), (-0.5, 0.0), (-0.25, 0.0), (0.25, 0.0), (0.5, 0.0), (0.0, -0.5), (0.0, 0.5))
"""Parts of a pixel by which these may be drawn further on."""
FEW = 0.965
"""Correlation of these where they fit best between the pixels, though their row has not moved."""
LOOSE = 3
"""Pixels around a text that belong to it."""


def read_anew(work: Work, sight: Sight) -> Sight:
    """The same sight; a text that has its size, but not its pixels, is read letter by letter."""
    line = work.anchor.line
    if line is None or work.inverted or abs(work.scaling.mean - 1) > RESCALED:
        return sight
    if not sight.misread and readable(work, sight.point, line):
        return sight
    return sight._replace(misread=0.0 if spelled_between(work, sight.point) else max(1.0, sight.misread))


def spelled_between(work: Work, at: Point) -> bool:
    """Whether the text that was clicked is there letter by letter, though drawn between the pixels."""
    line = work.anchor.line
    if line is None:
        return False
    way = round(at.x - work.click.x), round(at.y - work.click.y)
    part = around_line(line).clip(work.anchor.size)
    there = Box(part.x + way[0], part.y + way[1], part.width, part.height)
    if there.clip(work.view.size) != there:
        return False
    known, seen = cut(work.gray, part), cut(work.view.gray, there)
    drawn = Tone.of(known, seen).noise <= DRAWN
    if (drawn and not between_pixels(work, at)) or _beyond(
        edges(seen, EDGE), line.x - part.x, line.right - part.x
    ):
        return False
    own = line._replace(x=line.x + way[0], y=line.y + way[1])
    most = CLEAR if drawn else APART
    found = read_part(without_rule(work.gray, line), without_rule(work.view.gray, own), part, way, most=most)
    return found is not None


def _beyond(ink: Pixels, start: int, end: int) -> bool:
    """Whether something is written before or after a text."""
    return bool(ink[:, : max(0, start - LOOSE)].any() or ink[:, end + LOOSE :].any())


def read_part(
    known: Pixels,
    band: Pixels,
    cell: Box,
    way: tuple[int, int],
    score: float = 0.0,
    *,
    most: float = APART,
    few: float = 0.0,
) -> float | None:
    """The least alike letter of a cell; None where one is another, or what is no text is not the same.

    `few`: how much alike a sign, or a few letters, must be between the pixels.
    """
    own = np.ones_like(known)
    cut(own, cell)[:] = 0
    text = [line for line in lines(known, own) if not all(line.hidden)]
    if not text:
        return score if score >= FOUND and _drawn_alike(known, band, cell, way, few) else None
    least = 1.0
    for line in text:
        read = spelled(known, band, line, way)
        if read.least < ALIKE or read.apart > most:
            return None
        if len(line.letters) < SHORT and not _drawn_alike(known, band, line.box, way, few):
            return None
        least = min(least, read.least)
    return least


def _drawn_alike(known: Pixels, seen: Pixels, part: Box, way: tuple[int, int], few: float) -> bool:
    """Whether a sign, or a few letters, have all of their pixels, or fit best between those of the screen."""
    there = part._replace(x=part.x + way[0], y=part.y + way[1])
    if there.clip(size_of(seen)) != there:
        return False
    now, whole = cut(seen, there), Size(part.width, part.height)
    drawn = [moved(known, Point(part.x + x, part.y + y), whole) for x, y in PHASES]
    if any(same_text(one, now) for one in drawn):
        return True
    alike = [correlation(one, now) for one in drawn]
    best = max(alike)
    return best > alike[0] and best >= few


def reads(known: Pixels, seen: Pixels, text: Box, way: tuple[int, int]) -> bool:
    """Whether a text of a picture stands so far away in another one, by its pixels.

    Letter by letter only where it is more alike if it is drawn between them.
    """
    there = text._replace(x=text.x + way[0], y=text.y + way[1])
    now, whole = cut(seen, there), Size(text.width, text.height)
    if same_text(cut(known, text), now):
        return True
    best = max(
        PHASES, key=lambda by: correlation(moved(known, Point(text.x + by[0], text.y + by[1]), whole), now)
    )
    around = text.grow(LOOSE).clip(size_of(known))
    return best != PHASES[0] and read_part(known, seen, around, way) is not None

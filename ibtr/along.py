"""A plain spot is anywhere along its row: what is written in that says where, on the whole screen."""

from __future__ import annotations

import numpy as np

from ibtr.covered import moved_to
from ibtr.evidence import CropAnchor
from ibtr.geometry import Box, Point
from ibtr.judge import Limits, verified
from ibtr.kin import among_kin, kin_of
from ibtr.memory import mates_of
from ibtr.peaks import Wanted, peaks
from ibtr.pixels import Pixels, absolute_difference, correlate, cut, size_of
from ibtr.reflow import AROUND, COMPANY
from ibtr.search import Candidate
from ibtr.sight import Sight, look, look_around, read_list
from ibtr.work import Work

SAME, MOST = 0.9, 24
"""Correlation from which the text of its row is there, and places where it is looked at."""
GROUND, PLAIN, INK = 6, 0.98, 24
"""Levels by which the ground behind it may differ, the share that must be as it was, and what is ink."""
OFF = 2
"""Pixels by which a word around that may stand off."""
HIGHER = 4
"""Pixels by which two places of one row may stand apart."""


def rows_by_text(work: Work) -> list[Candidate]:
    """Where a plain spot is if the text before it in its row stands anywhere on the screen."""
    row = work.anchor.row
    if row is None or not _is_spot(work):
        return []
    text = cut(row.gray, row.context)
    if any(own > whole for own, whole in zip(size_of(text), work.view.size, strict=True)):
        return []
    found = peaks(correlate(work.view.gray, text), Wanted(SAME, most=MOST))
    way = row.click.x - row.context.x, row.click.y - row.context.y
    return [Candidate(Point(x + way[0], y + way[1]), score) for x, y, score in found]


def _is_spot(work: Work) -> bool:
    """Whether a target is a place behind the text of its row, drawn in the size that it had."""
    row = work.anchor.row
    if row is None or not work.slides[0] or abs(work.scaling.mean - 1) > 0.01 or work.inverted or work.flat:
        return False
    return work.anchor.field is None and row.context.right <= row.target.x


def along_row(work: Work, seen: list[Sight], limits: Limits) -> list[Sight]:
    """The same sights, of each row the one that stands as far from its text as the target did.

    Where there is nothing on the spot itself, its score is that of the text; and what must stand around it
    may stand around that.
    """
    if not _is_spot(work):
        return seen
    likely = [s for s in seen if verified(s, limits, limits.rival)]
    around, kin = _mates(work), kin_of(work.anchor)
    found: list[Sight] = []
    for sight in likely:
        if not any(abs(sight.point.y - one.point.y) <= HIGHER for one in found):
            at = _by_text(work, sight.point)
            if at is not None:
                spot = look(work, at)
                spot = spot._replace(score=spot.score or at.score)
                spot = read_list(work, look_around(work, spot))
                share = max(_around_text(work, spot.point, *around), among_kin(work, spot.point, *kin))
                found.append(spot._replace(context=share))
    others = [s for s in seen if not any(abs(s.point.y - one.point.y) <= HIGHER for one in found)]
    return [*found, *others] if found else seen


def _by_text(work: Work, place: Point) -> Candidate | None:
    """The point as far from the text that was in the target's row as it was, in the row through a place.

    None where that text is not there, or stands there twice, or where its row ends before.
    """
    assert work.anchor.row is not None
    row, seen = work.anchor.row, work.view.gray
    above = round(place.y + row.context.y - row.click.y)
    strip = Box(0, above - HIGHER, work.view.size.width, row.context.height + 2 * HIGHER).clip(work.view.size)
    if strip.height < row.context.height or strip.width < row.context.width:
        return None
    scores = correlate(cut(seen, strip), cut(row.gray, row.context))
    y, x = divmod(int(scores.argmax()), scores.shape[1])
    best, at = float(scores[y, x]), np.flatnonzero(scores.max(axis=0) >= SAME)
    if best < SAME or (np.abs(at - x) > HIGHER).any():
        return None
    behind = Box(row.context.right, row.context.y, round(row.click.x) - row.context.right, row.context.height)
    there = Box(strip.x + x + row.context.width, strip.y + y, behind.width, behind.height)
    if there.clip(work.view.size) != there or not _goes_on(cut(row.gray, behind), cut(seen, there)):
        return None
    left, top = row.click.x - row.context.x, row.click.y - row.context.y
    return Candidate(Point(strip.x + x + left, strip.y + y + top), best)


def _mates(work: Work) -> tuple[CropAnchor, list[tuple[Box, float]]]:
    """The picture, and the words in it around the text of the target's row, each with what it counts."""
    row = work.anchor.row
    assert row is not None
    whole = work.anchor.beyond or work.anchor
    page, mates = mates_of(whole, moved_to(row.context, row, whole))
    boxes = [(page.box(mate.mark), mate.weight) for mate in mates]
    return whole, [(box, weight) for box, weight in boxes if box.right <= whole.click.x]


def _around_text(work: Work, at: Point, whole: CropAnchor, mates: list[tuple[Box, float]]) -> float:
    """The share of the words around the row's text that stand around it still, if the spot is at `at`."""
    if len(mates) < COMPANY:
        return 0.0
    shift = round(at.x - whole.click.x), round(at.y - whole.click.y)
    there = sum(weight for box, weight in mates if _stands(work, whole, box, shift))
    return there / sum(weight for _, weight in mates)


def _stands(work: Work, whole: CropAnchor, mark: Box, shift: tuple[int, int]) -> bool:
    """Whether a mark of the recorded picture stands where that has moved to."""
    near = Box(mark.x + shift[0], mark.y + shift[1], mark.width, mark.height).grow(OFF)
    if near.clip(work.view.size) != near:
        return False
    return float(correlate(cut(work.view.gray, near), cut(whole.gray, mark)).max()) >= AROUND


def _goes_on(known: Pixels, seen: Pixels) -> bool:
    """Whether what is between the text and the spot is what was: another pane has another ground."""
    off = absolute_difference(known, seen)
    return float((off <= GROUND).mean()) >= PLAIN and not (off >= INK).any()

"""Where could the target be? A coarse look over the whole screen, then a close one at each place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from ibtr.fade import faded
from ibtr.geometry import Box, Point, Size
from ibtr.peaks import Wanted, between, peaks
from ibtr.pixels import correlate, correlation, cut, moved, spread
from ibtr.view import level_for
from ibtr.windows import correlate_each, correlate_large
from ibtr.work import Work

SLACK = 0.06
"""What the same pixels may lose beyond that: a codec, a shadow, a neighbour that reaches into the crop."""
STACK = 400_000
"""Pixels of the windows that are stacked, at most."""
FEW = 3
"""Windows that are searched one by one sooner than together."""
LARGE = 20_000
"""Pixels of a crop from which it is compared byte by byte sooner than by its spectrum."""


class Candidate(NamedTuple):
    """A place that may be the target. `point` is where the click would go, in screen pixels."""

    point: Point
    score: float
    """Correlation of the crop it was found by."""


def coarse(
    work: Work, box: Box, wanted: Wanted, *, at_least: int = 0, beyond: Box | None = None
) -> list[Candidate]:
    """Places where the crop under `box` may be, best first, from a small picture of the whole screen.

    With `beyond`, only those at which that larger crop would lie past the edge of the screen.
    """
    level = max(at_least, level_for(work.scaling.mean))
    screen, cell = work.view.level(level), 2**level
    fx, fy = work.by(level)
    part = work.part(box, level)
    if part.width > screen.shape[1] or part.height > screen.shape[0]:
        return []
    if spread(work.piece(part, level)) < 1.0:
        return []
    click = Point((work.anchor.click.x + 0.5) * fx - part.x, (work.anchor.click.y + 0.5) * fy - part.y)
    scores = work.scores(part, level)
    if beyond is not None:
        scores = scores.copy()
        left, top = round((box.x - beyond.x) * fx), round((box.y - beyond.y) * fy)
        right, bottom = round((beyond.right - box.right) * fx), round((beyond.bottom - box.bottom) * fy)
        scores[top : len(scores) - bottom, left : scores.shape[1] - right] = -1

    def certain(enough: float) -> float:
        return faded(work, box, level, enough + SLACK) - SLACK

    return [
        Candidate(Point((x + click.x) * cell - 0.5, (y + click.y) * cell - 0.5), score)
        for x, y, score in peaks(scores, wanted, certain)
    ]


def close(work: Work, candidate: Candidate, box: Box, pad: int) -> Candidate:
    """The best place of the crop under `box` (in the work's frame) within `pad` of a candidate."""
    template = cut(work.gray, box)
    patch, corner, per = work.window(candidate.point, box, pad)
    kept = work.kept(box)
    large = kept is None and template.size >= LARGE
    scores = correlate_large(patch, template) if large else correlate(patch, template, kept)
    y, x = divmod(int(scores.argmax()), scores.shape[1])
    fx, fy = between(scores, x, y)
    return Candidate(work.place(corner, per, fx, fy, box), float(scores[y, x]))


def closest(
    work: Work, candidates: Sequence[Candidate], box: Box, pad: int, least: float = -1.0
) -> list[Candidate]:
    """`close` at many places in one go; where less than `least` is alike, the candidate's own place stays."""
    many = max(2, STACK // box.grow(pad).area)
    if len(candidates) > many:
        first, rest = candidates[:many], candidates[many:]
        return [*closest(work, first, box, pad, least), *closest(work, rest, box, pad, least)]
    if len(candidates) <= FEW or work.kept(box) is not None:
        alone = (close(work, candidate, box, pad) for candidate in candidates)
        return [_followed(work, was, one, box, pad) for was, one in zip(candidates, alone, strict=True)]
    windows = [work.window(candidate.point, box, pad) for candidate in candidates]
    maps = correlate_each([patch for patch, _, _ in windows], cut(work.gray, box))
    tops = cast("list[float]", maps.reshape(len(maps), -1).max(axis=1).tolist())
    found: list[Candidate] = []
    for candidate, top, here, (_, corner, per) in zip(candidates, tops, maps, windows, strict=True):
        if top < least:
            found.append(Candidate(candidate.point, top))
            continue
        y, x = divmod(int(here.argmax()), here.shape[1])
        one = Candidate(work.place(corner, per, *between(here, x, y), box), top)
        found.append(_followed(work, candidate, one, box, pad))
    return found


def _followed(work: Work, was: Candidate, found: Candidate, box: Box, pad: int) -> Candidate:
    """What was found at the rim of its window looked for once more, around there: it may lie beyond."""
    across, down = abs(found.point.x - was.point.x), abs(found.point.y - was.point.y)
    rim = max(across * work.shrink.x, down * work.shrink.y) >= pad - 0.5
    return close(work, found, box, pad) if rim else found


def half_off(work: Work, box: Box) -> float:
    """What the crop under `box` scores against itself half a pixel on, where its twin may well lie."""
    further = moved(work.gray, Point(box.x + 0.5, box.y + 0.5), Size(box.width, box.height))
    return correlation(further, cut(work.gray, box))


def listed(work: Work, at: Point, box: Box, reach: int) -> list[Candidate]:
    """Places above, below and beside `at` where the crop under `box` is again, at full resolution."""
    template = cut(work.gray, box)
    across, down = (
        Box(box.x - reach, box.y, box.width + 2 * reach, box.height),
        Box(box.x, box.y - reach, box.width, box.height + 2 * reach),
    )
    found: list[Candidate] = []
    for strip in (across, down):
        patch, corner, per = work.window(at, strip, 3)
        for x, y, score in peaks(correlate(patch, template), Wanted(0.8, most=60)):
            found.append(Candidate(work.place(corner, per, x, y, box), score))
    return found

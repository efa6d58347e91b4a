"""How a place looks from close by, compared with what was remembered."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ibtr.colours import alike_in_colour
from ibtr.compare import around, inside, likeness
from ibtr.geometry import Box, Point, Size
from ibtr.parts import ENOUGH, SPOTS, fresh, least_of, middle_of, shares, spot, weakest, written
from ibtr.pixels import Floats, Pixels, correlation, cut, same
from ibtr.pointer import pointer_mask
from ibtr.search import Candidate
from ibtr.work import Work, aligned

SKIRT = 8
"""Pixels around the target crop that are compared with it."""
VICINITY = Size(60, 24)
FREE = 0.3
"""Share of a widget's structure that a pointer must leave free."""
LEFT = 0.25
"""Share of what tells a row that must not vary."""
PART = 13
"""Side of the parts of a widget that must each be there."""
OTHER = 0.5
"""Likeness of a widget below which it is another one."""
EDGE = 6
"""Pixels at the edge of a part that what lies beyond has an influence on."""


class Along(NamedTuple):
    """A strip through the widget, beside it: the row or the column that it stands in."""

    weakest: float
    """Likeness of the part of it that is least alike."""
    score: float
    """Likeness of the whole."""
    own: float = 1.0
    """Likeness of the least alike part of what tells it from those of the target's equals, if any."""
    letters: float = 0.0
    """How much less alike than the others, in the middle, that part is: another letter."""
    blind: bool = False
    """What tells it from those of the target's equals is known to vary."""


class Sight(NamedTuple):
    """How one candidate looks from close by; every likeness in -1..1, higher is better."""

    point: Point
    scale: float
    score: float
    """Correlation of the target crop, aligned between pixels."""
    spot: float
    """Likeness of the structure nearest to the click."""
    core: float
    """Likeness of the widget."""
    weakest: float
    """Likeness of that part of the widget that is least alike; -1 where it is another one."""
    colour: float
    """Likeness of the widget's colours."""
    context: float = -1.0
    """Likeness of what lies around the widget; -1 if nobody looked."""
    context_score: float = -1.0
    """Correlation of the context crop; -1 if nobody looked."""
    fresh: float = 0.0
    """Share of structure at the click that was not there when it was recorded."""
    letters: float = 0.0
    """How much less alike than the others, in the middle, its least alike part is: another letter."""
    row: Along | None = None
    column: Along | None = None
    misread: float = 0.0
    """Pixels of the largest difference in the text that was clicked."""


def look(work: Work, candidate: Candidate, hidden: Pixels | Floats | None = None) -> Sight:
    """Compare the widget at a candidate with the remembered one, closely, but for what is `hidden`."""
    part = near_part(work)
    known, seen = aligned(work, candidate.point, part)
    if hidden is None:
        hidden = _past_the_edge(work, candidate.point)
    if hidden is None and same(known, seen):
        return _itself(work, candidate, known)
    alike = likeness(known, seen)
    target = relative(work.box(work.anchor.target), part)
    click = Point(work.click.x - part.x, work.click.y - part.y)
    kept = kept_mask(work, part)
    if hidden is not None:
        kept = (kept * (1 - hidden)).astype(np.float32)
    widget, reach = relative(work.box(work.anchor.core), part), vicinity(click, work.zoom.x)
    within = inside(known.shape[:2], widget) * kept
    near = within if widget.intersect(reach) == widget else within * inside(known.shape[:2], reach)
    plain = None if work.anchor.vary is None and hidden is None else cut(kept, target)
    core = alike.over(within, known=True)
    side = max(5, round(PART * work.zoom.x))
    # Where the structure is another one, nobody asks for its parts, nor for the colours.
    asked = core >= OTHER
    parts = shares(alike.alike, alike.known, near.astype(np.float32), side) if asked else None
    read = parts
    if asked and near is not within and (mine := _own(work, part, within, near)) is not near:
        read = shares(alike.alike, alike.known, mine.astype(np.float32), side)
    return Sight(
        point=candidate.point,
        scale=work.scaling.mean,
        score=correlation(cut(known, target), cut(seen, target), plain),
        spot=alike.over(spot(alike, click, work.zoom.x, kept), known=True),
        core=core,
        weakest=least_of(parts) if parts is not None else -1.0,
        colour=_colour(work, candidate.point) if asked else 0.0,
        fresh=fresh(alike, click, work.zoom.x, kept),
        letters=least_of(read) - middle_of(read) if read is not None else -1.0,
    )


def _own(work: Work, part: Box, within: Floats, near: Floats) -> Floats:
    """Where letters are read: as far as the widget goes.

    Where its edges hang together with those of others, an icon ends nearby, and a text where its line does.
    """
    if not work.anchor.cut_off:
        return within
    if work.anchor.line is None:
        return near
    line = inside((part.height, part.width), relative(work.box(work.anchor.line), part))
    mine: Floats = np.maximum(near, within * line)
    return mine


def _itself(work: Work, candidate: Candidate, known: Pixels) -> Sight:
    """The same where all pixels are the remembered ones: nothing is to be compared but colours."""
    part = near_part(work)
    target = relative(work.box(work.anchor.target), part)
    plain = None if work.anchor.vary is None else cut(kept_mask(work, part), target)
    crop, colour = cut(known, target), _colour(work, candidate.point)
    return Sight(candidate.point, work.scaling.mean, correlation(crop, crop, plain), 1.0, 1.0, 1.0, colour)


def look_beside_pointer(work: Work, candidate: Candidate) -> Sight | None:
    """The same where an arrow lies on the target, by what it leaves free; None if that is too little."""
    part = near_part(work)
    known, seen = aligned(work, candidate.point, part)
    hidden = pointer_mask(known, seen)
    if hidden is None:
        return None
    alike = likeness(known, known)
    within = inside(known.shape[:2], relative(work.box(work.anchor.core), part)) * kept_mask(work, part)
    whole, free = float((alike.known * within).sum()), float((alike.known * within * (1 - hidden)).sum())
    if free < max(FREE * whole, ENOUGH * work.zoom.x**2):
        return None
    return look(work, candidate, hidden)


def near_part(work: Work) -> Box:
    """The part of the picture around the target crop that is compared closely."""
    return work.box(work.anchor.target.grow(SKIRT).clip(work.anchor.size))


def beyond(work: Work, at: Point, part: Box) -> Floats:
    """1 where a part of the picture lies beyond the screen, if the click is at a point of it."""
    bx, by = work.shrink
    columns = at.x + (part.x + np.arange(part.width, dtype=np.float32) - work.click.x) / bx
    rows = at.y + (part.y + np.arange(part.height, dtype=np.float32) - work.click.y) / by
    size = work.view.size
    within = np.outer((rows >= 0) & (rows < size.height), (columns >= 0) & (columns < size.width))
    return np.where(within, np.float32(0), np.float32(1)).astype(np.float32)


def _past_the_edge(work: Work, at: Point) -> Floats | None:
    """The same for what is compared closely; None where all of it is on the screen, or the widget is not."""
    near, (bx, by), size = near_part(work), work.shrink, work.view.size
    left, top = at.x + (near.x - work.click.x) / bx, at.y + (near.y - work.click.y) / by
    right, bottom = left + (near.width - 1) / bx, top + (near.height - 1) / by
    if min(left, top) >= 1 and right < size.width - 1 and bottom < size.height - 1:
        return None  # well within the screen
    off = beyond(work, at, near)
    return off if off.any() and not beyond(work, at, work.box(work.anchor.core)).any() else None


def vicinity(click: Point, zoom: float) -> Box:
    """Where every part of the widget must be there; further away parts may be cut off."""
    reach = Size(round(VICINITY.width * zoom), round(VICINITY.height * zoom))
    return Box(round(click.x) - reach.width, round(click.y) - reach.height, 2 * reach.width, 2 * reach.height)


def look_around(work: Work, sight: Sight, least: float = -1.0) -> Sight:
    """The same sight, with its surroundings compared as well.

    Where a part of them shows that they cannot be as alike as `least`, the most that they can be is told.
    """
    part = work.surroundings
    known, seen = aligned(work, sight.point, part)
    sight = sight._replace(context_score=correlation(known, seen))
    if same(known, seen):
        return sight._replace(context=1.0)
    beside = _beside(work, part)
    if least > 0 and (most := at_most(known, seen, beside, work.busiest)) < least:
        return sight._replace(context=most)
    return sight._replace(context=likeness(known, seen).over(beside))


def _beside(work: Work, part: Box) -> Floats:
    """1 beside the widget, where pixels do not vary: the same at every place."""
    if part not in work.masks:
        widget = inside((part.height, part.width), relative(work.box(work.anchor.core), part))
        work.masks[part] = (1 - widget) * kept_mask(work, part)
    return work.masks[part]


def glance(work: Work, candidate: Candidate, least: float) -> Sight:
    """A place without the target, looked at closely unless its surroundings cannot be as alike as `least`."""
    if least > 0:
        blank = Sight(candidate.point, work.scaling.mean, candidate.score, 0.0, 0.0, -1.0, 0.0)
        seen = look_around(work, blank, least)
        if seen.context < least:
            return seen
    return look_around(work, look(work, candidate))


def at_most(known: Pixels, seen: Pixels, beside: Floats, rows: slice) -> float:
    """How alike two pictures can be `beside` what is left out, by what some `rows` of them show."""
    if rows.stop - rows.start <= 4 * EDGE:
        return 1.0
    alike, here = likeness(known[rows], seen[rows]), beside[rows].copy()
    here[:EDGE] = here[-EDGE:] = 0
    weight = alike.weight * here
    elsewhere = float(beside.sum()) - float(here.sum())  # at most: full weight, and all of it alike
    total = float(weight.sum()) + elsewhere
    return (float(np.vdot(alike.alike, weight)) + elsewhere) / total if total > 1e-6 else 1.0


def structure_at(work: Work) -> int | None:
    """How far to each side of the click one must go for enough structure; None if there is none."""
    part = near_part(work)
    known = cut(work.gray, part)
    alike = likeness(known, known)
    click = Point(work.click.x - part.x, work.click.y - part.y)
    kept = kept_mask(work, part)
    for across, down in SPOTS:
        weights = around(known.shape[:2], click, (across * work.zoom.x, down * work.zoom.x)) * kept
        if float((weights * alike.known).sum()) >= ENOUGH * work.zoom.x**2:
            return across
    return None


def look_along(work: Work, sight: Sight) -> Sight:
    """The same sight, with row and column compared: those of its list, else as far as the picture goes."""
    core, wide = work.box(work.anchor.core).grow(2), Size(*work.gray.shape[::-1])
    across = Box(0, core.y, wide.width, core.height).clip(wide)
    down = Box(core.x, 0, core.width, wide.height).clip(wide)
    sight = read_list(work, sight)
    return sight._replace(
        row=sight.row or _strip(work, sight, across), column=sight.column or _strip(work, sight, down)
    )


def read_list(work: Work, sight: Sight, free: Box | None = None) -> Sight:
    """The same sight, with the row and the column read that must be the target's own.

    Of the picture around them only what is `free` is to be seen, if that is given.
    """
    row, column = (
        _strip(strip, sight, strip.box(strip.anchor.wide), own=True, free=freed(work, strip, free))
        if strip is not None
        else None
        for strip in (work.row, work.column)
    )
    return sight._replace(row=row, column=column)


def freed(work: Work, strip: Work, free: Box | None) -> Box | None:
    """What is to be seen of a picture, in pixels of a row or column through it."""
    mine, own = strip.anchor.source, work.anchor.source
    return free and relative(free, Box(mine.x - own.x, mine.y - own.y, 0, 0))


def _strip(work: Work, sight: Sight, part: Box, *, own: bool = False, free: Box | None = None) -> Along:
    known, seen = aligned(work, sight.point, part)
    alike = likeness(known, seen)
    shown = inside(known.shape[:2], relative(free or part, part))
    beside = (1 - inside(known.shape[:2], relative(work.box(work.anchor.target), part))) * shown
    beside *= kept_mask(work, part)
    side = max(5, round(PART * work.zoom.x))
    worst = weakest(alike, beside.astype(np.float32), side)
    if not own:
        return Along(worst, alike.over(beside))
    told = inside(known.shape[:2], work.box(work.anchor.context)) * shown
    told *= 1 - inside(known.shape[:2], relative(work.box(work.anchor.target), part))
    tells = (told * kept_mask(work, part)).astype(np.float32)
    there, kept = float((alike.known * told).sum()), float((alike.known * tells).sum())
    hidden = there >= ENOUGH * work.zoom.x**2 and kept < LEFT * there
    read = alike.known if hidden else written(alike, side)
    least = least_of(shares(alike.alike, read, tells, side))
    return Along(
        worst,
        alike.over(beside),
        own=least,
        letters=least - middle_of(shares(alike.alike, alike.known, kept_mask(work, part) * shown, side)),
        blind=hidden or work.anchor.context.intersect(work.anchor.target) == work.anchor.context,
    )


def _colour(work: Work, at: Point) -> float:
    """How alike the colours of the widget are."""
    return alike_in_colour(*aligned(work, at, work.box(work.anchor.core), colour=True))


def kept_mask(work: Work, part: Box) -> Floats:
    """0 where pixels are known to vary."""
    kept: Floats = np.ones((part.height, part.width), np.float32)
    if work.varies is not None:
        kept[cut(work.varies, part) != 0] = 0
    return kept


def relative(box: Box, part: Box) -> Box:
    """A box in pixels of a part."""
    return Box(box.x - part.x, box.y - part.y, box.width, box.height)

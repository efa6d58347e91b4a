"""How a click left its target: a switch stays switched when the pointer has gone, and looks it.

Re-aiming compares by structure, whatever the brightness: to it a toggle is the same, on or off. Here a target
is compared level by level with how it was before the click and with how the click left it, on those pixels
alone on which the two differ.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibtr.evidence import CropAnchor
from ibtr.geometry import Box, Point, Size
from ibtr.masks import components, filled, grown
from ibtr.pixels import Pixels, absolute_difference, cut
from ibtr.report import Aim
from ibtr.search import Candidate, close
from ibtr.view import View
from ibtr.work import Scaling, Work, aligned

Flags = NDArray[np.bool_]

BESIDE = Size(30, 3)
"""Pixels beside the target, and above and below, that are its own: a label has its box beside it."""
DIFFERS = 16
"""Levels of any channel from which a pixel is another one."""
SMALL = 24
"""A change no larger than this, each way, is that of an indicator: a tick, a dot."""
LEAST = 8
"""Pixels of a change, at least."""
THICK, SOLID = 2, 0.4
"""A larger change is filled: so much of it lies that deep in it. A ring does not; it shows the keyboard."""
AROUND = 0.08
"""Share of the surroundings that may change with it: what leads to another page is no switch."""
BEGUN = 0.2
"""Share of a change that shows right after the click: some come slowly, others come of the next click."""
FADED = 0.7
"""Share of its contrast below which a target has not been switched, but disabled."""
SURE = 0.3
"""Share of the way between the two looks that a target may be off the one it is taken for."""
JITTER = 2
"""Pixels by which the box of a label may be drawn nearer to it than it was, or further off."""
SCALES = (0.8, 1.25)
"""How much larger or smaller things may be drawn for pixels to be compared."""
DRIFT = 6
"""Pixels by which a target that was found by its marks may lie beside its pixels."""
DRAWN = 0.6
"""Correlation of a target, switched or not, from which it is drawn as it was."""


class State(NamedTuple):
    """How far a target is from its two looks, in levels, and how far these are apart."""

    before: float
    done: float
    apart: float

    @property
    def is_done(self) -> bool:
        """Whether it is surely as the click would leave it."""
        return self.done <= SURE * self.apart and self.before >= (1 - SURE) * self.apart


def own_box(anchor: CropAnchor) -> Box:
    """The target with what stands right beside it, in pixels of its picture."""
    core = anchor.core
    wide = Box(core.x - BESIDE.width, core.y, core.width + 2 * BESIDE.width, core.height)
    return Box(wide.x, wide.y - BESIDE.height, wide.width, wide.height + 2 * BESIDE.height).clip(anchor.size)


def left_by(anchor: CropAnchor, during: list[Pixels], later: Pixels) -> CropAnchor | None:
    """The target as its click left it, with the pixels that tell as `vary`; None where it left no such trace.

    `later` is a screen with the pointer and the keyboard elsewhere, `during` are those from the click to it.
    """
    own, place = own_box(anchor), anchor.source
    shown = [cut(screen, place) for screen in (*during, later)]
    if any(one.shape != anchor.image.shape or _around(anchor, one, own) > AROUND for one in shown):
        return None
    known, (*meanwhile, done) = cut(anchor.image, own), [cut(one, own) for one in shown]
    tells = _lasting(_solid(_differing(known, done)), known, done, meanwhile)
    if anchor.vary is not None:
        tells[cut(anchor.vary, own) > 0] = 0
    was, now = (_contrast(picture, anchor.core) for picture in (anchor.image, shown[-1]))
    if int(tells.sum()) < LEAST or now < FADED * was:
        return None
    whole = Box(0, 0, own.width, own.height)
    click = Point(anchor.click.x - own.x, anchor.click.y - own.y)
    source = Box(own.x + place.x, own.y + place.y, own.width, own.height)
    return CropAnchor(done.copy(), click, whole, whole, whole, source, anchor.screen, tells)


def switched(anchor: CropAnchor) -> CropAnchor | None:
    """All that was kept of a target, as its click left it; None where that is not known."""
    done = anchor.done
    if done is None:
        return None
    row, column, panel, beyond = (
        one and _left(one, done) for one in (anchor.row, anchor.column, anchor.panel, anchor.beyond)
    )
    return replace(_left(anchor, done), row=row, column=column, panel=panel, beyond=beyond, done=None)


def _left(one: CropAnchor, done: CropAnchor) -> CropAnchor:
    """A picture with what it shows of the target as the click left it."""
    both, image = one.source.intersect(done.source), one.image.copy()
    if not both.area:
        return one
    here, there = (Box(both.x - p.source.x, both.y - p.source.y, *both[2:]) for p in (one, done))
    cut(image, here)[:] = cut(done.image, there)
    return replace(one, image=image, fades=())


def state_of(anchor: CropAnchor, aim: Aim, screen: Pixels) -> State | None:
    """How a target that was found is now; None where nothing is known of it, or pixels cannot be compared."""
    done = anchor.done
    if done is None or "inverted" in aim.representation or not all(map(_is_near_one, aim.scale)):
        return None
    view, scaling = View(screen), Scaling(*aim.scale)
    whole = Work(anchor, view, scaling)
    found = close(whole, Candidate(aim.point, 0.0), whole.box(anchor.core), DRIFT)
    if found.score < DRAWN:
        return None
    at = Box(done.source.x - anchor.source.x, done.source.y - anchor.source.y, *done.size)
    works = [Work(one, view, scaling) for one in (replace(done, image=cut(anchor.image, at)), done)]
    (known, seen), (left, _) = (aligned(w, found.point, w.box(w.anchor.wide), colour=True) for w in works)
    if (varies := works[0].varies) is None or not (tells := cut(varies, works[0].box(done.wide)) > 0).any():
        return None
    moves = sorted(product(range(-JITTER, JITTER + 1), repeat=2), key=lambda by: abs(by[0]) + abs(by[1]))
    shifted = (np.roll(seen, by, (0, 1)) for by in moves)
    off = [(_apart(one, known, tells), _apart(one, left, tells)) for one in shifted]
    return State(*min(off, key=min), _apart(known, left, tells))


def _is_near_one(scale: float) -> bool:
    return SCALES[0] <= scale <= SCALES[1]


def _differing(one: Pixels, other: Pixels) -> Pixels:
    apart: Pixels = (absolute_difference(one, other).max(axis=2) >= DIFFERS).astype(np.uint8)
    return apart


def _around(anchor: CropAnchor, picture: Pixels, own: Box) -> float:
    """Share of the context crop, without the target, that is another one."""
    context = anchor.context
    differs = _differing(cut(anchor.image, context), cut(picture, context))
    if anchor.vary is not None:
        differs[cut(anchor.vary, context) > 0] = 0
    inner = own.intersect(context)
    cut(differs, Box(inner.x - context.x, inner.y - context.y, inner.width, inner.height))[:] = 0
    return float(differs.sum()) / max(1, context.area - inner.area)


def _solid(differs: Pixels) -> Pixels:
    """What of a change is an indicator or a filled area: no ring, no line, no speck."""
    labels, boxes = components(differs)
    thick = grown(1 - grown(1 - differs, THICK), THICK) & differs
    kept = np.zeros_like(differs)
    for number, box in enumerate(boxes[1:], 1):
        part = cut(labels == number, box)
        if _is_indicator(part, box) or int(cut(thick, box)[part].sum()) >= SOLID * int(part.sum()):
            cut(kept, box)[part] = 1
    return kept


def _is_indicator(part: Flags, box: Box) -> bool:
    """Small, but no speck, and not hollow."""
    pixels, sides = int(part.sum()), (box.width, box.height)
    if max(sides) > SMALL or min(sides) <= THICK or pixels < LEAST:
        return False
    return pixels >= 0.5 * int(filled(part.astype(np.uint8)).sum())


def _contrast(picture: Pixels, box: Box) -> float:
    gray = cut(picture, box).mean(axis=2)
    return float(np.percentile(gray, 99) - np.percentile(gray, 1))


def _lasting(tells: Pixels, known: Pixels, done: Pixels, meanwhile: list[Pixels]) -> Pixels:
    """Those parts of a change that were there from the click on: what came later was done by another one."""
    labels, boxes = components(tells)
    for number in range(1, len(boxes)):
        part = labels == number
        if any(_apart(one, known, part) < BEGUN * _apart(done, known, part) for one in meanwhile):
            tells[part] = 0
    return tells


def _apart(one: Pixels, other: Pixels, where: Flags) -> float:
    return float(absolute_difference(one, other)[where].mean())

"""At which scales is it worth to look?"""

from __future__ import annotations

import math

from ibtr.evidence import CropAnchor
from ibtr.masks import edges
from ibtr.peaks import Wanted
from ibtr.pixels import cut
from ibtr.search import Candidate, close, closest, coarse
from ibtr.view import View
from ibtr.work import Scaling, Work

STEP = 1.06
TRIES = 3
LARGE = 2560 * 1440
"""Pixels of a screen above which an eighth of its size is enough to see which scale fits better."""
CLOSE = 0.1
"""How near to each other two scales are that a small picture does not tell apart."""
TRIED = 0.015
"""How near to a likely scale another one is the same, and was tried: there, texts are read."""
STEEP, LINES = 24, 24
"""Levels between two pixels that make an edge; pixels of edges around the target that show a scale."""


def priors(anchor: CropAnchor, view: View) -> list[Scaling]:
    """The scale of the screens, and none: nearly always one of them is right."""
    ratio = Scaling(view.size.width / anchor.screen.width, view.size.height / anchor.screen.height)
    found = [ratio] if abs(ratio.x / ratio.y - 1) < 0.02 and 0.4 < ratio.mean < 2.5 else []
    return found if Scaling(1.0, 1.0) in found else [*found, Scaling(1.0, 1.0)]


def likeliest(anchor: CropAnchor, view: View) -> list[Work]:
    """The same, first the one at which the surroundings fit better somewhere: a look at a small picture.

    Two scales that are close to each other look the same there: of these each is looked at in full.
    """
    found = [Work(anchor, view, scaling) for scaling in priors(anchor, view)]
    if len(found) < 2:
        return found
    closely = abs(found[0].scaling.mean / found[1].scaling.mean - 1) < CLOSE
    return sorted(found, key=lambda work: -_fit(work, closely=closely))


def _fit(work: Work, *, closely: bool) -> float:
    context, size = work.anchor.context, work.view.size
    level = 2 if size.width * size.height <= LARGE else 3
    places = coarse(work, context, Wanted(0.4), at_least=level)
    if closely:
        places = closest(work, places, work.box(context), 2**level)
    return max((place.score for place in places), default=0.0)


def swept(
    anchor: CropAnchor, view: View, smallest: float, largest: float, *, inverted: bool
) -> list[Scaling]:
    """The scales at which the context is most alike somewhere, best first, after a coarse sweep.

    None where nothing stands around the target: a lone glyph looks like some other one in some other size.
    """
    if _lone(anchor):
        return []
    known = [s.mean for s in priors(anchor, view)]
    found: list[tuple[float, Scaling, Candidate]] = []
    for step in range(math.floor(math.log(largest / smallest) / math.log(STEP)) + 1):
        scale = smallest * STEP**step
        if any(abs(scale / s - 1) < 0.03 for s in known):
            continue
        work = Work(anchor, view, Scaling(scale, scale), inverted=inverted)
        places = coarse(work, anchor.context, Wanted(0.4), at_least=2)
        found.extend((candidate.score, work.scaling, candidate) for candidate in places)
    found.sort(key=lambda f: -f[0])
    best = [refined(anchor, view, s, c, inverted=inverted) for _, s, c in found[:TRIES]]
    return [s for s in best if all(abs(s.mean / k - 1) > TRIED for k in known)]


def _lone(anchor: CropAnchor) -> bool:
    """Whether nothing stands around the target that would be larger or smaller together with it."""
    seen, inner = edges(cut(anchor.gray, anchor.context), STEEP).copy(), anchor.target
    cut(seen, inner._replace(x=inner.x - anchor.context.x, y=inner.y - anchor.context.y))[:] = 0
    return int((seen > 0).sum()) < LINES


def refined(anchor: CropAnchor, view: View, scaling: Scaling, at: Candidate, *, inverted: bool) -> Scaling:
    """The scale near a rough one at which the context fits best at full resolution."""
    tried: list[tuple[float, float]] = []
    for by in (0.95, 0.97, 0.985, 1.0, 1.015, 1.03, 1.05):
        work = Work(anchor, view, Scaling(scaling.x * by, scaling.y * by), inverted=inverted)
        tried.append((close(work, at, work.box(anchor.target), 6).score, by))
    best = max(tried)[1]
    return Scaling(scaling.x * best, scaling.y * best)

"""The last retry: a target that was drawn anew, in another size, font or theme, found by its marks.

Nothing is compared pixel by pixel. The target's own marks must each be there, letter by letter, and what
stands around it must stand around it still: in the same directions, moved by one measure. Surroundings alone
never accept, and neither do marks that another place shows in the same surroundings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibtr.company import company, scale_of
from ibtr.emblem import icon, stout
from ibtr.errors import AmbiguousTarget, MissingTarget
from ibtr.geometry import Box, Point
from ibtr.layout import LARGEST, neighbours, span
from ibtr.letters import Word, word_in
from ibtr.marks import LONG, signed, word
from ibtr.memory import Memory, union
from ibtr.page import Page, Pair
from ibtr.rows import reads_row
from ibtr.strokes import Match
from ibtr.sure import SURE, Sure, good

BESIDE = 10
"""Pixels between an icon and the word on the same button."""


class Found(NamedTuple):
    """A mark of the target, and the mark on the screen that shows it."""

    known: int
    seen: int
    match: Match


class Place(NamedTuple):
    """A place that shows every mark of the target."""

    point: Point
    box: Box
    scale: float
    match: Match
    """The least alike of the target's marks."""
    main: tuple[int, int]
    """Its largest mark: as recorded, and here."""
    support: float = 0.0
    """Share of the marks around it that are there."""
    row: float = 0.0
    """The same for those in its own row."""
    there: frozenset[int] = frozenset()
    """The marks around it that are there."""
    usual: float = 0.0
    """How alike these are."""
    unchanged: float = 0.0
    """Share of the words around it that have the same pixels."""
    kept: float = 0.0
    """The same of all marks around it."""
    grown: float = 0.0
    """By how much the words around it are larger; 0 where there are none."""
    named: bool = True
    """Whether the words that name it are there."""
    sizes: tuple[float, float] = (0.0, 0.0)
    """The least and the most of that."""
    itself: bool = False
    """Whether it has its own pixels, and its row alone says which one it is."""
    pixels: bool = False
    """Whether it is an icon with its own pixels, which nobody drew anew."""


def redrawn(
    memory: Memory, screen: Page, sure: Sure = SURE, *, framed: bool = False
) -> tuple[Place, Place | None]:
    """The place of the target and its strongest rival.

    Where it is `framed` as it was, and words are too few to tell, the marks around must not be as they were.

    Raises:
        MissingTarget: no place shows every mark of the target in its surroundings.
        AmbiguousTarget: two do.
    """
    pair = Pair(memory.page, screen)
    places = [supported(memory, pair, p, sure) for p in apart(placed(memory, pair, sure))]
    if not places:
        raise MissingTarget("no place on the screen shows the target's marks")
    reads = [in_its_row(memory, pair, place, sure) for place in places]
    places = [place for place, read in zip(places, reads, strict=True) if read is not False]
    if not places:
        raise MissingTarget("what told the target's row from others is in the row of none that is there")
    row = sure.rowed if memory.equals and True not in reads else sure.row
    alone = only_icon(memory, places, sure)
    best, *others = sorted(places, key=lambda p: (p is not alone, p.row < row, -p.support))
    if not best.pixels and (same := next((p for p in others if p.pixels and p.row >= row), None)):
        raise AmbiguousTarget("another place shows the icon itself", **numbers(best), **rivalry(best, same))
    if not best.named:
        raise MissingTarget("the field has another label", **numbers(best))
    if best is not alone and (best.row < row or not at_home(memory, best, sure)):
        raise MissingTarget("the target's marks are there, its surroundings are not", **numbers(best))
    if best.match.pixels < sure.pixels and best.match.whole < best.usual - sure.behind:
        raise MissingTarget("the target is less alike than all around it", **numbers(best))
    if (best.unchanged >= sure.unchanged and not best.itself) or (framed and best.kept >= sure.kept):
        raise MissingTarget("nothing around the target was drawn anew, and it is not there", **numbers(best))
    if not in_size(pair, best, sure):
        raise MissingTarget("the target's marks are of another size than all around it", **numbers(best))
    if reads_otherwise(pair, best, sure):
        raise MissingTarget(
            "another mark of the recorded picture is more like what is there", **numbers(best)
        )
    known, seen = words_at(pair, best)
    if known.redotted(seen):
        raise MissingTarget("a letter has a dot that had none, or has lost it", **numbers(best))
    if worded(pair, best):
        raise MissingTarget("a word stands beside the icon that was not there", **numbers(best))
    alike = [p for p in others if p.pixels or not best.pixels]  # an icon that nobody drew anew has its pixels
    rival = next((p for p in alike if p.row >= row and in_size(pair, p, sure)), None)
    if rival is not None and best.support - rival.support < sure.margin:
        raise AmbiguousTarget(
            "two places show the target in like surroundings", **numbers(best), **rivalry(best, rival)
        )
    return best, rival


def only_icon(memory: Memory, places: Sequence[Place], sure: Sure) -> Place | None:
    """The place of an icon that alone has its own pixels, many marks around, and no word in its row."""
    shown = [p for p in places if p.pixels and stout(p.box)]
    named = any(mate.row and word(memory.page.box(mate.mark)) for mate in memory.around)
    if memory.equals or named or len(shown) != 1:
        return None
    around = shown[0].support >= sure.around and len(shown[0].there) >= sure.many
    return shown[0] if around else None


def reads_otherwise(pair: Pair, place: Place, sure: Sure) -> bool:
    """Whether what is there is more like some other word that was recorded: "Ascending" for "Descending"."""
    own, here = place.main
    if place.match.pixels >= sure.pixels:
        return False
    every: NDArray[np.intp] = np.arange(len(pair.known.boxes))
    shaped = pair.known.shaped(pair.seen.box(here), every)
    box = pair.known.box(own)
    others = [int(m) for m in shaped if not pair.known.box(int(m)).intersect(box).area]
    pair.compare((m, here) for m in others)
    better = [m for m in others if pair.match(m, here).whole > pair.match(own, here).whole + sure.better]
    if not better:
        return False
    same = Pair(pair.known, pair.known)
    same.compare((own, m) for m in better)
    return any(same.match(own, m).whole < sure.same for m in better)


def in_its_row(memory: Memory, pair: Pair, place: Place, sure: Sure) -> bool | None:
    """Whether its row reads as the target's did, where that had equals above or below; else None."""
    if memory.row is None:
        return None
    own, here = place.main
    return reads_row(memory.row, memory.page.box(own), pair.seen, here, sure)


def worded(pair: Pair, place: Place) -> bool:
    """Whether an icon that stood alone has a word right beside it: it is another button."""
    own, here = (pair.known.box(place.main[0]), place.box)
    return icon(own) and _word_beside(pair.seen, here) and not _word_beside(pair.known, own)


def _word_beside(page: Page, box: Box) -> bool:
    x, y, width, height = page.boxes.T
    level = (y < box.bottom) & (y + height > box.y)
    gap = np.maximum(x - box.right, box.x - (x + width))
    return bool((level & (width > LONG * height) & (gap >= 0) & (gap <= BESIDE)).any())


def in_size(pair: Pair, place: Place, sure: Sure) -> bool:
    """Whether a word is larger or smaller by as much as the words around it; a bar by that, or not at all.

    In another face than theirs it may be larger by more; then every letter must stand where it stood.
    """
    box = pair.known.box(place.main[0])
    if min(box.width, box.height) < sure.letter:  # its length is all that tells it from another one
        return any(1 / sure.bar <= place.scale / by <= sure.bar for by in (1.0, place.grown or 1.0))
    if (
        icon(box) or not place.grown or pair.same(*place.main)
    ):  # icons close to one another keep their size, too
        return True
    if not 1 / sure.size <= place.scale / place.grown <= sure.size:
        return False
    least, most = place.sizes
    if not most or box.width <= 2 * box.height:
        return True
    slack = sure.rounding / box.width  # "Views" is longer than the words around say of "View"
    if least - slack <= place.scale <= most + slack:
        return True
    known, seen = words_at(pair, place)
    return known.set_alike(seen)


def words_at(pair: Pair, place: Place) -> tuple[Word, Word]:
    """The letters of its largest mark, as recorded and here."""
    own, here = place.main
    return word_in(pair.known.gray, pair.known.tight(own)), word_in(pair.seen.gray, pair.seen.tight(here))


def at_home(memory: Memory, place: Place, sure: Sure) -> bool:
    """Whether its surroundings are there: most of them, in its own row as well."""
    least = sure.itself if place.itself and not memory.equals else sure.support
    return place.row >= sure.row and len(place.there) >= sure.company and place.support >= least


def placed(memory: Memory, pair: Pair, sure: Sure) -> Iterable[Place]:
    """Every place where all marks of the target stand together.

    A word is not looked for in a sign with a word beside it: "o Ascending" is much like "Descending".
    """
    every: NDArray[np.intp] = np.arange(len(pair.seen.boxes))
    for main, *others in memory.covers:
        shaped = [int(m) for m in pair.seen.shaped(memory.page.tight(main), every)]
        pair.compare((main, mark) for mark in shaped)
        bare = not signed(memory.page.boxes, memory.page.box(main))
        for mark in shaped:
            match = pair.match(main, mark)
            if good(match, sure) and not (bare and signed(pair.seen.boxes, pair.seen.box(mark))):
                scale = scale_of(memory.page.tight(main), pair.seen.tight(mark))
                rest = [_beside(memory, pair, (main, mark), other, scale) for other in others]
                found = [f for f in rest if f is not None and good(f.match, sure)]
                if len(found) == len(others):
                    yield _place(memory, pair, [Found(main, mark, match), *found], scale)


def _beside(memory: Memory, pair: Pair, at: tuple[int, int], other: int, scale: float) -> Found | None:
    """The mark that is most like `other`, where that should be."""
    within = span(scale, LARGEST) if icon(memory.page.box(at[0])) else span(scale)
    marks = [int(m) for m in neighbours(memory.page, pair.seen, at, other, within)]
    pair.compare((other, m) for m in marks)
    found = (Found(other, m, pair.match(other, m)) for m in marks)
    return max(found, key=lambda f: _rank(f.match), default=None)


def _rank(match: Match) -> float:
    return max(match.whole, match.pixels)


def _place(memory: Memory, pair: Pair, found: Sequence[Found], scale: float) -> Place:
    known = union([memory.page.tight(f.known) for f in found])
    seen = union([pair.seen.tight(f.seen) for f in found])
    point = Point(
        _along(memory.click.x, (known.x, known.right), (seen.x, seen.right), scale),
        _along(memory.click.y, (known.y, known.bottom), (seen.y, seen.bottom), scale),
    )
    worst = Match(*(min(values) for values in zip(*(f.match for f in found), strict=True)))
    return Place(point, seen, scale, worst, (found[0].known, found[0].seen))


def _along(at: float, old: tuple[int, int], new: tuple[int, int], scale: float) -> float:
    """Where a coordinate goes: in proportion inside the marks, no further from them outside."""
    if old[0] <= at < old[1]:
        return new[0] + (at - old[0] + 0.5) * (new[1] - new[0]) / (old[1] - old[0]) - 0.5
    away = min(1.0, scale)
    return new[0] + (at - old[0]) * away if at < old[0] else new[1] + (at - old[1]) * away


def apart(places: Iterable[Place]) -> list[Place]:
    """The best of each: the same place may be found by several covers."""
    kept: list[Place] = []
    for place in sorted(places, key=lambda p: -_rank(p.match)):
        same = [k for k in kept if k.box.intersect(place.box).area >= 0.5 * min(k.box.area, place.box.area)]
        if not same:
            kept.append(place)
    return kept


def supported(memory: Memory, pair: Pair, place: Place, sure: Sure) -> Place:
    """The same place, with the share of the surroundings that stands around it as before."""
    first = span(place.scale, LARGEST) if icon(memory.page.box(place.main[0])) else span(place.scale)
    found = company(memory, pair, place.main, first, sure)
    return place._replace(
        support=found.support,
        row=found.row,
        there=found.there,
        usual=found.usual,
        unchanged=found.unchanged,
        kept=found.kept,
        grown=found.grown,
        named=memory.named_by(found.there),
        sizes=found.sizes,
        itself=found.rowed and pair.same(*place.main),
        pixels=icon(memory.page.box(place.main[0])) and pair.same(*place.main),
    )


def numbers(place: Place) -> dict[str, object]:
    """What a refusal tells."""
    return {
        "score": place.match.whole,
        "weakest": place.match.weakest,
        "context": place.support,
        "row": place.row,
        "company": len(place.there),
        "usual": place.usual,
        "scale": place.scale,
        "point": [float(v) for v in place.point],
    }


def rivalry(best: Place, rival: Place) -> dict[str, object]:
    """What a refusal tells of another place."""
    return {"margin": best.support - rival.support, "rival_point": [float(v) for v in rival.point]}

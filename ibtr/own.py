"""Which marks are the target's own, and the ways to take them apart."""

from __future__ import annotations

from ibtr.emblem import stout
from ibtr.evidence import CropAnchor
from ibtr.geometry import Box, Point, Size
from ibtr.layout import level
from ibtr.marks import GAPS, indicator, word
from ibtr.page import Page

STOUT = 5
"""Shorter side of a mark, at least: what is thinner is what is left of a frame or a line."""
BUTTON = Size(320, 72)
"""Up to this size a plain field is a widget, and all that is written in it belongs to it."""
APART = 28
"""Pixels between two marks of one button, at most."""
HIGHER, TALL = 1.3, 20
"""Height from which a mark is a line between widgets: in heights of what is beside it; letters are lower."""


def own_marks(page: Page, usable: list[int], anchor: CropAnchor, plain: Box | None) -> list[int]:
    """The marks of the target: those in the field or on the button that was clicked, else of its core.

    Where the edges of more than a widget hang together, it is the line of words or the icon under the click.
    """
    if plain is not None:
        near = (i for i in usable if inside(page.box(i), plain.grow(2)) and not _divides(page.box(i)))
        held = [i for i in near if page.box(i).intersect(plain).area]
        if not held or (plain.width <= BUTTON.width and plain.height <= BUTTON.height):
            return _together(page, held, anchor.click)
    core = anchor.core.grow(3)
    held = [i for i in usable if inside(page.box(i), core)]
    at_click = [i for i in usable if page.box(i).grow(3).contains(anchor.click)]
    if not (at_click and anchor.cut_off):
        return held
    alone = [i for i in smallest(page, at_click) if stout(page.box(i))]
    if len(alone) != 1:
        return _line(page, usable, at_click)
    words = [i for i in usable if word(page.box(i)) and not touches(page, i, alone)]
    return _line(page, words, alone)  # icons close to one another are no line


def _together(page: Page, held: list[int], click: Point) -> list[int]:
    """All that stands on a button, but signs far from the click: a bar with arrows may look like one."""
    near = [i for i in held if page.box(i).grow(3).contains(click)]
    for mark in near:
        around = page.box(mark).grow(APART)
        near += [i for i in held if i not in near and around.intersect(page.box(i)).area]
    words = [i for i in held if word(page.box(i))]
    return [i for i in held if not near or i in near or touches(page, i, words)]


def _line(page: Page, usable: list[int], at_click: list[int]) -> list[int]:
    """What is clicked, and the words that go on in its line."""
    found = list(at_click)
    least = min(page.box(i).height for i in at_click)
    for mark in found:
        own = page.box(mark)
        near = Box(own.x - GAPS[-1], own.y, own.width + 2 * GAPS[-1], own.height)
        found += [
            i
            for i in usable
            if i not in found
            and level(page.box(i), own)
            and near.intersect(page.box(i)).area
            and not _divides(page.box(i), least=least)
        ]
    return sorted(found)


def _divides(box: Box, *, least: int = 0) -> bool:
    """Whether a mark is a line between widgets: thin, and higher than letters, the `least` beside it too."""
    return box.width < STOUT and box.height > max(TALL, HIGHER * least)


def covers_of(page: Page, own: list[int], click: Point) -> tuple[tuple[int, ...], ...]:
    """The largest marks, and the smallest ones: another font may join or part them."""
    fine = smallest(page, own)
    pure = [i for i in own if i in fine or not any(_sign(page, f, i) for f in fine)]
    coarse = [i for i in pure if not any(within(page.box(i), page.box(o)) for o in pure if o != i)]
    found: list[tuple[int, ...]] = []
    for cover in (coarse, fine):
        clicked = [i for i in cover if page.box(i).grow(3).contains(click)]
        plain = [i for i in cover if i in clicked or not indicator(page.box(i))] or cover
        ranked = tuple(sorted(plain, key=lambda i: -page.box(i).area))
        if ranked and ranked not in found:
            found.append(ranked)
    return tuple(found)


def _sign(page: Page, inner: int, outer: int) -> bool:
    """Whether a mark is the sign beside a word and part of a larger mark: it would outweigh the word."""
    return indicator(page.box(inner)) and within(page.box(inner), page.box(outer))


def smallest(page: Page, marks: list[int]) -> list[int]:
    """Those that hold no other one."""
    return [i for i in marks if not any(within(page.box(o), page.box(i)) for o in marks if o != i)]


def touches(page: Page, mark: int, own: list[int]) -> bool:
    """Whether a mark has a part in one of `own`."""
    return any(page.box(mark).intersect(page.box(o)).area for o in own)


def inside(box: Box, core: Box) -> bool:
    """Whether most of a mark is in a box."""
    return box.intersect(core).area >= 0.7 * box.area


def within(inner: Box, outer: Box) -> bool:
    """Whether all of a box is."""
    return inner.intersect(outer) == inner

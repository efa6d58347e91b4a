"""Does what stood around a target stand around it still, though the window was laid out anew?

Another text size moves things apart, but not by one measure: letters grow, the space and the icons between
them do not. So each distance may change by anything between nothing and what letters did, and all must agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibtr.geometry import Box
from ibtr.marks import Boxes
from ibtr.page import Page

SLACK, WANDER = 5.0, 0.1
"""Pixels, and share of its distance, by which a mark may stand off."""
LARGEST = 1.6
"""Most by which letters are supposed to have grown where the target does not tell: an icon keeps its size."""
LEVEL = 0.5
"""Share of the lower one's height by which marks of one row may stand off."""


class Span(NamedTuple):
    """Least and most by which a distance may have changed."""

    least: float
    most: float
    aside: float = 0.0
    """Pixels by which other rows may have been pushed to the side."""


class Tie(NamedTuple):
    """A mark as recorded, the mark on the screen that shows it, and what that counts."""

    known: int
    seen: int
    weight: float


def span(*scales: float) -> Span:
    """How distances may change where letters did by one of `scales`."""
    return Span(min(1.0, *scales) - WANDER, max(1.0, *scales) + WANDER)


def neighbours(known: Page, seen: Page, at: tuple[int, int], other: int, within: Span) -> NDArray[np.intp]:
    """Marks of `seen` that stand to mark `at[1]` as `other` stands to `at[0]`, and are of its shape."""
    main, mate, here = known.tight(at[0]), known.tight(other), seen.tight(at[1])
    slack = SLACK * within.most
    boxes = seen.boxes.astype(np.float64)
    left, top = boxes[:, 0], boxes[:, 1]
    right, bottom = left + boxes[:, 2], top + boxes[:, 3]
    near = _moved(mate.x - main.x, left - here.x, within, slack)
    near |= _moved(mate.right - main.right, right - here.right, within, slack)
    near |= _moved(mate.center.x - main.center.x, (left + right) / 2 - here.center.x, within, slack)
    down = (top + bottom) / 2 - here.center.y
    if level(main, mate):
        near &= np.abs(down) <= LEVEL * max(main.height, mate.height) * within.most
    else:
        moved = (left + right) / 2 - here.center.x - (mate.center.x - main.center.x)
        near |= np.abs(moved) <= within.aside
        near &= _moved(mate.center.y - main.center.y, down, within, slack)
    return seen.shaped(mate, np.flatnonzero(near))


def level(a: Box, b: Box) -> bool:
    """Whether two marks stand in one row."""
    return abs(a.center.y - b.center.y) <= LEVEL * min(a.height, b.height)


def _moved(known: float, seen: NDArray[np.float64], within: Span, slack: float) -> NDArray[np.bool_]:
    """Which of the distances `seen` may be what became of `known`."""
    ends = sorted((known * within.least, known * within.most))
    fits: NDArray[np.bool_] = (seen >= ends[0] - slack) & (seen <= ends[1] + slack)
    return fits


def agreeing(known: Page, seen: Page, ties: Sequence[Tie], within: Span) -> list[Tie]:
    """The ties that do not contradict one another: the one that is against most is dropped, until none is."""
    if not ties:
        return []
    against = ~_fitting(known, seen, ties, within)
    weights = np.array([tie.weight for tie in ties])
    kept = np.ones(len(ties), bool)
    while True:
        blame = np.where(kept, against @ (weights * kept) / weights, 0.0)
        worst = int(blame.argmax())
        if blame[worst] <= 0:
            return [tie for tie, keep in zip(ties, kept, strict=True) if keep]
        kept[worst] = False


def _fitting(known: Page, seen: Page, ties: Sequence[Tie], within: Span) -> NDArray[np.bool_]:
    """Whether each two ties may be true together."""
    old, new = _tight(known, [t.known for t in ties]), _tight(seen, [t.seen for t in ties])
    fits: NDArray[np.bool_] = _placed(old, new, within) & _one_to_one(ties)
    return fits


def _placed(old: Boxes, new: Boxes, within: Span) -> NDArray[np.bool_]:
    """Whether each two boxes stand to one another as before."""
    slack = SLACK * within.most
    across = np.zeros((len(old), len(old)), bool)
    for part in (0.0, 0.5, 1.0):
        across |= _kept(old[:, 0] + part * old[:, 2], new[:, 0] + part * new[:, 2], within, slack)
    middles = old[:, 1] + old[:, 3] / 2, new[:, 1] + new[:, 3] / 2
    down = _kept(*middles, within, slack)
    lower = np.minimum(old[:, None, 3], old[None, :, 3])
    in_row = np.abs(_apart(middles[0])) <= LEVEL * lower
    moved = _apart(new[:, 0] + new[:, 2] / 2) - _apart(old[:, 0] + old[:, 2] / 2)
    across |= ~in_row & (np.abs(moved) <= within.aside)
    higher = np.maximum(old[:, None, 3], old[None, :, 3])
    down = np.where(in_row, np.abs(_apart(middles[1])) <= LEVEL * higher * within.most, down)
    fits: NDArray[np.bool_] = across & down
    return fits


def _tight(page: Page, marks: list[int]) -> Boxes:
    return np.array([page.tight(mark) for mark in marks], np.int32)


def stands(
    known: Page, seen: Page, own: tuple[Box, Box], ties: Sequence[Tie], within: Span
) -> NDArray[np.bool_]:
    """Which of the ties stand to what was the first of `own` as they stand to the second now."""
    old = np.array([own[0], *_tight(known, [t.known for t in ties])])
    new = np.array([own[1], *_tight(seen, [t.seen for t in ties])])
    fits: NDArray[np.bool_] = _placed(old, new, within)[0, 1:]
    return fits


def _one_to_one(ties: Sequence[Tie]) -> NDArray[np.bool_]:
    ends = np.array([(t.known, t.seen) for t in ties])
    shared: NDArray[np.bool_] = (ends[:, None] == ends[None]).any(axis=2)
    np.fill_diagonal(shared, val=False)
    return ~shared


def _kept(
    old: NDArray[np.float64], new: NDArray[np.float64], within: Span, slack: float
) -> NDArray[np.bool_]:
    apart, now = _apart(old), _apart(new)
    sign = np.where(apart < 0, -1.0, 1.0)
    way, far = now * sign, apart * sign
    fits: NDArray[np.bool_] = (way >= far * within.least - slack) & (way <= far * within.most + slack)
    return fits


def _apart(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return values[None, :] - values[:, None]

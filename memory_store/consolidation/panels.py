"""The dialog that a target stands in: a window that is one, or a sheet that came up inside of a window.

A sheet is plain, of the form of a dialog, holds the target as a button with a ground of its own, says only
what was not there a step before, and leaves what lies around it as it was, or dimmed. A note is as low as a
line or two, and holds the target behind the words that it says; it may be bare words itself. Menus and pages
are none of it: what they hold may differ from day to day.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from actionlens.frames import Pixels, size_of
from actionlens.observation import Observation
from actionlens.run_reader import Step
from ibtr.evidence import CropAnchor
from ibtr.geometry import Box, Point, Size
from ibtr.letters import lines
from ibtr.masks import edges, flooded
from ibtr.panel import says_little, still_there
from ibtr.pixels import cut, to_gray
from ibtr.plain import field
from ibtr.widget import widget
from memory_store.consolidation.seen import px
from memory_store.consolidation.trace import Frames

LEAST, LOWEST = Size(120, 60), 24
"""Least sides of a sheet, and the least height of a note, which is lower than a sheet."""
MOST = 160_000
"""Pixels of a sheet, at most, unless it says little: a pane of a page says more, and that varies."""
SAID = 5
"""Letters before the target in a note."""
WIDEST = 220
"""Width of a button, at most: a field is wider."""
UPRIGHT = 0.9
"""Width of a dialog, in heights, at least: a menu is higher."""
BUTTON = 0.25
"""Share of a sheet that a button takes, at most."""
PLAIN, SHADES = 0.45, 3
"""Share of a sheet that is its ground, at least; levels within which it is."""
INK, OTHER = 24, 0.75
"""Levels of an edge; the share of a sheet's edges that must be new, and of those around that must not."""
FAINT = 8
"""Levels of an edge that was dimmed, or of the side of a note."""
SIDE = 3
"""How far from the ground of a note its sides are drawn."""
REACH, RIM = 160, 12
"""How far around a sheet things must be as they were, but for its shadow."""
STEPS = (5, 9, 14, 22)
"""Pixels beside a button where the ground of its sheet is looked for."""


def panel_of(seen: Observation, screen: Pixels, point: Point, earlier: Pixels | None) -> Box | None:
    """The dialog around a target, in pixels of its screen; None where it stands in none.

    `earlier` is the screen before the step that came before.
    """
    under = [window for window in seen.windows if px(window.box, seen).contains(point)]
    front = seen.window if seen.window and seen.window in under else under[-1] if under else None
    if front is not None and front.dialog:
        return px(front.box, seen).clip(size_of(screen))
    return sheet(earlier, screen, point) if earlier is not None else None


def closes(step: Step, panel: CropAnchor | None, frames: Frames) -> bool:
    """Whether a step made the dialog go that its target stands in: its window, or what was drawn there."""
    if panel is None or step.after is None:
        return False
    front = step.before.window
    if front is not None and front.dialog:
        return all(window.id != front.id for window in step.after.windows)
    return not still_there(frames[step.before], frames[step.after], panel.source)


def sheet(earlier: Pixels, screen: Pixels, point: Point) -> Box | None:
    """A sheet around a target that was not there on an earlier screen."""
    if earlier.shape != screen.shape:
        return None
    before, now = to_gray(earlier), to_gray(screen)
    for box in (*_sheets(now, point), *_notes(before, now, point)):
        if _is_new(before, now, box) and _lies_over(before, now, box):
            return box
    return None


def _sheets(gray: Pixels, point: Point) -> Iterator[Box]:
    """Plain parts of the screen that have the form of a dialog around a button."""
    button = field(gray, point)
    if button is None or button.width > WIDEST or not edges(cut(gray, button.grow(-3)), INK).any():
        return
    for box, area in _grounds(gray, button):
        shaped = box.width >= max(LEAST.width, UPRIGHT * box.height) and box.height >= LEAST.height
        plain = area >= PLAIN * box.area and button.area <= BUTTON * box.area
        if shaped and plain and says_little(gray, box, MOST):
            yield box


def _notes(before: Pixels, now: Pixels, point: Point) -> Iterator[Box]:
    """Low plain parts of the screen that came up, sides and all, and say something before the target."""
    target = widget(now, point)
    for box, area in _grounds(now, target):
        shaped = box.width >= LEAST.width and LOWEST <= box.height < LEAST.height
        if shaped and area >= PLAIN * box.area and _sides_came(before, now, box):
            said = (letter for line in lines(cut(now, box)) for letter in line.letters)
            if sum(letter.right + box.x <= target.x for letter in said) >= SAID:
                yield box


def _grounds(gray: Pixels, button: Box) -> Iterator[tuple[Box, int]]:
    """Each part of the screen of one colour that a button stands on, with its area."""
    size = size_of(gray)
    tried: set[Box] = set()
    for start in _beside(button):
        if not Box(0, 0, *size).contains(start):
            continue
        box, area = flooded(gray, start, SHADES)
        if box in tried or box.intersect(button) != button:
            continue
        tried.add(box)
        yield box, area


def _beside(button: Box) -> Iterator[Point]:
    middle = button.center
    for step in STEPS:
        yield Point(int(middle.x), button.y - step)
        yield Point(int(middle.x), button.bottom + step - 1)
        yield Point(button.x - step, int(middle.y))
        yield Point(button.right + step - 1, int(middle.y))


def _is_new(before: Pixels, now: Pixels, box: Box) -> bool:
    """Whether nearly all that is drawn on it was not there."""
    inner = box.grow(-2)
    ink = edges(cut(now, inner), INK) != 0
    apart = cv2.absdiff(cut(before, inner), cut(now, inner)) >= INK // 2
    near = cv2.dilate(apart.astype(np.uint8), np.ones((3, 3), np.uint8)) != 0
    return bool(ink.any()) and float(near[ink].mean()) >= OTHER


def _sides_came(before: Pixels, now: Pixels, box: Box) -> bool:
    """Whether the sides of a box came up with it: what is typed into a field has none of its own."""
    outer = box.grow(SIDE).clip(size_of(now))
    beside = np.ones((outer.height, outer.width), np.uint8)
    inner = box.grow(-SIDE)
    cut(beside, Box(inner.x - outer.x, inner.y - outer.y, inner.width, inner.height))[:] = 0
    ink = (edges(cut(now, outer), FAINT) & beside) != 0
    apart = cv2.absdiff(cut(before, outer), cut(now, outer)) >= FAINT // 2
    near = cv2.dilate(apart.astype(np.uint8), np.ones((3, 3), np.uint8)) != 0
    return bool(ink.any()) and float(near[ink].mean()) >= OTHER


def _lies_over(before: Pixels, now: Pixels, box: Box) -> bool:
    """Whether what is drawn around it was drawn there before, and the other way round; dimmed or not."""
    outer, rim = box.grow(REACH).clip(size_of(now)), box.grow(RIM)
    beside = np.ones((outer.height, outer.width), np.uint8)
    inner = Box(rim.x - outer.x, rim.y - outer.y, rim.width, rim.height)
    cut(beside, inner.clip(Size(outer.width, outer.height)))[:] = 0
    pair = cut(before, outer), cut(now, outer)
    return all(_kept(one, other, beside) >= OTHER for one, other in (pair, pair[::-1]))


def _kept(one: Pixels, other: Pixels, beside: Pixels) -> float:
    """Share of the edges of one picture that the other one has, if only faintly."""
    ink = (edges(one, INK) & beside) != 0
    faint = cv2.dilate(edges(other, FAINT), np.ones((3, 3), np.uint8)) != 0
    return float(faint[ink].mean()) if ink.any() else 1.0

"""The dialog that a target stands in: a window that is one, or a sheet that came up inside of a window.

A sheet is plain, of the form of a dialog, holds the target as a button with a ground of its own, says only
what was not there a step before, and leaves what lies around it as it was, or dimmed. Menus and pages are
none of it: what they hold may differ from day to day.
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
from ibtr.masks import edges, flooded
from ibtr.panel import still_there
from ibtr.pixels import cut, to_gray
from ibtr.plain import field
from memory_store.consolidation.seen import px
from memory_store.consolidation.trace import Frames

LEAST, MOST = Size(160, 60), 160_000
"""Least sides of a sheet, and its most pixels."""
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
"""Levels of an edge that was dimmed."""
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
    button = field(now, point)
    if button is None or button.width > WIDEST or not edges(cut(now, button.grow(-3)), INK).any():
        return None
    for box in _grounds(now, button):
        if _is_new(before, now, box) and _lies_over(before, now, box):
            return box
    return None


def _grounds(gray: Pixels, button: Box) -> Iterator[Box]:
    """Plain parts of the screen that have the form of a dialog around a button."""
    size = size_of(gray)
    tried: set[Box] = set()
    for start in _beside(button):
        if not Box(0, 0, *size).contains(start):
            continue
        box, area = flooded(gray, start, SHADES)
        if box in tried or box.intersect(button) != button:
            continue
        tried.add(box)
        shaped = box.width >= max(LEAST.width, UPRIGHT * box.height) and box.height >= LEAST.height
        if shaped and box.area <= MOST and area >= PLAIN * box.area and button.area <= BUTTON * box.area:
            yield box


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

"""Start states made from a memory's first screen: the same elsewhere, or partly changed.

Each maker takes a start and chance, and gives the frame that a replay would find; None where it cannot be
made for this memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np

from actionlens.controller import Frame
from actionlens.frames import Pixels
from actionlens.observation import Window
from ibtr.geometry import Box, Point, Size
from ibtr.pixels import cut, size_of
from memory_store.models import Memory, StepRole
from server.diagnostics import scenes
from server.diagnostics.cases import Case, Foreign
from server.diagnostics.drawn import Rng, text_block, wallpaper
from server.diagnostics.scenes import Donor, Scene

_AT = datetime(2026, 1, 1, tzinfo=UTC)
_FRAME = (30, 4)  # what a window manager draws around a window: above, and at the other sides


class Later(NamedTuple):
    """The screen before a later step of the recording."""

    step: int
    pixels: Pixels
    title: str
    window: Box


@dataclass(frozen=True, slots=True)
class Start:
    """A memory's recorded first screen, and what stands on it."""

    memory: Memory
    pixels: Pixels
    window: Box
    """The active window, in pixels; the whole screen where nobody told."""
    standing: tuple[Case, ...]
    """Targets that could be seen on the first screen, in the order of the program."""
    foreign: Foreign
    later: tuple[Later, ...] = ()

    @property
    def application(self) -> str:
        """What was in front."""
        return self.memory.steps[0].evidence.before.application

    @property
    def title(self) -> str:
        """Its window's title."""
        return self.memory.steps[0].evidence.before.window_title

    @property
    def first(self) -> Case | None:
        """The target of the first required step, if that aims and could be seen."""
        index = next(
            (at for at, step in enumerate(self.memory.steps) if step.role is StepRole.REQUIRED), None
        )
        return next((case for case in self.standing if case.step == index), None)


Make = Callable[[Start, Rng], Frame | None]


def frame_of(start: Start, pixels: Pixels, window: Box | None = None, **other: str) -> Frame:
    """A frame as a desktop would give it, with one window on it."""
    front = Window(
        id=1,
        title=other.get("title", start.title),
        application=other.get("application", start.application),
        box=window or start.window,
    )
    return Frame(pixels, _AT, size_of(pixels), Point(0, 0), None, front, (front,))


# -- compatible: the same start elsewhere ---------------------------------------------------------------


def as_recorded(start: Start, rng: Rng) -> Frame | None:
    """Nothing has changed."""
    return frame_of(start, start.pixels)


def another_resolution(start: Start, rng: Rng) -> Frame | None:
    """The whole screen at 0.6 to 1.6 of its size."""
    scene = scenes.scaled(start.pixels, start.window, start.window.center, float(rng.uniform(0.6, 1.6)))
    return frame_of(start, scene.screen, scene.box)


def smaller_screen(start: Start, rng: Rng) -> Frame | None:
    """From 1920 to 1600 wide."""
    scene = scenes.scaled(start.pixels, start.window, start.window.center, 1600 / 1920)
    return frame_of(start, scene.screen, scene.box)


def window_moved(start: Start, rng: Rng) -> Frame | None:
    """The window at another place, on a screen of another size, over another wallpaper."""
    part = _decorated(start)
    room = Size(part.width + int(rng.integers(60, 500)), part.height + int(rng.integers(40, 300)))
    screen = wallpaper(room, rng)
    x, y = int(rng.integers(0, room.width - part.width)), int(rng.integers(0, room.height - part.height))
    screen[y : y + part.height, x : x + part.width] = cut(start.pixels, part)
    inner = start.window
    moved = Box(inner.x - part.x + x, inner.y - part.y + y, inner.width, inner.height)
    return frame_of(start, screen, moved)


def remote(start: Start, rng: Rng) -> Frame | None:
    """Through a remote desktop: JPEG."""
    return through(start, scenes.jpeg, rng)


def another_monitor(start: Start, rng: Rng) -> Frame | None:
    """Through another monitor profile: gamma."""
    return through(start, scenes.gamma, rng)


# -- partly changed: still the same start ---------------------------------------------------------------


def optional_done(start: Start, rng: Rng) -> Frame | None:
    """The paper's: startup and guard steps are done, the first required pointer step comes next."""
    roles = [step.role for step in start.memory.steps]
    first = roles.index(StepRole.REQUIRED) if StepRole.REQUIRED in roles else 0
    ready = [one for one in start.later if first and one.step == first]
    return frame_of(start, ready[0].pixels, ready[0].window, title=ready[0].title) if ready else None


def other_content(start: Start, rng: Rng) -> Frame | None:
    """Another document: text over parts of the window, away from what the memory aims at."""
    image, done = start.pixels.copy(), 0
    for _ in range(12):
        part = _spot(start, rng, keep=40)
        if part is not None:
            cut(image, part)[:] = text_block(Size(part.width, part.height), rng)
            done += 1
    return frame_of(start, image) if done else None


def bar_came_in(start: Start, rng: Rng) -> Frame | None:
    """A bar of 24 to 48 px came in: everything below it moved down."""
    high = int(rng.integers(24, 49))
    size = size_of(start.pixels)
    taken = [case.box.grow(10) for case in start.standing]
    rows = [
        y
        for y in range(start.window.y + 30, min(start.window.bottom, size.height) - high, 6)
        if all(y <= box.y or y >= box.bottom for box in taken)
    ]
    if not rows or any(box.bottom + high > size.height for box in taken):
        return None
    y = int(rng.choice(rows))
    image, inside = start.pixels.copy(), slice(max(0, start.window.x), min(size.width, start.window.right))
    image[y + high :, inside] = start.pixels[y : size.height - high, inside]
    image[y : y + high, inside] = rng.integers(180, 250, 3)
    return frame_of(start, image)


def pointer_on_it(start: Start, rng: Rng) -> Frame | None:
    """The pointer rests on the first target."""
    return on_first(start, scenes.pointer, rng)


def lit_up(start: Start, rng: Rng) -> Frame | None:
    """The first target is lit up."""
    return on_first(start, scenes.hover, rng)


def something_over_it(start: Start, rng: Rng) -> Frame | None:
    """A note lies over a part of the window that the memory does not aim at."""
    part = _spot(start, rng, keep=40)
    if part is None:
        return None
    image = start.pixels.copy()
    cut(image, part)[:] = text_block(Size(part.width, part.height), rng)
    cut(image, part)[:3] = 90
    return frame_of(start, image)


def further_along(start: Start, rng: Rng) -> Frame | None:
    """A screen of the recording itself from later on, in the same window, with all that stood still there."""
    from server.replay.window_place import stood

    if not start.standing:
        return None
    fit = [
        one
        for one in start.later
        if one.window == start.window
        and not np.array_equal(one.pixels, start.pixels)
        and all(stood(case.evidence, one.pixels) for case in start.standing)
    ]
    return frame_of(start, fit[int(rng.integers(len(fit)))].pixels) if fit else None


def through(start: Start, maker: scenes.Maker, rng: Rng) -> Frame | None:
    """The whole screen as a scene shows it."""
    donor = Donor(start.foreign.screen, start.foreign.box)
    scene = maker(start.pixels, start.window, start.window.center, donor, rng)
    return None if scene is None else frame_of(start, scene.screen)


def on_first(start: Start, maker: scenes.Maker, rng: Rng) -> Frame | None:
    """A scene made around the first target."""
    if start.first is None:
        return None
    donor = Donor(start.foreign.screen, start.foreign.box)
    scene: Scene | None = maker(start.pixels, start.first.box, start.first.point, donor, rng)
    return None if scene is None else frame_of(start, scene.screen)


def _decorated(start: Start) -> Box:
    above, beside = _FRAME
    box = start.window
    return Box(box.x - beside, box.y - above, box.width + 2 * beside, box.height + above + beside).clip(
        size_of(start.pixels)
    )


def _spot(start: Start, rng: Rng, keep: int) -> Box | None:
    """A part of the window that is `keep` px away from everything the memory aims at."""
    inner = start.window.clip(size_of(start.pixels))
    for _ in range(40):
        wide, high = int(rng.integers(80, 420)), int(rng.integers(40, 200))
        if wide >= inner.width or high >= inner.height:
            continue
        x = inner.x + int(rng.integers(0, inner.width - wide))
        y = inner.y + int(rng.integers(0, inner.height - high))
        part = Box(x, y, wide, high)
        if not any(part.intersect(case.box.grow(keep)).area for case in start.standing):
            return part
    return None

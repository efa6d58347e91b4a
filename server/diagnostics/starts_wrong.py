"""Starts on which a memory must not run, and the tables of all three kinds."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from actionlens.controller import Frame
from ibtr.geometry import Box
from ibtr.pixels import size_of
from server.diagnostics import starts
from server.diagnostics.drawn import Rng, dialog, wallpaper
from server.diagnostics.scenes_gone import erased, replaced
from server.diagnostics.starts import Make, Start, frame_of, on_first
from server.replay.window_place import stood


def another_application(start: Start, rng: Rng) -> Frame | None:
    """Another application is in front, and the platform says so."""
    other = start.foreign
    return frame_of(start, other.screen, other.window, application=other.application, title=other.title)


def another_screen(start: Start, rng: Rng) -> Frame | None:
    """The screen of another application, in a window that calls itself the same: only the pixels tell."""
    other = start.foreign
    return frame_of(start, other.screen, other.window or Box(0, 0, *size_of(other.screen)))


def nothing_there(start: Start, rng: Rng) -> Frame | None:
    """An empty desktop: the application has not been started."""
    empty = wallpaper(size_of(start.pixels), rng)
    return replace(frame_of(start, empty), window=None, windows=())


def target_erased(start: Start, rng: Rng) -> Frame | None:
    """The first target is gone."""
    return on_first(start, erased, rng)


def target_replaced(start: Start, rng: Rng) -> Frame | None:
    """Another widget stands in the first target's place."""
    return on_first(start, replaced, rng)


def modal_window(start: Start, rng: Rng) -> Frame | None:
    """A dialog of the application itself is in front, over the window or beside the target."""
    box = _dialog_box(start, rng)
    image = start.pixels.copy()
    dialog(image, box, rng)
    frame = frame_of(start, image)
    assert frame.window is not None
    front = frame.window.model_copy(update={"id": 2, "title": "Question", "box": box})
    return replace(frame, window=front, windows=(frame.window, front))


def dialog_over_target(start: Start, rng: Rng) -> Frame | None:
    """A dialog inside the window lies over the first target: no window of its own."""
    if start.first is None:
        return None
    image, place = start.pixels.copy(), start.first.box
    box = Box(place.x - int(rng.integers(40, 160)), place.y - int(rng.integers(40, 90)), 0, 0)
    box = Box(box.x, box.y, max(320, place.width + 200), max(160, place.height + 130)).clip(size_of(image))
    dialog(image, box, rng)
    return frame_of(start, image)


def another_window(start: Start, rng: Rng) -> Frame | None:
    """Another window of the application is in front: a later screen of the recording itself."""
    first = start.first
    if first is None:
        return None
    fit = [
        one
        for one in start.later
        if one.title != start.title and one.window != start.window and not stood(first.evidence, one.pixels)
    ]
    if not fit:
        return None
    one = fit[int(rng.integers(len(fit)))]
    return frame_of(start, one.pixels, one.window, title=one.title)


def _dialog_box(start: Start, rng: Rng) -> Box:
    inner = start.window.clip(size_of(start.pixels))
    wide, high = min(420, inner.width - 20), min(180, inner.height - 20)
    x = inner.x + int(rng.integers(0, max(1, inner.width - wide)))
    y = inner.y + int(rng.integers(0, max(1, inner.height - high)))
    return Box(x, y, wide, high)


COMPATIBLE: Final[dict[str, Make]] = {
    "as recorded": starts.as_recorded,
    "another resolution": starts.another_resolution,
    "1600 for 1920": starts.smaller_screen,
    "window moved": starts.window_moved,
    "remote desktop": starts.remote,
    "another monitor": starts.another_monitor,
}
CHANGED: Final[dict[str, Make]] = {
    "optional steps done": starts.optional_done,
    "other content": starts.other_content,
    "a bar came in": starts.bar_came_in,
    "pointer on it": starts.pointer_on_it,
    "lit up": starts.lit_up,
    "something over a part": starts.something_over_it,
    "further along": starts.further_along,
}
INCOMPATIBLE: Final[dict[str, Make]] = {
    "another application": another_application,
    "another screen, same name": another_screen,
    "not started": nothing_there,
    "target erased": target_erased,
    "target replaced": target_replaced,
    "modal window": modal_window,
    "dialog over the target": dialog_over_target,
    "another window of it": another_window,
}
ONCE: Final = frozenset(
    {"as recorded", "1600 for 1920", "remote desktop", "optional steps done", "another application"}
)
"""Made without chance: twice would be the same pair."""

"""How a click left its target: told by the first later screen with pointer and keyboard elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from actionlens.actions import KEYBOARD_ACTIONS, Action, Click
from actionlens.observation import Observation
from actionlens.run_reader import Step
from ibtr.evidence import Evidence
from ibtr.geometry import Box, Point, xy_to_px
from ibtr.state import left_by, own_box
from memory_store.consolidation.trace import Frames

_CLEAR = 12
"""Pixels around a target within which a pointer may light it up."""


class Later(NamedTuple):
    """Screens of one window after a click: from the click on, and the last with everything elsewhere."""

    during: tuple[Observation, ...]
    last: Observation


def as_left(
    evidence: Evidence, steps: Sequence[Step], at: int, then: Action | None, frames: Frames
) -> Evidence:
    """The evidence of the recorded step at index `at` with its target as the click left it, if that shows.

    A click that keys follow (`then` is what the memory does next) put the keyboard there: it is needed
    however the place looks.
    """
    if not _is_plain(steps[at].action) or then is None or then.action in KEYBOARD_ACTIONS:
        return evidence
    anchor, own = evidence.crop, own_box(evidence.crop)
    place = Box(own.x + anchor.source.x, own.y + anchor.source.y, own.width, own.height)
    later = _later(steps, at, place.grow(_CLEAR))
    if later is None:
        return evidence
    done = left_by(anchor, [frames[seen] for seen in later.during], frames[later.last])
    return replace(evidence, anchors=(replace(anchor, done=done), *evidence.anchors[1:]))


def _is_plain(action: Action) -> bool:
    return isinstance(action, Click) and (action.button, action.clicks, action.hold) == ("left", 1, ())


def _later(steps: Sequence[Step], at: int, place: Box) -> Later | None:
    """Until another click in the same window has taken the keyboard along; no further than that window."""
    first, during = steps[at].before, list[Observation]()
    if (left := steps[at].after) is not None:
        during.append(left)
    for step in steps[at + 1 :]:
        seen = [one for one in (step.before, step.after) if one is not None]
        points = [xy_to_px(point, first.scale, first.origin) for point in step.action.points()]
        if not all(_same_front(first, one) for one in (*during, *seen)) or _inside(place, points):
            return None
        if isinstance(step.action, Click) and step.after is not None and _away(step.after, place):
            return Later((*during, step.before), step.after)
        during += seen
    return None


def _same_front(one: Observation, other: Observation) -> bool:
    if one.window is None or other.window is None or one.image != other.image:
        return False
    return (one.window.id, one.window.box) == (other.window.id, other.window.box)


def _away(seen: Observation, place: Box) -> bool:
    """Whether the pointer stayed where the other click took it."""
    at = seen.pointer
    return at is None or not place.contains(xy_to_px(at, seen.scale, seen.origin))


def _inside(place: Box, points: Sequence[Point]) -> bool:
    return any(place.contains(point) for point in points)

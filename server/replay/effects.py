"""Expected effects after the last step: each one that can be looked for held, or did not, within a bound."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import anyio
from anyio import to_thread
from pydantic import JsonValue

from ibtr.errors import EchoPathError
from memory_store.evaluators.region import look_on
from memory_store.evaluators.template import Values
from memory_store.models import (
    BlobId,
    Condition,
    FileCondition,
    LaunchCondition,
    RegionCondition,
    WindowCondition,
)
from server.replay.launching import fits

if TYPE_CHECKING:
    from actionlens.controller import Frame
    from server.replay.aiming import Waiting

ReadBlob = Callable[[BlobId], bytes]


class Effect(NamedTuple):
    """One expected effect, and whether it was there."""

    what: str
    held: bool

    def plain(self) -> JsonValue:
        """As a report tells it."""
        return {"effect": self.what, "held": self.held}


async def await_effects(
    expected: tuple[Condition, ...],
    capture: Callable[[], Awaitable[Frame]],
    values: Mapping[str, str],
    blob: ReadBlob,
    waiting: Waiting,
    *,
    patient: bool = True,
) -> tuple[Effect, ...]:
    """Each effect that can be looked for, once all are there or the time for it is over.

    Notes are for the reader; where there is nothing else, nothing is looked at. What has not come is waited
    for as a target is: while the screen changes, and not longer than the longest time; one look if not
    `patient`.
    """
    looked_for = [one for one in expected if what_of(one)]
    if not looked_for:
        return ()
    begun = changed = time.monotonic()
    seen: object = None
    found: tuple[Effect, ...] = ()
    while True:
        frame, at = await capture(), time.monotonic()
        new, seen = frame.pixels is not seen, frame.pixels
        changed = at if new else changed
        known = () if new else found  # what was not on this very screen a moment ago is not there now
        found = await to_thread.run_sync(_look, looked_for, known, frame, values, blob)
        over = at - changed > waiting.still_s or at - begun > waiting.longest_s
        if over or not patient or all(effect.held for effect in found):
            return found
        await anyio.sleep(waiting.poll_s)


def what_of(condition: Condition) -> str:
    """An effect in words; empty for one that nothing can look for."""
    match condition:
        case WindowCondition() | LaunchCondition():
            window = condition.window if isinstance(condition, LaunchCondition) else condition
            named = " ".join(filter(None, (window.application, window.title_contains))) or "any"
            return f"window {named}" + ("" if window.present else " is gone")
        case FileCondition():
            return f"file {condition.path}" + ("" if condition.exists else " is gone")
        case RegionCondition():
            return f"region {condition.description}".strip()
        case _:
            return ""


def _look(
    expected: list[Condition],
    known: tuple[Effect, ...],
    frame: Frame,
    values: Mapping[str, str],
    blob: ReadBlob,
) -> tuple[Effect, ...]:
    """One look at all; a region that is `known` of this screen is not looked for again."""
    return tuple(
        known[at]
        if known and isinstance(one, RegionCondition)
        else Effect(what_of(one)[:200], _holds(one, frame, values, blob))
        for at, one in enumerate(expected)
    )


def _holds(condition: Condition, frame: Frame, values: Mapping[str, str], blob: ReadBlob) -> bool:
    try:
        match condition:
            case WindowCondition():
                return _window(condition, frame)
            case LaunchCondition():
                return _window(condition.window, frame)
            case FileCondition():
                place = Values(values).path(condition.path, "expected_effects.path")
                return Path(place.path).exists() == condition.exists
            case RegionCondition():
                look_on(frame.pixels, blob)(condition.anchors)
                return True
            case _:
                return True
    except (EchoPathError, OSError):  # not there, not surely, or nothing that can be read
        return False


def _window(condition: WindowCondition, frame: Frame) -> bool:
    front = [frame.window] if frame.window else []
    return condition.present == any(
        fits(condition, window) for window in (front if condition.active else frame.windows)
    )

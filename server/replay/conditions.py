"""Preconditions on the desktop of now: what is missing is started if that was allowed, or named."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from anyio import to_thread

from ibtr.errors import Rejected, StateMismatch
from memory_store.evaluators.template import Values
from memory_store.models import (
    BlobId,
    Condition,
    FileCondition,
    LaunchCondition,
    RegionCondition,
    WindowCondition,
)
from server.replay.aiming import find_all
from server.replay.launching import Tell, fits, launch, nobody
from server.replay.targets import evidence_of

if TYPE_CHECKING:
    from actionlens.controller import Controller, Frame


async def meet(
    conditions: tuple[Condition, ...],
    desktop: Controller,
    values: Mapping[str, str],
    blob: Callable[[BlobId], bytes],
    may_launch: Callable[[Sequence[str]], Awaitable[None]],
    *,
    tell: Tell = nobody,
) -> None:
    """See that every precondition holds; start or raise what a `launch` names.

    Raises:
        StateMismatch: carrying every condition that does not hold.
        UnsafeAction: a program would have to be started, and the policy forbids it.
    """
    for condition in conditions:
        if isinstance(condition, LaunchCondition):
            await launch(condition, desktop, values, may_launch, tell=tell)
    frame = await desktop.capture()
    wrong = [said for one in conditions if (said := await _wrong(one, frame, values, blob))]
    if wrong:
        raise StateMismatch("; ".join(wrong), conditions=wrong)


def unmet(conditions: Iterable[Condition], frame: Frame, blob: Callable[[BlobId], bytes]) -> list[str]:
    """What does not hold of all that a look at the screen can tell; files and programs are not asked."""
    said = [
        _window(one, frame) if isinstance(one, WindowCondition) else _region(one, frame, blob)
        for one in conditions
        if isinstance(one, WindowCondition | RegionCondition)
    ]
    return [wrong for wrong in said if wrong]


async def _wrong(
    condition: Condition, frame: Frame, values: Mapping[str, str], blob: Callable[[BlobId], bytes]
) -> str | None:
    match condition:
        case WindowCondition():
            return _window(condition, frame)
        case FileCondition():
            place = Values(values).path(condition.path, "preconditions.path")
            there = await to_thread.run_sync(Path(place.path).exists)
            return (
                None
                if there == condition.exists
                else f"file {condition.path} is {'there' if there else 'missing'}"
            )
        case RegionCondition():
            return await to_thread.run_sync(_region, condition, frame, blob)
        case _:
            return None


def _window(condition: WindowCondition, frame: Frame) -> str | None:
    active = frame.window
    pool = ([active] if active else []) if condition.active else list(frame.windows)
    found = any(fits(condition, window) for window in pool)
    if found == condition.present:
        return None
    name = " ".join(filter(None, (condition.application, condition.title_contains))) or "any"
    seen = f"{active.application}: {active.title}"[:120] if active else "none"
    where = "in front" if condition.active else "open"
    return f"window {name} is {'not ' if condition.present else ''}{where} (active: {seen})"


def _region(condition: RegionCondition, frame: Frame, blob: Callable[[BlobId], bytes]) -> str | None:
    try:
        find_all((evidence_of(condition.anchors, blob),), frame.pixels)
    except Rejected as exc:
        return f"region {condition.description or 'remembered'}: {exc}"
    return None

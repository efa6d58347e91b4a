"""Preconditions on the desktop of now: what is missing is started if that was allowed, or named."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
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
from server.replay.aiming import find_all, rest
from server.replay.targets import evidence_of
from server.replay.transition import same_application

if TYPE_CHECKING:
    from actionlens.controller import Controller, Frame
    from actionlens.observation import Window

_START_S = 20.0


async def meet(
    conditions: tuple[Condition, ...],
    desktop: Controller,
    values: Mapping[str, str],
    blob: Callable[[BlobId], bytes],
    may_launch: Callable[[Sequence[str]], Awaitable[None]],
) -> None:
    """See that every precondition holds; start or raise what a `launch` names.

    Raises:
        StateMismatch: carrying every condition that does not hold.
        UnsafeAction: a program would have to be started, and the policy forbids it.
    """
    for condition in conditions:
        if isinstance(condition, LaunchCondition):
            await _launch(condition, desktop, values, may_launch)
    frame = await desktop.capture()
    wrong = [said for one in conditions if (said := await _wrong(one, frame, values, blob))]
    if wrong:
        raise StateMismatch("; ".join(wrong), conditions=wrong)


def fits(condition: WindowCondition, window: Window) -> bool:
    """Whether a window is the one that is meant."""
    return (not condition.application or same_application(condition.application, window.application)) and (
        condition.title_contains.casefold() in window.title.casefold()
    )


def unmet(conditions: Iterable[Condition], frame: Frame, blob: Callable[[BlobId], bytes]) -> list[str]:
    """What does not hold of all that a look at the screen can tell; files and programs are not asked."""
    said = [
        _window(one, frame) if isinstance(one, WindowCondition) else _region(one, frame, blob)
        for one in conditions
        if isinstance(one, WindowCondition | RegionCondition)
    ]
    return [wrong for wrong in said if wrong]


async def _launch(
    condition: LaunchCondition,
    desktop: Controller,
    values: Mapping[str, str],
    may_launch: Callable[[Sequence[str]], Awaitable[None]],
) -> None:
    there = [window for window in (await desktop.capture()).windows if fits(condition.window, window)]
    if there:
        await desktop.activate(there[-1].id)
    else:
        fill = Values(values)
        argv = [fill.argument(part, "launch.argv") for part in condition.argv]
        await may_launch(argv)
        await desktop.launch(argv)
    with anyio.move_on_after(_START_S):
        while True:
            active = (await desktop.capture()).window
            if active is not None and fits(condition.window, active):
                return await rest(desktop)
            await anyio.sleep(0.02)
    raise StateMismatch(
        f"{condition.argv[0]} did not come to the front in {_START_S:g} s", argv=[*condition.argv]
    )


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

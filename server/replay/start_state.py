"""Is the desktop where the memory starts? Several independent probes, and one decision.

Strict against another application; tolerant of startup and guard steps that are already done.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import JsonValue

from ibtr.errors import Rejected, StateMismatch
from ibtr.geometry import Box
from memory_store.models import Memory, StepRole
from server.replay.aiming import find_all
from server.replay.transition import same_application

if TYPE_CHECKING:
    from actionlens.controller import Frame
    from actionlens.frames import Pixels
    from ibtr import Aim, Evidence
    from server.replay.targets import Targets

_STRUCTURE = 8.0  # deviation, in levels, that tells a target from a plain place
_LEVEL, _OTHER = (
    24,
    12,
)  # pixels that differ by more, and how many of them are too many: a dot on an icon counts
_EARLY = 3  # pointer targets that are probed beside the first


@dataclass(frozen=True, slots=True)
class StartState:
    """What the probes saw."""

    first: int
    """Index of the step to begin with: startup and guard steps before it are already done."""
    probes: dict[str, JsonValue]
    aims: tuple[Aim, ...] | None = None
    """Where its targets are, if it has some."""


def examine(memory: Memory, targets: Targets, frame: Frame, at_start: Pixels | None) -> StartState:
    """Where to begin on this screen.

    `at_start` is the recorded first screen, if it was kept: what could be seen there must be seen now.

    Raises:
        StateMismatch: another application is in front, or what stood there at the start does not.
        MissingTarget, AmbiguousTarget: the application is right, the first target is not there or not alone.
    """
    probes: dict[str, JsonValue] = {}
    first = _first_ready(memory, targets, frame, probes)
    application = memory.steps[first].evidence.before.application
    active = frame.window.application if frame.window else ""
    probes["application"] = f"{active or 'none'} (recorded {application or 'none'})"
    if application and not same_application(application, active):
        raise StateMismatch(
            f"{active or 'no application'} is in front, the memory starts in {application}",
            recorded=application,
            active=active,
            probes=probes,
        )
    if first in targets:
        aims = find_all(targets[first], frame.pixels)
        probes[f"target {first + 1}"] = "there"
        return StartState(first, probes, aims)
    if at_start is not None:
        _early_targets(targets, first, (at_start, frame.pixels), probes)
    return StartState(first, probes)


def _first_ready(memory: Memory, targets: Targets, frame: Frame, probes: dict[str, JsonValue]) -> int:
    """The first step, or the first after optional ones whose work is done: a later target is there."""
    for index, step in enumerate(memory.steps):
        if step.role is StepRole.REQUIRED or _there(targets, index, frame):
            return index
        ahead = next((later for later in range(index + 1, len(memory.steps)) if later in targets), None)
        if ahead is None or not _there(targets, ahead, frame):
            return index
        probes[f"step {index + 1}"] = f"skipped: {step.role.value}, and target {ahead + 1} is there already"
    return 0


def _early_targets(
    targets: Targets, first: int, screens: tuple[Pixels, Pixels], probes: dict[str, JsonValue]
) -> None:
    """Of what stood on the recorded first screen, among the next targets, one must stand here too."""
    at_start, now = screens
    ahead = [index for index in sorted(targets) if index > first][:_EARLY]
    gone: list[int] = []
    for index in ahead:
        if not all(stood(target, at_start) for target in targets[index]):
            continue
        if _visible(targets, index, now):
            probes[f"target {index + 1}"] = "there"
            return
        probes[f"target {index + 1}"] = "gone"
        gone.append(index + 1)
    if gone:
        raise StateMismatch("what could be seen at the start cannot be seen now", steps=gone, probes=probes)


def stood(target: Evidence, screen: Pixels) -> bool:
    """Whether the target is on another frame of its own recording, at its own place: a look, not a search."""
    import numpy as np

    from ibtr.pixels import cut, size_of, to_gray

    anchor = target.crop
    place = anchor.source
    if size_of(screen) != anchor.screen or place.intersect(Box(0, 0, *anchor.screen)) != place:
        return False
    core = cut(anchor.image, anchor.core)
    seen = cut(screen, Box(place.x + anchor.core.x, place.y + anchor.core.y, *size_of(core)))
    apart = np.abs(core.astype(np.int16) - seen.astype(np.int16)).max(axis=2)
    structure = float(to_gray(core).std())
    return structure >= _STRUCTURE and int((apart > _LEVEL).sum()) < _OTHER


def _there(targets: Targets, index: int, frame: Frame) -> bool:
    return index in targets and _visible(targets, index, frame.pixels)


def _visible(targets: Targets, index: int, pixels: Pixels) -> bool:
    try:
        find_all(targets[index], pixels)
    except Rejected:
        return False
    return True

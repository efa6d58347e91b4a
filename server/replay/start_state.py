"""Is the desktop where the memory starts? Several independent probes, and one decision.

Strict against another application and against another window in front; tolerant of startup and guard steps
that are already done, and of a first target that alone could not tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from pydantic import JsonValue

from ibtr.errors import AmbiguousTarget, MissingTarget, Rejected, StateMismatch
from ibtr.geometry import Box, Point, px_to_xy
from memory_store.models import Memory, StepRole, Surroundings
from server.replay.aiming import find_all, visible
from server.replay.landmarks import ALIKE, agreed, landmarks, still_shows
from server.replay.layout import Then
from server.replay.transition import same_application
from server.replay.window_place import front_px, outside, stood, was_inside, window_px
from server.replay.words import a_dialog

if TYPE_CHECKING:
    from actionlens.controller import Frame
    from actionlens.frames import Pixels
    from ibtr import Aim
    from server.replay.aiming import Target
    from server.replay.targets import Targets

_EARLY = 3  # pointer targets that are probed beside the first
_QUICK = 2  # landmarks that are looked for while a screen may still be coming up


@dataclass(frozen=True, slots=True)
class StartState:
    """What the probes saw."""

    first: int
    """Index of the step to begin with: startup and guard steps before it are already done."""
    probes: dict[str, JsonValue]
    aims: tuple[Aim, ...] | None = None
    """Where its targets are, if it has some and they are sure."""


def examine(
    memory: Memory, targets: Targets, frame: Frame, at_start: Pixels | None, *, thorough: bool = True
) -> StartState:
    """Where to begin on this screen.

    `at_start` is the recorded first screen, if it was kept: what could be seen there must be seen now. A look
    that is not `thorough` is quick to say no; the last one, before a replay is refused, is.

    Raises:
        StateMismatch: another application or window is in front, or what stood there at the start does not.
        MissingTarget, AmbiguousTarget: the application is right, the first target is not there or not alone.
    """
    probes: dict[str, JsonValue] = {}
    first = _first_ready(memory, targets, frame, probes)
    before = memory.steps[first].evidence.before
    _application(before, frame, probes)
    _expect_still_closed(memory, first, frame, probes)
    _expect_no_menu(targets.get(first, ()), frame, probes)
    look = _Look(before, frame, at_start, probes, thorough)
    if first in targets:
        return StartState(first, probes, look.first_target(first, targets[first]))
    if at_start is not None and not look.early_targets(targets, first):
        look.landmarks()
    return StartState(first, probes)


def _application(before: Surroundings, frame: Frame, probes: dict[str, JsonValue]) -> None:
    application, active = before.application, frame.window.application if frame.window else ""
    probes["application"] = f"{active or 'none'} (recorded {application or 'none'})"
    dialog = a_dialog(frame.window.title, active) if frame.window and frame.window.dialog else ""
    if application and not same_application(application, active):
        says = f"{dialog or active or 'no application'} is in front, the memory starts in {application}"
        says += ": answer or close it first" if dialog else ""
        raise StateMismatch(says, recorded=application, active=active, probes=probes)
    if frame.window and dialog and not before.dialog:
        says = f"{dialog} is in front: answer or close it first"
        raise StateMismatch(says, dialog=frame.window.title[:120], probes=probes)


def _expect_still_closed(memory: Memory, first: int, frame: Frame, probes: dict[str, JsonValue]) -> None:
    """A dialog that the memory opens must not be open: shown again, its keyboard is where it was left."""
    start = memory.steps[first].evidence.before
    opened = {
        step.evidence.before.window_title: step.evidence.before.application
        for step in memory.steps[first + 1 :]
        if step.evidence.before.dialog and step.evidence.before.window_title != start.window_title
    }
    for window in frame.windows:
        behind = window.dialog and (frame.window is None or window.id != frame.window.id)
        application = opened.get(window.title) if window.title else None
        if behind and application is not None and same_application(application, window.application):
            says = f"{a_dialog(window.title, window.application)} is open already, and the memory opens it"
            raise StateMismatch(f"{says}: close it first", dialog=window.title[:120], probes=probes)


def _expect_no_menu(ends: tuple[Target, ...], frame: Frame, probes: dict[str, JsonValue]) -> None:
    """The next click closes an open menu and does nothing else, unless the first target stands in it."""
    menus = [popup.box for popup in frame.popups if popup.menu]
    if not menus or (ends and _in_one_of(menus, ends, frame)):
        return
    application = frame.window.application if frame.window else "the application"
    says = f"a menu of {application} is open: close it first, with Escape"
    raise StateMismatch(says, menu=[*menus[-1]], probes=probes)


def _in_one_of(menus: list[Box], ends: tuple[Target, ...], frame: Frame) -> bool:
    try:
        found = find_all(ends, frame.pixels)
    except Rejected:
        return False
    places = [px_to_xy(aim.point, frame.scale, frame.origin) for aim in found]
    return all(any(menu.contains(at) for menu in menus) for at in places)


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


@dataclass(frozen=True, slots=True)
class _Look:
    """One look at a screen, beside the recorded first one."""

    before: Surroundings
    frame: Frame
    at_start: Pixels | None
    probes: dict[str, JsonValue]
    thorough: bool

    def first_target(self, first: int, ends: tuple[Target, ...]) -> tuple[Aim, ...] | None:
        """Where the first target is; None where it alone cannot tell, but its place beside landmarks can.

        A target that has twins, is lit up or half covered is left to the step that aims at it: the state is
        the right one if its place still shows what it showed.
        """
        name = f"target {first + 1}"
        try:
            found = find_all(ends, self.frame.pixels)
        except (MissingTarget, AmbiguousTarget) as no:
            if self.at_start is None or not self.thorough:
                raise
            self.place_of(ends[0], no)
            self.probes[name] = f"its place is there, the target is not sure: {no.cause.value}"
            return None
        if self.outside(ends[0], found[0].point) or self._goes_on_behind(ends[0], found[0]):
            self.probes[name] = "behind another window"
            raise self._other_window()
        self.probes[name] = "there"
        return found

    def early_targets(self, targets: Targets, first: int) -> bool:
        """Whether one is seen of what stood on the recorded first screen, among the next targets.

        One that is not even found on that screen itself cannot tell.
        """
        assert self.at_start is not None
        gone: list[int] = []
        for index in [index for index in sorted(targets) if index > first][:_EARLY]:
            if not all(stood(target, self.at_start) for target in targets[index]):
                continue
            if self.finds(targets[index]) is not None:
                self.probes[f"target {index + 1}"] = "there"
                return True
            if visible(targets[index], self.at_start):
                self.probes[f"target {index + 1}"] = "gone"
                gone.append(index + 1)
        if gone:
            raise StateMismatch(
                "what could be seen at the start cannot be seen now", steps=gone, probes=self.probes
            )
        return False

    def landmarks(self) -> None:
        """Most of what the first screen is known by must stand in the window in front, in one layout."""
        then = self._beside_now()
        if any(then.holds(layout) for layout in then.layouts()):
            self.probes["landmarks"] = "they stand where they stood in the window"
            return
        tried = 0
        for landmark in self._landmarks(None):
            tried += 1
            aim = self.finds((landmark,))
            if aim is not None and then.holds(aim.transform):
                self.probes["landmarks"] = (
                    f"number {tried} is there, and the others stand to it as they stood"
                )
                return
        self.probes["landmarks"] = f"none of {tried} with the others"
        if tried:
            raise self._nothing_there()

    def place_of(self, target: Target, no: Rejected) -> None:
        """The place of a target, where landmarks around it say it is, must look as it did; or `no` stands."""
        from memory_store.consolidation.seen import on_screen

        assert self.at_start is not None
        box, then = on_screen(target.crop), self._beside_now()
        tried = [*self._landmarks(box)]
        known = [aim for landmark in tried if (aim := self.finds((landmark,))) is not None]
        self.probes["landmarks"] = f"{len(known)} of {len(tried)}"
        if tried and not known:
            raise self._nothing_there()
        for aim in known:
            alike = still_shows(self.at_start, box, aim.transform, self.frame.pixels) >= ALIKE
            told = alike and (len(known) == 1 or agreed(aim, known, box.center))
            if told and then.moved(box, aim.transform):
                return
        raise no

    def _goes_on_behind(self, target: Target, aim: Aim) -> bool:
        """Whether a target, with its click in the window in front, is of a window that this one covers."""
        from memory_store.consolidation.seen import on_screen

        if self.at_start is None or not was_inside(self.before, target):
            return False
        return self._beside_now().goes_on(on_screen(target.crop), aim.transform)

    def _beside_now(self) -> Then:
        assert self.at_start is not None
        known = self.before.window_xy is not None and self.frame.window is not None
        inside = front_px(self.frame) if known else Box(0, 0, *self.frame.image)
        return Then(self.at_start, window_px(self.before, self.at_start), self.frame.pixels, inside)

    def _landmarks(self, near: Box | None) -> Iterator[Target]:
        assert self.at_start is not None
        places = landmarks(self.at_start, window_px(self.before, self.at_start), near)
        return islice(places, None if self.thorough else _QUICK)

    def _nothing_there(self) -> StateMismatch:
        return StateMismatch("nothing of the first screen can be seen now", probes=self.probes)

    def finds(self, ends: tuple[Target, ...]) -> Aim | None:
        """Where the first of the ends is; None if it is not, or lies behind another window."""
        try:
            found = find_all(ends, self.frame.pixels)[0]
        except Rejected:
            return None
        return None if self.outside(ends[0], found.point) else found

    def outside(self, target: Target, point: Point) -> bool:
        """Whether it was inside the active window, and is outside of it now: something lies in front."""
        return outside(self.before, target, self.frame, px_to_xy(point, self.frame.scale, self.frame.origin))

    def _other_window(self) -> StateMismatch:
        title = self.frame.window.title[:120] if self.frame.window else ""
        return StateMismatch(
            "another window is in front of what the memory starts with", window=title, probes=self.probes
        )


def _there(targets: Targets, index: int, frame: Frame) -> bool:
    return index in targets and visible(targets[index], frame.pixels)

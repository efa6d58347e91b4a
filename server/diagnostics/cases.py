"""The pointer targets of a library with the screens they were recorded on, and screens foreign to them."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from actionlens.frames import Pixels
from ibtr import Evidence
from ibtr.geometry import Box, Point, Size
from ibtr.pixels import absolute_difference, cut, size_of
from memory_store.consolidation.seen import on_screen
from memory_store.models import Memory
from server.diagnostics.drawn import Rng, desktop
from server.diagnostics.library import Library

_FULL_HD = Size(1920, 1080)
_LEVEL, _SHOWN = 24, 0.5
"""Levels by which a pixel may differ; the share of a target's pixels that must not."""


@dataclass(frozen=True, slots=True)
class Case:
    """One end of one pointer step: the stored evidence, and where it was on its own screen."""

    memory: Memory
    step: int
    evidence: Evidence
    point: Point
    box: Box

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.memory.tool_name}, step {self.step + 1}"


@dataclass(frozen=True, slots=True)
class Foreign:
    """A screen of another application; `box` is some widget on it."""

    screen: Pixels
    box: Box
    application: str
    title: str = ""
    window: Box | None = None


def rng_of(*names: object) -> Rng:
    """Chance that is the same every time."""
    return np.random.default_rng(zlib.crc32(":".join(map(str, names)).encode()))


def cases_of(library: Library) -> list[Case]:
    """Every pointer target whose screen is still there."""
    found: list[Case] = []
    for memory in library.memories:
        for index, ends in (library.targets(memory) or {}).items():
            screen = library.screen(memory, index)
            for end in ends:
                if screen is None or not isinstance(end, Evidence):
                    continue
                if shows(screen, end):
                    found.append(_case(memory, index, end))
                else:
                    library.leave_out(
                        memory, index, "its target was covered: it was cut from an earlier screen"
                    )
    return found


def shows(screen: Pixels, evidence: Evidence) -> bool:
    """Whether a screen has a target's own pixels where it was: what lay under a tooltip was cut earlier."""
    anchor, place = evidence.crop, on_screen(evidence.crop).clip(size_of(screen))
    own = Box(place.x - anchor.source.x, place.y - anchor.source.y, place.width, place.height)
    apart = absolute_difference(cut(anchor.image, own), cut(screen, place)).max(axis=2)
    return float((apart < _LEVEL).mean()) >= _SHOWN


def sample(cases: Sequence[Case], count: int) -> list[Case]:
    """At most `count` of them, in their own order."""
    if len(cases) <= count:
        return list(cases)
    chosen = rng_of("sample").permutation(len(cases))[:count]
    return [cases[int(at)] for at in sorted(chosen)]


class Strangers:
    """Screens of other applications: the library's own, or drawn ones where it knows no other."""

    def __init__(self, library: Library, cases: Sequence[Case]) -> None:
        self._library, self._cases = library, cases

    def to(self, memory: Memory, rng: Rng) -> Foreign:
        """A screen of a memory that has no application in common with this one."""
        own = _applications(memory)
        others = [case for case in self._cases if not own & _applications(case.memory)]
        for at in rng.permutation(len(others))[:8]:
            case = others[int(at)]
            screen = self._library.screen(case.memory, case.step)
            if screen is not None:
                return Foreign(screen, case.box, application_of(case), *_front(case))
        screen, box = desktop(_FULL_HD, rng)
        return Foreign(screen, box, "another program")


def application_of(case: Case) -> str:
    """What was in front when a step began."""
    return case.memory.steps[case.step].evidence.before.application


def _applications(memory: Memory) -> set[str]:
    seen = {step.evidence.before.application for step in memory.steps}
    return {name.casefold() for name in (*memory.applications, *seen) if name}


def _front(case: Case) -> tuple[str, Box | None]:
    before = case.memory.steps[case.step].evidence.before
    return before.window_title, Box(*before.window_xy) if before.window_xy else None


def _case(memory: Memory, index: int, evidence: Evidence) -> Case:
    anchor = evidence.crop
    point = Point(anchor.source.x + anchor.click.x, anchor.source.y + anchor.click.y)
    return Case(memory, index, evidence, point, on_screen(evidence.crop))

"""State-gate calibration (paper, 3.2): right starts let in, wrong ones refused, before anything is touched.

The gate is the replay's own: preconditions that a screen can answer, then the start state. Its starts are
made from the memories' own first screens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Final

from ibtr.errors import EchoPathError, Rejected
from memory_store.models import Memory
from server.diagnostics.cases import Case, Strangers, cases_of, rng_of
from server.diagnostics.figures import Diagnosis, Figure, Goal, Tick, quiet, share
from server.diagnostics.library import HOW, Library
from server.diagnostics.starts import Later, Make, Start
from server.diagnostics.starts_wrong import CHANGED, COMPATIBLE, INCOMPATIBLE, ONCE
from server.errors import LibraryTooSmall
from server.replay.conditions import unmet
from server.replay.start_state import examine
from server.replay.window_place import stood, window_px

if TYPE_CHECKING:
    from actionlens.controller import Frame
    from server.replay.targets import Targets

PAIRS: Final = 70
"""Of each of the three conditions: more than 200 in all."""
CONDITIONS: Final[dict[str, tuple[str, Mapping[str, Make], float, float]]] = {
    "compatible": ("let in", COMPATIBLE, 98.0, 99.0),
    "partly changed": ("let in", CHANGED, 92.0, 97.0),
    "incompatible": ("refused", INCOMPATIBLE, 78.0, 99.0),
}
"""What is right, how starts are made, the paper's figure and our goal."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What the gate said to one start."""

    condition: str
    kind: str
    memory: str
    refusal: str
    """Cause and words; empty: it was let in."""

    @property
    def right(self) -> bool:
        """Whether it said what it should."""
        return bool(self.refusal) == (CONDITIONS[self.condition][0] == "refused")


def diagnose(library: Library, most: int = PAIRS, tick: Tick = quiet) -> Diagnosis:
    """Put every memory before right and wrong starts.

    Raises:
        LibraryTooSmall: no memory has a first screen and a pointer target.
    """
    cases = cases_of(library)
    usable = [memory for memory in library.memories if _usable(library, memory, cases)]
    if not usable:
        raise LibraryTooSmall(
            "no active memory has its first screen and a pointer step with crops",
            f"keep frames (keep_frames = true) or the recorded runs; or {HOW}",
        )
    each = -(-most // len(usable))
    decided: list[Decided] = []
    for at, memory in enumerate(usable):
        tick("gate", at, len(usable))
        decided += _memory(library, memory, cases, each)
    return Diagnosis(
        name="gate",
        title="State-gate calibration",
        conditions=(
            f"{len(decided)} pairs of {len(usable)} memories that have a first screen and pointer targets",
            *(f"{name}: {', '.join(made)}" for name, (_, made, _, _) in CONDITIONS.items()),
            "the paper: 50 pairs of each; only other screens of the same kinds of recordings",
        ),
        figures=tuple(_figures(decided)),
        series={
            name: ((0.0, share(one.right for one in decided if one.condition == name) or 0.0), (1.0, paper))
            for name, (_, _, paper, _) in CONDITIONS.items()
        },
        misses=tuple(
            f"{one.condition}, {one.kind}: {one.memory}: {one.refusal or 'let in'}"
            for one in decided
            if not one.right
        ),
        left_out=dict(library.left_out),
    )


def decide(library: Library, start: Start, targets: Targets, frame: Frame) -> str:
    """The gate's refusal, or nothing."""
    try:
        if wrong := unmet(start.memory.preconditions, frame, library.store.blob):
            return f"state_mismatch: {'; '.join(wrong)}"
        examine(start.memory, targets, frame, start.pixels)
    except Rejected as no:
        return f"{no.cause.value}: {no}"
    except EchoPathError as exc:
        return f"error: {exc}"
    return ""


def _memory(library: Library, memory: Memory, cases: list[Case], each: int) -> Iterator[Decided]:
    targets = library.targets(memory)
    start = _start(library, memory, cases)
    if targets is None or start is None:
        return
    for condition, (_, makers, _, _) in CONDITIONS.items():
        for kind, frame in _drawn(start, makers, each):
            yield Decided(condition, kind, memory.tool_name, decide(library, start, targets, frame))


def _drawn(start: Start, makers: Mapping[str, Make], each: int) -> Iterator[tuple[str, Frame]]:
    """The kinds in turn, as many starts as are wanted or can be made."""
    names = [*makers]
    begin = int(
        rng_of(start.memory.tool_name).integers(len(names))
    )  # else few pairs would all be of one kind
    made, kinds = 0, {name: makers[name] for name in (*names[begin:], *names[:begin])}
    for turn in count():
        for kind in [*kinds]:
            if made == each:
                return
            frame = kinds[kind](start, rng_of(start.memory.tool_name, kind, turn))
            if frame is None or kind in ONCE:
                del kinds[kind]
            if frame is not None:
                made += 1
                yield kind, frame
        if not kinds:
            return


def _usable(library: Library, memory: Memory, cases: list[Case]) -> bool:
    return any(case.memory is memory for case in cases) and library.screen(memory, 0) is not None


def _start(library: Library, memory: Memory, cases: list[Case]) -> Start | None:
    pixels = library.screen(memory, 0)
    if pixels is None:
        return None
    own = [case for case in cases if case.memory is memory]
    return Start(
        memory=memory,
        pixels=pixels,
        window=window_px(memory.steps[0].evidence.before, pixels),
        standing=tuple(case for case in own if case.step == 0 or stood(case.evidence, pixels)),
        foreign=Strangers(library, cases).to(memory, rng_of("foreign", memory.tool_name)),
        later=tuple(_later(library, memory)),
    )


def _later(library: Library, memory: Memory) -> Iterator[Later]:
    for index in range(1, len(memory.steps)):
        pixels = library.screen(memory, index)
        if pixels is not None:
            before = memory.steps[index].evidence.before
            yield Later(index, pixels, before.window_title, window_px(before, pixels))


def _figures(decided: list[Decided]) -> Iterator[Figure]:
    for name, (right, made, paper, goal) in CONDITIONS.items():
        mine = [one for one in decided if one.condition == name]
        ours = share(one.right for one in mine)
        yield Figure(what=f"{name}: {right}", ours=ours, paper=paper, goal=Goal(at_least=goal), n=len(mine))
        for kind in made:
            found = [one.right for one in mine if one.kind == kind]
            if found:
                yield Figure(what=f"  {kind}", ours=share(found), n=len(found))

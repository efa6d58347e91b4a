"""A run as consolidation sees it: each step with what changed during it, and between it and the next."""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass
from typing import NamedTuple

from actionlens.actions import Action, Hotkey, Press
from actionlens.frames import Pixels
from actionlens.observation import Observation
from actionlens.records import StepStatus
from actionlens.run_reader import Run, Step
from ibtr.geometry import Box, Point, Size, xy_to_px
from memory_store.consolidation.screens import CARET, NOTHING, Change, change

_FRAMES_KEPT = 6
_FAR_BACK = 4
_OFTEN = 3
_NO_SIZE = Size(0, 0)


class Flicker(NamedTuple):
    """A small place that keeps changing by itself, in image pixels, and the window that was in front."""

    box: Box
    front: tuple[str, str]


@dataclass(frozen=True, slots=True)
class TracedStep:
    """One recorded step without its pixels."""

    id: int
    action: Action
    status: StepStatus
    target: str = ""
    expect: str = ""
    error: str = ""
    during: Change = NOTHING
    """From before the input event to the settled screen."""
    between: Change = NOTHING
    """From its settled screen to the next step's before-frame: what came by itself."""
    application: str = ""
    title: str = ""
    new_application: str = ""
    """The application in front afterwards, where it is another one."""
    new_title: str = ""
    windows: int = 0
    new_windows: int = 0
    back_to: tuple[int, ...] = ()
    """Earlier steps, not far back, before which the screen was as it is after this one."""
    points_px: tuple[Point, ...] = ()
    """Where the pointer went, in pixels of the before-frame."""
    image: Size = _NO_SIZE
    has_after: bool = True

    @property
    def ok(self) -> bool:
        """Whether it ended well."""
        return self.status is StepStatus.OK

    @property
    def changed(self) -> bool:
        """Whether the screen changed during it or after it, before the next step."""
        return bool(self.during) or bool(self.between)


@dataclass(frozen=True, slots=True)
class Trace:
    """The steps of one run, in order."""

    run_id: str
    goal: str
    steps: tuple[TracedStep, ...]
    flicker: tuple[Flicker, ...] = ()
    running: bool = False
    missing: tuple[str, ...] = ()

    def step(self, step_id: int) -> TracedStep | None:
        """The step with this id."""
        return next((step for step in self.steps if step.id == step_id), None)


class Frames:
    """The frames of runs, the last few kept at hand: one step's after is the next one's before."""

    def __init__(self, *runs: Run) -> None:
        self._runs = runs
        self._kept: OrderedDict[str, Pixels] = OrderedDict()

    def __getitem__(self, seen: Observation) -> Pixels:
        """Pixels of an observation.

        Raises:
            RunUnreadable: a file is missing or altered.
        """
        if seen.frame not in self._kept:
            run = next((one for one in self._runs if seen.frame in one.index), self._runs[-1])
            self._kept[seen.frame] = run.frame(seen)
            if len(self._kept) > _FRAMES_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(seen.frame)
        return self._kept[seen.frame]


def trace_of(run: Run, frames: Frames | None = None) -> Trace:
    """Read a run's frames once and note what changed.

    Raises:
        RunUnreadable: a frame is missing or altered.
    """
    frames = frames or Frames(run)
    flicker = _flicker(run.steps)
    return Trace(
        run_id=run.manifest.run_id,
        goal=run.manifest.task_goal,
        steps=tuple(_traced(run.steps, at, frames, flicker) for at in range(len(run.steps))),
        flicker=flicker,
        running=run.status == "running",
        missing=run.missing,
    )


def _traced(steps: tuple[Step, ...], at: int, frames: Frames, flicker: tuple[Flicker, ...]) -> TracedStep:
    step = steps[at]
    before, after = step.before, step.after
    following = steps[at + 1].before if at + 1 < len(steps) else None
    moved = after is not None and after.window is not None and _front(before) != _front(after)
    return TracedStep(
        id=step.id,
        action=step.action,
        status=step.status,
        target=step.request.target or "",
        expect=step.request.expect or "",
        error=(step.ended.error if step.ended else None) or "",
        during=_change(before, after, frames, flicker),
        between=_change(after, following, frames, flicker),
        application=_front(before)[0],
        title=_front(before)[1],
        new_application=_front(after)[0] if after and moved else "",
        new_title=_front(after)[1] if after and moved else "",
        windows=len(before.windows),
        new_windows=len(after.windows) if after else len(before.windows),
        back_to=_back_to(steps, at, frames),
        points_px=tuple(xy_to_px(point, before.scale, before.origin) for point in step.action.points()),
        image=before.image,
        has_after=after is not None,
    )


def _flicker(steps: tuple[Step, ...]) -> tuple[Flicker, ...]:
    """Places that settling passed over again and again; once or twice it may have been a typed text."""
    passed = Counter(
        Flicker(box, _front(step.before))
        for step in steps
        if step.ended and step.ended.settled
        for box in {*step.ended.settled.ignored}
    )
    return tuple(one for one, times in passed.items() if times >= _OFTEN or one.box.width <= CARET)


def _change(
    one: Observation | None, other: Observation | None, frames: Frames, flicker: tuple[Flicker, ...]
) -> Change:
    if one is None or other is None or one.frame == other.frame:
        return NOTHING
    known = [place.box for place in flicker if place.front == _front(one)]
    return change(frames[one], frames[other], known)


def _front(seen: Observation) -> tuple[str, str]:
    return (seen.window.application, seen.window.title) if seen.window else ("", "")


def _back_to(steps: tuple[Step, ...], at: int, frames: Frames) -> tuple[int, ...]:
    after = steps[at].after
    if after is None or not _may_lead_back(steps[at].action):
        return ()
    near = steps[max(0, at - _FAR_BACK) : at]
    return tuple(one.id for one in near if not _change(one.before, after, frames, ()))


def _may_lead_back(action: Action) -> bool:
    return action.action == "scroll" or action in (Press(key="escape"), Hotkey(keys=("ctrl", "z")))

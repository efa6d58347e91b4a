"""Replay of a recorded run, in its first and plain form: copy what does not aim, re-aim what does.

Every pointer target is looked for by its crop at one scale; anything less than a strong and lonely match
stops the replay before the input event. `run_memory` replaces this once memories exist.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio
from pydantic import JsonValue

from actionlens.actions import ACTION, KEYBOARD_ACTIONS, Action
from actionlens.records import Request, RunId, RunStatus, StepStatus
from ibtr.errors import AmbiguousTarget, FocusDrift, MissingTarget, Rejected
from ibtr.geometry import Box, Point, Size, px_to_xy, xy_to_px

if TYPE_CHECKING:
    from actionlens.controller import Frame
    from actionlens.frames import Pixels
    from actionlens.recorder import ActionLens
    from actionlens.run_reader import Run, Step

_CROP = Size(56, 28)
_SCORE, _MARGIN = 0.78, 0.02  # paper, B.3
_WAIT_S = 3.0
_POLL_S = 0.05


@dataclass(frozen=True, slots=True)
class Replayed:
    """What became of a replay."""

    run_id: RunId
    ending: str
    steps: tuple[dict[str, JsonValue], ...]
    cause: str | None = None
    evidence: dict[str, object] | None = None
    seconds: float = 0.0


async def replay_run(
    lens: "ActionLens", source: "Run", told: Callable[[str], None] = lambda _: None
) -> Replayed:
    """Do again what a run did, on the screen as it is now."""
    begun = time.monotonic()
    log = await lens.start_run(source.manifest.task_goal, replay_of=source.manifest.run_id)
    steps: list[dict[str, JsonValue]] = []
    refusal: Rejected | None = None
    for step in source.steps:
        if step.status is not StepStatus.OK:
            continue
        try:
            action, report = await _bind(lens, source, step)
        except Rejected as exc:
            refusal = exc
            break
        done = await lens.act(Request(action=action, target=step.request.target, source={"step": step.id}))
        steps.append({"step": step.id, "action": action.action, "status": done.status.value, **report})
        told(f"step {step.id}: {action.action} {report}")
    ending = "done_unverified" if refusal is None else "stopped" if steps else "rejected"
    await lens.finish_run(RunStatus.FINISHED if refusal is None else RunStatus.FAILED, ending=ending)
    return Replayed(
        run_id=log.run_id,
        ending=ending,
        steps=tuple(steps),
        cause=refusal.cause.value if refusal else None,
        evidence=refusal.evidence if refusal else None,
        seconds=round(time.monotonic() - begun, 3),
    )


async def _bind(lens: "ActionLens", source: "Run", step: "Step") -> tuple[Action, dict[str, JsonValue]]:
    points = step.action.points()
    if not points:
        if step.action.action in KEYBOARD_ACTIONS:
            await _expect_application(lens, step)
        return step.action, {"binding": "copied"}
    before = source.frame(step.before)
    names = (("x", "y"), ("to_x", "to_y"))
    changed: dict[str, int] = {}
    report: dict[str, JsonValue] = {"binding": "re-aimed"}
    for (x, y), point in zip(names, points, strict=False):
        px = xy_to_px(point, step.before.scale, step.before.origin)
        found, score = await _find(lens, before, px)
        changed |= {x: round(found.x), y: round(found.y)}
        report["score"] = score
    return ACTION.validate_python(step.action.model_dump() | changed), report


async def _expect_application(lens: "ActionLens", step: "Step") -> None:
    """Keys go to the application they went to before, or nowhere."""
    now = (await lens.desktop.capture()).window
    recorded, active = (window.application if window else None for window in (step.before.window, now))
    if recorded != active:
        raise FocusDrift("another application has the keyboard", recorded=recorded, active=active)


async def _find(lens: "ActionLens", before: "Pixels", px: Point) -> tuple[Point, float]:
    """Look for the target until it is there, for a while."""
    end = time.monotonic() + _WAIT_S
    while True:
        frame = await lens.desktop.capture()
        try:
            return await anyio.to_thread.run_sync(_match, before, px, frame)
        except Rejected:
            if time.monotonic() > end:
                raise
        await anyio.sleep(_POLL_S)


def _match(before: "Pixels", px: Point, frame: "Frame") -> tuple[Point, float]:
    import cv2
    import numpy as np

    image = Size(before.shape[1], before.shape[0])
    box = Box(round(px.x) - _CROP.width // 2, round(px.y) - _CROP.height // 2, *_CROP).clip(image)
    crop = before[box.y : box.bottom, box.x : box.right]
    gray = [cv2.cvtColor(one, cv2.COLOR_BGR2GRAY) for one in (frame.pixels, crop)]
    scores = cv2.matchTemplate(gray[0], gray[1], cv2.TM_CCOEFF_NORMED)
    _, score, _, (left, top) = cv2.minMaxLoc(scores)
    rivals = np.array(scores)
    rivals[
        max(0, top - box.height // 2) : top + box.height // 2 + 1,
        max(0, left - box.width // 2) : left + box.width // 2 + 1,
    ] = -1
    rival = float(rivals.max())
    if score < _SCORE:
        raise MissingTarget("nothing on the screen looks enough like the target", score=round(score, 4))
    if score - rival < _MARGIN:
        raise AmbiguousTarget("two places look alike", score=round(score, 4), rival=round(rival, 4))
    found = Point(left + px.x - box.x, top + px.y - box.y)
    return px_to_xy(found, frame.scale, frame.origin), round(float(score), 4)

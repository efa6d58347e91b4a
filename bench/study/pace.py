"""How long a raw PyAutoGUI script takes for what a replay has just done, on the same start state."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import time
from datetime import UTC, datetime
from typing import Any

import numpy as np
from anyio import to_thread

from actionlens.actions import Move
from actionlens.frames import Pixels, changed_box, crop, encode_png, size_of
from actionlens.observation import Observation
from actionlens.run_reader import Run, read_run
from bench.study.raw import NEAR, PLAIN
from bench.study.second import SECOND, Played
from bench.study.stage import Stage
from bench.study.task import Task, Values
from ibtr.geometry import Box, Point, Size
from memory_store.evaluators.registry import evaluate
from memory_store.evaluators.scene import Allowed
from server.checking import read_evaluator, scene_of

PAUSE_S = 0.1  # PyAutoGUI's own, after every call
_REACH = Box(-20, -8, 40, 16)
_LONGEST_S = 20.0


async def pace(stage: Stage, task: Task, played: Played, *, search: bool) -> float | None:
    """Seconds from the first look to the right artifact; None if the script did not get there.

    With `search` it looks for every target on the whole screen; without, it is told where each one is.
    """
    values = task.values_of(played.repetition)
    await stage.clear(SECOND)
    await task.start(stage, values, task.window_of(played.repetition))
    run = read_run(stage.app.settings.runs / played.runs[-1])
    told = [_told(run, number) for number in range(len(run.steps))]
    asked = {"pause": PAUSE_S, "search": search, "steps": told}
    return await to_thread.run_sync(_timed, task, {name: values[name] for name in task.inputs}, asked)


def _told(run: Run, number: int) -> dict[str, Any]:
    """One step for the script: its action, and the pixels that it waits for."""
    step = run.steps[number]
    action, screen = step.action.model_dump(mode="json"), run.frame(step.before)
    at = Point(action["x"], action["y"]) if "x" in action else _changed(run, number)
    if "x" not in action and (painted := _painted(run, number)) and painted.window:
        corner = painted.window.box  # of a dialog: its first label
        screen, at = run.frame(painted), Point(corner.x + 40, corner.y + 20)
    if at is None or isinstance(step.action, Move):  # away from a tooltip: nothing to wait for
        return action | {"number": step.id, "at": [0, 0], "picture": None}
    box = _telling(screen, at)
    picture = base64.b64encode(encode_png(crop(screen, box).copy())).decode()
    return action | {"number": step.id, "at": [box.x, box.y], "picture": picture}


def _painted(run: Run, number: int) -> Observation | None:
    """The next screen, where keys go to a window that has only just come: it may not be painted yet."""
    seen = [step.before for step in run.steps[max(0, number - 1) : number + 2]]
    last, now, then = [one.window.id if one.window else 0 for one in seen] if len(seen) == 3 else (0, 0, 1)
    return seen[2] if last != now == then else None


def _changed(run: Run, number: int) -> Point | None:
    """Where the step before changed the screen: keys wait for that.

    Of a dialog its upper left, if something came there: a list of files in the middle shows times.
    """
    if number == 0:
        return None
    then, now = (run.frame(run.steps[at].before) for at in (number - 1, number))
    box = changed_box(then, now)
    if box is None:
        return None
    corner = Point(box.x + min(-_REACH.x, box.width / 2), box.y + min(-_REACH.y, box.height / 2))
    return next((at for at in (corner, box.center) if _came(then, now, at)), box.center)


def _came(then: Pixels, now: Pixels, at: Point) -> bool:
    """Whether something with structure stands around a point that did not before."""
    part = _around(at, size_of(now))
    apart = np.abs(crop(now, part).astype(np.int16) - crop(then, part)).mean()
    return float(crop(now, part).std()) > PLAIN and float(apart) > NEAR


def _telling(screen: Pixels, at: Point) -> Box:
    """What a script keeps a picture of: as much as has structure; the middle of a field is like any other."""
    parts = (_around(at, size_of(screen), times) for times in (1, 2, 4, 8))
    return next(
        (part for part in parts if float(crop(screen, part).std()) > PLAIN), _around(at, size_of(screen))
    )


def _around(at: Point, screen: Size, times: int = 1) -> Box:
    x, y, width, height = (times * side for side in _REACH)
    return Box(round(at.x) + x, round(at.y) + y, width, height).clip(screen)


def _timed(task: Task, values: Values, asked: dict[str, Any]) -> float | None:
    evaluator = read_evaluator(dict(task.evaluator), dict(values))
    with subprocess.Popen(
        [sys.executable, "-m", "bench.study.raw"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(os.environ),
        text=True,
    ) as script:
        assert script.stdin and script.stdout and script.stderr
        script.stdin.write(json.dumps(asked) + "\n")
        script.stdin.flush()
        line = script.stdout.readline()
        if not line:
            return _not_done(task, script.stderr.read())
        begun = float(json.loads(line)["begun"])
        while time.time() - begun < _LONGEST_S:
            if script.poll() not in (None, 0):
                return _not_done(task, script.stderr.read())
            scene = scene_of(dict(values), Allowed())
            if evaluate(evaluator, scene, at=datetime.now(UTC)).outcome.value == "passed":
                script.wait()
                return time.time() - begun
            time.sleep(0.02)
        script.kill()
    return _not_done(task, f"no right artifact within {_LONGEST_S:.0f} s")


def _not_done(task: Task, why: str) -> float | None:
    """No seconds, but the reason for whoever reads along."""
    print(f"{task.name}: the raw script did not get there: {why.strip()[-300:]}", flush=True)
    return None

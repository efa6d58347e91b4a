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

from anyio import to_thread

from actionlens.actions import Move
from actionlens.frames import changed_box, crop, encode_png
from actionlens.run_reader import Run, read_run
from bench.study.second import SECOND, Played
from bench.study.stage import Stage
from bench.study.task import Task, Values
from ibtr.geometry import Box, Point
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
    steps = [number for number, step in enumerate(run.steps) if not isinstance(step.action, Move)]
    asked = {"pause": PAUSE_S, "search": search, "steps": [_told(run, number) for number in steps]}
    return await to_thread.run_sync(_timed, task, {name: values[name] for name in task.inputs}, asked)


def _told(run: Run, number: int) -> dict[str, Any]:
    """One step for the script: its action, and the pixels that it waits for."""
    step = run.steps[number]
    action, screen = step.action.model_dump(mode="json"), run.frame(step.before)
    at = Point(action["x"], action["y"]) if "x" in action else _changed(run, number)
    if at is None:
        return action | {"number": step.id, "at": [0, 0], "picture": None}
    box = Box(round(at.x) + _REACH.x, round(at.y) + _REACH.y, _REACH.width, _REACH.height)
    box = box.clip(step.before.screen)
    picture = base64.b64encode(encode_png(crop(screen, box).copy())).decode()
    return action | {"number": step.id, "at": [box.x, box.y], "picture": picture}


def _changed(run: Run, number: int) -> Point | None:
    """Where the step before changed the screen: keys wait for that."""
    if number == 0:
        return None
    box = changed_box(run.frame(run.steps[number - 1].before), run.frame(run.steps[number].before))
    return box.center if box else None


def _timed(task: Task, values: Values, asked: dict[str, Any]) -> float | None:
    evaluator = read_evaluator(dict(task.evaluator), dict(values))
    with subprocess.Popen(
        [sys.executable, "-m", "bench.study.raw"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=dict(os.environ),
        text=True,
    ) as script:
        assert script.stdin and script.stdout
        script.stdin.write(json.dumps(asked) + "\n")
        script.stdin.flush()
        line = script.stdout.readline()
        if not line:
            return None
        begun = float(json.loads(line)["begun"])
        while time.time() - begun < _LONGEST_S:
            if script.poll() not in (None, 0):
                return None
            scene = scene_of(dict(values), Allowed())
            if evaluate(evaluator, scene, at=datetime.now(UTC)).outcome.value == "passed":
                script.wait()
                return time.time() - begun
            time.sleep(0.02)
        script.kill()
    return None

"""The first pass: a host's calls through MCP, one look per pointer action, and the memory made of them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import anyio

from actionlens.actions import Move
from actionlens.errors import ActionFailed, DesktopUnusable
from bench.study.stage import Stage
from bench.study.task import Do, Spot, Task, Values
from ibtr.geometry import Box, Size
from server.demo import Host

FIRST = Size(1920, 1080)


@dataclass(frozen=True, slots=True)
class FirstPass:
    """What the first pass cost."""

    run_id: str
    seconds: float
    tokens: int
    tokens_consolidating: int
    warnings: tuple[str, ...]


async def first_pass(stage: Stage, host: Host, task: Task) -> FirstPass:
    """Do the task as a host would, and promote what came of it."""
    values = task.values_of(0)
    await stage.clear(FIRST)
    await task.start(stage, values, task.window_of(0))
    host.tokens, begun = 0, time.monotonic()
    evaluator, inputs = dict(task.evaluator), {name: values[name] for name in task.inputs}
    await host.call(
        "start_run", goal=task.goal.format(**values), evaluator=evaluator, inputs=inputs, agent="study"
    )
    thought = 0.0
    for step in task.steps:
        await _act(stage, host, task, step, values)
        at = time.monotonic()
        await stage.still(0.3)  # a model thinks before it goes on, and looks; that is not counted
        thought += time.monotonic() - at
    done = await host.call("finish_run", evaluator=evaluator, inputs=inputs)
    seconds, tokens = time.monotonic() - begun - thought, host.tokens
    if done["verdict"]["outcome"] != "passed":
        raise ActionFailed(f"{task.name}: the first pass did not reach its goal: {done['verdict']}")
    warnings = await _promote(host, task, str(done["run_id"]))
    return FirstPass(str(done["run_id"]), seconds, tokens, host.tokens - tokens, warnings)


async def _act(stage: Stage, host: Host, task: Task, step: Do, values: Values) -> None:
    action: dict[str, Any] = {"action": step.action}
    if step.spot:
        await host.call("observe")
        at = (await where(stage, task, step, values)).center
        shown = int(host.seen["picture"].partition("x")[0])
        whole = int(host.seen["picture"].rpartition(" ")[2].partition("x")[0])
        action |= {"x": int(at.x * shown / whole), "y": int(at.y * shown / whole)}
        action |= {"frame_id": host.seen["frame_id"], "clicks": step.clicks, "button": step.button}
    if step.text:
        action["text"] = step.text.format(**values)
    if step.key:
        action["key"] = step.key
    if step.keys:
        action["keys"] = list(step.keys)
    if step.words:
        action["target"] = step.words.format(**values)
    done = await host.call("act", **action)
    if done["status"] != "ok":
        raise ActionFailed(f"{task.name}: {done}")


async def where(stage: Stage, task: Task, step: Do, values: Values) -> Box:
    """The true box of a step's target on the screen of now."""
    desktop = await stage.desktop()
    if not task.spots:
        name = step.spot.format(**values)
        with anyio.move_on_after(5):
            while name not in stage.site.layout:
                window = (await desktop.capture()).window
                if window is not None:  # the page learns where it is from a pointer that moves over it
                    at = window.box.center
                    await desktop.perform(Move(x=round(at.x) + 200, y=round(at.y) + 150))
                    await desktop.perform(Move(x=round(at.x) + 201, y=round(at.y) + 150))
                await anyio.sleep(0.1)
        if name not in stage.site.layout:
            raise DesktopUnusable(f"{task.name}: the page has no {name!r}: {sorted(stage.site.layout)}")
        return stage.site.layout[name]
    frame = await desktop.capture()
    return true_box(task.spots[step.spot], frame.window, frame.windows)


def true_box(spot: Spot, window: Any, windows: Any) -> Box:
    """Where a spot is, given the windows of one moment."""
    if spot.application:
        window = next(one for one in windows if one.application.casefold() == spot.application)
    if window is None:
        raise DesktopUnusable("no window is active")
    return spot.on_screen(window.box)


async def _promote(host: Host, task: Task, run_id: str) -> tuple[str, ...]:
    proposal = await host.call("consolidate_run", run_id=run_id)
    kept = [step["id"] for step in proposal["steps"]]
    inputs = [
        {"action_index": index, "name": step.input, "description": step.words or step.input}
        for index, step in enumerate(task.steps)
        if step.input
    ]
    made = await host.call(
        "consolidate_run",
        run_id=run_id,
        selection={
            "selected_step_ids": kept,
            "dropped": [],
            "flexible_inputs": inputs,
            "task_intent": task.phrases[0],
            "query_phrases": list(task.phrases[1:]),
            "preconditions": [{"kind": "window", "title_contains": task.title}] if task.title else [],
            "expected_effects": ["the artifact holds the values"],
            "viable": True,
            "recommendation": "promote",
            "tool_name": task.name,
            "evaluator": dict(task.evaluator),
        },
    )
    said = await host.call("promote_memory", memory=made["memory"])
    if task.name not in {tool.name for tool in (await host.client.list_tools()).tools}:
        raise ActionFailed(f"{task.name} was not promoted: {said}")
    return tuple(made["warnings"])

"""The second pass: one tool call on another screen, and what it really hit."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from actionlens.actions import Move
from actionlens.run_reader import Run, read_run
from bench.study.first import true_box
from bench.study.stage import Stage
from bench.study.task import Do, Task, Values
from ibtr.geometry import Point, Size
from server.demo import Host

if TYPE_CHECKING:
    from memory_store.ledger import Replay

SECOND = Size(1600, 900)


@dataclass(frozen=True, slots=True)
class Played:
    """One replay, as the study counts it."""

    task: str
    repetition: int
    ending: str
    cause: str
    says: str
    recalled: bool
    seconds: float
    tokens: int
    clicks: int
    """Pointer acts that were sent."""
    right: int
    """Those that hit the target they were meant for."""
    wanted: int
    """Pointer acts of the memory."""
    repairs: int
    replay: str
    runs: tuple[str, ...]
    evidence: dict[str, Any] = field(default_factory=dict[str, Any])
    phases_s: dict[str, float] = field(default_factory=dict[str, float])
    step: int = 0
    """Where it was refused or stopped; 0 if nowhere."""
    raw_s: float | None = None
    """A raw script that searches for every target."""
    raw_told_s: float | None = None
    """One that is told every place."""

    @property
    def wrong(self) -> int:
        return self.clicks - self.right


async def second_pass(stage: Stage, host: Host, task: Task, repetition: int) -> Played:
    """A fresh start with other values and another window, then find and call."""
    values = task.values_of(repetition)
    await stage.clear(SECOND)
    await task.start(stage, values, task.window_of(repetition))
    recalled = await recall(host, task, values)
    return await play(stage, host, task, values, repetition, recalled=recalled)


async def recall(host: Host, task: Task, values: Values) -> bool:
    """Whether the memory is the first that is found for the task in other words."""
    found = await host.call("find_memory", goal=task.ask.format(**values))
    candidates = found["candidates"]
    return bool(candidates) and candidates[0]["memory"] == task.name


async def play(
    stage: Stage, host: Host, task: Task, values: Values, repetition: int, *, recalled: bool = True
) -> Played:
    """Call the memory's tool on the screen as it is."""
    stage.site.clicked.clear()
    inputs = {name: values[name] for name in task.inputs}
    published = task.name in {tool.name for tool in (await host.client.list_tools()).tools}
    host.tokens, begun = 0, time.monotonic()
    if published:
        said = await host.call(task.name, **inputs)
    else:  # quarantined by its own failures: refused by the gate of the lifecycle
        said = await host.call("run_memory", memory=task.name, inputs=inputs)
    while said["ending"] == "running":
        said = await host.call("wait_replay", replay_id=said["replay_id"])
    seconds, tokens = time.monotonic() - begun, host.tokens
    kept: Replay = (await stage.app.memories.use(lambda store: store.replays(task.name, limit=1)))[0]
    runs = [read_run(stage.app.settings.runs / str(run)) for run in _strings(kept.detail.get("runs"))]
    hits = judge(stage, task, values, runs)
    return Played(
        task=task.name,
        repetition=repetition,
        ending=said["ending"],
        cause=said.get("cause", ""),
        says=said.get("verdict") or said["summary"],
        recalled=recalled,
        seconds=seconds,
        tokens=tokens,
        clicks=len(hits),
        right=sum(hits),
        wanted=len(task.pointer_steps),
        repairs=int(str(kept.detail.get("repairs", 0))),
        replay=kept.id,
        runs=tuple(run.manifest.run_id for run in runs),
        evidence=said.get("evidence", {}),
        step=int(said.get("step") or 0),
        phases_s=dict(kept.detail.get("phases_s", {})),  # type: ignore[arg-type]
    )


def judge(stage: Stage, task: Task, values: Values, runs: list[Run]) -> list[bool]:
    """For every pointer act that was sent: did it hit what that step means?"""
    steps = [step for run in runs for step in run.steps if step.action.points()]
    sent = [(meant(task, step), step) for step in steps if not isinstance(step.action, Move)]
    sent = [(do, step) for do, step in sent if step.ended and step.ended.status.value == "ok"]
    if not task.spots:
        names = [*stage.site.clicked]
        wanted = [do.spot.format(**values) for do, _ in sent for _ in range(do.clicks)]
        hits = [name == one for name, one in zip(names, wanted, strict=False)]
        missed = [False] * abs(len(names) - len(wanted))  # a click that no page saw went somewhere else
        return _per_act([do for do, _ in sent], [*hits, *missed])
    boxes = [true_box(task.spots[do.spot], step.before.window, step.before.windows) for do, step in sent]
    return [box.contains(Point(*step.action.points()[0])) for box, (_, step) in zip(boxes, sent, strict=True)]


def meant(task: Task, step: Any) -> Do:
    """The act of the first pass that a replayed step stands for."""
    return task.steps[int(step.request.source["step"]) - 1]


def _per_act(acts: list[Do], hits: list[bool]) -> list[bool]:
    """One verdict per act: a triple click is one."""
    verdicts: list[bool] = []
    for act in acts:
        part, hits = hits[: act.clicks], hits[act.clicks :]
        verdicts.append(all(part))
    return [*verdicts, *hits]


def _strings(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []

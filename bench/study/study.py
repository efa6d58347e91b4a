"""Both studies from beginning to end, in one server on one virtual desktop."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path

from mcp import Client

from bench.study.first import FIRST, FirstPass, first_pass
from bench.study.pace import PLAIN, TIGHT, pace
from bench.study.refusals import Refused, refuse, wrongs_for
from bench.study.results import write_results
from bench.study.second import Played, second_pass
from bench.study.site import Site
from bench.study.stage import Stage
from bench.study.tables import refused, terminal, two_pass
from bench.study.task import Task
from bench.study.tasks import chromium, galculator, mousepad, office, pcmanfm
from ibtr.errors import EchoPathError
from server.build import build_app, build_server
from server.demo import Host
from server.settings import Settings


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of the study."""

    repetitions: int = 5
    only: tuple[str, ...] = ()
    refusals: bool = True
    raw: int = 5
    tight: bool = False
    docs: Path | None = None


@dataclass(slots=True)
class Found:
    """What it found."""

    firsts: dict[str, FirstPass] = field(default_factory=dict[str, FirstPass])
    not_recorded: dict[str, str] = field(default_factory=dict[str, str])
    played: list[Played] = field(default_factory=list[Played])
    refused: list[Refused] = field(default_factory=list[Refused])


def every_task(out: Path) -> tuple[Task, ...]:
    modules = (mousepad, galculator, chromium, pcmanfm, office)
    return tuple(task for module in modules for task in module.tasks(out))


async def run_study(out: Path, wanted: Wanted) -> int:
    """Run, print, write; 0 if no click was wrong."""
    settings = Settings(home=out / "home", desktop="virtual", screen=FIRST, agent="study")
    app, site, found = build_app(settings), Site(out / "work" / "office" / "records.json"), Found()
    stage = Stage(app, out, site)
    tasks = [task for task in every_task(out) if not wanted.only or task.name in wanted.only]
    site.open()
    try:
        async with Client(build_server(app)) as client:
            await _play(stage, Host(client), tasks, wanted, found)
    finally:
        site.close()
        _keep(out, found)
    return tell(tasks, found, wanted.docs)


def tell(tasks: Sequence[Task], found: Found, docs: Path | None) -> int:
    """Print the tables, write the document; 0 if nothing was clicked wrongly and everything was recorded."""
    print(f"\n{terminal(two_pass(found.played, found.firsts))}")
    if found.refused:
        print(f"\n{terminal(refused(found.refused))}")
    for name, why in found.not_recorded.items():
        print(f"no first pass: {name}: {why}")
    if docs is not None:
        write_results(docs, tasks, found.played, found.firsts, found.refused, found.not_recorded)
    wrong = sum(one.wrong for one in found.played) + sum(one.played.wrong for one in found.refused)
    return 1 if wrong or found.not_recorded else 0


def read_found(out: Path) -> Found:
    """What an earlier run left."""
    kept = json.loads((out / "study.json").read_text())
    names = {one.name for one in fields(Played)}
    return Found(
        firsts={name: FirstPass(**one) for name, one in kept["first"].items()},
        not_recorded=kept["not_recorded"],
        played=[Played(**one) for one in kept["second"]],
        refused=[
            Refused(one["wrong"], Played(**{k: v for k, v in one.items() if k in names}), one["untouched"])
            for one in kept["refusals"]
        ],
    )


async def _play(stage: Stage, host: Host, tasks: Sequence[Task], wanted: Wanted, found: Found) -> None:
    for task in tasks:
        try:
            found.firsts[task.name] = await first_pass(stage, host, task)
            _say(f"{task.name}: recorded", *found.firsts[task.name].warnings)
        except EchoPathError as exc:
            found.not_recorded[task.name] = str(exc)
            _say(f"{task.name}: NOT recorded: {exc}")
    recorded = [task for task in tasks if task.name in found.firsts]
    for repetition in range(1, wanted.repetitions + 1):
        for task in recorded:
            found.played.append(await _repeat(stage, host, task, repetition, wanted))
            _say(_line(found.played[-1]))
    tools = {tool.name for tool in (await host.client.list_tools()).tools}
    for task in recorded if wanted.refusals else ():
        if task.name not in tools:
            _say(f"{task.name}: quarantined by its own failures, no refusals to study")
            continue
        for wrong in wrongs_for(task):
            found.refused.append(await refuse(stage, host, task, wrong))
            last = found.refused[-1]
            verdict = (
                "right" if last.safe and last.named else "safe, another cause" if last.safe else "NOT SAFE"
            )
            _say(f"{wrong}: {verdict}: {_line(last.played)}")


async def _repeat(stage: Stage, host: Host, task: Task, repetition: int, wanted: Wanted) -> Played:
    played = await second_pass(stage, host, task, repetition)
    if repetition > wanted.raw or played.ending != "verified":
        return played
    return replace(
        played,
        raw_s=await pace(stage, task, played, PLAIN),
        raw_tight_s=await pace(stage, task, played, TIGHT) if wanted.tight else None,
    )


def _line(one: Played) -> str:
    raw = f", raw {one.raw_s:.1f} s" if one.raw_s else ""
    return (
        f"{one.task} {one.repetition}: {one.ending} {one.cause} {one.right}/{one.wanted} hits, "
        f"{one.wrong} wrong, {one.seconds:.1f} s{raw}: {one.says} ({one.replay})"
    )


def _say(*lines: str) -> None:
    print("\n   ".join(lines), flush=True)


def _keep(out: Path, found: Found) -> None:
    kept = {
        "first": {name: asdict(one) for name, one in found.firsts.items()},
        "not_recorded": found.not_recorded,
        "second": [asdict(one) for one in found.played],
        "refusals": [
            {"wrong": one.wrong, "untouched": one.untouched, "safe": one.safe, "named": one.named}
            | asdict(one.played)
            for one in found.refused
        ],
    }
    (out / "study.json").write_text(json.dumps(kept, indent=1))

"""`python -m bench.again [--only NAME ...]`: record once, then again in the application as it was left."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import anyio
from mcp import Client

from bench.again.tasks import every_task
from bench.study.first import FIRST, first_pass
from bench.study.second import play
from bench.study.site import Site
from bench.study.stage import Stage
from bench.study.task import Task
from bench.tables import keep
from ibtr.errors import EchoPathError
from server.build import build_app, build_server
from server.demo import Host
from server.settings import Settings

WHEN = ("at once, as it was left", "a third time", "after a fresh start", "and once more")


@dataclass(frozen=True, slots=True)
class Again:
    task: str
    when: str
    ending: str
    cause: str
    step: int
    wrong: int
    says: str
    replay: str
    warned: str = ""
    """Which step works only once, and why, as it was said at promotion."""


async def measure(out: Path, only: list[str]) -> list[Again]:
    settings = Settings(home=out / "home", desktop="virtual", screen=FIRST, agent="study")
    app, site = build_app(settings), Site(out / "work" / "office" / "records.json")
    found: list[Again] = []
    site.open()
    try:
        async with Client(build_server(app)) as client:
            stage, host = Stage(app, out, site), Host(client)
            for task in every_task(out):
                if not only or task.name in only:
                    found += await _task(stage, host, task)
                    (out / "found.json").write_text(json.dumps([asdict(one) for one in found], indent=1))
    finally:
        site.close()
    return found


async def _task(stage: Stage, host: Host, task: Task) -> list[Again]:
    site = stage.site
    site.records.parent.mkdir(parents=True, exist_ok=True)
    site.records.write_text("")
    try:
        first = await first_pass(stage, host, task)
    except EchoPathError as exc:
        print(f"{task.name}: NOT recorded: {exc}", flush=True)
        return [Again(task.name, "recorded", "broken", "", 0, 0, str(exc), "")]
    print(f"{task.name}", *(f"   warned: {one}" for one in first.warnings), sep="\n", flush=True)
    found: list[Again] = []
    memory = await stage.app.memories.use(lambda store: store.get(task.name))
    warned = ", ".join(f"step {no.step}: {no.cause.value}" for no in memory.reasoning.not_again)
    for repetition, when in enumerate(WHEN, start=1):
        values = task.values_of(repetition)
        if when == "after a fresh start":
            await stage.clear(FIRST)
            await task.start(stage, values, task.window_of(0))
        await stage.still()
        one = await play(stage, host, task, values, repetition)
        seen = Again(
            task.name, when, one.ending, one.cause, one.step, one.wrong, one.says, one.replay, warned
        )
        found.append(seen)
        print(
            f"   {when}: {one.ending} {one.cause} step {one.step}, {one.wrong} wrong: {one.says[:160]}",
            flush=True,
        )
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench.again")
    parser.add_argument("--only", nargs="*", default=[], help="names of tasks")
    parser.add_argument("--out", type=Path, default=Path("bench-out/again"))
    asked = parser.parse_args()
    out = asked.out.absolute()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    found = anyio.run(measure, out, asked.only)
    table = tabulate(found)
    keep("again", table, conditions="1920x1080, one recording each, four runs")
    print(table)
    return 1 if any(one.wrong for one in found) else 0


def tabulate(found: list[Again]) -> str:
    """How each run of each task ended, and what was said at its promotion."""
    rows = [f"| task | {' | '.join(WHEN)} | said at promotion |", f"|---|{'---|' * len(WHEN)}---|"]
    for task in dict.fromkeys(one.task for one in found):
        runs = [one for one in found if one.task == task]
        ends = [
            one.ending if one.ending == "verified" else f"{one.ending} {one.cause}".strip() for one in runs
        ]
        rows.append(f"| {task} | {' | '.join(ends)} | {runs[0].warned} |")
    good = sum(one.ending == "verified" for one in found)
    wrong = sum(one.wrong for one in found)
    return "\n".join([*rows, "", f"Verified {good} of {len(found)}; wrong clicks {wrong}."])


if __name__ == "__main__":
    sys.exit(main())

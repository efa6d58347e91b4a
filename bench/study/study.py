"""Both studies from beginning to end, in one server on one virtual desktop."""

from __future__ import annotations

from pathlib import Path

from mcp import Client

from bench.study.first import FIRST, FirstPass, first_pass
from bench.study.second import Played, second_pass
from bench.study.site import Site
from bench.study.stage import Stage
from bench.study.task import Task
from bench.study.tasks import chromium, galculator, mousepad, office, pcmanfm
from ibtr.errors import EchoPathError
from server.build import build_app, build_server
from server.demo import Host
from server.settings import Settings


def every_task(out: Path) -> tuple[Task, ...]:
    modules = (mousepad, galculator, chromium, pcmanfm, office)
    return tuple(task for module in modules for task in module.tasks(out))


async def run_study(
    out: Path, *, repetitions: int, only: tuple[str, ...], refusals: bool, raw: bool, docs: Path | None
) -> int:
    settings = Settings(home=out / "home", desktop="virtual", screen=FIRST, agent="study")
    app, site = build_app(settings), Site(out / "work" / "office" / "records.json")
    stage = Stage(app, out, site)
    tasks = [task for task in every_task(out) if not only or task.name in only]
    firsts: dict[str, FirstPass] = {}
    played: list[Played] = []
    site.open()
    try:
        async with Client(build_server(app)) as client:
            host = Host(client)
            for task in tasks:
                try:
                    firsts[task.name] = await first_pass(stage, host, task)
                    print(f"{task.name}: first pass {firsts[task.name]}", flush=True)
                except EchoPathError as exc:
                    print(f"{task.name}: NO FIRST PASS: {exc}", flush=True)
            for task in [task for task in tasks if task.name in firsts]:
                for repetition in range(1, repetitions + 1):
                    played.append(await second_pass(stage, host, task, repetition))
                    print(played[-1], flush=True)
    finally:
        site.close()
    return 0

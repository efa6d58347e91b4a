"""Both studies from beginning to end, in one server on one desktop; a case that breaks costs that case."""

from __future__ import annotations

import traceback
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from mcp import Client

from bench.study.first import FIRST, first_pass
from bench.study.found import Found, keep, read_found
from bench.study.pace import pace
from bench.study.refusals import refuse
from bench.study.results import write_results
from bench.study.second import Played, second_pass
from bench.study.site import Site
from bench.study.stage import Stage
from bench.study.tables import failures, refused, terminal, two_pass
from bench.study.task import Task
from bench.study.tasks import chromium, galculator, mousepad, office, pcmanfm
from bench.study.wrongs import wrongs_for
from ibtr.errors import EchoPathError
from memory_store.models import Lifecycle
from memory_store.repository import Repository
from server.build import build_app, build_server
from server.demo import Host
from server.settings import Settings

_ATTEMPTS = 3  # a host whose check said no does the task again: only what passed becomes a memory


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of the study."""

    repetitions: int = 5
    only: tuple[str, ...] = ()
    wrongs: tuple[str, ...] = ()
    """Kinds of wrong starts; empty: all."""
    refusals: bool = True
    raw: tuple[int, ...] = ()
    """Which repetitions the raw scripts do, too."""
    docs: Path | None = None
    note: str = ""


def every_task(out: Path) -> tuple[Task, ...]:
    modules = (mousepad, galculator, chromium, pcmanfm, office)
    return tuple(task for module in modules for task in module.tasks(out))


async def run_study(out: Path, wanted: Wanted) -> int:
    """Run what was not yet run, print, write; 0 if no click was wrong."""
    settings = Settings(home=out / "home", desktop="virtual", screen=FIRST, agent="study")
    app, site = build_app(settings), Site(out / "work" / "office" / "records.json")
    tasks = [task for task in every_task(out) if not wanted.only or task.name in wanted.only]
    found = read_found(out)
    site.open()
    try:
        async with Client(build_server(app)) as client:
            study = Study(Stage(app, out, site), Host(client), wanted, found)
            await study.record(tasks)
            await study.repeat(tasks)
            await study.mislead(tasks if wanted.refusals else ())
    finally:
        site.close()
    return tell(tasks, found, wanted.docs, wanted.note)


def tell(tasks: Sequence[Task], found: Found, docs: Path | None, note: str = "") -> int:
    """Print the tables, write the document; 0 if nothing was clicked wrongly and everything was recorded."""
    print(f"\n{terminal(two_pass(found.played, found.firsts))}")
    print("\n".join(failures(found.played)))
    if found.refused:
        print(f"\n{terminal(refused(found.refused))}")
    for name, why in (found.not_recorded | found.broken).items():
        print(f"NOT DONE: {name}: {why}")
    if docs is not None:
        write_results(docs, tasks, found, note)
    return 1 if found.wrong_clicks or found.not_recorded or found.broken else 0


class Study:
    """The cases, one after the other; what each found is on disk before the next begins."""

    def __init__(self, stage: Stage, host: Host, wanted: Wanted, found: Found) -> None:
        self._stage, self._host, self._wanted, self._found = stage, host, wanted, found

    async def record(self, tasks: Sequence[Task]) -> None:
        """Every first pass that is not there yet."""
        for task in tasks:
            if task.name not in self._found.firsts:
                await self._case(f"{task.name}, first pass", partial(self._record, task))

    async def repeat(self, tasks: Sequence[Task]) -> None:
        """Every second pass, all tasks in each repetition."""
        for repetition in range(1, self._wanted.repetitions + 1):
            for task in self._recorded(tasks):
                if not self._found.has_played(task.name, repetition):
                    await self._case(
                        f"{task.name}, repetition {repetition}",
                        partial(self._repeat, task, repetition),
                    )

    async def mislead(self, tasks: Sequence[Task]) -> None:
        """Every memory on every wrong start that it can have."""
        for task in self._recorded(tasks):
            for wrong in wrongs_for(task):
                wanted = not self._wanted.wrongs or wrong in self._wanted.wrongs
                if wanted and not self._found.has_refused(task.name, wrong):
                    await self._case(f"{task.name}, {wrong}", partial(self._mislead, task, wrong))

    def _recorded(self, tasks: Sequence[Task]) -> list[Task]:
        return [task for task in tasks if task.name in self._found.firsts]

    async def _case(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """One case: whatever breaks in it is written down, and the next one is tried."""
        self._found.broken.pop(name, None)
        try:
            await work()
        except Exception as exc:  # noqa: BLE001 - an hour of other cases must not be lost
            self._found.broken[name] = f"{type(exc).__name__}: {exc}"[:400]
            _say(f"{name}: BROKEN: {''.join(traceback.format_exception(exc)[-3:])}")
        keep(self._stage.out, self._found)

    async def _record(self, task: Task) -> None:
        self._found.not_recorded.pop(task.name, None)
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                first = await first_pass(self._stage, self._host, task)
            except EchoPathError as exc:
                self._found.not_recorded[task.name] = f"{exc} ({attempt} attempts)"
                _say(f"{task.name}: NOT recorded: {exc}")
            else:
                self._found.not_recorded.pop(task.name, None)
                self._found.firsts[task.name] = first
                _say(f"{task.name}: recorded", *first.warnings)
                return

    async def _repeat(self, task: Task, repetition: int) -> None:
        await self._restore(task)
        played = await second_pass(self._stage, self._host, task, repetition)
        if repetition in self._wanted.raw and played.ending == "verified":
            played = replace(
                played,
                raw_s=await pace(self._stage, task, played, search=True),
                raw_told_s=await pace(self._stage, task, played, search=False),
            )
        self._found.played.append(played)
        _say(_line(played))

    async def _mislead(self, task: Task, wrong: str) -> None:
        await self._restore(task)
        last = await refuse(self._stage, self._host, task, wrong)
        self._found.refused.append(last)
        verdict = "right" if last.safe and last.named else "safe, another cause" if last.safe else "NOT SAFE"
        _say(f"{wrong}: {verdict}: {_line(last.played)}")

    async def _restore(self, task: Task) -> None:
        """Every case begins with an active memory, whatever the ones before it led to."""

        def restore(store: Repository) -> bool:
            memory = store.get(task.name)
            verdict = memory.validation.verdict
            if memory.lifecycle is not Lifecycle.QUARANTINED or verdict is None:
                return False
            at = datetime.now(UTC)
            again = verdict.model_copy(update={"after": verdict.after.model_copy(update={"at": at})})
            store.promote(task.name, again, at=at, because="the next case of the study")
            return True

        if await self._stage.app.memories.use(restore):
            _say(f"{task.name}: was quarantined, restored for the next case")


def _line(one: Played) -> str:
    told = f" or {one.raw_told_s:.1f} s" if one.raw_told_s else ""
    raw = f", raw {one.raw_s:.1f} s{told}" if one.raw_s else ""
    return (
        f"{one.task} {one.repetition}: {one.ending} {one.cause} {one.right}/{one.wanted} hits, "
        f"{one.wrong} wrong, {one.seconds:.1f} s{raw}: {one.says} ({one.replay})"
    )


def _say(*lines: str) -> None:
    print("\n   ".join(lines), flush=True)

"""What our server adds to a bare one of the same SDK, and a replayed step to a bare click: time and room.

Every figure is a ratio or a difference of two things measured in the same run, in turns.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import click

from bench.replayed import measure
from bench.tables import keep
from memory_store.models import (
    Check,
    FlexibleInput,
    Keys,
    Memory,
    Outcome,
    Place,
    ReasoningReport,
    Recommendation,
    Step,
    StepAction,
    Validation,
    Verdict,
)
from memory_store.repository import Repository
from memory_store.transfer import new_memory_id
from server.catalogue import fixed_tools
from server.tokens import text_tokens

BARE = """
import anyio
from mcp import types
from mcp.server import Server
from mcp.server.stdio import stdio_server

async def list_tools(ctx, params):
    return types.ListToolsResult(tools=[types.Tool(name="nothing", input_schema={"type": "object"})])

async def main():
    server = Server("bare", on_list_tools=list_tools)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())

anyio.run(main)
"""
OURS = "from server.cli import main; main(['serve'])"
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
START, REST_MB, LIST, TOKENS, STEP, REPLAY_TOKENS = 1.15, 60.0, 1.5, 4_000, 4.0, 600.0
FEW, MANY = 40, 1_000
AT = datetime(2026, 1, 1, tzinfo=UTC)


class Wire:
    """A server process and plain JSON-RPC to it."""

    def __init__(self, program: str, home: Path) -> None:
        self.begun = time.perf_counter()
        env = {**os.environ, "ECHOPATH_HOME": str(home), "ECHOPATH_CONFIG": str(home / "config")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=env,
        )
        self._next = 0

    def ask(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        self._next += 1
        self._send({"jsonrpc": "2.0", "id": self._next, "method": method, "params": params or {}})
        assert self.process.stdout
        while True:
            answer: dict[str, Any] = json.loads(self.process.stdout.readline())
            if answer.get("id") == self._next:
                assert "result" in answer, answer
                result: dict[str, Any] = answer["result"]
                return result

    def shake(self) -> float:
        """Seconds from the start of the process to the first answer."""
        self.ask("initialize", HELLO)
        taken = time.perf_counter() - self.begun
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return taken

    def rss_mb(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()


@contextmanager
def serving(program: str, home: Path) -> Iterator[Wire]:
    wire = Wire(program, home)
    try:
        yield wire
    finally:
        wire.process.kill()
        wire.process.wait()
        for pipe in (wire.process.stdin, wire.process.stdout):
            if pipe:
                pipe.close()


Row = tuple[str, float, float, str]


def first_message(home: Path, times: int) -> tuple[float, float]:
    """Median seconds to the first answer: bare, ours; in turns, after one start of each to warm the disk."""
    taken: dict[str, list[float]] = {BARE: [], OURS: []}
    for _ in range(times + 1):
        for program, seconds in taken.items():
            with serving(program, home) as wire:
                seconds.append(wire.shake())
    return statistics.median(taken[BARE][1:]), statistics.median(taken[OURS][1:])


def at_rest(home: Path) -> tuple[float, float]:
    """Megabytes after the list was read: bare, ours."""
    found: list[float] = []
    for program in (BARE, OURS):
        with serving(program, home) as wire:
            wire.shake()
            wire.ask("tools/list")
            time.sleep(2.5)
            found.append(wire.rss_mb())
    return found[0], found[1]


def listing(few: Path, many: Path, times: int) -> tuple[list[float], list[float], int]:
    """Median seconds of the first list after a start, and of the next ones: few, many; always in turns."""
    first: tuple[list[float], list[float]] = ([], [])
    more: tuple[list[float], list[float]] = ([], [])
    tools = 0
    for _ in range(times):
        with serving(OURS, few) as one, serving(OURS, many) as other:
            for at, wire in enumerate((one, other)):
                wire.shake()
                taken, listed = _timed(lambda wire=wire: wire.ask("tools/list"))
                first[at].append(taken)
                tools = len(listed["tools"])
            for _ in range(20):
                for at, wire in enumerate((one, other)):
                    more[at].append(_timed(lambda wire=wire: wire.ask("tools/list"))[0])
    return [statistics.median(one) for one in first], [statistics.median(one) for one in more], tools


def fill(home: Path, count: int) -> None:
    """A store with so many active memories."""
    with Repository(home) as store:
        for number in range(count):
            memory = store.add(_memory(number), at=AT)
            store.promote(memory.id, at=AT)


def _memory(number: int) -> Memory:
    """Eight steps, two inputs."""
    texts = (f"Client {number}", f"555-{number:04}")
    typed = [{"action": "type", "text": text} for text in texts]
    keys: list[dict[str, object]] = [{"action": "press", "key": "tab"}] * 6
    actions = [*typed, *keys]
    names = ("client", "phone")
    passed = Verdict(
        evaluator="file_contains",
        before=Check(outcome=Outcome.FAILED, at=AT),
        after=Check(outcome=Outcome.PASSED, at=AT),
    )
    return Memory(
        id=new_memory_id(),
        tool_name=f"update_client_phone_{number}",
        keys=Keys(
            task_intent=f"Update the phone of a client in list {number}", query_phrases=("set the phone",)
        ),
        applications=("contacts",),
        steps=tuple(Step(action=StepAction.model_validate(one)) for one in actions),
        inputs=tuple(
            FlexibleInput(
                name=name, description=f"the {name}", places=(Place(action_index=at),), default=texts[at]
            )
            for at, name in enumerate(names)
        ),
        validation=Validation(verdict=passed),
        reasoning=ReasoningReport(viable=True, recommendation=Recommendation.PROMOTE),
        created_at=AT,
    )


def _table(rows: list[Row]) -> str:
    lines = ["| what | value | goal | met | detail |", "|---|--:|--:|---|---|"]
    for what, value, goal, detail in rows:
        lines.append(
            f"| {what} | {value:.2f} | <= {goal:g} | {'yes' if value <= goal else 'no'} | {detail} |"
        )
    return "\n".join(lines)


def _timed(work: Any) -> tuple[float, Any]:
    begun = time.perf_counter()
    done = work()
    return time.perf_counter() - begun, done


def _rows(times: int, many: int, replays: int) -> list[Row]:
    """What is measured, its goal, and the figures behind it."""
    with tempfile.TemporaryDirectory() as folder:
        few, crowd = Path(folder) / "few", Path(folder) / "many"
        fill(few, FEW)
        fill(crowd, many)
        bare_s, ours_s = first_message(few, times)
        bare_mb, ours_mb = at_rest(few)
        (few_first, many_first), (few_next, many_next), shown = listing(few, crowd, times)
    steps = anyio.run(measure, replays)
    tokens = text_tokens(
        [
            spec.tool.model_dump(mode="json", by_alias=True, exclude_none=True)
            for spec in fixed_tools().values()
        ]
    )
    return [
        ("first message, ours / bare", ours_s / bare_s, START, f"{ours_s:.2f} s, {bare_s:.2f} s"),
        (
            "memory at rest, MB over bare",
            ours_mb - bare_mb,
            REST_MB,
            f"{ours_mb:.0f}, {bare_mb:.0f}; {shown} tools",
        ),
        (
            f"first tools/list, {many} / {FEW}",
            many_first / few_first,
            LIST,
            f"{many_first:.3f} s, {few_first:.3f} s",
        ),
        (
            f"next tools/list, {many} / {FEW}",
            many_next / few_next,
            LIST,
            f"{many_next * 1e3:.1f} ms, {few_next * 1e3:.1f} ms",
        ),
        (
            "replayed step, ours / raw click+grab",
            steps.ratio,
            STEP,
            steps.words,
        ),
        ("tokens of a replay, call + answer", max(steps.tokens), REPLAY_TOKENS, f"{replays} replays"),
        ("tokens of the fixed list", float(tokens), float(TOKENS), f"{len(fixed_tools())} tools"),
    ]


@click.command()
@click.option("--times", default=9, show_default=True, help="Starts of each server.")
@click.option("--many", default=MANY, show_default=True, help="Memories in the large store.")
@click.option("--replays", default=8, show_default=True, help="Replays whose steps are timed.")
@click.option("--json", "as_json", is_flag=True)
def main(times: int, many: int, replays: int, as_json: bool) -> None:
    """Measure, print, and leave with 1 if a goal was missed."""
    rows = _rows(times, many, replays)
    if as_json:
        click.echo(
            json.dumps([dict(zip(("what", "value", "goal", "detail"), row, strict=True)) for row in rows])
        )
    else:
        click.echo(table := _table(rows))
        keep("server", table, conditions=f"medians of {times} starts")
    sys.exit(any(value > goal for _, value, goal, _ in rows))


if __name__ == "__main__":
    main()

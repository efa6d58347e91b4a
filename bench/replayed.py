"""What a replayed step costs us beside the desktop's own time, against a bare PyAutoGUI click and grab.

A real editor at 1920x1080: one memory, recorded over MCP, replayed again and again; after each replay the
yardstick clicks on the same screen as often. Only the ratio means anything.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import anyio
from anyio import to_thread
from mcp import Client

from actionlens.desk import Desktop
from ibtr.geometry import Point, Size
from server.app import App
from server.build import build_app, build_server
from server.demo import Host
from server.replay.aiming import rest
from server.settings import Settings

SCREEN = Size(1920, 1080)
EDIT, SELECT_ALL, FILE, SAVE = Point(58, 12), Point(60, 246), Point(20, 12), Point(44, 164)
TOOL = "write_note"


@dataclass(slots=True)
class Found:
    """Milliseconds, one for every step or click."""

    ours: list[float] = field(default_factory=list[float])
    raw: list[float] = field(default_factory=list[float])
    replays: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    tokens: list[int] = field(default_factory=list[int])
    refused: int = 0

    @property
    def ratio(self) -> float:
        return median(self.ours) / median(self.raw)

    @property
    def words(self) -> str:
        times = f"{median(self.ours):.0f} ms, {median(self.raw):.0f} ms"
        refused = f", {self.refused} replays not verified" if self.refused else ""
        return f"{times}; {SCREEN.width}x{SCREEN.height}, {len(self.ours)} steps{refused}"


async def measure(times: int) -> Found:
    """Record once, then replay and click in turns; the first turn warms up."""
    found = Found()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        app = build_app(Settings(home=folder / "home", desktop="virtual", screen=SCREEN, agent="bench"))
        async with Client(build_server(app)) as client:
            host, note = Host(client), folder / "note.txt"
            await _record(app, host, note)
            desktop = await app.operator.desktop()
            with _raw(desktop) as raw:
                for turn in range(times + 1):
                    await _turn(app, host, note, raw, found if turn else Found(), turn)
    return found


async def _turn(
    app: App, host: Host, note: Path, raw: "subprocess.Popen[bytes]", into: Found, turn: int
) -> None:
    desktop = await _open(app, note)
    host.tokens = 0
    said = await host.call(TOOL, text=f"turn {turn}")
    if said["ending"] != "verified":
        into.refused += 1
        return
    into.tokens.append(host.tokens)
    row = await app.memories.use(lambda store: store.replays(TOOL, limit=1)[0])
    steps: Any = row.detail["steps"]
    for step in steps:
        into.ours.append(step["ours_s"] * 1000)
    into.replays.append({"phases_s": row.detail["phases_s"], "wall_s": row.detail["wall_s"]})
    window = (await desktop.capture()).window
    assert window and raw.stdin and raw.stdout
    places = [(window.box.x + 60 + 7 * n + turn, window.box.y + 60 + 17 * n) for n in range(len(steps))]
    raw.stdin.write(" ".join(f"{x},{y}" for x, y in places).encode() + b"\n")
    raw.stdin.flush()
    into.raw += json.loads(raw.stdout.readline())


async def _open(app: App, note: Path) -> Desktop:
    """A fresh editor on the note, painted."""
    desktop = await app.operator.desktop()
    await desktop.end_programs()
    home = await to_thread.run_sync(_fresh, note)
    argv = ["mousepad", "--disable-server", str(note)]
    await desktop.launch(argv, env={"HOME": str(home), "GSETTINGS_BACKEND": "memory"})
    with anyio.fail_after(30):
        window = None
        while window is None or window.application != "Mousepad":
            window = (await desktop.capture()).window
    await rest(desktop, for_s=0.8, longest_s=20)  # painted, not only mapped
    return desktop


async def _record(app: App, host: Host, note: Path) -> None:
    """Select all, write over it, save: four clicks in menus and a text."""
    await _open(app, note)
    check = {"kind": "file_contains", "path": str(note), "contains": "{text}"}
    text = {"text": "turn of the record"}
    await host.call("start_run", goal="Write a note", evaluator=check, inputs=text)
    for at, target in ((EDIT, "Edit"), (SELECT_ALL, "Select All")):
        await host.act(_silent, at=at, action="click", target=target)
    await host.act(_silent, action="type", text=text["text"], target="the text")
    for at, target in ((FILE, "File"), (SAVE, "Save")):
        await host.act(_silent, at=at, action="click", target=target)
    run = await host.call("finish_run", evaluator=check, inputs=text)
    await host.call("consolidate_run", run_id=run["run_id"])
    made = await host.call(
        "consolidate_run",
        run_id=run["run_id"],
        selection={
            "selected_step_ids": [1, 2, 3, 4, 5],
            "flexible_inputs": [{"action_index": 2, "name": "text", "description": "What to write."}],
            "task_intent": "Write a note over the old one",
            "query_phrases": ["write the note"],
            "viable": True,
            "recommendation": "promote",
            "tool_name": TOOL,
            "evaluator": check,
        },
    )
    await host.call("promote_memory", memory=made["memory"])


def _fresh(note: Path) -> Path:
    note.write_text("before\n")
    home = note.parent / f"programs-{time.monotonic_ns()}"
    home.mkdir()
    return home


def _silent(_: str) -> None:
    """Nobody listens."""


@contextmanager
def _raw(desktop: Desktop) -> "Iterator[subprocess.Popen[bytes]]":
    raw = subprocess.Popen(
        [sys.executable, "-m", "bench.replayed_raw"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "DISPLAY": desktop.display, "XAUTHORITY": desktop.authority},
    )
    try:
        yield raw
    finally:
        if raw.stdin:
            raw.stdin.close()
        raw.wait()
        if raw.stdout:
            raw.stdout.close()

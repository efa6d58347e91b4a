"""The demo: work done once becomes a tool, runs again elsewhere, and refuses before a wrong click."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from anyio import to_thread
from mcp import Client, types

from actionlens.controller import Controller, Frame
from actionlens.errors import ActionFailed, DesktopUnusable
from actionlens.run_reader import read_run
from ibtr.geometry import Point, Size
from server.app import App
from server.build import build_app, build_server
from server.install.entry import own_command
from server.settings import Settings
from server.sheet import contact_sheet
from server.tokens import call_tokens, image_tokens, text_tokens

FIRST, SECOND = Size(1920, 1080), Size(1600, 900)
_FILE_MENU, _SAVE_ITEM = Point(20, 12), Point(44, 164)  # inside Mousepad's window
_START_S = 20.0
_TOOL = "note_client_phone"

Say = Callable[[str], None]


@dataclass(slots=True)
class Host:
    """A host agent with a script instead of a model; it counts what its calls cost."""

    client: Client
    tokens: int = 0
    seen: dict[str, str] = field(default_factory=dict[str, str])

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and read its answer."""
        result = await self.client.call_tool(tool, arguments)
        self.tokens += call_tokens(tool, arguments) + _cost(result)
        text = getattr(result.content[0], "text", "")
        if result.is_error:
            raise ActionFailed(text)
        if result.structured_content is not None:
            return dict(result.structured_content)
        self.seen = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
        return {}

    async def act(self, say: Say, at: Point | None = None, **action: Any) -> None:
        """One act as a host makes it: look, then act in the picture's coordinates."""
        if at is not None:
            await self.call("observe")
            shown = int(self.seen["picture"].partition("x")[0])
            whole = int(self.seen["picture"].rpartition(" ")[2].partition("x")[0])
            left, top = (int(part) for part in self.seen["window at"].split()[0].split(","))
            action["x"], action["y"] = left + int(at.x * shown / whole), top + int(at.y * shown / whole)
            action["frame_id"] = self.seen["frame_id"]
        begun = time.monotonic()
        done = await self.call("act", **action)
        if done["status"] != "ok":
            raise ActionFailed(str(done))
        what = action.get("text") or action.get("key") or action.get("target")
        say(_step_line(int(done["step"]), f"{action['action']} {what}", time.monotonic() - begun))


async def run_demo(out: Path, say: Say) -> bool:
    """Tell the story; whether it ended as it should."""
    settings = Settings(home=out / "home", desktop="virtual", screen=FIRST, agent="demo")
    app, note, begun = build_app(settings), out / "clients.txt", time.monotonic()
    async with Client(build_server(app)) as client:
        host = Host(client)
        run_id, first_tokens = await _first_pass(host, app, note, say)
        await _to_tool(host, run_id, note, say)
        done = await _second_pass(host, app, note, first_tokens, say)
        after = note.read_text()
        refused = await _refusal(host, app, say)
    right = (
        done["ending"] == "verified"
        and "Initech: 555-0100" in after
        and refused["ending"] == "rejected"
        and note.read_text() == after
    )
    say("5  To look at")
    replays = {"verified": str(done["replay_id"]), "refused": str(refused["replay_id"])}
    _to_look_at(out, settings, run_id, replays, say)
    say(f"   measure this library: {shlex.join(own_command())} bench all --library {out}")
    say(f"{'All as it should be' if right else 'NOT as it should be'}, {time.monotonic() - begun:.0f} s")
    return right


async def _first_pass(host: Host, app: App, note: Path, say: Say) -> tuple[str, int]:
    """By hand, once: the run and what it cost."""
    say(f"1  First pass: a host agent works in Mousepad, on a private desktop of {_text(FIRST)}")
    await _open_note(app, note)
    begun = time.monotonic()
    run_id = await _record(host, note, say)
    took_s = time.monotonic() - begun
    tokens = await to_thread.run_sync(app.operator.recorded_tokens, (run_id,)) or host.tokens
    say(f"   {took_s:.1f} s of desktop work, about {tokens} tokens of calls and pictures")
    return run_id, tokens


async def _to_tool(host: Host, run_id: str, note: Path, say: Say) -> None:
    say("2  The run becomes a memory, because the check on the file passed")
    await _promote(host, run_id, note, say)
    tools = [tool.name for tool in (await host.client.list_tools()).tools]
    say(f"   the tool {_TOOL}(client, phone) is {'there' if _TOOL in tools else 'MISSING'}")


async def _second_pass(host: Host, app: App, note: Path, first_tokens: int, say: Say) -> dict[str, Any]:
    say(f"3  Second pass: one call, at {_text(SECOND)}, after a fresh start of the application")
    await (await app.operator.desktop()).resize(SECOND)
    await _open_note(app, note)
    host.tokens = 0
    done = await host.call(_TOOL, client="Initech", phone="555-0100")
    for line in _replayed(app.settings, str(done["replay_id"])):
        say(line)
    say(f"   {done['ending']} in {done['seconds']:.1f} s for {host.tokens} tokens: {done.get('verdict')}")
    saved = first_tokens - host.tokens
    say(f"   {saved} tokens saved, {100 * saved / first_tokens:.1f} % of the first pass; the file reads")
    for line in _lines(note):
        say(f"     {line}")
    return done


async def _refusal(host: Host, app: App, say: Say) -> dict[str, Any]:
    say("4  The same call with another program in front")
    await _in_front(app, "galculator")
    refused = await host.call(_TOOL, client="Umbrella", phone="555-0666")
    say(f"   {refused['ending']}: {refused['cause']}. {refused['summary']}")
    say(f"   next: {', '.join(refused['next'])}")
    return refused


async def _record(host: Host, note: Path, say: Say) -> str:
    evaluator = {"kind": "file_contains", "path": str(note), "contains": "{client}: {phone}"}
    values = {"client": "Globex", "phone": "555-0199"}
    await host.call(
        "start_run",
        goal="Note the phone number of a client",
        evaluator=evaluator,
        inputs=values,
        agent="demo",
    )
    await host.act(say, action="type", text="Globex", target="the empty note")
    await host.act(say, action="type", text=": ")
    await host.act(say, action="type", text="555-0199")
    await host.act(say, action="press", key="enter")
    await host.act(say, at=_FILE_MENU, action="click", target="the File menu", expect="the menu opens")
    await host.act(say, at=_SAVE_ITEM, action="click", target="Save", expect="the file is saved")
    await _until(lambda: note.read_text() != "")
    done = await host.call("finish_run", outputs=[str(note)], evaluator=evaluator, inputs=values)
    verdict = done.get("after") or done["verdict"]
    say(f"   the check on the file: {verdict['outcome']}, {verdict['detail']}")
    return str(done["run_id"])


async def _promote(host: Host, run_id: str, note: Path, say: Say) -> None:
    proposal = await host.call("consolidate_run", run_id=run_id)
    steps = [step["id"] for step in proposal["steps"] if "drop" not in step]
    made = await host.call(
        "consolidate_run",
        run_id=run_id,
        selection={
            "selected_step_ids": steps,
            "dropped": [
                {"step_id": step["id"], "reason": step["drop"]}
                for step in proposal["steps"]
                if "drop" in step
            ],
            "flexible_inputs": [
                {"action_index": 0, "name": "client", "description": "Name of the client."},
                {"action_index": 2, "name": "phone", "description": "The new number."},
            ],
            "task_intent": "Note the phone number of a client in the clients file",
            "query_phrases": ["write down a client's phone number", "add a phone number to the clients note"],
            "expected_effects": ["the file holds the client and the number"],
            "viable": True,
            "recommendation": "promote",
            "tool_name": _TOOL,
            "evaluator": {"kind": "file_contains", "path": str(note), "contains": "{client}: {phone}"},
        },
    )
    say(f"   {made['state']}: {made['memory']}")
    for warning in made["warnings"]:
        say(f"   warning: {warning}")
    await host.call("promote_memory", memory=made["memory"])


async def _open_note(app: App, note: Path) -> None:
    """A fresh start of Mousepad on the file; its settings are its own."""
    await _in_front(app, "mousepad", "--disable-server", str(_touched(note)))


async def _in_front(app: App, program: str, *arguments: str) -> None:
    """End what is open and start a program, alone."""
    desktop = await app.operator.desktop()
    await desktop.end_programs()
    await _shows(desktop, lambda frame: not frame.windows)  # one that is still there pushes the next aside
    home = _home(app)
    await desktop.launch([program, *arguments], env={"HOME": str(home), "GSETTINGS_BACKEND": "memory"})
    if not await _shows(
        desktop, lambda frame: frame.window is not None and frame.window.application.casefold() == program
    ):
        raise DesktopUnusable(f"{program} showed no window within {_START_S:g} s")


async def _shows(desktop: Controller, true: Callable[[Frame], bool]) -> bool:
    """Whether the desktop comes to look like this in time."""
    with anyio.move_on_after(_START_S):
        while True:
            if true(await desktop.capture()):
                return True
            await anyio.sleep(0.02)
    return False


def _replayed(settings: Settings, replay_id: str) -> Iterator[str]:
    """The steps of a replay, each with the time from the end of the one before it to its own."""
    from memory_store.models import ReplayId
    from memory_store.repository import Repository

    with Repository(settings.home) as store:
        row = store.replay(ReplayId(replay_id))
    runs = row.detail.get("runs") if row else None
    for run in runs if isinstance(runs, list) else []:
        seen = read_run(settings.runs / str(run))
        since = seen.manifest.started_at
        for step in seen.steps:
            if step.ended is not None:
                said = step.action.model_dump()
                what = said.get("text") or said.get("key") or step.request.target or ""
                yield _step_line(
                    step.id, f"{step.action.action} {what}", (step.ended.at - since).total_seconds()
                )
                since = step.ended.at


def _step_line(number: int, what: str, seconds: float) -> str:
    return f"     {number}. {what.strip():<28} {seconds:5.2f} s"


def _lines(note: Path) -> list[str]:
    return note.read_text().splitlines()


def _touched(note: Path) -> Path:
    note.touch()
    return note


def _home(app: App) -> Path:
    home = app.settings.home / f"programs-{time.monotonic_ns()}"
    home.mkdir(parents=True)
    return home


def _to_look_at(out: Path, settings: Settings, recorded: str, replays: dict[str, str], say: Say) -> None:
    from memory_store.filmstrip import filmstrip
    from memory_store.models import ReplayId
    from server.report_page import recorded_target, report_page
    from server.store import open_store

    command = shlex.join(["env", f"ECHOPATH_HOME={settings.home.absolute()}", *own_command()])

    def keep(name: str, data: bytes, what: str) -> None:
        (out / name).write_bytes(data)
        say(f"   {what}: {out / name}")

    keep("recorded.png", contact_sheet(read_run(settings.runs / recorded)), "what was recorded")
    with open_store(settings) as store:
        keep("filmstrip.png", filmstrip(store.get(_TOOL), store.blob), "filmstrip of the memory")
        for name, replay in replays.items():
            if (row := store.replay(ReplayId(replay))) is not None:
                page = report_page(row, _TOOL, settings.runs, recorded_target(store, row), command)
                keep(f"{name}.html", page.encode(), f"report, {name}")


def _cost(result: types.CallToolResult) -> int:
    if result.structured_content is not None:
        return text_tokens(result.structured_content)
    texts = sum(text_tokens(part.text) for part in result.content if isinstance(part, types.TextContent))
    images = sum(image_tokens(Size(1280, 720)) for part in result.content if part.type == "image")
    return texts + images


def _text(size: Size) -> str:
    return f"{size.width}x{size.height}"


async def _until(true: Callable[[], bool]) -> None:
    with anyio.move_on_after(5):
        while not true():  # noqa: ASYNC110 - a file has no event to wait for
            await anyio.sleep(0.02)

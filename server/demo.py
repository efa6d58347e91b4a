"""The demo: record three steps in Mousepad through MCP, replay them at another resolution, show it."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
from mcp import Client

from actionlens.errors import ActionFailed, DesktopUnusable
from actionlens.run_reader import read_run
from ibtr.geometry import Point, Size
from server.app import App
from server.build import build_app, build_server
from server.settings import Settings
from server.sheet import contact_sheet

FIRST, SECOND = Size(1920, 1080), Size(1600, 900)
_FILE_MENU, _SAVE_ITEM = Point(20, 12), Point(44, 164)  # inside Mousepad's window
_TEXT = "Globex: phone 555-0199\n"
_START_S = 20.0

Say = Callable[[str], None]


async def run_demo(out: Path, say: Say) -> bool:
    """Tell the story; whether it ended as it should."""
    settings = Settings(home=out / "home", desktop="virtual", screen=FIRST, agent="demo")
    app = build_app(settings)
    begun = time.monotonic()
    async with Client(build_server(app)) as client:
        say(f"1  a private desktop of {FIRST.width}x{FIRST.height}, Mousepad on an empty file")
        first = await _open_note(app, out / "first.txt")
        run_id = await _record(client, first, say)
        say(f"   the file now reads {first.read_text()!r}")

        say(
            f"2  the same desktop at {SECOND.width}x{SECOND.height}, Mousepad on another file, somewhere else"
        )
        desktop = await app.operator.desktop()
        await desktop.resize(SECOND)
        second = await _open_note(app, out / "second.txt")
        done = await _call(client, "replay_run", run_id=run_id)
        for step in done["steps"]:
            say(f"   step {step['step']}: {step['action']}, {step['binding']} {step.get('score', '')}")
        await _until(lambda: second.read_text() == _TEXT)
        say(f"   {done['ending']} in {done['seconds']:.1f} s; the file reads {second.read_text()!r}")

        say("3  the same again, with no Mousepad there")
        await desktop.end_programs()
        refused = await _call(client, "replay_run", run_id=run_id)
        say(f"   {refused['ending']}: {refused['cause']} {refused['evidence']}")
    for name, run in (("recorded", run_id), ("replayed", done["run_id"])):
        sheet = out / f"{name}.png"
        sheet.write_bytes(contact_sheet(read_run(settings.runs / run)))
        say(f"contact sheet, {name}: {sheet}")
    right = second.read_text() == _TEXT and refused["ending"] == "rejected"
    say(f"{'all as it should be' if right else 'NOT as it should be'}, {time.monotonic() - begun:.0f} s")
    return right


async def _record(client: Client, note: Path, say: Say) -> str:
    await _call(
        client, "start_run", goal="Write a client's phone number into the note and save it", agent="demo"
    )
    await _act(client, say, action="type", text=_TEXT, target="the empty note")
    await _act(client, say, at=_FILE_MENU, action="click", target="the File menu", expect="the menu opens")
    await _act(client, say, at=_SAVE_ITEM, action="click", target="Save", expect="the file is saved")
    await _until(lambda: note.read_text() == _TEXT)
    return str((await _call(client, "finish_run", outputs=[str(note)]))["run_id"])


async def _act(client: Client, say: Say, at: Point | None = None, **action: Any) -> None:
    """One act, as a host would do it: look, then act in the picture's coordinates."""
    if at is not None:
        action |= await _aim(client, at)
    done = await _call(client, "act", **action)
    say(f"   step {done['step']}: {action['action']} {action['target']}: {done['status']}")
    if done["status"] != "ok":
        raise ActionFailed(str(done.get("error")))


async def _aim(client: Client, inside: Point) -> dict[str, Any]:
    """Where a place inside the window is, in the picture that `observe` gives."""
    result = await client.call_tool("observe", {})
    text = getattr(result.content[0], "text", "")
    facts = dict(line.split(": ", 1) for line in text.splitlines())
    shown = facts["picture"].split()[0].split("x")
    factor = int(shown[0]) / int(facts["picture"].split()[-1].split("x")[0])
    left, top = facts["window at"].split(",")
    return {
        "frame_id": facts["frame_id"],
        "x": int((int(left) + inside.x) * factor),
        "y": int((int(top) + inside.y) * factor),
    }


async def _call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    if result.is_error:
        raise ActionFailed(getattr(result.content[0], "text", "the tool failed"))
    return dict(result.structured_content or {})


async def _open_note(app: App, note: Path) -> Path:
    """Close what is open, and start Mousepad on an empty file; its settings are its own."""
    desktop = await app.operator.desktop()
    await desktop.end_programs()
    home = _empty(note)
    await desktop.launch(
        ["mousepad", "--disable-server", str(note)], env={"HOME": str(home), "GSETTINGS_BACKEND": "memory"}
    )
    with anyio.move_on_after(_START_S):
        while True:
            frame = await desktop.capture()
            if frame.window and frame.window.application == "Mousepad":
                return note
            await anyio.sleep(0.02)
    raise DesktopUnusable(f"Mousepad showed no window within {_START_S:g} s")


def _empty(note: Path) -> Path:
    """An empty file, and a home folder for the editor's own settings."""
    note.write_text("")
    home = note.with_suffix(".home")
    home.mkdir()
    return home


async def _until(true: Callable[[], bool]) -> None:
    with anyio.move_on_after(5):
        while not true():  # noqa: ASYNC110 - a file has no event to wait for
            await anyio.sleep(0.02)

"""A server with its own desktop, a host that calls it, and the form that they work on."""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, types

from ibtr.geometry import Point, Size
from memory_store.ledger import Replay
from server.app import App

FORM = Path(__file__).parent.parent / "desktop" / "form.py"
SIZE = Size(1280, 800)
BUTTON = {"Clear": Point(60, 87), "Save": Point(160, 87), "Load": Point(260, 87)}


@dataclass
class Stage:
    app: App
    client: Client
    folder: Path
    count: int = 0
    name: str = "save_client"
    facts: dict[str, str] = field(default_factory=dict)

    @property
    def out(self) -> Path:
        return self.folder / "out.txt"

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        with anyio.fail_after(60):
            result = await self.client.call_tool(tool, arguments)
        text = getattr(result.content[0], "text", "")
        assert not result.is_error, text
        self.images = [part for part in result.content if isinstance(part, types.ImageContent)]
        self.text = text
        self.facts = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
        return dict(result.structured_content or {})

    async def run(self, **inputs: str) -> dict[str, Any]:
        """Call the memory's own tool; one that was quarantined for its failures is recorded anew first."""
        return await self.call(await self.memory(), **inputs)

    async def memory(self) -> str:
        tools = [tool.name for tool in (await self.client.list_tools()).tools]
        if self.name not in tools:
            desktop = await self.app.operator.desktop()
            await desktop.end_programs()
            self.name = await self.record(f"save_client_{self.count}")
        return self.name

    async def refusal(self, tool: str, **arguments: Any) -> str:
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error
        return str(getattr(result.content[0], "text", ""))

    async def form(self, **plan: Any) -> "Log":
        """Show the form, alone."""
        self.count += 1
        log = Log(self.folder / f"form-{self.count}.jsonl")
        desktop = await self.app.operator.desktop()
        await desktop.end_programs()
        self.out.unlink(missing_ok=True)
        whole = {"log": str(log.path), "out": str(self.out), **plan}
        await desktop.launch([sys.executable, str(FORM), json.dumps(whole)])
        await log.until("shown")
        with anyio.fail_after(20):
            while (await desktop.capture()).window is None:
                await anyio.sleep(0.01)
        return log

    async def beside(self, **more: Any) -> "Log":
        """A second form, and the first in front again."""
        desktop = await self.app.operator.desktop()
        first = (await desktop.capture()).window
        assert first is not None
        log = await self.another_window(**more)
        await desktop.activate(first.id)
        with anyio.fail_after(20):
            while (now := (await desktop.capture()).window) is None or now.id != first.id:
                await anyio.sleep(0.01)
        return log

    async def another_window(self, **more: Any) -> "Log":
        """A second form, in front of the first."""
        log = Log(self.folder / f"form-{self.count}-other.jsonl")
        plan = {"log": str(log.path), "out": str(self.folder / "other.txt"), **more}
        desktop = await self.app.operator.desktop()
        first = (await desktop.capture()).window
        await desktop.launch([sys.executable, str(FORM), json.dumps(plan)])
        await log.until("shown")
        with anyio.fail_after(20):
            while (now := (await desktop.capture()).window) is None or (
                now == first and not more.get("popup")
            ):
                await anyio.sleep(0.01)
        return log

    async def aim(self, button: str, at: tuple[int, int] = (100, 100)) -> dict[str, Any]:
        """Where a button is in the picture that a host sees."""
        await self.call("observe")
        frame = await (await self.app.operator.desktop()).capture()
        window = next(one for one in frame.windows if one.title == "Form")
        factor = int(self.facts["picture"].partition("x")[0]) / frame.image.width
        point = BUTTON[button]
        return {
            "frame_id": self.facts["frame_id"],
            "x": int((window.box.x + point.x) * factor),
            "y": int((window.box.y + point.y) * factor),
        }

    async def record(self, name: str, check: dict[str, Any] | None = None) -> str:
        """Clear, type, Save: done once by a host, made a memory, promoted."""
        await self.form()
        check = check or {"kind": "file_equals", "path": str(self.out), "equals": "{client}"}
        values = {"client": "Globex"}
        await self.call("start_run", goal="Save a client's name", evaluator=check, inputs=values)
        await self.call("act", action="click", target="Clear", **await self.aim("Clear"))
        await self.call("act", action="type", text="Globex", target="the name field")
        await self.call("act", action="click", target="Save", **await self.aim("Save"))
        finished = await self.call("finish_run", evaluator=check, inputs=values)
        await self.call("consolidate_run", run_id=finished["run_id"])
        selection = {
            "selected_step_ids": [1, 2, 3],
            "flexible_inputs": [{"action_index": 1, "name": "client", "description": "Who."}],
            "task_intent": "Save the name of a client in the form",
            "query_phrases": ["enter a client"],
            "viable": True,
            "recommendation": "promote",
            "tool_name": name,
            "evaluator": check,
        }
        made = await self.call("consolidate_run", run_id=finished["run_id"], selection=selection)
        await self.call("promote_memory", memory=made["memory"])
        return name


@dataclass(frozen=True)
class Log:
    """What the form saw."""

    path: Path

    @property
    def events(self) -> list[dict[str, Any]]:
        lines = self.path.read_text().splitlines() if self.path.exists() else []
        return [json.loads(line) for line in lines]

    @property
    def clicks(self) -> list[str | None]:
        return [one["button"] for one in self.events if one["event"] == "click"]

    @property
    def keys(self) -> str:
        return "".join(one["char"] for one in self.events if one["event"] == "key")

    async def until_keys(self, text: str) -> None:
        with anyio.fail_after(40):
            while self.keys != text:
                await anyio.sleep(0.01)

    async def until(self, event: str) -> None:
        with anyio.fail_after(20):
            while not any(one["event"] == event for one in self.events):
                await anyio.sleep(0.01)


def phases_s(row: Replay) -> float:
    """What the ledger says the phases of a replay took."""
    phases = row.detail["phases_s"]
    assert isinstance(phases, dict)
    return sum(float(str(one)) for one in phases.values())

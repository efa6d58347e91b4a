"""Play the story of docs/first-memory.md and docs/fallback.md with a real server, and write what it answered.

    python scripts/walkthrough.py [--check] [--pictures DIR]

A client of the MCP SDK stands for the host; `echopath serve` runs as a host would start it, on a private
desktop with a home folder of its own. Without `--check` the blocks between `<!-- walkthrough:NAME -->`
markers are written; with it they are compared: calls, endings and causes must be as printed, not figures.
"""

from __future__ import annotations

import argparse
import base64
import difflib
import json
import os
import re
import sys
import tempfile
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters, types
from mcp.client.stdio import stdio_client

ROOT = Path(__file__).parents[1]
PAGES = {"first-memory": ("record", "consolidate", "replay"), "fallback": ("refused", "repaired", "promoted")}
TOOL = "copy_price_list"
NEW_LOOK = (
    "menubar { background: #203040; }\n"
    "menubar > menuitem > label { font: italic 26px serif; letter-spacing: 4px; color: #ffd060; }\n"
)
FILE_MENU, SAVE_AS = (20, 12), (58, 189)  # inside Mousepad's window
_WAIT_S = 30
_DROPPED = ("id", "seconds", "changed", "window")  # of this run, or of this moment


@dataclass
class Host:
    """A host with a script instead of a model; it writes down what it says and hears."""

    client: Client
    home: Path
    pictures: Path | None
    said: dict[str, list[str]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    chapter: str = ""
    facts: dict[str, str] = field(default_factory=dict)
    text: str = ""

    async def call(self, tool: str, *, quiet: bool = False, **arguments: Any) -> dict[str, Any]:
        """One call of a tool, told in the chapter unless `quiet`."""
        result = await self.client.call_tool(tool, arguments)
        self.text = "\n".join(part.text for part in result.content if isinstance(part, types.TextContent))
        if result.is_error:
            raise SystemExit(f"{tool}: {self.text}")
        self.facts = dict(line.split(": ", 1) for line in self.text.splitlines() if ": " in line)
        answer = dict(result.structured_content or {})
        if not quiet:
            images = [part for part in result.content if isinstance(part, types.ImageContent)]
            self._tell(tool, arguments, answer, images)
        return answer

    def _tell(
        self, tool: str, arguments: dict[str, Any], answer: dict[str, Any], images: list[types.ImageContent]
    ) -> None:
        given = ", ".join(f"{name}={json.dumps(value)}" for name, value in arguments.items())
        lines = [_wrapped(self._plain(f"{tool}({given})"), "    ")]
        if answer:
            kept = {name: value for name, value in answer.items() if name not in _DROPPED}
            if "score" in kept.get("evidence", {}):
                kept["evidence"] = {"score": round(kept["evidence"]["score"], 2)}
            lines.append(_wrapped(self._plain(f"-> {json.dumps(kept)}"), "   "))
        else:
            lines += [
                f"-> {self._plain(line)}"
                for line in self.text.splitlines()
                if line.startswith(("frame_id", "active"))
            ]
            lines += [f"-> a picture ({image.mime_type})" for image in images]
        self.said.setdefault(self.chapter, []).append("\n".join(lines))
        if self.pictures is not None:
            for number, image in enumerate(images):
                path = self.pictures / f"{self.chapter}-{len(self.said[self.chapter])}-{number}.png"
                path.write_bytes(base64.b64decode(image.data))

    def _plain(self, text: str) -> str:
        """Without the folder and the ids of this run."""
        text = text.replace(str(self.home), "~")
        patterns = {"RUN": r"\b\d{8}-\d{6}-[0-9a-f]{6}\b", "REPLAY": r"\br\d{12}[0-9a-f]{6}\b"}
        for word, pattern in patterns.items():
            text = re.sub(pattern, word, text)
        return re.sub(r"\bf[0-9a-f]{8}\b", "FRAME", text)

    async def look(self, *, title: str, quiet: bool = False) -> None:
        """Observe until the window that is meant is in front; the last look is told."""
        with anyio.fail_after(_WAIT_S):
            while True:
                await self.call("observe", quiet=True)
                if self.facts.get("active window", "").startswith(f'"{title}'):
                    break
                await anyio.sleep(0.1)
        if not quiet:
            await self.call("observe")

    def place(self, at: tuple[int, int]) -> dict[str, Any]:
        """Coordinates in the picture that was seen last, of a place inside the window."""
        shown, whole = (int(part.split("x")[0]) for part in self.facts["picture"].split(" of a screen of "))
        left, top = (int(part) for part in self.facts["window at"].split()[0].split(","))
        x, y = left + round(at[0] * shown / whole), top + round(at[1] * shown / whole)
        return {"frame_id": self.facts["frame_id"], "x": x, "y": y}


async def first_pass(host: Host) -> str:
    """What the agent does by hand, once."""
    host.chapter = "record"
    begun = await host.call(
        "start_run",
        goal="Save a copy of the price list under a new name",
        open=["mousepad", "--disable-server", "~/notes/prices.txt"],
        evaluator={"kind": "file_contains", "path": "~/notes/{name}.txt", "contains": "tea"},
        inputs={"name": "prices-june"},
    )
    await host.look(title=f"{host.home}/notes/prices.txt")
    at = host.place(FILE_MENU)
    await host.call("act", action="click", **at, target="the File menu", expect="the menu opens")
    await host.look(title=f"{host.home}/notes/prices.txt", quiet=True)
    at = host.place(SAVE_AS)
    await host.call("act", action="click", **at, target="Save As...", expect="the file dialog")
    await host.look(title="Save As", quiet=True)
    await host.call("act", action="type", text="prices-june", target="the name of the copy")
    await host.call("act", action="press", key="enter", expect="the dialog closes")
    await host.look(title=f"{host.home}/notes/prices-june.txt", quiet=True)
    await host.call("act", action="hotkey", keys=["ctrl", "q"], expect="the editor closes")
    await host.call("finish_run")
    return str(begun["run_id"])


async def consolidate(host: Host, run_id: str) -> None:
    """From the run to a tool."""
    host.chapter = "consolidate"
    await host.call("consolidate_run", run_id=run_id, quiet=True)
    selection = {
        "selected_step_ids": [1, 2, 3, 4, 5],
        "flexible_inputs": [
            {"action_index": 2, "name": "name", "kind": "filename", "description": "The copy, without .txt."}
        ],
        "task_intent": "Save a copy of the price list under a new name",
        "query_phrases": ["copy the price list", "save the prices as"],
        "tool_name": TOOL,
        "viable": True,
        "recommendation": "promote",
        "summary": "File, Save As, name, Enter, quit",
    }
    await host.call("consolidate_run", run_id=run_id, selection=selection)
    await host.call("promote_memory", memory=TOOL)


async def replay(host: Host) -> None:
    """One call, other values."""
    host.chapter = "replay"
    done = await host.call(TOOL, name="prices-july")
    _expect(done, "verified")


async def fall_back(host: Host) -> str:
    """The desktop looks different, and the host points at what it was; the refused replay."""
    style = host.home / ".config" / "gtk-3.0" / "gtk.css"
    style.parent.mkdir(parents=True, exist_ok=True)
    style.write_text(NEW_LOOK)
    host.chapter = "refused"
    answer = await host.call(TOOL, name="prices-august")
    _expect(answer, "stopped")
    replay_id = answer["replay_id"]
    host.chapter = "repaired"
    await host.call("rejection_detail", replay_id=replay_id)
    frame_id = host.facts["frame_id"].split()[0]
    await host.call("observe", quiet=True)
    where = {**host.place((40, 22)), "frame_id": frame_id}
    why = "the word File, first in the menu bar; only its look is new"
    answer = await host.call("repair_step", replay_id=replay_id, located=True, **where, reason=why)
    _expect(answer, "verified")
    host.chapter = "promoted"
    branch = str(answer["evidence"]["repaired_branch"])
    await host.call("promote_memory", memory=branch)
    _expect(await host.call("run_memory", memory=branch, inputs={"name": "prices-september"}), "verified")
    return str(replay_id)


def _expect(answer: dict[str, Any], ending: str) -> None:
    if answer["ending"] != ending:
        raise SystemExit(f"not {ending}: {json.dumps(answer)}")


def _wrapped(text: str, indent: str) -> str:
    return "\n".join(
        textwrap.wrap(text, 118, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    )


def commands(page: str) -> list[str]:
    """What a page tells its reader to type."""
    text = (ROOT / "docs" / f"{page}.md").read_text()
    blocks = re.findall(r"^```\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [
        line for block in blocks for line in block.splitlines() if line.startswith(("echopath ", "mkdir "))
    ]


async def type_in(lines: list[str], env: dict[str, str], replay_id: str = "") -> None:
    """Type commands as the reader does."""
    for line in lines:
        done = await anyio.run_process(
            ["bash", "-c", line.replace("REPLAY", replay_id)], env=env, cwd=env["HOME"], check=False
        )
        if done.returncode:
            raise SystemExit(f"{line}\n{done.stdout.decode()}{done.stderr.decode()}")


async def story(pictures: Path | None) -> dict[str, str]:
    """Play it all; the text of each chapter."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder).resolve()  # noqa: ASYNC240
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("ECHOPATH_", "XDG_"))
        }
        kept.pop("DISPLAY", None)
        path = f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"
        env = {**kept, "HOME": str(home), "PATH": path, "ECHOPATH_DESKTOP": "virtual"}
        prepare, *typed = commands("first-memory")
        await type_in([prepare], env)
        server = StdioServerParameters(command="echopath", args=["serve", "--agent", "claude-code"], env=env)
        async with Client(stdio_client(server)) as client:
            host = Host(client, home, pictures)
            run_id = await first_pass(host)
            await consolidate(host, run_id)
            await replay(host)
            if pictures is not None:
                film = ["memories", "show", TOOL, "--filmstrip", str(pictures / "filmstrip.png")]
                await anyio.run_process(["echopath", *film], env=env)
            await type_in(typed, env)
            refused = await fall_back(host)
        await type_in(commands("fallback"), env, refused)
    return {chapter: "\n".join(parts) for chapter, parts in host.said.items()}


def fill(page: str, told: dict[str, str]) -> str:
    """The page with these chapters in it."""
    for chapter, text in told.items():
        start, end = f"<!-- walkthrough:{chapter} -->", f"<!-- /walkthrough:{chapter} -->"
        before, _, rest = page.partition(f"{start}\n")
        page = f"{before}{start}\n```\n{text}\n```\n{end}{rest.partition(end)[2]}"
    return page


def alike(page: str) -> list[str]:
    """What must agree between two plays: all but figures, sentences and where the lines were broken."""
    plain = re.sub(r'"(summary|detail)": "[^"]*"', r'"\1": ""', " ".join(page.split()))
    return re.sub(r"\d+(\.\d+)?", "0", plain).replace("-> ", "\n-> ").splitlines()


def main() -> int:
    """Write the pages, or say in what they differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--pictures", type=Path)
    asked = parser.parse_args()
    told = anyio.run(story, asked.pictures)
    wrong = 0
    for name, chapters in PAGES.items():
        path = ROOT / "docs" / f"{name}.md"
        old = path.read_text()
        new = fill(old, {chapter: told[chapter] for chapter in chapters})
        if not asked.check:
            path.write_text(new)
        elif apart := list(
            difflib.unified_diff(alike(old), alike(new), "printed", "played", lineterm="", n=0)
        ):
            wrong = 1
            sys.stderr.write("\n".join([f"{path.name} is not what happens (make walkthrough):", *apart, ""]))
    return wrong


if __name__ == "__main__":
    sys.exit(main())

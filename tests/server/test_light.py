"""The first message is answered before anything heavy is loaded."""

import subprocess
import sys
from pathlib import Path

from memory_store.repository import Repository
from tests.memory_store.making import add_active
from tests.server.processes import ROOT, environment

HEAVY = "{'cv2', 'numpy', 'sqlite3', 'sqlite_utils', 'openpyxl', 'pyautogui', 'jsonschema'}"
FIRST_MESSAGE = """
import anyio, sys
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from mcp import types
from server.build import build_app, build_server
from server.settings import load_settings

async def main():
    server = build_server(build_app(load_settings()))
    heavy = HEAVY
    already = heavy & sys.modules.keys()
    async with create_client_server_memory_streams() as ((read, write), (server_read, server_write)):
        async with anyio.create_task_group() as group:
            group.start_soon(server.run, server_read, server_write, server.create_initialization_options())
            who = {"name": "t", "version": "1"}
            hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": who}
            request = types.JSONRPCRequest(jsonrpc="2.0", id=1, method="initialize", params=hello)
            await write.send(SessionMessage(request))
            answer = await read.receive()
            assert answer.message.result["serverInfo"]["name"] == "echopath", answer
            print(sorted(heavy & sys.modules.keys() - already))
            group.cancel_scope.cancel()

anyio.run(main)
"""

LISTED = FIRST_MESSAGE.replace(
    "            print(",
    """            await write.send(SessionMessage(types.JSONRPCNotification(
                jsonrpc="2.0", method="notifications/initialized")))
            request = types.JSONRPCRequest(jsonrpc="2.0", id=2, method="tools/list")
            await write.send(SessionMessage(request))
            answer = await read.receive()
            assert len(answer.message.result["tools"]) == 56, len(answer.message.result["tools"])
            heavy = {"cv2", "numpy", "pyautogui", "openpyxl"}
            print(""",
)


def _run(program: str, tmp_path: Path) -> str:
    done: subprocess.CompletedProcess[str] = subprocess.run(
        [sys.executable, "-c", program.replace("HEAVY", HEAVY)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=environment(tmp_path),
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_importing_the_server_loads_nothing_heavy(tmp_path: Path) -> None:
    said = _run("import sys, server.stdio; print(sorted(HEAVY & sys.modules.keys()))", tmp_path)

    assert said == "[]"


def test_the_list_with_forty_memories_is_read_without_desktop_or_pixels(tmp_path: Path) -> None:
    with Repository(tmp_path / "home") as store:
        for number in range(40):
            add_active(store, f"memory_{number}", seed=number)

    assert _run(LISTED, tmp_path) == "[]"


def test_the_first_message_is_answered_without_store_desktop_or_pixels(tmp_path: Path) -> None:
    assert _run(FIRST_MESSAGE, tmp_path) == "[]"

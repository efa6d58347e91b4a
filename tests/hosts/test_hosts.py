import json
import subprocess
from pathlib import Path

import pytest

from memory_store.repository import Repository
from tests.hosts.app_server import AppServer
from tests.hosts.conftest import INSTALL_S, Hosts
from tests.memory_store.making import add_active
from tests.server.processes import run_cli

pytestmark = [pytest.mark.desktop, pytest.mark.timeout(INSTALL_S + 180)]  # the first one may install them


def inspect(hosts: Hosts, place: dict[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(hosts.node), str(hosts.inspector), "--cli", "echopath", "serve", *_passed(place), *arguments],
        capture_output=True,
        text=True,
        env=place,
        timeout=120,
        check=False,
    )


def _passed(place: dict[str, str]) -> list[str]:
    ours = {name: value for name, value in place.items() if name.startswith("ECHOPATH_")}
    return [part for name, value in ours.items() for part in ("-e", f"{name}={value}")]


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_inspector_finds_no_fault_with_any_tool(hosts: Hosts, place: dict[str, str], era: str) -> None:
    done = inspect(hosts, place, "--method", "tools/list", "--strict", "--protocol-era", era)

    assert done.returncode == 0, done.stderr
    tools = json.loads(done.stdout)["tools"]
    assert {"observe", "act", "start_run", "finish_run"} <= {tool["name"] for tool in tools}
    assert all(tool["description"] and len(tool["annotations"]) >= 4 for tool in tools)
    assert "error" not in done.stderr.lower()


def test_the_inspector_calls_a_tool_and_gets_the_picture(
    hosts: Hosts, place: dict[str, str], x_server: None
) -> None:
    done = inspect(hosts, place, "--method", "tools/call", "--tool-name", "observe", "--tool-args-json", "{}")

    assert done.returncode == 0, done.stderr
    content = json.loads(done.stdout)["content"]
    assert [part["type"] for part in content] == ["text", "image"]
    assert "800x600" in content[0]["text"]


def test_claude_code_says_connected_after_install(
    hosts: Hosts, place: dict[str, str], tmp_path: Path
) -> None:
    installed = run_cli(tmp_path, "install", "claude", **place)

    listed = subprocess.run(
        [str(hosts.claude), "mcp", "list"],
        capture_output=True,
        text=True,
        env=place,
        cwd=tmp_path,
        timeout=120,
        check=False,
    )

    assert installed.returncode == 0, installed.stderr
    assert "echopath" in listed.stdout
    assert "Connected" in listed.stdout, listed.stdout + listed.stderr


def test_codex_starts_the_server_and_calls_a_tool_and_a_memory_after_install(
    hosts: Hosts, place: dict[str, str], tmp_path: Path, x_server: None
) -> None:
    with Repository(Path(place["ECHOPATH_HOME"])) as store:
        add_active(store, "update_phone", seed=1)
    installed = run_cli(tmp_path, "install", "codex", **place)
    assert installed.returncode == 0, installed.stderr
    codex = AppServer(hosts.codex, place, tmp_path)

    try:
        thread = codex.ask("thread/start", {"cwd": str(tmp_path)})["thread"]["id"]
        call = {"threadId": thread, "server": "echopath"}
        seen = codex.ask("mcpServer/tool/call", call | {"tool": "observe", "arguments": {}})
        memory = codex.ask("mcpServer/tool/call", call | {"tool": "update_phone", "arguments": {}})
        wrong = codex.ask("mcpServer/tool/call", call | {"tool": "act", "arguments": {"action": "fly"}})
    finally:
        codex.close()

    assert "800x600" in seen["content"][0]["text"]
    told = memory["structuredContent"]
    assert (told["memory"], told["ending"]) == ("update_phone", "rejected")
    assert told["cause"]
    assert wrong["isError"]
    assert "action" in wrong["content"][0]["text"]

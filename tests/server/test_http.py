import http.client
import json
import os
import signal
import stat
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from server.access import BadToken, find_token
from server.http import PortTaken, listen
from tests.server.processes import Serving, serving

ADDRESS = r"http://127\.0\.0\.1:(\d+)/mcp"
TOKEN = "a-token-for-the-tests-only"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("http")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Serving]:
    with serving(folder, "--http", "--port", "0") as started:
        started.wait_for(ADDRESS)
        yield started


@pytest.fixture(scope="module")
def port(server: Serving) -> int:
    return int(server.wait_for(ADDRESS).group(1))


@pytest.fixture(scope="module")
def token(server: Serving, folder: Path) -> str:
    server.wait_for("bearer token")
    return (folder / "config" / "token").read_text().strip()


@asynccontextmanager
async def client(port: int, token: str, mode: str) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as web:
        transport = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=web)
        async with Client(transport, mode=mode) as one:
            yield one


@pytest.mark.anyio
@pytest.mark.desktop
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_both_eras_list_the_tools_and_see_the_desktop(
    port: int, token: str, mode: str, x_server: None
) -> None:
    async with client(port, token, mode) as one:
        names = {tool.name for tool in (await one.list_tools()).tools}
        seen = await one.call_tool("observe", {})

    assert {"observe", "act"} <= names
    assert not seen.is_error
    assert "800x600" in getattr(seen.content[0], "text", "")


@pytest.mark.anyio
@pytest.mark.desktop
async def test_two_hosts_of_one_server_do_not_act_into_each_others_recording(
    port: int, token: str, x_server: None
) -> None:
    async with client(port, token, "legacy") as one, client(port, token, "legacy") as other:
        await one.call_tool("start_run", {"goal": "fill the form", "agent": "the first"})

        refused = [
            await other.call_tool("act", {"action": "press", "key": "a"}),
            await other.call_tool("start_run", {"goal": "something else"}),
            await other.call_tool("finish_run", {}),
        ]
        own = await one.call_tool("act", {"action": "press", "key": "b"})
        done = await one.call_tool("finish_run", {})
        free = await other.call_tool("act", {"action": "press", "key": "c"})

    for result in refused:
        assert result.is_error
        assert "busy: the first" in getattr(result.content[0], "text", "")
    assert (own.structured_content or {})["status"] == (free.structured_content or {})["status"] == "ok"
    assert (done.structured_content or {})["steps"] == 1


def ask(port: int, **headers: str) -> tuple[int, dict[str, str]]:
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        link.putrequest("POST", "/mcp", skip_host=True)
        given = {
            "Host": f"127.0.0.1:{port}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Content-Length": str(len(body)),
        } | {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in given.items():
            link.putheader(name, value)
        link.endheaders(body.encode())
        answer = link.getresponse()
        answer.read()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}
    finally:
        link.close()


@pytest.mark.parametrize(
    "authorization", ["", "Bearer", "Bearer wrong", "Basic {token}", "Bearer {token}x", "bearer é"]
)
def test_nobody_gets_in_without_the_token(port: int, token: str, authorization: str) -> None:
    status, headers = ask(port, Authorization=authorization.format(token=token))

    assert status == 401
    assert headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:80"])
def test_a_host_name_that_was_bent_to_us_is_refused_even_with_the_token(
    port: int, token: str, host: str
) -> None:
    assert ask(port, Authorization=f"Bearer {token}", Host=host)[0] == 421


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost"])
def test_a_foreign_web_page_is_refused_even_with_the_token(port: int, token: str, origin: str) -> None:
    assert ask(port, Authorization=f"Bearer {token}", Origin=origin)[0] == 403


def test_the_token_opens_the_door(port: int, token: str) -> None:
    status, _ = ask(port, Authorization=f"Bearer {token}", Origin=f"http://localhost:{port}")

    assert status not in (401, 403, 421)


def test_the_token_is_private_and_is_never_printed(server: Serving, folder: Path, token: str) -> None:
    assert stat.S_IMODE((folder / "config" / "token").stat().st_mode) == 0o600
    assert len(token) >= 40
    assert token not in server.log


def test_a_port_that_is_taken_is_named() -> None:
    with listen(0) as taken:
        number = taken.getsockname()[1]

        with pytest.raises(PortTaken) as refusal:
            listen(number)

    assert f"port {number}" in str(refusal.value)


def test_a_signal_ends_it(tmp_path: Path) -> None:
    with serving(tmp_path, "--http", "--port", "0", ECHOPATH_TOKEN=TOKEN) as started:
        started.wait_for(ADDRESS)

        assert started.end(signal.SIGTERM) == 0

    assert not (tmp_path / "config" / "token").exists()
    assert TOKEN not in started.log


def test_the_environment_wins_over_the_file_and_is_not_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ECHOPATH_TOKEN", TOKEN)

    assert find_token(tmp_path) == (TOKEN, "$ECHOPATH_TOKEN")
    assert "ECHOPATH_TOKEN" not in os.environ


def test_a_token_file_is_made_once(tmp_path: Path) -> None:
    first, source = find_token(tmp_path / "new")

    assert find_token(tmp_path / "new") == (first, source)


@pytest.mark.parametrize(("text", "mode"), [("short", 0o600), ("x" * 40, 0o644), ("with spaces " * 5, 0o600)])
def test_a_weak_or_public_token_is_refused(tmp_path: Path, text: str, mode: int) -> None:
    file = tmp_path / "token"
    file.write_text(text)
    file.chmod(mode)

    with pytest.raises(BadToken) as refusal:
        find_token(tmp_path)

    assert str(file) in str(refusal.value)
    assert text not in str(refusal.value)

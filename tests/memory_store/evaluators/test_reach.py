"""Commands and servers: only what the settings allow."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from memory_store.evaluators import Allowed, Limits, Scene, Values
from memory_store.models import Outcome
from tests.memory_store.evaluators.checks import run

SH = Scene(allowed=Allowed(commands=("sh", "/bin/sh")), limits=Limits(seconds=5, output_bytes=1_000))


@pytest.mark.parametrize(
    ("script", "code", "outcome"),
    [("exit 0", 0, Outcome.PASSED), ("exit 3", 3, Outcome.PASSED), ("exit 1", 0, Outcome.FAILED)],
)
def test_an_allowed_command_is_judged_by_its_exit_code(script: str, code: int, outcome: Outcome) -> None:
    assert run(SH, kind="command", argv=["sh", "-c", script], exit_code=code).outcome is outcome


def test_a_command_that_is_not_on_the_list_is_not_started(tmp_path: Path) -> None:
    for argv in (["touch", f"{tmp_path}/x"], ["/usr/bin/touch", f"{tmp_path}/x"], ["../bin/sh"]):
        check = run(SH, kind="command", argv=argv)
        assert check.outcome is Outcome.COULD_NOT_RUN
        assert check.evidence["field"] == "argv.0"
    assert not (tmp_path / "x").exists()


def test_a_command_inherits_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", "hush")

    check = run(SH, kind="command", argv=["/bin/sh", "-c", "echo $TOKEN$HOME; pwd; cat"])

    assert check.evidence["seen"] == "\n/\n"


def test_a_value_is_one_argument_whatever_it_holds() -> None:
    scene = Scene(values=Values({"x": "$(id); `id` 'a' *"}), allowed=SH.allowed)

    check = run(scene, kind="command", argv=["sh", "-c", 'printf %s "$1"', "sh", "{x}"])

    assert check.evidence["seen"] == "$(id); `id` 'a' *"


def test_a_command_that_hangs_is_ended_with_its_children() -> None:
    quick = Scene(allowed=SH.allowed, limits=Limits(seconds=0.3))

    check = run(quick, kind="command", argv=["sh", "-c", "sleep 60 & sleep 60"])

    assert check.outcome is Outcome.COULD_NOT_RUN
    assert check.evidence["seconds"] == 0.3


def test_a_flood_of_output_is_cut_and_a_child_in_the_background_is_not_waited_for() -> None:
    flood = run(SH, kind="command", argv=["sh", "-c", "head -c 3000000 /dev/zero | tr '\\0' x"])
    background = run(SH, kind="command", argv=["sh", "-c", "sleep 60 & echo done"])

    assert flood.outcome is background.outcome is Outcome.PASSED
    assert len(str(flood.evidence["seen"])) < 300


class _Pages(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    paths: list[str]

    def do_GET(self) -> None:
        if self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "http://127.0.0.1:1/")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        body = b"x" * 5_000 if self.path == "/large" else b'{"clients": [{"name": "Globex"}]}'
        self.send_response(404 if "missing" in self.path else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Pages) as pages:
        thread = threading.Thread(target=pages.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{pages.server_port}"
        pages.shutdown()
        thread.join()


def _may_ask(server: str) -> Scene:
    return Scene(
        values=Values({"client": "Globex", "bad": "../x"}),
        allowed=Allowed(origins=(server + "/",)),
        limits=Limits(seconds=5, http_bytes=4_000),
    )


@pytest.mark.parametrize(
    ("path", "more", "outcome"),
    [
        ("/clients", {}, Outcome.PASSED),
        ("/clients", {"contains": "{client}"}, Outcome.PASSED),
        ("/clients", {"contains": "Hooli"}, Outcome.FAILED),
        ("/clients", {"at": "clients[0].name", "equals": "{client}"}, Outcome.PASSED),
        ("/clients/{client}", {}, Outcome.PASSED),
        ("/missing", {}, Outcome.FAILED),
        ("/missing", {"status": 404}, Outcome.PASSED),
        ("/away", {}, Outcome.FAILED),
        ("/large", {}, Outcome.COULD_NOT_RUN),
        ("/clients/{bad}", {}, Outcome.COULD_NOT_RUN),
    ],
)
def test_an_allowed_server_is_asked_once(
    server: str, path: str, more: dict[str, object], outcome: Outcome
) -> None:
    assert run(_may_ask(server), kind="http_get", url=server + path, **more).outcome is outcome


def test_no_server_is_asked_unless_it_is_allowed(server: str) -> None:
    check = run(kind="http_get", url=f"{server}/clients")

    assert check.outcome is Outcome.COULD_NOT_RUN
    assert check.evidence["field"] == "url"


def test_a_server_that_is_down_could_not_be_checked() -> None:
    check = run(
        Scene(allowed=Allowed(origins=("http://127.0.0.1:1",))), kind="http_get", url="http://127.0.0.1:1/"
    )

    assert check.outcome is Outcome.COULD_NOT_RUN


@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\n\r\n", b""])
def test_an_answer_that_trickles_in_is_not_waited_for(head: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        over = threading.Event()

        def trickle() -> None:
            caller, _ = listener.accept()
            with caller, suppress(OSError):
                caller.sendall(head)
                while not over.wait(0.05):
                    caller.sendall(b"x")

        thread = threading.Thread(target=trickle)
        thread.start()
        server = f"http://127.0.0.1:{listener.getsockname()[1]}"
        scene = Scene(allowed=Allowed(origins=(server,)), limits=Limits(seconds=0.5))

        started = time.monotonic()
        check = run(scene, kind="http_get", url=f"{server}/")
        over.set()
        thread.join()

    assert check.outcome is Outcome.COULD_NOT_RUN
    assert time.monotonic() - started < 5

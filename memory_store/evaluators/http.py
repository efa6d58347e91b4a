"""One GET to a server that the user's settings allow: no redirects, no proxy, no cookies; off by default."""

import http.client
import socket
import threading
import time
from contextlib import suppress
from typing import Annotated, Literal, Self
from urllib.parse import SplitResult, urlsplit

from pydantic import Field, model_validator

from memory_store.evaluators.compare import decode
from memory_store.evaluators.json_file import JsonPath, Wanted, compare_at, load
from memory_store.evaluators.opening import sha256
from memory_store.evaluators.outcome import CouldNotRun, Facts, Finding, clip, found
from memory_store.evaluators.scene import Limits, Scene, Spec
from memory_store.evaluators.template import TextTemplate, UrlTemplate, port_of


class HttpGet(Spec):
    """What an allowed server answers: its status, and text or a JSON value in the body."""

    kind: Literal["http_get"] = "http_get"
    url: UrlTemplate
    status: Annotated[int, Field(ge=100, le=599)] = 200
    contains: TextTemplate | None = None
    at: JsonPath | None = None
    equals: Wanted = None

    @model_validator(mode="after")
    def _one_look_at_the_body(self) -> Self:
        if self.contains is not None and self.at is not None:
            raise ValueError("give `contains`, or `at` with `equals`, not both")
        if (self.at is not None) != ("equals" in self.model_fields_set):
            raise ValueError("`at` and `equals` belong together")
        return self

    def run(self, scene: Scene) -> Finding:
        """Ask and compare."""
        url = urlsplit(scene.values.url(self.url, "url"))
        _check_origin(url, scene.allowed.origins)
        status, body = _get(url, scene.limits)
        facts: Facts = {"url": clip(url.geturl()), "status": status, "bytes": len(body)}
        if status != self.status:
            says = f"status {status}, {self.status} wanted"
            return found(False, says, facts, sha256=sha256(body), seen=clip(body.decode("utf-8", "replace")))
        if self.at is not None:
            document = load(decode(body, "utf-8", "url"), "url")
            return compare_at(document, self.at, self.equals, scene.values, facts=facts, sha256=sha256(body))
        text = body.decode("utf-8", "replace")
        wanted = scene.values.text(self.contains or "", "contains")
        holds = wanted in text
        says = f"status {status}" + ("" if holds else ", but the text is not in the answer")
        return found(holds, says, facts, sha256=sha256(body), seen=clip(text), wanted=clip(wanted))


def origin(url: SplitResult) -> str:
    """Scheme, host and port, written one way."""
    return f"{url.scheme}://{url.hostname}:{port_of(url)}"


def _check_origin(url: SplitResult, allowed: tuple[str, ...]) -> None:
    if origin(url) not in {origin(urlsplit(entry)) for entry in allowed}:
        raise CouldNotRun(
            "url",
            f"{origin(url)} is not an allowed server",
            "let the user add it to `origins` in policy.toml",
            allowed=[*allowed],
        )


def _get(url: SplitResult, limits: Limits) -> tuple[int, bytes]:
    deadline = time.monotonic() + limits.seconds
    kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    connection = kind(str(url.hostname), port_of(url), timeout=limits.seconds)
    # The time-out is for each piece of an answer: one that trickles in would never end.
    end = threading.Timer(limits.seconds, _hang_up, [connection])
    end.daemon = True
    end.start()
    try:
        target = (url.path or "/") + (f"?{url.query}" if url.query else "")
        connection.request("GET", target, headers={"Accept": "*/*", "Connection": "close"})
        answer = connection.getresponse()
        return answer.status, _body(answer, limits, deadline)
    except (OSError, http.client.HTTPException, ValueError) as exc:
        raise CouldNotRun(
            "url", f"the server gave no answer ({type(exc).__name__}: {exc})", "check the server"
        ) from exc
    finally:
        end.cancel()
        connection.close()


def _hang_up(connection: http.client.HTTPConnection) -> None:
    with suppress(OSError, AttributeError):  # not connected, or no longer
        connection.sock.shutdown(socket.SHUT_RDWR)


def _body(answer: http.client.HTTPResponse, limits: Limits, deadline: float) -> bytes:
    body = bytearray()
    while chunk := answer.read1(65_536):
        body += chunk
        if len(body) > limits.http_bytes:
            raise CouldNotRun(
                "url", f"more than {limits.http_bytes} bytes", "ask for less", limit=limits.http_bytes
            )
        _check_time(limits, deadline)
    _check_time(limits, deadline)  # an answer that was hung up on is none
    return bytes(body)


def _check_time(limits: Limits, deadline: float) -> None:
    if time.monotonic() > deadline:
        raise CouldNotRun(
            "url", f"no end after {limits.seconds:g} s", "check the server", seconds=limits.seconds
        )

"""A small office on local pages: it keeps what it was sent, and every place that was clicked."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from bench.study.pages import page
from ibtr.geometry import Box

PORT = int(os.environ.get("STUDY_PORT", "8137"))  # the same in every pass: it is shown in the address bar


@dataclass(slots=True)
class Site:
    """The server and what it knows; `records` is the artifact that evaluators read."""

    records: Path
    theme: str = ""
    broken: str = ""
    """What is wrong with the page, for the refusal study."""
    clicked: list[str] = field(default_factory=list[str])
    layout: dict[str, Box] = field(default_factory=dict[str, Box])
    state: dict[str, str] = field(default_factory=dict[str, str])
    server: ThreadingHTTPServer | None = None

    def open(self) -> None:
        """Begin to answer."""
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                url = urlsplit(self.path)
                asked = {name: value[0] for name, value in parse_qs(url.query).items()}
                if url.path == "/records":
                    return self._answer(site.records.read_text())
                return self._answer(page(url.path.strip("/"), asked | site.state, site.theme, site.broken))

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                site.take(self.path.strip("/"), json.loads(body or b"{}"))
                self._answer("ok")

            def _answer(self, text: str) -> None:
                data = text.encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", PORT), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        if self.server is not None:
            self.server.shutdown()
            self.server.server_close()

    def fresh(self, **state: str) -> None:
        """Forget what was sent and clicked."""
        self.records.parent.mkdir(parents=True, exist_ok=True)
        self.records.write_text("")
        self.clicked.clear()
        self.layout.clear()
        self.state = state

    def take(self, kind: str, said: dict[str, Any]) -> None:
        match kind:
            case "clicked":
                self.clicked.append(str(said["name"]))
            case "layout":
                self.layout = {name: Box(*(round(v) for v in box)) for name, box in said["boxes"].items()}
            case _:
                with self.records.open("a") as file:
                    file.write(json.dumps({"kind": kind, **said}, ensure_ascii=False) + "\n")

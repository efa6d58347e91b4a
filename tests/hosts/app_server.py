"""A client of `codex app-server`: JSON lines on its standard input and output."""

import json
import queue
import subprocess
import threading
from pathlib import Path
from typing import Any

_LIMIT_S = 90


class AppServer:
    """The real Codex without a model: it starts our server and calls its tools for us."""

    def __init__(self, codex: Path, env: dict[str, str], cwd: Path) -> None:
        self._process = subprocess.Popen(
            [str(codex), "app-server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=env,
            cwd=cwd,
            text=True,
        )
        self._said: queue.Queue[dict[str, Any]] = queue.Queue()
        self._last = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.ask("initialize", {"clientInfo": {"name": "tests", "title": "tests", "version": "1"}})
        self._send({"method": "initialized"})

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The result of one request; what arrives besides is passed over."""
        self._last += 1
        self._send({"id": self._last, "method": method, "params": params})
        while True:
            message = self._said.get(timeout=_LIMIT_S)
            if message.get("id") == self._last and "method" not in message:
                assert "error" not in message, message
                return dict(message["result"])

    def close(self) -> None:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        self._process.terminate()
        self._process.wait(_LIMIT_S)
        self._reader.join(_LIMIT_S)
        self._process.stdout.close()

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._said.put(json.loads(line))

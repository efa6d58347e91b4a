"""JSON-RPC by hand over a server's pipes, for what no decent client would send."""

import json
from typing import Any

from tests.server.processes import Serving


class Raw:
    """Lines in, lines out."""

    def __init__(self, server: Serving) -> None:
        assert server.process.stdin
        assert server.process.stdout
        self._in, self._out = server.process.stdin, server.process.stdout
        self._last = 0

    def send(self, line: bytes) -> None:
        self._in.write(line + b"\n")
        self._in.flush()

    def begin(self) -> dict[str, Any]:
        """The handshake of the older era."""
        client = {"name": "raw", "version": "1"}
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        answer = self.ask("initialize", hello)
        self.send(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode())
        return answer

    def start(self, method: str, params: dict[str, Any]) -> int:
        """Send a request without waiting; its number."""
        self._last += 1
        message = {"jsonrpc": "2.0", "id": self._last, "method": method, "params": params}
        self.send(json.dumps(message).encode())
        return self._last

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return self.answer(self.start(method, params))

    def answer(self, number: int) -> dict[str, Any]:
        """The answer to a request; errors to nobody in particular are passed over."""
        for line in self._out:
            message = json.loads(line)
            if message.get("id") == number:
                return dict(message)
        raise AssertionError("the server hung up")

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return dict(self.ask("tools/call", {"name": tool, "arguments": arguments})["result"])

"""A host as small as can be: `echopath serve` as a real process, spoken to in JSON lines."""

import json
import os
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream


class Host:
    """One server process and its two pipes."""

    def __init__(self, process: Process) -> None:
        assert process.stdin and process.stdout
        self.process = process
        self._write, self._read = process.stdin, BufferedByteReceiveStream(process.stdout)
        self._ids = count(1)

    @classmethod
    async def start(cls, *flags: str, **env: str) -> "Host":
        echopath = Path(sys.executable).with_name("echopath")
        process = await anyio.open_process(
            [str(echopath), "serve", *flags], env={**os.environ, **env}, stderr=subprocess.DEVNULL
        )
        host = cls(process)
        about = {"name": "test", "version": "1"}
        await host.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=about)
        await host.send({"method": "notifications/initialized"})
        return host

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = await self.ask("tools/call", name=tool, arguments=arguments)
        assert not result.get("isError"), result
        return result

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self._ids)
        await self.send({"id": number, "method": method, "params": params})
        while True:
            answer = json.loads(await self._read.receive_until(b"\n", 1 << 24))
            if answer.get("id") == number:
                result: dict[str, Any] = answer["result"]
                return result

    async def send(self, message: dict[str, Any]) -> None:
        await self._write.send(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def look(self) -> str:
        """Observe; the frame_id."""
        text = str((await self.call("observe"))["content"][0]["text"])
        return next(line.partition(": ")[2] for line in text.splitlines() if line.startswith("frame_id"))

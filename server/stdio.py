"""Serve over standard input and output, and leave nothing held when told to stop."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream
from mcp.server.stdio import stdio_server

from server.build import build_app, build_server
from server.operator import Operator
from server.settings import Settings
from server.stopping import exit_on_signal


async def serve_stdio(settings: Settings) -> None:
    """Run until the client hangs up or a signal comes."""
    app = build_app(settings)
    server = build_server(app)
    async with anyio.create_task_group() as group:
        await group.start(exit_on_signal, app)
        async with stdio_server() as (read, write), halting(read, app.operator) as heard:
            await server.run(heard, write, server.create_initialization_options())
        group.cancel_scope.cancel()


@asynccontextmanager
async def halting(read: Any, operator: Operator) -> AsyncGenerator[MemoryObjectReceiveStream[Any]]:
    """The same messages; when the client hangs up, an act that is under way ends between two input events."""
    send, receive = anyio.create_memory_object_stream[Any]()

    async def pass_on() -> None:
        async with send:
            async for message in read:
                await send.send(message)
            operator.halt()

    async with anyio.create_task_group() as group, receive:
        group.start_soon(pass_on)
        yield receive
        group.cancel_scope.cancel()

"""Serve over standard input and output, and leave nothing held when told to stop."""

import os
import signal

import anyio
from mcp.server.stdio import stdio_server

from server.build import build_app, build_server
from server.settings import Settings


async def serve_stdio(settings: Settings) -> None:
    """Run until the client hangs up or a signal comes."""
    app = build_app(settings)
    server = build_server(app)

    async def stop_on_signal() -> None:
        with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
            async for _ in signals:
                with anyio.move_on_after(0.8, shield=True):
                    await app.operator.close()
                os._exit(0)  # the thread that reads standard input blocks a clean unwind

    async with anyio.create_task_group() as group:
        group.start_soon(stop_on_signal)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())
        group.cancel_scope.cancel()

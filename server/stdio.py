"""Serve over standard input and output, and leave nothing held when told to stop."""

import anyio
from mcp.server.stdio import stdio_server

from server.build import build_app, build_server
from server.settings import Settings
from server.stopping import exit_on_signal


async def serve_stdio(settings: Settings) -> None:
    """Run until the client hangs up or a signal comes."""
    app = build_app(settings)
    server = build_server(app)
    async with anyio.create_task_group() as group:
        await group.start(exit_on_signal, app)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())
        group.cancel_scope.cancel()

"""The composition root: Settings -> App -> Server."""

import base64
import json
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from mcp import MCPError, types
from mcp.server import NotificationOptions, Server, ServerRequestContext

from ibtr.errors import EchoPathError
from server import __version__
from server.app import App
from server.operator import Operator
from server.settings import Settings
from server.tools import operate, record
from server.toolspec import Answer, ToolSpec

INSTRUCTIONS = (
    "EchoPath drives a desktop and remembers it. Prefer a memory to driving by hand. By hand: start_run, "
    "then observe and act in turns (coordinates in the observed picture), then finish_run."
)
log = logging.getLogger("echopath")
Context = ServerRequestContext[Any]


class EchoServer(Server[None]):
    """Tells handshake-era clients that the list of tools may change, which the SDK denies by default."""

    def create_initialization_options(
        self, notification_options: NotificationOptions | None = None, *args: Any, **named: Any
    ) -> Any:
        """As the SDK's, with `listChanged` on."""
        options = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(options, *args, **named)


def build_app(settings: Settings) -> App:
    """Everything a tool may reach; nothing is opened yet."""
    return App(settings=settings, operator=Operator(settings))


def build_server(app: App) -> EchoServer:
    """The MCP server over an App; it closes the App when it ends."""
    specs: dict[str, ToolSpec[Any]] = {spec.name: spec for spec in (*operate.TOOLS, *record.TOOLS)}

    async def list_tools(_: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[spec.tool for spec in specs.values()])

    async def call_tool(_: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        spec = specs.get(params.name)
        if spec is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}")
        try:
            return _rendered(await spec.handle(app, spec.parse(params.arguments)))
        except EchoPathError as exc:
            return _failed(str(exc))
        except MCPError:
            raise
        except Exception as exc:
            log.exception("tool %s", params.name)
            return _failed(f"{type(exc).__name__}: {exc}")

    @asynccontextmanager
    async def lifespan(_: Server[None]) -> AsyncGenerator[None]:
        try:
            yield
        finally:
            with anyio.CancelScope(shield=True):
                await app.operator.close()

    return EchoServer(
        "echopath",
        version=__version__,
        instructions=INSTRUCTIONS,
        lifespan=lifespan,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _rendered(answer: Answer) -> types.CallToolResult:
    if answer.data is not None:
        text = json.dumps(answer.data, separators=(",", ":"), default=str)
        return types.CallToolResult(
            content=[types.TextContent(text=text)], structured_content=json.loads(text)
        )
    images = [
        types.ImageContent(data=base64.b64encode(data).decode(), mime_type=mime)
        for mime, data in answer.images
    ]
    return types.CallToolResult(content=[types.TextContent(text=answer.text), *images])


def _failed(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True)

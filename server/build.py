"""The composition root: Settings -> App -> Server."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
from mcp import MCPError, types
from mcp.server import NotificationOptions, Server, ServerRequestContext
from mcp.server.subscriptions import ListenHandler

from ibtr.errors import EchoPathError
from server import __version__, calling, prompts, resources
from server.app import App
from server.bounds import CLOSE_S
from server.catalogue import fixed_names, fixed_tools
from server.guard import Guard
from server.instructions import INSTRUCTIONS
from server.listeners import Listeners
from server.memories import Memories
from server.operator import Operator
from server.publish import Publisher
from server.replayer import Replayer
from server.replaying import Replaying
from server.settings import Settings, config_folder
from server.settling import settle_past
from server.toolspec import Offered

PAGE = 100
Context = ServerRequestContext[Any]


class EchoServer(Server[None]):
    """Tells handshake-era clients that the list of tools may change, which the SDK denies by default."""

    def create_initialization_options(
        self, notification_options: NotificationOptions | None = None, *args: Any, **named: Any
    ) -> Any:
        """As the SDK's, with `listChanged` on."""
        options = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(options, *args, **named)


def build_app(settings: Settings, replayer: Replayer | None = None) -> App:
    """Everything a tool may reach; nothing is opened yet."""
    guard = Guard(config_folder(), settings.home)
    memories, operator = Memories(settings), Operator(settings, guard)
    replaying = Replaying(settings, operator, memories, guard)
    return App(
        settings=settings,
        operator=operator,
        guard=guard,
        memories=memories,
        published=Publisher(memories, settings.max_published, fixed_names),
        replayer=replayer or replaying,
        replaying=replaying,
    )


def build_server(app: App) -> EchoServer:
    """The MCP server over an App; it closes the App when it ends."""
    desk = _Desk(app)
    server = EchoServer(
        "echopath",
        version=__version__,
        instructions=INSTRUCTIONS,
        lifespan=desk.lifespan,
        on_list_tools=desk.list_tools,
        on_call_tool=desk.call_tool,
        on_list_prompts=prompts.list_prompts,
        on_get_prompt=prompts.get_prompt,
        on_list_resources=resources.lister(app),
        on_list_resource_templates=resources.list_templates,
        on_read_resource=resources.reader(app),
        on_subscriptions_listen=ListenHandler(desk.listeners.bus),
        get_tool_input_schema=desk.input_schema,
    )
    server.middleware.append(desk.listeners.track)
    return server


class _Desk:
    """What the tools' requests meet: the list, the calls, and the watch over the store."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._listed = anyio.Event()
        self.listeners = Listeners()

    async def list_tools(
        self, _: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """The fixed tools, then the memories, in pages."""
        start = _position(params)
        if not start:
            await self._follow()
            self._listed.set()
        tools = [spec.tool for spec in fixed_tools().values()]
        tools += [one.tool for one in self._app.published.now.tools.values()]
        after = start + PAGE
        return types.ListToolsResult(
            tools=tools[start:after], next_cursor=str(after) if after < len(tools) else None
        )

    async def call_tool(
        self, ctx: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        """Call a fixed tool or a memory."""
        offered = self._offered(params.name)
        if offered is None:
            await self._follow()  # somebody may have promoted it a moment ago
            offered = self._offered(params.name)
        if offered is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name[:64]}")
        answer = await calling.call(self._app, offered, ctx, params)
        if self._app.memories.opened:
            await self._follow()
        return answer

    def input_schema(self, name: str) -> dict[str, Any] | None:
        """The arguments of a tool."""
        offered = self._offered(name)
        return offered.tool.input_schema if offered else None

    @asynccontextmanager
    async def lifespan(self, _: Server[None]) -> AsyncGenerator[None]:
        """Watch the store while serving; close everything at the end."""
        try:
            async with self._app.replaying, anyio.create_task_group() as group:
                group.start_soon(self._watch)
                yield
                group.cancel_scope.cancel()
        finally:
            with anyio.move_on_after(CLOSE_S, shield=True):
                await self._app.close()

    async def _watch(self) -> None:
        """Before a client has read the list there is nothing to follow, and the store stays closed."""
        await self._listed.wait()
        if self._app.memories.opened:
            with suppress(EchoPathError):  # a store that cannot be read says so to whoever uses it
                await settle_past(self._app.memories, self._app.settings.runs)
        while True:
            await anyio.sleep(self._app.settings.follow_s)
            await self._follow()

    async def _follow(self) -> None:
        if await self._app.published.refresh() and self._listed.is_set():
            await self.listeners.tools_changed()

    def _offered(self, name: str) -> Offered | None:
        return fixed_tools().get(name) or self._app.published.now.tools.get(name)


def _position(params: types.PaginatedRequestParams | None) -> int:
    cursor = params.cursor if params else None
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 10):
        raise MCPError(types.INVALID_PARAMS, f"cursor: {cursor[:40]!r} is none that this server gave")
    return int(cursor)

"""Every client that wants to know when the list of tools changes, in both protocol eras."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from mcp.server import ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ToolsListChanged

_MOST = 256


class Listeners:
    """The bus of the modern era, and one session of each handshake-era connection."""

    def __init__(self) -> None:
        self.bus = InMemorySubscriptionBus()
        self._sessions: OrderedDict[str, ServerSession] = OrderedDict()

    async def track(self, ctx: ServerRequestContext[Any], call_next: CallNext) -> HandlerResult:
        """Middleware: remember who finished the handshake."""
        if ctx.method == "notifications/initialized":
            headers = getattr(ctx.request, "headers", None)
            name = headers.get("mcp-session-id") if headers is not None else "stdio"
            self._sessions[str(name)] = ctx.session
            while len(self._sessions) > _MOST:
                self._sessions.popitem(last=False)
        return await call_next(ctx)

    async def tools_changed(self) -> None:
        """Tell them all; a client that has gone is not an error."""
        await self.bus.publish(ToolsListChanged())
        for session in list(self._sessions.values()):
            await session.send_tool_list_changed()

"""One call of a tool: found, checked, done, rendered. The one boundary where a failure becomes an answer."""

from __future__ import annotations

import base64
import json
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mcp import MCPError, types
from pydantic import ValidationError

from actionlens.wording import clip
from ibtr.errors import EchoPathError
from ibtr.geometry import Size
from server.asking import AnswerNeeded, answer_in, ask_user
from server.bounds import begin_call
from server.caller import Caller
from server.claims import calling
from server.image_size import image_size
from server.tokens import call_tokens, image_tokens, text_tokens
from server.toolspec import Answer, Offered, describe

if TYPE_CHECKING:
    from mcp.server import ServerRequestContext

    from server.app import App

_LONGEST_ERROR = 4_000
log = logging.getLogger("echopath")
_SHOWN = Size(1280, 720)  # the size in which a screen is mostly shown, for a picture that does not tell


async def call(
    app: App, offered: Offered, ctx: ServerRequestContext[Any], params: types.CallToolRequestParams
) -> types.CallToolResult | types.InputRequiredResult:
    """Call a tool for a client; whatever goes wrong is said in words, whole."""
    own = replace(app, caller=caller_of(ctx, params))
    calling.set(_connection(ctx))
    begin_call()
    try:
        answer = await offered.call(own, params.arguments or {})
        _count(app, params, answer)
        return rendered(answer)
    except AnswerNeeded as exc:
        return exc.result
    except MCPError:
        raise
    except Exception as exc:  # noqa: BLE001 - the boundary: whatever went wrong becomes the answer
        text = clip(_words(exc, params.name), _LONGEST_ERROR)
        _count(app, params, Answer(text=text))
        return failed(text)


def _words(exc: Exception, tool: str) -> str:
    """What went wrong, for the host; a fault of ours is logged as well."""
    if isinstance(exc, EchoPathError):
        return str(exc)
    log.error("tool %s", tool, exc_info=exc)
    return describe(exc) if isinstance(exc, ValidationError) else f"{type(exc).__name__}: {exc}"


def caller_of(ctx: ServerRequestContext[Any], params: types.CallToolRequestParams) -> Caller:
    """The client behind a request."""

    async def progress(done: int, total: int, text: str) -> None:
        await ctx.session.report_progress(done, total, text)

    async def confirm(question: str) -> bool | None:
        return await ask_user(ctx, params, question)

    client = ctx.session.client_params
    return Caller(
        progress=progress,
        name=client.client_info.name if client else "",
        confirm=confirm,
        answered=lambda question: answer_in(params, question),
    )


def _connection(ctx: ServerRequestContext[Any]) -> str:
    """Which client this is, among those of one server; over a pipe there is only one."""
    headers = getattr(ctx.request, "headers", None)
    if headers is None:
        return "pipe"
    client = ctx.session.client_params
    return str(headers.get("mcp-session-id") or (client.client_info.name if client else "web"))


def rendered(answer: Answer) -> types.CallToolResult:
    """Structured data with the same JSON as text, or text with pictures."""
    if answer.data is not None:
        text = _sendable(json.dumps(answer.data, separators=(",", ":"), ensure_ascii=False, default=str))
        return types.CallToolResult(
            content=[types.TextContent(text=text)], structured_content=json.loads(text)
        )
    images = [
        types.ImageContent(data=base64.b64encode(data).decode(), mime_type=mime)
        for mime, data in answer.images
    ]
    return types.CallToolResult(content=[types.TextContent(text=_sendable(answer.text)), *images])


def _count(app: App, params: types.CallToolRequestParams, answer: Answer) -> None:
    """What the call has cost the host, failed or not."""
    arguments = params.arguments or {}
    tokens = call_tokens(params.name, arguments) + answer_tokens(answer)
    app.operator.tokens += tokens
    app.replaying.told(arguments.get("replay_id") or (answer.data or {}).get("replay_id"), tokens)


def answer_tokens(answer: Answer) -> int:
    """What an answer costs the host."""
    if answer.data is not None:
        return text_tokens(answer.data)
    sizes = (image_size(data) or _SHOWN for _, data in answer.images)
    return text_tokens(answer.text) + sum(map(image_tokens, sizes))


def failed(text: str) -> types.CallToolResult:
    """A fault or bad arguments; hosts show the text only. What was sent is not sent back whole."""
    return types.CallToolResult(
        content=[types.TextContent(text=_sendable(clip(text, _LONGEST_ERROR)))], is_error=True
    )


def _sendable(text: str) -> str:
    """Half a character, which JSON can bring in, cannot be sent out again."""
    return text.encode(errors="replace").decode()

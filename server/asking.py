"""Put a question to the user through the host, in both protocol eras."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from anyio import fail_after
from mcp import types

from ibtr.errors import EchoPathError
from server.bounds import ASK_S, left_s

if TYPE_CHECKING:
    from mcp.server import ServerRequestContext

MODERN = "2026-07-28"
_KEY = "run"
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"ok": {"type": "boolean", "title": "Run it?"}},
    "required": ["ok"],
}


class AnswerNeeded(Exception):
    """The question goes back as the call's result; the host asks its user and calls again with the answer."""

    def __init__(self, result: types.InputRequiredResult) -> None:
        super().__init__("the user is asked")
        self.result = result


class NoAnswer(EchoPathError):
    """The user was asked and has not answered in time."""


async def ask_user(
    ctx: ServerRequestContext[Any], params: types.CallToolRequestParams, question: str
) -> bool | None:
    """The user's yes or no; None where this client cannot ask.

    Raises:
        AnswerNeeded: in the modern era, until the call comes again with the answer.
        NoAnswer: in the earlier era, where the call waits for it: it took too long.
    """
    able = ctx.session.client_capabilities
    if not (able and able.elicitation):
        return None
    if ctx.protocol_version >= MODERN:
        return _answer_or_ask(params, question)
    if not ctx.session.can_send_request:
        return None
    seconds = left_s(ASK_S)
    try:
        with fail_after(seconds):
            said = await ctx.session.elicit_form(question, _SCHEMA, related_request_id=ctx.request_id)
    except TimeoutError as exc:
        raise NoAnswer(
            f"the user did not answer within {seconds:.0f} s: nothing was done; call again when they can"
        ) from exc
    return said.action == "accept" and bool((said.content or {}).get("ok"))


def answer_in(params: types.CallToolRequestParams, question: str) -> bool | None:
    """The answer that a call of the modern era brings to a question; None where it brings none to it."""
    said = (params.input_responses or {}).get(_KEY)
    if isinstance(said, types.ElicitResult) and params.request_state == _about(question):
        return said.action == "accept" and bool((said.content or {}).get("ok"))
    return None


def _about(question: str) -> str:
    return hashlib.sha256(question.encode()).hexdigest()  # an answer to another question is none to this


def _answer_or_ask(params: types.CallToolRequestParams, question: str) -> bool:
    if (said := answer_in(params, question)) is not None:
        return said
    form = types.ElicitRequestFormParams(message=question, requested_schema=_SCHEMA)
    raise AnswerNeeded(
        types.InputRequiredResult(
            input_requests={_KEY: types.ElicitRequest(params=form)}, request_state=_about(question)
        )
    )

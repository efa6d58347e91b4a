"""Ask the user before a memory runs, where the policy wants it: through the host, in both protocol eras."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mcp import types

if TYPE_CHECKING:
    from mcp.server import ServerRequestContext

    from memory_store.models import Memory
    from server.app import App
    from server.report import Report

MODERN = "2026-07-28"
_KEY = "run"
_LONGEST = 400
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


async def unconfirmed(app: App, memory: Memory, inputs: Mapping[str, object]) -> Report | None:
    """None when the memory may run; otherwise the report that says why not.

    Raises:
        AnswerNeeded: the host must ask first.
    """
    policy = await app.guard.policy()
    if not policy.needs_confirmation(memory.tool_name):
        return None
    said = await app.caller.confirm(_question(memory, inputs))
    if said or (said is None and policy.confirm_otherwise == "host"):
        return None
    summary = (
        "The user declined."
        if said is False
        else "The policy wants the user's yes, and this host cannot ask."
    )
    return _declined(memory, summary, said)


def _declined(memory: Memory, summary: str, said: bool | None) -> Report:
    from ibtr.errors import RejectCause
    from memory_store.models import ReplayId
    from memory_store.quarantine import Ending
    from server.report import Report

    return Report(
        replay_id=ReplayId("none"),
        memory=memory.tool_name,
        ending=Ending.REJECTED,
        summary=f"{summary} Nothing was touched.",
        steps_total=len(memory.steps),
        cause=RejectCause.UNSAFE_ACTION.value,
        evidence={"rule": "confirm", "answer": said},
    )


async def ask_user(
    ctx: ServerRequestContext[Any], params: types.CallToolRequestParams, question: str
) -> bool | None:
    """The user's yes or no; None where this client cannot ask.

    Raises:
        AnswerNeeded: in the modern era, until the call comes again with the answer.
    """
    able = ctx.session.client_capabilities
    if not (able and able.elicitation):
        return None
    if ctx.protocol_version >= MODERN:
        return _answer_in(params, question)
    if not ctx.session.can_send_request:
        return None
    said = await ctx.session.elicit_form(question, _SCHEMA, related_request_id=ctx.request_id)
    return said.action == "accept" and bool((said.content or {}).get("ok"))


def _answer_in(params: types.CallToolRequestParams, question: str) -> bool:
    about = hashlib.sha256(question.encode()).hexdigest()  # an answer to another question is none to this
    said = (params.input_responses or {}).get(_KEY)
    if isinstance(said, types.ElicitResult) and params.request_state == about:
        return said.action == "accept" and bool((said.content or {}).get("ok"))
    form = types.ElicitRequestFormParams(message=question, requested_schema=_SCHEMA)
    raise AnswerNeeded(
        types.InputRequiredResult(
            input_requests={_KEY: types.ElicitRequest(params=form)}, request_state=about
        )
    )


def _question(memory: Memory, inputs: Mapping[str, object]) -> str:
    """The same for the same call, so that the answer can be matched to it."""
    values = ", ".join(f"{name} = {value!s}" for name, value in sorted(inputs.items()))
    text = f"Run {memory.tool_name} on the desktop: {memory.keys.task_intent}"
    text += f" With {values}." if values else ""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"

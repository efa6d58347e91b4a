"""Ask the user before a memory runs, where the policy wants it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from actionlens.wording import clip
from server.asking import NoAnswer

if TYPE_CHECKING:
    from memory_store.models import Memory
    from server.app import App
    from server.report import Report

_LONGEST = 400
UNRUN = "none"
"""The id of a replay that was not even begun: there is nothing to look up."""


async def unconfirmed(app: App, memory: Memory, inputs: Mapping[str, object]) -> Report | None:
    """None when the memory may run; otherwise the report that says why not.

    Raises:
        AnswerNeeded: the host must ask first.
    """
    policy = await app.guard.policy()
    if not policy.needs_confirmation(memory.tool_name):
        return None
    try:
        said = await app.caller.confirm(_question(memory, inputs))
    except NoAnswer:
        return _declined(memory, "The user did not answer in time.", None)
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
        replay_id=ReplayId(UNRUN),
        memory=memory.tool_name,
        ending=Ending.REJECTED,
        summary=f"{summary} Nothing was touched.",
        steps_total=len(memory.steps),
        cause=RejectCause.UNSAFE_ACTION.value,
        evidence={"rule": "confirm", "answer": said},
    )


def _question(memory: Memory, inputs: Mapping[str, object]) -> str:
    """The same for the same call, so that the answer can be matched to it."""
    values = ", ".join(f"{name} = {value!s}" for name, value in sorted(inputs.items()))
    text = f"Run {memory.tool_name} on the desktop: {memory.keys.task_intent}"
    text += f" With {values}." if values else ""
    return clip(text, _LONGEST)

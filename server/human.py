"""Ask the user whether the result of a replay is right, where its memory's evaluator is a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory_store.models import Memory
    from server.app import App
    from server.report import Report


async def judged(app: App, report: Report) -> Report:
    """The report, after the user was asked if that is all that is missing.

    Raises:
        AnswerNeeded: the host must ask first, and call again; the replay is not run again for it.
    """
    question = app.replaying.question(report.replay_id)
    if not question:
        return report
    return await app.replaying.answer(report.replay_id, said=await app.caller.confirm(question))


async def judged_now(app: App, memory: Memory, inputs: Mapping[str, object]) -> Report | None:
    """The report of a replay that this very call has run before, if it brings the user's answer on it."""
    waiting = app.replaying.unanswered(memory, inputs)
    said = app.caller.answered(waiting.question) if waiting is not None else None
    if waiting is None or said is None:
        return None
    return await app.replaying.answer(waiting.replay_id, said=said)


async def judged_before(app: App, replay_id: str) -> Report | None:
    """The report of a replay, if the call that it goes on with brings the user's answer on it."""
    question = app.replaying.question(replay_id)
    said = app.caller.answered(question) if question else None
    return None if said is None else await app.replaying.answer(replay_id, said=said)

"""The question of a human evaluator, as this replay's own values fill it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_store.evaluators.outcome import CouldNotRun
from memory_store.evaluators.registry import read_stored
from memory_store.evaluators.template import Values
from memory_store.evaluators.word import HumanConfirms

if TYPE_CHECKING:
    from server.replay.session import Session


def question_of(session: Session) -> str:
    """What a person has to be asked about the result; nothing where no person decides.

    It names the replay, so that an answer to another one is none to this.
    """
    stored = session.memory.validation.evaluator
    if stored is None:
        return ""
    try:
        evaluator = read_stored(stored)
        checks = getattr(evaluator, "checks", (evaluator,))
        asked = [one.question for one in checks if isinstance(one, HumanConfirms)]
        words = "\n".join(Values(session.bound.values).text(one, "question") for one in asked)
    except CouldNotRun:
        return ""
    return f"{words}\n({session.memory.tool_name}, replay {session.replay_id})" if words else ""

"""Who called a tool: told how far it is, and known by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass


async def _silently(done: int, total: int, text: str) -> None:
    """Nobody listens."""


def _not_yet(question: str) -> bool | None:
    """No answer came with the call."""


async def _cannot_ask(question: str) -> bool | None:
    """There is nobody to ask."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The client at the other end of one call."""

    progress: Callable[[int, int, str], Awaitable[None]] = _silently
    """How many steps are done, of how many, and what is being done."""
    name: str = ""
    confirm: Callable[[str], Awaitable[bool | None]] = _cannot_ask
    """The user's yes or no to a question; None where the client cannot ask."""

    answered: Callable[[str], bool | None] = _not_yet
    """The user's answer to a question, where this call brings it; nobody is asked."""


NOBODY = Caller()

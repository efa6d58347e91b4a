"""Who called a tool: told how far it is, and known by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass


async def _silently(done: int, total: int, text: str) -> None:
    """Nobody listens."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The client at the other end of one call."""

    progress: Callable[[int, int, str], Awaitable[None]] = _silently
    """How many steps are done, of how many, and what is being done."""
    name: str = ""


NOBODY = Caller()

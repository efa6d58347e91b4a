"""Two things at once, of which one decides."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

import anyio

from ibtr.errors import EchoPathError

T = TypeVar("T")


async def meanwhile(aside: Callable[[], Awaitable[None]], main: Callable[[], Awaitable[T]]) -> T:
    """Do both, and give what `main` gives or raise what it raises; `aside` may be refused silently."""
    done: list[T] = []
    refused: list[Exception] = []

    async def decide() -> None:
        try:
            done.append(await main())
        except Exception as exc:  # noqa: BLE001 - raised below as it was, not as one of a group
            refused.append(exc)

    async with anyio.create_task_group() as group:
        group.start_soon(decide)
        with suppress(EchoPathError):
            await aside()
    if refused:
        raise refused[0]
    return done[0]

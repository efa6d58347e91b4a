"""What comes before the first step may take long, and can be broken off like what comes between two."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import anyio

from server.replay.stopped import Stopped

if TYPE_CHECKING:
    from server.replay.session import Session

_LOOK_S = 0.05


async def breakable(session: Session, work: Callable[[], Awaitable[None]]) -> None:
    """Do something that a cancel, the budget and the lease may end; a cancel outweighs a refusal.

    Raises:
        Stopped: one of them did.
    """
    ended: list[Exception] = []

    async with anyio.create_task_group() as group:

        async def watch() -> None:
            while True:
                try:
                    session.check_may_go_on()
                except Stopped as exc:
                    ended.insert(0, exc)
                    group.cancel_scope.cancel()
                await anyio.sleep(_LOOK_S)

        group.start_soon(watch)
        try:
            await work()
        except Exception as exc:  # noqa: BLE001 - raised below as it was, not as one of a group
            ended.append(exc)
        group.cancel_scope.cancel()
    if session.cancelled:
        session.check_may_go_on()
    if ended:
        raise ended[0]

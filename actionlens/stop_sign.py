"""The user's stop while events are sent: asked again and again, and the action is broken off between two."""

from collections.abc import Awaitable, Callable
from typing import Protocol

import anyio
from pydantic import JsonValue

from actionlens.controller import Controller
from actionlens.errors import UserStopped, sent_before

_ASK_S = 0.05  # a text of 50 keys; what takes less is over by then

Sent = dict[str, JsonValue]


class StopSign(Protocol):
    """Whoever knows what the user has said."""

    async def said(self) -> str | None:
        """Why nothing more may be sent, in words; None: go on."""
        ...

    async def heeds_corner(self) -> bool:
        """Whether the pointer in a corner of the screen means stop, too."""
        ...


class NoSign:
    """Nobody says anything."""

    async def said(self) -> str | None:
        """Go on."""
        return None

    async def heeds_corner(self) -> bool:
        """It means nothing."""
        return False


async def send_watched(desktop: Controller, sign: StopSign, send: Callable[[], Awaitable[Sent]]) -> Sent:
    """Send an action's events, broken off as soon as the sign says so.

    Raises:
        UserStopped: it did, before the last of them.
    """
    told: list[str] = []
    output: Sent = {}
    failure: Exception | None = None

    async def watch() -> None:
        while not told:
            await anyio.sleep(_ASK_S)
            if (why := await sign.said()) is not None:
                told.append(why)
                desktop.interrupt()

    async with anyio.create_task_group() as group:
        group.start_soon(watch)
        try:
            output = await send()
        except Exception as exc:  # noqa: BLE001 - raised below, as what it is and not in a group
            failure = exc
        group.cancel_scope.cancel()
    if failure is None:
        return output
    if not told:
        raise failure
    stopped = UserStopped(f"{told[0]}; {failure}")
    stopped.sent = sent_before(failure)
    raise stopped

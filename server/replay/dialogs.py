"""Targets in dialogs: one that has only just come up is let rest, and one that was answered must go."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import anyio
from anyio import to_thread

from ibtr.errors import ContradictedTransition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from actionlens.controller import Controller, Frame
    from ibtr.geometry import Box
    from server.replay.aiming import Aimed, Target
    from server.replay.manners import Manners

REST_S: Final = 0.6
"""Browsers ignore clicks on a dialog that has opened less than half a second ago: nobody can have read it."""


def just_came(earlier: Frame | None, targets: tuple[Target, ...], aimed: Aimed) -> bool:
    """Whether a target stands in a dialog that was not there on an earlier screen."""
    from ibtr.panel import still_there

    if earlier is None:
        return False
    now = aimed.frame.pixels
    return any(not still_there(now, earlier.pixels, place) for place in _places(targets, aimed))


async def expect_gone(
    eye: Controller, manners: Manners, targets: tuple[Target, ...], aimed: Aimed, *, index: int
) -> None:
    """Wait until the dialog of a target is gone, as it was when it was recorded.

    Raises:
        ContradictedTransition: it stays.
    """
    places, begun = list(_places(targets, aimed)), time.monotonic()
    while places:
        frame = await eye.capture()
        if not await to_thread.run_sync(_stays, aimed.frame, frame, places):
            return
        if time.monotonic() - begun > manners.answer_s:
            raise ContradictedTransition(
                f"after step {index + 1} the dialog that it answered is still there",
                kind="dialog",
                after_step=index + 1,
                box=[*places[0]],
            )
        await anyio.sleep(manners.waiting.poll_s)


def _stays(before: Frame, now: Frame, places: list[Box]) -> bool:
    """Whether the same dialog is in sight: the window that was in front, or what was drawn."""
    from ibtr.panel import still_there

    front = before.window
    if front is not None and front.dialog and all(window.id != front.id for window in now.windows):
        return False
    return all(still_there(before.pixels, now.pixels, place) for place in places)


def _places(targets: tuple[Target, ...], aimed: Aimed) -> Iterator[Box]:
    from ibtr.panel import place_of

    for target, aim in zip(targets, aimed.aims, strict=True):
        if target.crop.panel is not None:
            yield place_of(target.crop.panel, aim)

"""Before a click: is its target already as the click would leave it? A switch would be switched back.

Then the click is left out, and the replay goes on: what it was for is so already. Where the target is like
neither of its two looks nothing is concluded, and it is clicked as ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from anyio import to_thread
from pydantic import JsonValue

from server.replay.hint import upper_edge
from server.replay.unlit import rests_on

if TYPE_CHECKING:
    from actionlens.actions import Move
    from ibtr import Aim
    from ibtr.state import State
    from server.replay.aiming import Aimed, Target


def may_be_left(targets: tuple[Target, ...]) -> bool:
    """Whether it is known how the click would leave its target."""
    return len(targets) == 1 and targets[0].crop.done is not None


async def as_left(targets: tuple[Target, ...], aimed: Aimed) -> State | None:
    """How the one target of a click is, if it is already as the click would leave it."""
    state = await to_thread.run_sync(_state, targets[0], aimed.aims[0], aimed.frame.pixels)
    return state if state is not None and state.is_done else None


def off(aimed: Aimed) -> Move | None:
    """Where the pointer goes if it rests on the target: what lights up under it may look switched on."""
    return upper_edge(aimed.frame) if rests_on(aimed.frame, aimed.aims[0].box) else None


def told(state: State) -> dict[str, JsonValue]:
    """The note on a click that was left out."""
    numbers: dict[str, JsonValue] = {
        name: round(value, 1) for name, value in zip(state._fields, state, strict=True)
    }
    return {"binding": "skipped", "why": "it is already as this click would leave it", "levels": numbers}


def _state(target: Target, aim: Aim, pixels: object) -> State | None:
    from ibtr import Evidence
    from ibtr.state import state_of

    return state_of(target.crop, aim, pixels) if isinstance(target, Evidence) else None  # type: ignore[arg-type]

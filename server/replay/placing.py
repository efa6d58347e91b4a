"""Pure: an action at other places, and what is told of how they were found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import JsonValue

from actionlens.actions import ACTION, Action
from ibtr.geometry import Point

if TYPE_CHECKING:
    from server.replay.aiming import Aimed

_NAMES = (("x", "y"), ("to_x", "to_y"))


def placed(action: Action, points_xy: tuple[Point, ...]) -> Action:
    """The same action at other places."""
    moved = {
        name: round(value)
        for names, point in zip(_NAMES, points_xy, strict=False)
        for name, value in zip(names, point, strict=True)
    }
    return ACTION.validate_python(action.model_dump() | moved)


def report_of(aimed: Aimed) -> dict[str, JsonValue]:
    """The numbers of a re-aim, for the ledger."""
    first = aimed.aims[0]
    return {
        "at": [round(first.point.x), round(first.point.y)],
        "score": round(first.score, 4),
        "margin": round(first.margin, 4),
        "representation": ", ".join(dict.fromkeys(aim.representation for aim in aimed.aims)),
        "waited_s": round(aimed.waited_s, 3),
    }

"""What a victim does until it is killed: an endless list of actions, and the events that each must cause."""

import random
from collections.abc import Iterator
from typing import Any

from actionlens.actions import Action, Click, Drag, Hotkey, Press, Type


def actions(seed: int) -> Iterator[Action]:
    dice = random.Random(seed)
    n = 0
    while True:
        n += 1
        x, y = 100 + dice.randrange(900), 100 + dice.randrange(500)
        yield Click(x=x, y=y)
        yield Type(text=f"step{n}of{seed}")
        yield Drag(x=x, y=y, to_x=x + 50, to_y=y + 50, duration_s=0.15, hold=("ctrl",))
        yield Hotkey(keys=("ctrl", "shift", "k"))
        yield Press(key="f5", presses=2)


def expected(action: Action) -> list[tuple[object, ...]]:
    """The presses of keys and buttons that an action consists of, in order."""
    match action:
        case Click():
            return [("press", action.button, action.x, action.y)]
        case Drag():
            return [*(("down", key) for key in action.hold), ("press", action.button, action.x, action.y)]
        case Type():
            return [("down", char) for char in action.text or ""]
        case Hotkey():
            return [("down", key) for key in action.keys]
        case Press():
            return [("down", action.key)] * action.presses
    raise AssertionError(action)


def seen(events: list[dict[str, Any]]) -> list[tuple[object, ...]]:
    """The same of what a probe window told."""
    names = {"control_l": "ctrl", "shift_l": "shift"}
    told: list[tuple[object, ...]] = []
    for one in events:
        if one["event"] == "down":
            key = str(one["key"]).lower()
            told.append(("down", names.get(key, key)))
        elif one["event"] == "press":
            told.append(("press", {1: "left", 2: "middle", 3: "right"}[one["button"]], *one["at"]))
    return told

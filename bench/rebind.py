"""Flexible-input rebinding (paper, 3.2): valid changes accepted, changes to anything fixed refused.

`python -m bench.rebind [--memories 50] [--seed 1] [--json]`. The memories are drawn from a seed: programs of
3 to 15 actions of every kind, one to four inputs of every kind of input, some at two places. Each memory gets
one valid change of all its inputs and one change of a fixed field, both by name and by place.
"""

import argparse
import json
import random
import sys
from collections.abc import Callable
from datetime import UTC, datetime

from bench.tables import keep, rows
from memory_store.models import FlexibleInput, InputKind, Keys, Memory, MemoryId, Place, Step, StepAction
from server.diagnostics.rebind import VALUES, Draw, accepted, refused

FIXED: tuple[Callable[[Draw], dict[str, object]], ...] = (
    lambda draw: {"action": "click", "x": draw.randrange(1920), "y": draw.randrange(1080)},
    lambda draw: {"action": "press", "key": draw.choice(["enter", "tab", "escape"])},
    lambda _: {"action": "hotkey", "keys": ["ctrl", "s"]},
    lambda draw: {"action": "scroll", "x": 100, "y": 100, "dy": draw.choice([-3, 5])},
    lambda draw: {"action": "wait", "seconds": draw.choice([0.5, 2.0])},
    lambda draw: {"action": "type", "text": f"fixed {draw.randrange(99)}"},
    lambda draw: {"action": "drag", "x": 1, "y": 2, "to_x": draw.randrange(99), "to_y": 4},
)


def memory(draw: Draw, number: int) -> Memory:
    """A program of fixed actions with the inputs' actions strewn into it."""
    program = [draw.choice(FIXED)(draw) for _ in range(draw.randrange(2, 8))]
    kinds = draw.sample(list(VALUES), k=draw.randrange(1, 5))
    typed: list[tuple[str, InputKind, str]] = []
    for index, kind in enumerate(kinds):
        value = VALUES[kind](draw)
        typed += [(f"input_{index}", kind, value)] * (1 if kind is InputKind.SECRET else draw.randrange(1, 3))
    for name, kind, value in typed:
        field = "text_ref" if kind is InputKind.SECRET else "text"
        action = "paste" if field == "text" and draw.random() < 0.5 else "type"
        program.insert(draw.randrange(len(program) + 1), {"action": action, field: value, "_input": name})
    inputs = tuple(_declared(name, kind, value, program) for name, kind, value in dict.fromkeys(typed))
    steps = [StepAction.model_validate({k: v for k, v in one.items() if k != "_input"}) for one in program]
    return Memory(
        id=MemoryId(f"m_{number:016x}"),
        tool_name=f"task_{number}",
        keys=Keys(task_intent=f"Task {number}"),
        steps=tuple(Step(action=action) for action in steps),
        inputs=inputs,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def _declared(name: str, kind: InputKind, value: str, program: list[dict[str, object]]) -> FlexibleInput:
    path = ("text_ref",) if kind is InputKind.SECRET else ("text",)
    at = [index for index, one in enumerate(program) if one.get("_input") == name]
    places = tuple(Place(action_index=index, parameter_path=path) for index in at)
    return FlexibleInput(
        name=name, kind=kind, places=places, default=None if kind is InputKind.SECRET else value
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    draw = random.Random(asked.seed)
    memories = [memory(draw, number) for number in range(asked.memories)]
    result = {
        "memories": len(memories),
        "valid_accepted": sum(accepted(one, draw) for one in memories),
        "fixed_refused": sum(refused(one, draw) for one in memories),
    }
    table = rows(
        {
            "new values for declared inputs accepted (goal: all)": result["valid_accepted"],
            "changes to anything else refused (goal: all)": result["fixed_refused"],
        }
    )
    print(json.dumps(result) if asked.json else table)
    keep("rebind", table, conditions=f"{len(memories)} memories drawn with seed {asked.seed}")
    return 0 if result["valid_accepted"] == result["fixed_refused"] == len(memories) else 1


if __name__ == "__main__":
    sys.exit(main())

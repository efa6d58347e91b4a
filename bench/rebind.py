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
from ibtr.errors import ParameterConflict
from memory_store.bindings import Bound, Modification, bind, bind_modifications
from memory_store.models import FlexibleInput, InputKind, Keys, Memory, MemoryId, Place, Step, StepAction

Draw = random.Random
VALUES: dict[InputKind, Callable[[Draw], str]] = {
    InputKind.TEXT: lambda draw: " ".join(
        draw.choices(("blue", "Ärger", "42", "naïve", "日本", "{x}", "a'b"), k=3)
    ),
    InputKind.NUMBER: lambda draw: (
        f"{draw.choice('+- ').strip()}{draw.randrange(10**6)}.{draw.randrange(100):02}"
    ),
    InputKind.URL: lambda draw: f"https://host{draw.randrange(99)}.example/p?q={draw.randrange(999)}",
    InputKind.FILENAME: lambda draw: f"report {draw.randrange(9999)}.{draw.choice(['odt', 'csv', 'tar.gz'])}",
    InputKind.EMAIL: lambda draw: f"user{draw.randrange(999)}@example.org",
    InputKind.DATE: lambda draw: (
        f"20{draw.randrange(10, 60)}-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}"
    ),
    InputKind.SEARCH_TERM: lambda draw: f"invoice {draw.randrange(9999)}",
    InputKind.SECRET: lambda draw: draw.choice(["env:TOKEN_{}", "keyring:app/user{}"]).format(
        draw.randrange(99)
    ),
}
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


def accepted(one: Memory, draw: Draw) -> bool:
    """Whether new values for all inputs arrive everywhere they must, and all else is as it was."""
    values = {declared.name: VALUES[declared.kind](draw) for declared in one.inputs}
    places = {place: values[declared.name] for declared in one.inputs for place in declared.places}
    changes = [
        Modification(action_index=place.action_index, parameter_path=place.parameter_path, value=value)
        for place, value in places.items()
    ]
    try:
        return all(
            _only(one, places, bound) for bound in (bind(one, values), bind_modifications(one, changes))
        )
    except ParameterConflict:
        return False


def refused(one: Memory, draw: Draw) -> bool:
    """Whether a change to something fixed is refused, alone and beside valid ones."""
    declared = {(place.action_index, place.parameter_path) for known in one.inputs for place in known.places}
    fields = [
        (index, (name,))
        for index, step in enumerate(one.steps)
        for name in step.action.plain()
        if (index, (name,)) not in declared
    ]
    index, path = draw.choice([*fields, (len(one.steps), ("text",))])
    wrong = Modification(action_index=index, parameter_path=path, value=draw.choice(["1", "enter", "env:X"]))
    valid = [
        Modification(
            action_index=place.action_index,
            parameter_path=place.parameter_path,
            value=VALUES[known.kind](draw),
        )
        for known in one.inputs
        for place in known.places[:1]
    ]
    by_name = {**{known.name: VALUES[known.kind](draw) for known in one.inputs}, "x": "1"}
    attempts: list[Callable[[], Bound]] = [
        lambda: bind_modifications(one, [wrong]),
        lambda: bind_modifications(one, [*valid, wrong]),
        lambda: bind(one, by_name),
    ]
    return all(map(_refuses, attempts))


def _declared(name: str, kind: InputKind, value: str, program: list[dict[str, object]]) -> FlexibleInput:
    path = ("text_ref",) if kind is InputKind.SECRET else ("text",)
    at = [index for index, one in enumerate(program) if one.get("_input") == name]
    places = tuple(Place(action_index=index, parameter_path=path) for index in at)
    return FlexibleInput(
        name=name, kind=kind, places=places, default=None if kind is InputKind.SECRET else value
    )


def _only(one: Memory, places: dict[Place, str], bound: Bound) -> bool:
    for index, (step, action) in enumerate(zip(one.steps, bound.actions, strict=True)):
        new = {
            place.parameter_path[0]: value for place, value in places.items() if place.action_index == index
        }
        wanted = {**step.action.plain(), **new}
        got = action.model_dump(mode="json", exclude_unset=True)
        if got != wanted:
            return False
    return True


def _refuses(attempt: Callable[[], Bound]) -> bool:
    try:
        attempt()
    except ParameterConflict:
        return True
    return False


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

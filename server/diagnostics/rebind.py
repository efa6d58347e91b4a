"""Flexible-input rebinding (paper, 3.2): declared inputs take new values, and nothing else can be changed.

Each memory gets new values for all its inputs, by name and by place, and a change to something fixed, alone
and beside valid ones. Offline: programs are bound, nothing is run.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from ibtr.errors import EchoPathError, ParameterConflict
from memory_store.bindings import Bound, Modification, bind, bind_modifications
from memory_store.models import FlexibleInput, InputKind, Memory, Place
from server.diagnostics.figures import Diagnosis, Figure, Goal, share
from server.diagnostics.library import HOW, Library, active
from server.errors import LibraryTooSmall

PAIRS: Final = 50
"""The paper's n, for each of the two conditions."""
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


def diagnose(library: Library, most: int = PAIRS) -> Diagnosis:
    """Bind every memory that has inputs, in turn, with values drawn from a seed.

    Raises:
        LibraryTooSmall: no memory declares an input.
    """
    flexible = [memory for memory in library.memories if memory.inputs]
    if not flexible:
        raise LibraryTooSmall(
            "no active memory has a declared input",
            f"name inputs when you consolidate (flexible_inputs of consolidate_run); or {HOW}",
        )
    draw = random.Random(1)
    turns = [flexible[at % len(flexible)] for at in range(max(most, len(flexible)))]
    valid = [(memory.tool_name, accepted(memory, draw)) for memory in turns]
    fixed = [(memory.tool_name, refused(memory, draw)) for memory in turns]
    kinds = sorted({known.kind.value for memory in flexible for known in memory.inputs})
    return Diagnosis(
        name="rebind",
        title="Flexible-input rebinding",
        conditions=(
            f"{len(flexible)} of {active(len(library.memories))} "
            f"{'declares' if len(flexible) == 1 else 'declare'} inputs ({', '.join(kinds)})",
            "valid: all inputs at once, by name and by place; all else must stay as recorded",
            "fixed: one field that is no input, alone and beside valid changes; and an unknown name",
        ),
        figures=(
            _figure("valid change accepted, and only it made", valid),
            _figure("change to something fixed refused", fixed),
        ),
        misses=tuple(
            f"{name}: {said}"
            for said, found in (("valid change not made", valid), ("fixed field changed", fixed))
            for name, right in found
            if not right
        ),
        left_out=dict(library.left_out),
    )


def _figure(what: str, found: list[tuple[str, bool]]) -> Figure:
    ours = share(right for _, right in found)
    return Figure(what=what, ours=ours, paper=100.0, goal=Goal(at_least=100), n=len(found))


def accepted(one: Memory, draw: Draw) -> bool:
    """Whether new values for all inputs arrive everywhere they must, and all else is as it was."""
    values = {declared.name: _value(declared, draw) for declared in one.inputs}
    places = {place: values[declared.name] for declared in one.inputs for place in declared.places}
    changes = [
        Modification(action_index=place.action_index, parameter_path=place.parameter_path, value=value)
        for place, value in places.items()
    ]
    try:
        return all(
            _only(one, places, bound) for bound in (bind(one, values), bind_modifications(one, changes))
        )
    except EchoPathError:
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
            value=_value(known, draw),
        )
        for known in one.inputs
        for place in known.places[:1]
    ]
    by_name = {**{known.name: _value(known, draw) for known in one.inputs}, "x": "1"}
    attempts: list[Callable[[], Bound]] = [
        lambda: bind_modifications(one, [wrong]),
        lambda: bind_modifications(one, [*valid, wrong]),
        lambda: bind(one, by_name),
    ]
    return all(map(_refuses, attempts))


def _value(declared: FlexibleInput, draw: Draw) -> str:
    """Another value; a number is written as the recorded one is."""
    value = VALUES[declared.kind](draw)
    return value.replace(".", declared.form.decimal) if declared.form else value


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
    except EchoPathError:
        return False
    return False

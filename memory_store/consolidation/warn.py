"""Pure: what somebody should know about a selection that is valid all the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from memory_store.consolidation.inputs import looks_secret, typed
from memory_store.consolidation.propose import select
from memory_store.consolidation.selection import Selection
from memory_store.consolidation.trace import Trace, TracedStep
from memory_store.dependence import appeared_with


def warnings_about(selection: Selection, trace: Trace, steps: Sequence[TracedStep]) -> list[str]:
    """Dropped dependencies, secrets in the open, inputs inside fixed texts, holes in the evidence."""
    return [
        *_dependencies(selection, trace),
        *_secrets(steps),
        *_results(selection, steps),
        *_fixed_texts(selection, steps),
        *(f"the run is not whole: {problem}" for problem in trace.missing),
    ]


def _dependencies(selection: Selection, trace: Trace) -> Iterator[str]:
    agreed = select(trace).dropped
    last = max(selection.selected_step_ids, default=0)
    for step in trace.steps:
        if step.id in selection.selected_step_ids or step.id > last or not step.changed:
            continue
        if not step.ok:
            yield f"step {step.id} failed, but the screen changed: later steps may depend on it"
        elif step.id not in agreed:
            yield f"step {step.id} was dropped, but the screen changed with it: later steps may depend on it"


def _secrets(steps: Sequence[TracedStep]) -> Iterator[str]:
    for at, step in enumerate(steps):
        if looks_secret(steps, at):
            yield f"step {step.id} holds a literal where a secret belongs: re-record it with text_ref"


def _results(selection: Selection, steps: Sequence[TracedStep]) -> Iterator[str]:
    """A target that appeared as an input was typed, or with Enter right after, may look different."""
    names = {choice.action_index: choice.name for choice in selection.flexible_inputs}
    for name, index in appeared_with(names, steps):
        yield f"step {steps[index].id}: its target appeared with the value of {name}: it may differ"


def _fixed_texts(selection: Selection, steps: Sequence[TracedStep]) -> Iterator[str]:
    """A fixed text that holds an input's value will go on holding the old one."""
    declared = {choice.action_index: choice.name for choice in selection.flexible_inputs}
    values = {
        name: source[1].strip().casefold()
        for at, name in declared.items()
        if (source := typed(steps[at])) and source[0] == "text" and len(source[1].strip()) > 2
    }
    texts = [
        (f"step {step.id} (a fixed text)", source[1])
        for at, step in enumerate(steps)
        if at not in declared and (source := typed(step))
    ]
    for field in ("preconditions", "expected_effects", "evaluator"):
        plain = selection.model_dump(mode="json", include={field})[field]
        texts += [(where, text) for where, text in _strings(plain, field)]
    for where, text in texts:
        for name, value in values.items():
            if value in text.casefold():
                literal = where.endswith((".title_contains", ".application"))
                helps = "leave it out, this is not filled" if literal else f"write {{{name}}} where possible"
                yield f"{where} holds the value of {name}, which stays: {helps}"


def _strings(value: JsonValue, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from _strings(item, f"{where}.{at}")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _strings(item, f"{where}.{key}")

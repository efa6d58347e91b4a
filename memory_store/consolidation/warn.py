"""Pure: what somebody should know about a selection that is valid all the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memory_store.consolidation.inputs import looks_secret, typed
from memory_store.consolidation.propose import select
from memory_store.consolidation.selection import Selection
from memory_store.consolidation.trace import Trace, TracedStep


def warnings_about(selection: Selection, trace: Trace, steps: Sequence[TracedStep]) -> list[str]:
    """Dropped dependencies, secrets in the open, inputs inside fixed texts, holes in the evidence."""
    return [
        *_dependencies(selection, trace),
        *_secrets(steps),
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


def _fixed_texts(selection: Selection, steps: Sequence[TracedStep]) -> Iterator[str]:
    """A fixed text that holds an input's value will go on holding the old one."""
    declared = {choice.action_index: choice.name for choice in selection.flexible_inputs}
    values = {
        name: source[1]
        for at, name in declared.items()
        if (source := typed(steps[at])) and source[0] == "text"
    }
    for at, step in enumerate(steps):
        source = typed(step)
        if source is None or at in declared:
            continue
        for name, value in values.items():
            if len(value) > 2 and value.casefold() in source[1].casefold():
                yield f"step {step.id} types a fixed text with the value of {name} in it: it stays"

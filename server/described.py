"""Pure: a memory in the words that a host's model reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from actionlens.wording import clip, parameter_words
from memory_store.models import (
    Condition,
    FileCondition,
    FlexibleInput,
    LaunchCondition,
    Memory,
    NoteCondition,
    RegionCondition,
    Step,
    StepRole,
    WindowCondition,
)

if TYPE_CHECKING:
    from memory_store.ledger import Replay

_MOST_STEPS = 60
_MOST_TEXT = 80


def memory_lines(memory: Memory) -> Iterator[str]:
    """What it does, what may vary, step by step, what it needs and what proves it."""
    yield f"{memory.tool_name} ({memory.lifecycle.value}, {memory.id})"
    where = f" In {', '.join(memory.applications)}." if memory.applications else ""
    yield f"{memory.keys.task_intent.rstrip('.')}.{where}"
    if memory.inputs:
        yield "Inputs:"
        yield from (f"- {input_line(one)}" for one in memory.inputs)
    yield f"Steps ({len(memory.steps)}):"
    yield from (f"{n}. {line}" for n, line in enumerate(step_lines(memory), 1) if n <= _MOST_STEPS)
    if len(memory.steps) > _MOST_STEPS:
        yield f"... {len(memory.steps) - _MOST_STEPS} more: echopath://memories/{memory.id}"
    yield from (f"Needs: {condition_line(one)}" for one in memory.preconditions)
    yield from (f"Leads to: {condition_line(one)}" for one in memory.expected_effects)
    verdict = memory.validation.verdict
    yield (
        f"Checked by: {verdict.evaluator}, {verdict.after.outcome.value}"
        if verdict
        else "Checked by: nothing yet"
    )
    yield from (f"Warning: {clip(one, 200)}" for one in memory.reasoning.warnings[:10])


def step_lines(memory: Memory) -> Iterator[str]:
    """Each step in a few words, inputs by their names."""
    names = {place.action_index: one.name for one in memory.inputs for place in one.places}
    return (step_line(step, names.get(index)) for index, step in enumerate(memory.steps))


def step_line(step: Step, input_name: str | None = None) -> str:
    """One step: what is done, to what, and whether it may be skipped."""
    given = dict(step.action.parameters)
    words = [step.action.action]
    if input_name:
        given = {name: value for name, value in given.items() if name not in {"text", "text_ref"}}
        words.append(f"{{{input_name}}}")
    words += filter(None, [parameter_words(given, _MOST_TEXT, with_places=False)])
    if step.target:
        words.append(f'on "{clip(step.target, _MOST_TEXT)}"')
    if step.role is not StepRole.REQUIRED:
        words.append(f"({step.role.value}: skipped when already done)")
    return " ".join(words)


def input_line(one: FlexibleInput) -> str:
    """An input with its kind, its recorded value and its meaning."""
    recorded = (
        f", recorded {clip(one.default, _MOST_TEXT)!r}" if one.default is not None else ", must be given"
    )
    return f"{one.name} ({one.kind.value}{recorded}){': ' + one.description if one.description else ''}"


def condition_line(condition: Condition) -> str:
    """A condition as words."""
    match condition:
        case WindowCondition():
            what = condition.application or condition.title_contains or "any"
            front = ", in front" if condition.active else ""
            return f"{'a' if condition.present else 'no'} window of {what}{front}"
        case RegionCondition():
            return f"visible: {condition.description or 'a remembered place'}"
        case FileCondition():
            return f"file {condition.path} {'exists' if condition.exists else 'does not exist'}"
        case LaunchCondition():
            return f"started if absent: {' '.join(condition.argv)}"
        case NoteCondition():
            return condition.text


def replay_line(replays: Sequence[Replay]) -> str:
    """How its latest replays went."""
    if not replays:
        return "Replays: none yet"
    good = sum(one.ending.value in {"verified", "done_unverified"} for one in replays)
    last = replays[0]
    why = f" ({last.cause})" if last.cause else ""
    return f"Replays: {good} of the last {len(replays)} went well, the latest {last.ending.value}{why}"

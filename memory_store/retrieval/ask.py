"""The request side of a lookup: the set of intent texts I(τ′) of the paper (B.2)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

DESKTOP = "desktop"
SUPPORTED_ACTIONS = frozenset(
    {"observe", "click", "move", "type", "paste", "press", "hotkey", "scroll", "wait", "drag"}
)
_TASK_FIELDS = frozenset(
    {"task", "desktop_task", "subtask", "subtasks", "tasks", "payload", "context", "input"}
)
_TEXT_FIELDS = frozenset(
    {"goal", "summary", "instruction", "instructions", "intent", "task_intent", "request", "query", "prompt"}
    | {"objective", "user_goal", "task_goal", "task_summary", "description"}
)
_DEPTH = 6


@dataclass(frozen=True, slots=True)
class Ask:
    """What is wanted now: a goal, the caller's phrases, and the task fields it came in."""

    goal: str
    phrases: tuple[str, ...] = ()
    application: str | None = None
    task_type: str = DESKTOP
    supported_actions: frozenset[str] = SUPPORTED_ACTIONS
    task: Mapping[str, object] = field(default_factory=dict[str, object])


def intent_queries(ask: Ask) -> tuple[str, ...]:
    """I(τ′): goal, caller's phrases, then nested goal, summary and instruction fields; each once."""
    texts = [ask.goal, *ask.phrases, *_instructions(ask.task, _DEPTH)]
    kept: dict[str, str] = {}
    for text in texts:
        plain = " ".join(text.split())
        if plain:
            kept.setdefault(plain.casefold(), plain)
    return tuple(kept.values())


def _instructions(task: Mapping[str, object], depth: int) -> Iterator[str]:
    """The instruction-like texts of a task payload, outermost first."""
    for name, value in task.items():
        if isinstance(value, str):
            if name.casefold() in _TEXT_FIELDS:
                yield value
        elif depth and name.casefold() in _TASK_FIELDS | _TEXT_FIELDS:
            yield from _nested(value, depth - 1)


def _nested(value: object, depth: int) -> Iterator[str]:
    """The texts inside a mapping or a list of texts and mappings."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        fields = cast("Mapping[object, object]", value)
        yield from _instructions({str(name): inner for name, inner in fields.items()}, depth)
    elif isinstance(value, Sequence) and depth:
        for inner in cast("Sequence[object]", value):
            yield from _nested(inner, depth - 1)

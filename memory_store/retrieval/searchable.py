"""What retrieval needs to know of one memory, and nothing else of it."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class FlexibleValue:
    """One declared input with the value it had when it was recorded."""

    name: str
    kind: str = "text"
    value: str = ""


@dataclass(frozen=True, slots=True)
class GateFacts:
    """The facts the gates judge; `unseen_steps` are pointer steps without visual evidence."""

    lifecycle: str = "active"
    task_type: str = "desktop"
    validation_passed: bool = True
    reasoning_viable: bool = True
    action_kinds: frozenset[str] = frozenset()
    unseen_steps: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Searchable:
    """A memory as retrieval sees it: its words, its values and its gate facts."""

    memory_id: str
    task_intent: str
    query_phrases: tuple[str, ...] = ()
    applications: tuple[str, ...] = ()
    reasoning: str = ""
    preconditions: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    fixed_values: tuple[str, ...] = ()
    flexible_inputs: tuple[FlexibleValue, ...] = ()
    facts: GateFacts = field(default_factory=GateFacts)

    @property
    def keys(self) -> tuple[str, ...]:
        """The texts a request is compared with one by one: the intent and every phrase."""
        return (self.task_intent, *self.query_phrases)

    @property
    def background(self) -> tuple[str, ...]:
        """The texts that only explain: reasoning, preconditions and effects."""
        return tuple(text for text in (self.reasoning, *self.preconditions, *self.effects) if text)

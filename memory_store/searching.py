"""Memories as retrieval sees them, and the index that follows their rows in the same transaction."""

from collections.abc import Iterable, Iterator
from typing import Final

from actionlens.actions import POINTER_ACTIONS
from memory_store.database import Database
from memory_store.index import Index, is_current, put, rebuild, remove
from memory_store.models import Condition, Lifecycle, Memory, Step, TargetEnd
from memory_store.retrieval.ask import Ask
from memory_store.retrieval.candidates import Found
from memory_store.retrieval.find import find
from memory_store.retrieval.proof import index_problems
from memory_store.retrieval.searchable import FlexibleValue, GateFacts, Searchable

_TYPED: Final = frozenset({"type", "paste"})


def searchable_of(memory: Memory) -> Searchable:
    """What retrieval needs to know of a memory, and nothing else of it."""
    taken = {place.action_index for each in memory.inputs for place in each.places}
    return Searchable(
        memory_id=memory.id,
        task_intent=memory.keys.task_intent,
        query_phrases=memory.keys.query_phrases,
        applications=memory.applications,
        reasoning=memory.reasoning.summary,
        preconditions=tuple(filter(None, map(_words, memory.preconditions))),
        effects=tuple(filter(None, map(_words, memory.expected_effects))),
        fixed_values=tuple(
            value for index, step in enumerate(memory.steps) if index not in taken for value in _typed(step)
        ),
        flexible_inputs=tuple(
            FlexibleValue(each.name, each.kind.value, each.default or "") for each in memory.inputs
        ),
        facts=gate_facts(memory),
    )


def gate_facts(memory: Memory) -> GateFacts:
    """What the gates judge (paper, B.2)."""
    verdict = memory.validation.verdict
    return GateFacts(
        lifecycle=memory.lifecycle.value,
        validation_passed=verdict is not None and verdict.passed,
        reasoning_viable=memory.reasoning.viable,
        action_kinds=frozenset(step.action.action for step in memory.steps),
        unseen_steps=tuple(index for index, step in enumerate(memory.steps) if not _seen(step)),
    )


class SearchIndex:
    """The active memories, findable; follows every change inside the caller's transaction."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._index = Index(db.connection)

    def follow(self, memory: Memory) -> None:
        """Bring the index in step with a memory's row."""
        if memory.lifecycle is Lifecycle.ACTIVE:
            put(self._db.connection, searchable_of(memory))
        else:
            remove(self._db.connection, memory.id)

    def is_current(self) -> bool:
        """Whether this version wrote the index."""
        return is_current(self._db.connection)

    def rebuild(self, active: Iterable[Memory]) -> None:
        """Make the index anew."""
        rebuild(self._db.connection, map(searchable_of, active))

    def find(self, ask: Ask) -> Found:
        """Ranked candidates with the reasons for and against each."""
        return find(ask, self._index)

    def problems(self, active: Iterable[Memory]) -> Iterator[tuple[str, str]]:
        """Where the index differs from the memories."""
        yield from index_problems(self._db.connection, map(searchable_of, active))


def _seen(step: Step) -> bool:
    """Whether every end at which a step aims has visual evidence."""
    if step.action.action not in POINTER_ACTIONS:
        return True
    ends = {anchor.at for anchor in step.evidence.anchors if anchor.kind == "crop"}
    return ends >= ({*TargetEnd} if step.action.action == "drag" else {TargetEnd.START})


def _typed(step: Step) -> Iterator[str]:
    value = step.action.parameters.get("text")
    if step.action.action in _TYPED and isinstance(value, str):
        yield value


def _words(condition: Condition) -> str:
    match condition.kind:
        case "window":
            return f"{condition.application} {condition.title_contains}".strip()
        case "region":
            return condition.description
        case "file":
            return condition.path
        case "launch":
            return f"{condition.argv[0]} {condition.window.application}".strip()
        case "note":
            return condition.text

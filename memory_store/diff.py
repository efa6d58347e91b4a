"""Pure: what two memories share and where they differ, for a person and as JSON (paper, B.2)."""

from collections.abc import Iterator

from pydantic import JsonValue

from memory_store.canonical import digest, document
from memory_store.graph import Node, nodes_of, shared_prefix
from memory_store.models import JsonObject, Memory, MemoryId, Record, Step


class StepLine(Record):
    """One step, short enough for a line."""

    position: int
    signature: str
    action: str
    parameters: JsonObject
    component: str
    role: str


class FieldChange(Record):
    """One field that differs: what the first has, and what the second has."""

    field: str
    first: JsonValue
    second: JsonValue


class MemoryDiff(Record):
    """Shared prefix, divergent branches, and what else changed."""

    first: MemoryId
    second: MemoryId
    shared_prefix: tuple[StepLine, ...]
    shared_suffix: int
    first_branch: tuple[StepLine, ...]
    second_branch: tuple[StepLine, ...]
    inputs: tuple[FieldChange, ...]
    evidence: tuple[FieldChange, ...]
    other: tuple[FieldChange, ...]

    @property
    def same(self) -> bool:
        """Whether the two do the same in every respect that matters for a replay."""
        return not (self.first_branch or self.second_branch or self.inputs or self.evidence or self.other)


def diff_memories(first: Memory, second: Memory) -> MemoryDiff:
    """Compare two memories; deterministic, and the mirror image when the two are swapped."""
    left, right = nodes_of(first), nodes_of(second)
    prefix = shared_prefix([node.signature for node in left], [node.signature for node in right])
    tail_left, tail_right = left[prefix:], right[prefix:]
    suffix = shared_prefix(
        [node.signature for node in reversed(tail_left)], [node.signature for node in reversed(tail_right)]
    )
    shared = _shared(first, second, prefix, suffix)
    return MemoryDiff(
        first=first.id,
        second=second.id,
        shared_prefix=_lines(first, left, 0, prefix),
        shared_suffix=suffix,
        first_branch=_lines(first, left, prefix, len(left) - suffix),
        second_branch=_lines(second, right, prefix, len(right) - suffix),
        inputs=tuple(_input_changes(first, second)),
        evidence=tuple(_evidence_changes(first, second, shared)),
        other=(*_step_changes(first, second, shared), *_other_changes(first, second)),
    )


def _lines(memory: Memory, nodes: tuple[Node, ...], start: int, stop: int) -> tuple[StepLine, ...]:
    return tuple(
        StepLine(
            position=index,
            signature=nodes[index].signature,
            action=nodes[index].action,
            parameters=nodes[index].parameters,
            component=nodes[index].component,
            role=memory.steps[index].role,
        )
        for index in range(start, stop)
    )


def _input_changes(first: Memory, second: Memory) -> Iterator[FieldChange]:
    left = {declared.name: document(declared) for declared in first.inputs}
    right = {declared.name: document(declared) for declared in second.inputs}
    for name in sorted({*left, *right}):
        if left.get(name) != right.get(name):
            yield FieldChange(field=name, first=left.get(name), second=right.get(name))


def _shared(first: Memory, second: Memory, prefix: int, suffix: int) -> list[tuple[int, int]]:
    """Positions of the steps that both have, in the first and in the second."""
    count, shift = len(first.steps), len(second.steps) - len(first.steps)
    return [*((i, i) for i in range(prefix)), *((i, i + shift) for i in range(count - suffix, count))]


def _evidence_changes(first: Memory, second: Memory, shared: list[tuple[int, int]]) -> Iterator[FieldChange]:
    for left, right in shared:
        old, new = _crops(first.steps[left]), _crops(second.steps[right])
        if old != new:
            yield FieldChange(field=f"steps.{left}.evidence", first=old, second=new)


def _step_changes(first: Memory, second: Memory, shared: list[tuple[int, int]]) -> Iterator[FieldChange]:
    told = {"action", "evidence", "source"}
    for left, right in shared:
        old, new = document(first.steps[left], leave_out=told), document(second.steps[right], leave_out=told)
        yield from _leaves(f"steps.{left}", old, new)


def _crops(step: Step) -> JsonValue:
    return [
        {
            "kind": anchor.kind,
            "at": anchor.at.value,
            "numbers": digest(anchor.data)[:12],
            "blobs": {name: ref.sha256 for name, ref in sorted(anchor.blobs.items())},
        }
        for anchor in step.evidence.anchors
    ]


def _other_changes(first: Memory, second: Memory) -> Iterator[FieldChange]:
    skipped = {"id", "tool_name", "steps", "inputs", "lineage", "created_at", "lifecycle", "schema_version"}
    left, right = document(first, leave_out=skipped), document(second, leave_out=skipped)
    for name in left:
        yield from _leaves(name, left[name], right[name])


def _leaves(path: str, first: JsonValue, second: JsonValue) -> Iterator[FieldChange]:
    """The smallest parts that differ; lists are told whole."""
    if isinstance(first, dict) and isinstance(second, dict):
        for name in sorted({*first, *second}):
            yield from _leaves(f"{path}.{name}", first.get(name), second.get(name))
    elif first != second:
        yield FieldChange(field=path, first=first, second=second)

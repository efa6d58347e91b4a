"""Pure: identity of action nodes, the graph that programs share, and where two programs part (paper, B.2).

A node's signature covers the action's type, its normalised parameters and its component. Coordinates are
evidence, not identity, and the text of a flexible input is not part of a program: two runs of one procedure
share their nodes.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, NewType

from pydantic import JsonValue

from memory_store.canonical import digest
from memory_store.models import FlexibleInput, Memory, Step, StepEvidence

Signature = NewType("Signature", str)

_COORDINATES: Final = frozenset({"x", "y", "to_x", "to_y", "duration_s"})
_FILLERS: Final = frozenset(
    {"the", "a", "an", "button", "field", "icon", "menu", "item", "on", "in", "of", "to"}
)
_WORD: Final = re.compile(r"\w+")


class Node(NamedTuple):
    """One action as the graph sees it."""

    signature: Signature
    action: str
    parameters: dict[str, JsonValue]
    component: str


class Link(NamedTuple):
    """A step from one node to the next; no parent at the start of a program."""

    parent: Signature | None
    child: Signature


@dataclass(frozen=True, slots=True)
class SharedPath:
    """Where a shorter program lies inside a longer one."""

    start: int
    length: int


def nodes_of(memory: Memory) -> tuple[Node, ...]:
    """The program as nodes, in order."""
    return tuple(_node(index, step, memory) for index, step in enumerate(memory.steps))


def signatures_of(memory: Memory) -> tuple[Signature, ...]:
    """Just the identities, in order."""
    return tuple(node.signature for node in nodes_of(memory))


def component_of(step: Step) -> str:
    """What the step acts on: the words for it in its application, else the pixels that were kept of it."""
    application = step.evidence.before.application.casefold()
    words = [word for word in _WORD.findall(step.target.casefold()) if word not in _FILLERS]
    if words:
        return f"words:{application}:{' '.join(words)}"
    if pixels := _pixels(step.evidence):
        return f"pixels:{application}:{digest(pixels)[:16]}"
    return f"none:{application}"


def shared_prefix(first: Sequence[Signature], second: Sequence[Signature]) -> int:
    """How many steps two programs begin with in common."""
    for length, (left, right) in enumerate(zip(first, second, strict=False)):
        if left != right:
            return length
    return min(len(first), len(second))


def find_within(part: Sequence[Signature], whole: Sequence[Signature]) -> SharedPath | None:
    """Where `part` lies in `whole` without a gap; the first place if there are several."""
    for start in range(len(whole) - len(part) + 1):
        if tuple(whole[start : start + len(part)]) == tuple(part):
            return SharedPath(start, len(part))
    return None


def links_of(signatures: Sequence[Signature]) -> tuple[Link, ...]:
    """The child links along one program."""
    return tuple(Link(signatures[i - 1] if i else None, child) for i, child in enumerate(signatures))


def _node(index: int, step: Step, memory: Memory) -> Node:
    parameters = _normal_parameters(step, _inputs_at(index, memory.inputs))
    component = component_of(step)
    signature = digest([step.action.action, parameters, component])
    return Node(Signature(signature), step.action.action, parameters, component)


def _inputs_at(index: int, inputs: Iterable[FlexibleInput]) -> dict[str, str]:
    return {
        place.parameter_path[0]: declared.kind.value
        for declared in inputs
        for place in declared.places
        if place.action_index == index
    }


def _normal_parameters(step: Step, flexible: dict[str, str]) -> dict[str, JsonValue]:
    return {
        name: f"{{{flexible[name]}}}" if name in flexible else value
        for name, value in step.action.parameters.items()
        if name not in _COORDINATES and value is not None
    }


def _pixels(evidence: StepEvidence) -> list[JsonValue]:
    return [*sorted({ref.sha256 for anchor in evidence.anchors for ref in anchor.blobs.values()})]

"""The visual evidence of a memory's pointer steps, decoded from the store once a replay."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from ibtr.errors import BadEvidence, UnsupportedAction
from memory_store.models import Anchor, BlobId, Memory, TargetEnd

if TYPE_CHECKING:
    from ibtr import Evidence
    from server.replay.aiming import Target

Targets = Mapping[int, "tuple[Target, ...]"]


def load_targets(memory: Memory, blob: Callable[[BlobId], bytes]) -> dict[int, tuple[Target, ...]]:
    """Targets by step index, in the order in which the pointer goes there (a drag has two ends).

    Raises:
        UnsupportedAction: a pointer step has none that this version can use.
        EvidenceCorrupt: a crop is missing or altered.
    """
    found: dict[int, tuple[Target, ...]] = {}
    for index, step in enumerate(memory.steps):
        ends = (TargetEnd.START, TargetEnd.END)[: len(step.action.typed().points())]
        if ends:
            found[index] = tuple(_target(memory, index, end, blob) for end in ends)
    return found


def evidence_of(anchors: Iterable[Anchor], blob: Callable[[BlobId], bytes]) -> Evidence:
    """Anchors with their pixels."""
    from memory_store.crops import load_evidence

    return load_evidence(anchors, blob)


def _target(memory: Memory, index: int, end: TargetEnd, blob: Callable[[BlobId], bytes]) -> Target:
    from memory_store.crops import load_evidence
    from memory_store.echo import read_echo
    from server.replay.echoing import Echoed

    anchors = memory.steps[index].evidence.anchors
    try:
        evidence, echo = load_evidence(anchors, blob, at=end), read_echo(anchors)
    except BadEvidence as exc:
        raise UnsupportedAction(
            f"step {index + 1}: nothing that finds its target again: {exc}", step=index + 1
        ) from exc
    return evidence if echo is None else Echoed(evidence, echo)

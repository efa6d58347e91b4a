"""The visual evidence of a memory's pointer steps, decoded from the store once a replay."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ibtr.errors import EchoPathError, UnsupportedAction
from memory_store.models import Anchor, BlobId, Memory, TargetEnd

if TYPE_CHECKING:
    from ibtr import Evidence

Targets = dict[int, "tuple[Evidence, ...]"]


def load_targets(memory: Memory, blob: Callable[[BlobId], bytes]) -> Targets:
    """Evidence by step index, in the order in which the pointer goes there (a drag has two ends).

    Raises:
        UnsupportedAction: a pointer step has none that this version can use.
        EvidenceCorrupt: a crop is missing or altered.
    """
    found: Targets = {}
    for index, step in enumerate(memory.steps):
        ends = (TargetEnd.START, TargetEnd.END)[: len(step.action.typed().points())]
        if ends:
            found[index] = tuple(_evidence(memory, index, end, blob) for end in ends)
    return found


def evidence_of(anchor: Anchor, blob: Callable[[BlobId], bytes]) -> Evidence:
    """One anchor with its pixels."""
    from ibtr import Evidence
    from memory_store.images import decode_png

    pictures = {name: decode_png(blob(ref.sha256)) for name, ref in anchor.blobs.items()}
    return Evidence.from_parts(anchor.data, pictures)


def _evidence(memory: Memory, index: int, end: TargetEnd, blob: Callable[[BlobId], bytes]) -> Evidence:
    for anchor in memory.steps[index].evidence.anchors:
        if anchor.kind == "crop" and anchor.at is end:
            try:
                return evidence_of(anchor, blob)
            except EchoPathError as exc:
                raise UnsupportedAction(
                    f"step {index + 1}: its evidence cannot be used: {exc}", step=index + 1
                ) from exc
    raise UnsupportedAction(f"step {index + 1} aims at something, but nothing is kept of it", step=index + 1)

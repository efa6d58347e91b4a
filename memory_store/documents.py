"""The versioned JSON form of a memory: written in the newest version, read in every one there has been."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final, cast

from pydantic import ValidationError

from actionlens.problems import in_words
from memory_store.canonical import canonical, document
from memory_store.errors import InvalidMemory
from memory_store.models import SCHEMA_VERSION, BlobRef, JsonObject, Lifecycle, Memory
from memory_store.models.evidence import refs_in

_UNSAYABLE: Final = "holds what JSON in UTF-8 cannot say, or is nested too deeply"
KEPT_IN_COLUMNS: Final = {"lifecycle", "tool_name"}

UPGRADES: Final[Mapping[int, Callable[[JsonObject], JsonObject]]] = {}
"""How to lift a document of a version to the next one. Version 1 is the first."""


def write_document(memory: Memory) -> str:
    """The content as canonical JSON; name and lifecycle are columns of their own.

    Raises:
        InvalidMemory: an open part holds a number or a text that JSON in UTF-8 cannot say.
    """
    try:
        stored = canonical(document(memory, leave_out=KEPT_IN_COLUMNS))
        stored.encode()
    except (ValueError, RecursionError) as exc:
        raise InvalidMemory("document", _UNSAYABLE) from exc
    return stored


def read_document(stored: str, *, tool_name: str, lifecycle: str) -> Memory:
    """The memory from its stored content and columns.

    Raises:
        InvalidMemory: naming the field.
    """
    plain = _upgraded(_plain(stored))
    return checked_memory({**plain, "tool_name": tool_name, "lifecycle": lifecycle})


def read_export(exported: bytes) -> Memory:
    """A memory from a bundle: one document with everything in it; it is a candidate whatever it says.

    Raises:
        InvalidMemory: naming the field.
    """
    try:
        plain = _upgraded(_plain(exported.decode()))
    except UnicodeDecodeError as exc:
        raise InvalidMemory("document", "is not UTF-8") from exc
    return checked_memory({**plain, "lifecycle": Lifecycle.CANDIDATE.value})


def checked_memory(plain: JsonObject) -> Memory:
    """A memory from plain JSON values, with the first problem named by its field."""
    try:
        return Memory.model_validate_json(canonical(plain).encode())
    except ValidationError as exc:
        first = exc.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "memory"
        raise InvalidMemory(field, in_words(first)) from exc
    except (ValueError, RecursionError) as exc:
        raise InvalidMemory("document", _UNSAYABLE) from exc


def blob_refs(memory: Memory) -> dict[BlobRef, bool]:
    """Every blob that a memory refers to; True for one that only the audit needs."""
    refs: dict[BlobRef, bool] = {}
    conditions = (*memory.preconditions, *memory.expected_effects)
    anchors = [
        anchor for condition in conditions if condition.kind == "region" for anchor in condition.anchors
    ]
    for step in memory.steps:
        anchors.extend(step.evidence.anchors)
        for frame in step.evidence.frames.values():
            refs.setdefault(frame, True)
    for anchor in anchors:
        for ref in anchor.blobs.values():
            refs[ref] = False
    if memory.validation.evaluator is not None:
        refs.update(dict.fromkeys(refs_in(memory.validation.evaluator.plain()), False))
    return refs


def now() -> datetime:
    """The clock, for the shells that own one."""
    return datetime.now(UTC)


def _plain(stored: str) -> JsonObject:
    try:
        loaded = json.loads(stored)
    except (ValueError, RecursionError) as exc:
        raise InvalidMemory("document", "is not JSON") from exc
    if not isinstance(loaded, dict):
        raise InvalidMemory("document", "is not a JSON object")
    return cast("JsonObject", loaded)


def _upgraded(plain: JsonObject) -> JsonObject:
    version = plain.get("schema_version")
    while version != SCHEMA_VERSION:
        if not isinstance(version, int) or version not in UPGRADES:
            raise InvalidMemory("schema_version", f"{version!r} is not known here (newest: {SCHEMA_VERSION})")
        plain = UPGRADES[version](plain)
        version = plain.get("schema_version")
    return plain

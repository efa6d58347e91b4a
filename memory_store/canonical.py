"""One JSON text for one value, so that equal content has equal hashes."""

import hashlib
import json
from datetime import UTC, datetime

from pydantic import BaseModel, JsonValue


def canonical(value: JsonValue) -> str:
    """Sorted keys, no spaces, no escapes that JSON does not need."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(value: JsonValue) -> str:
    """SHA-256 of the canonical text, in hex."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def stamp(at: datetime) -> str:
    """A moment in UTC, in a form that sorts as text."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def document(model: BaseModel, *, leave_out: set[str] | None = None) -> dict[str, JsonValue]:
    """A model as plain JSON values."""
    return model.model_dump(mode="json", exclude=leave_out)

"""What was learned; knows SQL and blobs, not MCP. The names below load on first use."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory_store.ledger import Replay
    from memory_store.models import Lifecycle, Memory, MemoryId, Verdict
    from memory_store.quarantine import Ending
    from memory_store.repository import Repository, StoreRules
    from memory_store.retrieval.ask import Ask

_HOMES = {
    "Ask": "retrieval.ask",
    "Ending": "quarantine",
    "Lifecycle": "models",
    "Memory": "models",
    "MemoryId": "models",
    "Replay": "ledger",
    "Repository": "repository",
    "StoreRules": "repository",
    "Verdict": "models",
}

__all__ = [
    "Ask",
    "Ending",
    "Lifecycle",
    "Memory",
    "MemoryId",
    "Replay",
    "Repository",
    "StoreRules",
    "Verdict",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"memory_store.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'memory_store' has no attribute {name!r}")

"""Checks on the artifact that the work was for: declared as data, filled with a run's own inputs, run by us.

Imported late: `from memory_store.evaluators import evaluate` costs nothing until the name is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory_store.evaluators.outcome import CouldNotRun
    from memory_store.evaluators.region import look_on
    from memory_store.evaluators.registry import (
        EVALUATOR,
        Evaluator,
        attestation,
        describe,
        evaluate,
        placeholders,
        problems_of,
        read_stored,
        to_stored,
        verdict,
    )
    from memory_store.evaluators.scene import Allowed, Answer, Limits, Scene
    from memory_store.evaluators.template import Values

__all__ = [
    "EVALUATOR",
    "Allowed",
    "Answer",
    "CouldNotRun",
    "Evaluator",
    "Limits",
    "Scene",
    "Values",
    "attestation",
    "describe",
    "evaluate",
    "look_on",
    "placeholders",
    "problems_of",
    "read_stored",
    "to_stored",
    "verdict",
]

_HOMES = {
    "CouldNotRun": "outcome",
    "Allowed": "scene",
    "Answer": "scene",
    "Limits": "scene",
    "Scene": "scene",
    "Values": "template",
    "look_on": "region",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'registry')}"), name)

"""Pure: whether a target is missing because of a value of this call, and not because of the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ibtr.errors import AmbiguousTarget, MissingTarget, Rejected
from memory_store.dependence import inputs_of, read_by

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memory_store.models import Memory


def doubted(memory: Memory, values: Mapping[str, str], index: int, refusal: Rejected) -> str | None:
    """The input whose value may be why a step's target was not found, or not alone.

    One that the target reads; or one on which it depends, if the value is another than the recorded one.
    """
    if not isinstance(refusal, MissingTarget | AmbiguousTarget) or index >= len(memory.steps):
        return None
    evidence = memory.steps[index].evidence
    if (read := read_by(evidence)) is not None:
        return read
    recorded = {one.name: one.default for one in memory.inputs}
    return next((name for name in inputs_of(evidence) if values.get(name) != recorded.get(name)), None)


def check_the_value(name: str, value: str | None) -> str:
    """What to do about it."""
    shown = f"{name} = {value[:60]!r}" if value is not None else name
    return f"what is there depends on {shown}: check that value; this does not count against the memory"

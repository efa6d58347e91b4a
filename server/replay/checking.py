"""The memory's evaluator with this replay's own values, before and after."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from memory_store.evaluators.outcome import CouldNotRun
from memory_store.evaluators.region import look_on
from memory_store.evaluators.registry import evaluate, read_stored
from memory_store.evaluators.scene import Allowed, Scene
from memory_store.evaluators.template import Values
from memory_store.models import BlobId, Check, Memory, Outcome
from memory_store.quarantine import Ending

if TYPE_CHECKING:
    from datetime import datetime

    from actionlens.frames import Pixels


def run_check(
    memory: Memory,
    values: Mapping[str, str],
    pixels: Pixels,
    blob: Callable[[BlobId], bytes],
    allowed: Allowed,
    *,
    at: datetime,
) -> Check | None:
    """What the evaluator says now; nothing without one. Blocks."""
    stored = memory.validation.evaluator
    if stored is None:
        return None
    try:
        evaluator = read_stored(stored)
    except CouldNotRun as exc:
        return Check(outcome=Outcome.COULD_NOT_RUN, detail=str(exc), at=at)
    return evaluate(
        evaluator, Scene(values=Values(values), allowed=allowed, find_region=look_on(pixels, blob)), at=at
    )


def ending_of(before: Check | None, after: Check | None) -> tuple[Ending, str | None]:
    """The ending when all steps were done, and what the evaluator said."""
    if after is None:
        return Ending.DONE_UNVERIFIED, None
    already = " (it was already so before)" if before and before.outcome is Outcome.PASSED else ""
    said = f"{after.outcome.value}: {after.detail}{already}"[:400]
    match after.outcome:
        case Outcome.PASSED:
            return Ending.VERIFIED, said
        case Outcome.FAILED:
            return Ending.FAILED, said
        case Outcome.COULD_NOT_RUN:
            return Ending.DONE_UNVERIFIED, said

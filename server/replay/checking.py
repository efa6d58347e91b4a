"""The memory's evaluator with this replay's own values, before and after."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from pydantic import JsonValue

from memory_store.evaluators.outcome import CouldNotRun
from memory_store.evaluators.region import look_on
from memory_store.evaluators.registry import evaluate, read_stored
from memory_store.evaluators.scene import Allowed, Answer, Scene
from memory_store.evaluators.template import Values
from memory_store.models import BlobId, Check, Memory, Outcome
from memory_store.quarantine import Ending
from server.replay.words import a_dialog

if TYPE_CHECKING:
    from datetime import datetime

    from actionlens.frames import Pixels
    from actionlens.observation import Window
    from server.replay.effects import Effect


def run_check(
    memory: Memory,
    values: Mapping[str, str],
    pixels: Pixels,
    blob: Callable[[BlobId], bytes],
    allowed: Allowed,
    *,
    at: datetime,
    human: Answer | None = None,
) -> Check | None:
    """What the evaluator says now; nothing without one. Blocks."""
    stored = memory.validation.evaluator
    if stored is None:
        return None
    try:
        evaluator = read_stored(stored)
    except CouldNotRun as exc:
        return Check(outcome=Outcome.COULD_NOT_RUN, detail=str(exc), at=at)
    region = look_on(pixels, blob)
    scene = Scene(values=Values(values), allowed=allowed, find_region=region, human=human)
    return evaluate(evaluator, scene, at=at)


class Conclusion(NamedTuple):
    """How a replay ends when all its steps were done."""

    ending: Ending
    verdict: str | None = None
    """What the evaluator said."""
    unproven: str = ""
    """Why that proves nothing, if so, and what to do."""
    evidence: Mapping[str, JsonValue] = MappingProxyType({})
    """The same for machines."""


def conclusion(
    before: Check | None,
    after: Check | None,
    dialog: str | None = None,
    effects: Sequence[Effect] = (),
) -> Conclusion:
    """The ending when all steps were done; `dialog` is one in front that was not in the recording.

    An expected effect that is not there means that it failed; if the artifact is verified, it is only told.
    """
    judged = _of_artifact(before, after, dialog)
    if not effects:
        return judged
    evidence = {**judged.evidence, "effects": [one.plain() for one in effects]}
    gone = ", ".join(one.what for one in effects if not one.held)[:300]
    if not gone:
        unproven = judged.unproven or (
            "" if after else "its expected effects are there, the rest is unchecked"
        )
        return judged._replace(unproven=unproven, evidence=evidence)
    if judged.ending is Ending.VERIFIED:
        return judged._replace(
            verdict=f"{judged.verdict}; expected, but not there: {gone}", evidence=evidence
        )
    unproven = judged.unproven if judged.ending is Ending.FAILED else f"expected, and not there: {gone}"
    return Conclusion(Ending.FAILED, judged.verdict, unproven, evidence)


def _of_artifact(before: Check | None, after: Check | None, dialog: str | None) -> Conclusion:
    """What the evaluator says of the ending.

    An artifact that was right before and has not been touched since tells nothing of the work.
    """
    if after is None:
        return Conclusion(Ending.DONE_UNVERIFIED)
    already = " (it was already so before)" if before and before.outcome is Outcome.PASSED else ""
    said = f"{after.outcome.value}: {after.detail}{already}"[:400]
    match after.outcome:
        case Outcome.FAILED:
            return Conclusion(Ending.FAILED, said)
        case Outcome.COULD_NOT_RUN:
            return Conclusion(Ending.DONE_UNVERIFIED, said)
        case Outcome.PASSED if before is not None and _untouched(before, after):
            known: dict[str, JsonValue] = {"unproven": "already_true"}
            if dialog is not None:
                known["dialog"] = dialog[:120]
            return Conclusion(Ending.DONE_UNVERIFIED, said, _already_so(dialog), known)
        case Outcome.PASSED:
            return Conclusion(Ending.VERIFIED, said)


def _already_so(dialog: str | None) -> str:
    if dialog is not None:
        return (
            "the artifact was already so before, and this replay proved nothing; "
            f"{a_dialog(dialog)}, which the recording did not have, is in front: look at it"
        )
    return (
        "the artifact was already so before; this replay proved nothing. If there was nothing left to do, "
        "that is all; else put the artifact back as it was and run it again"
    )


def new_dialog(memory: Memory, active: Window | None) -> str | None:
    """The title of a dialog in front after the last step, where the recording ended in none."""
    expected = memory.steps[-1].evidence.after.dialog
    return active.title if active is not None and active.dialog and not expected else None


def _untouched(before: Check, after: Check) -> bool:
    """Whether the artifact is the very one of before: its hash, and what was seen of it, times too."""
    same = (before.outcome, before.artifact_sha256, before.evidence)
    return same == (after.outcome, after.artifact_sha256, after.evidence)

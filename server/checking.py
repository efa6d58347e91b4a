"""Evaluators around a recording: read, run before, run after, and which verdict a memory may take over."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread
from pydantic import JsonValue, TypeAdapter, ValidationError

from memory_store.evaluators import (
    EVALUATOR,
    Answer,
    CouldNotRun,
    Scene,
    Values,
    evaluate,
    problems_of,
    read_stored,
    verdict,
)
from memory_store.evaluators.word import HumanConfirms
from memory_store.models import Attestation, Check, Memory, Outcome, Verdict
from server.toolspec import BadArguments

if TYPE_CHECKING:
    from actionlens.records import Manifest
    from memory_store.evaluators import Allowed, Evaluator
    from memory_store.evaluators.scene import Sighting

_PATIENCE_S = 3.0
_POLL_S = 0.1
Spec = dict[str, JsonValue]
_SPEC: TypeAdapter[Spec] = TypeAdapter(Spec)
_TEXTS: TypeAdapter[dict[str, str]] = TypeAdapter(dict[str, str])


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a run's manifest says of its check."""

    spec: Spec
    inputs: dict[str, str]
    before: Check | None = None
    verdict: Verdict | None = None

    def detail(self) -> dict[str, JsonValue]:
        """As the manifest keeps it."""
        kept: dict[str, JsonValue] = {"evaluator": self.spec, "inputs": {**self.inputs}}
        if self.before:
            kept["before"] = self.before.model_dump(mode="json")
        if self.verdict:
            kept["verdict"] = self.verdict.model_dump(mode="json")
        return kept


def recorded_check(manifest: Manifest) -> Recorded | None:
    """The check that a run was started or finished with; one that cannot be read is none."""
    said = manifest.detail
    if "evaluator" not in said:
        return None
    try:
        return Recorded(
            spec=_SPEC.validate_python(said["evaluator"]),
            inputs=_TEXTS.validate_python(said.get("inputs", {})),
            before=Check.model_validate(said["before"]) if "before" in said else None,
            verdict=Verdict.model_validate(said["verdict"]) if "verdict" in said else None,
        )
    except ValidationError:
        return None


def read_evaluator(spec: Mapping[str, JsonValue], inputs: Mapping[str, str]) -> Evaluator:
    """An evaluator as a host wrote it.

    Raises:
        BadArguments: every problem, each with its field.
    """
    if problems := problems_of(spec, frozenset(inputs)):
        raise BadArguments("; ".join(problems))
    return EVALUATOR.validate_python(spec)


async def check(evaluator: Evaluator, scene: Scene, *, wait: bool = False) -> Check:
    """Run a check off the loop; with `wait`, again for a while until it passes: programs write late."""
    end = time.monotonic() + _PATIENCE_S
    while True:
        found = await to_thread.run_sync(lambda: evaluate(evaluator, scene, at=datetime.now(UTC)))
        if not wait or found.outcome is not Outcome.FAILED or time.monotonic() > end:
            return found
        await anyio.sleep(_POLL_S)


def scene_of(
    inputs: Mapping[str, str],
    allowed: Allowed,
    *,
    host_says: bool | None = None,
    human: Answer | None = None,
    find_region: Sighting | None = None,
) -> Scene:
    """What a check may use."""
    host = None if host_says is None else Answer(confirmed=host_says, by="host")
    return Scene(Values(dict(inputs)), allowed, find_region=find_region, host=host, human=human)


async def ask_human(
    evaluator: Evaluator, inputs: Mapping[str, str], confirm: Callable[[str], Awaitable[bool | None]]
) -> Answer | None:
    """What the user says to the questions of a check; nothing where there are none, or nobody to ask.

    Raises:
        AnswerNeeded: the host must ask first, and call again.
    """
    checks = getattr(evaluator, "checks", (evaluator,))
    asked = [one.question for one in checks if isinstance(one, HumanConfirms)]
    if not asked:
        return None
    said = await confirm("\n".join(Values(dict(inputs)).text(one, "question") for one in asked))
    return None if said is None else Answer(confirmed=said, by="user")


async def checked_again(
    memory: Memory,
    allowed: Allowed,
    confirm: Callable[[str], Awaitable[bool | None]],
    find_region: Sighting | None = None,
    doubted_at: datetime | None = None,
) -> Verdict | None:
    """The memory's own evaluator on the artifact as it is now; none without an evaluator.

    Where nobody looked before the work, an earlier check is the other half: one that said no and one that
    said yes show that it can tell before from after, in whichever order they were made. What was doubted
    must be proven anew: what was seen before that moment does not count, and the no must come first.
    """
    stored = memory.validation.evaluator
    if stored is None:
        return None
    evaluator = read_stored(stored)
    values = {one.name: one.default for one in memory.inputs if one.default is not None}
    human = await ask_human(evaluator, values, confirm)
    found = await check(evaluator, scene_of(values, allowed, human=human, find_region=find_region))
    known = memory.validation.verdict
    if doubted_at is None:
        return verdict(evaluator, *_before_and_after(known, found))
    return verdict(evaluator, _said_no(known, doubted_at), found)


def _said_no(known: Verdict | None, since: datetime) -> Check | None:
    """What our evaluator said no to since a moment, if it has."""
    if known is None or known.attestation is not Attestation.EVALUATOR:
        return None
    seen = [one for one in (known.before, known.after) if one is not None and one.at > since]
    return next((one for one in seen if one.outcome is Outcome.FAILED), None)


def _before_and_after(known: Verdict | None, found: Check) -> tuple[Check | None, Check]:
    """A check of now beside what is known, the one that said no first; people's words are never joined so."""
    if known is None or known.before is not None:
        return (known.before if known else None), found
    if known.attestation is Attestation.EVALUATOR:
        match known.after.outcome, found.outcome:
            case Outcome.PASSED, Outcome.FAILED:
                return found, known.after  # put back as it was
            case Outcome.FAILED, Outcome.PASSED:
                return known.after, found
            case _:
                pass
    return None, found


def verdict_for(
    spec: Mapping[str, JsonValue],
    scene: Scene,
    recorded: Recorded | None,
    *,
    whole: Mapping[str, JsonValue] | None = None,
    seen_before: Check | None = None,
) -> Verdict:
    """The verdict on a candidate's own evaluator: the run's, if that checked the same; else checked now.

    `whole` is the spec with its regions cut out; `seen_before` is what the first screen of the run tells.
    What was true before the run is never forgotten by asking in other words.
    """
    evaluator = EVALUATOR.validate_python(dict(whole or spec))
    ran = recorded.verdict if recorded else None
    if recorded and ran and _filled(spec, scene.values) == _filled(recorded.spec, Values(recorded.inputs)):
        return verdict(evaluator, ran.before, ran.after)
    before = ran.before if ran and ran.already_true else seen_before
    return verdict(evaluator, before, evaluate(evaluator, scene, at=datetime.now(UTC)))


def _filled(spec: Mapping[str, JsonValue], values: Values) -> JsonValue:
    """A spec with its inputs put in; None, which is equal to no other spec, where one is missing."""
    normal = EVALUATOR.dump_python(EVALUATOR.validate_python(dict(spec)), mode="json")
    try:
        return _fill(normal, "", values)
    except (CouldNotRun, ValueError):  # a lone brace, in what no check fills
        return None


def _fill(value: JsonValue, field: str, values: Values) -> JsonValue:
    if isinstance(value, str):
        return values.regex(value, field) if field.endswith("regex") else values.text(value, field)
    if isinstance(value, list):
        return [_fill(one, field, values) for one in value]
    if isinstance(value, dict):
        return {key: _fill(one, key, values) for key, one in value.items()}
    return value

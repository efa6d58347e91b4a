"""Small memories for tests: real models, real PNGs, real evidence."""

from datetime import UTC, datetime, timedelta

import numpy as np

from memory_store.images import encode_png
from memory_store.ledger import Replay
from memory_store.models import (
    Anchor,
    Attestation,
    Check,
    FlexibleInput,
    Keys,
    Lineage,
    Memory,
    MemoryId,
    NoteCondition,
    Outcome,
    Place,
    ReasoningReport,
    Recommendation,
    ReplayId,
    RunId,
    SourceStep,
    Step,
    StepAction,
    StepEvidence,
    StoredEvaluator,
    Surroundings,
    Validation,
    Verdict,
    WindowCondition,
)
from memory_store.quarantine import Ending
from memory_store.repository import Repository
from memory_store.transfer import new_memory_id
from memory_store.writing import Keeper

AT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def later(minutes: float) -> datetime:
    return AT + timedelta(minutes=minutes)


def crop(seed: int, width: int = 48, height: int = 24) -> bytes:
    pixels = np.random.default_rng(seed).integers(0, 255, (height, width, 3), dtype=np.uint8)
    return encode_png(pixels)


def verdict(
    outcome: Outcome = Outcome.PASSED,
    *,
    before: Outcome | None = Outcome.FAILED,
    attestation: Attestation = Attestation.EVALUATOR,
    at: datetime = AT,
) -> Verdict:
    return Verdict(
        evaluator="file_contains",
        attestation=attestation,
        before=Check(outcome=before, at=at) if before else None,
        after=Check(outcome=outcome, detail="looked for 555-0100", at=at),
    )


def click(target: str, keeper: Keeper | None = None, seed: int = 0, x: int = 40) -> Step:
    anchors: tuple[Anchor, ...] = ()
    if keeper is not None:
        anchors = (Anchor(kind="crop", data={"seed": seed}, blobs={"core": keeper.keep_picture(crop(seed))}),)
    evidence = StepEvidence(
        anchors=anchors,
        before=Surroundings(application="contacts", window_title="Contacts", screen_xy=(640, 480)),
        point_px=(x, 30),
        box_px=(x - 20, 20, 48, 24),
    )
    return Step(
        action=StepAction.model_validate({"action": "click", "x": x, "y": 30}),
        target=target,
        evidence=evidence,
    )


def keys(action: str, **parameters: object) -> Step:
    return Step(
        action=StepAction.model_validate({"action": action, **parameters}),
        evidence=StepEvidence(before=Surroundings(application="contacts")),
    )


def sourced(steps: list[Step], run: str = "run-1") -> tuple[Step, ...]:
    return tuple(
        step.model_copy(update={"source": SourceStep(run_id=RunId(run), step_id=index)})
        for index, step in enumerate(steps)
    )


def make_memory(
    name: str = "update_phone",
    *,
    steps: list[Step] | None = None,
    memory_id: MemoryId | None = None,
    intent: str = "Change a client's phone number",
    with_verdict: Verdict | None = None,
    reasoning: ReasoningReport | None = None,
    inputs: tuple[FlexibleInput, ...] | None = None,
) -> Memory:
    if steps is None:
        steps = [click("phone field"), keys("type", text="555-0100"), keys("hotkey", keys=["ctrl", "s"])]
    if inputs is None and len(steps) > 1 and steps[1].action.action == "type":
        inputs = (phone_input(),)
    return Memory(
        id=memory_id or new_memory_id(),
        tool_name=name,
        keys=Keys(task_intent=intent, query_phrases=("update the phone",)),
        applications=("contacts",),
        preconditions=(WindowCondition(application="contacts"),),
        expected_effects=(NoteCondition(text="the number is saved"),),
        steps=sourced(steps),
        inputs=inputs or (),
        validation=Validation(
            evaluator=StoredEvaluator.model_validate(
                {"kind": "file_contains", "path": "c.csv", "text": "{phone}"}
            ),
            verdict=with_verdict,
        ),
        reasoning=reasoning
        or ReasoningReport(summary="three steps", viable=True, recommendation=Recommendation.PROMOTE),
        lineage=Lineage(runs=(RunId("run-1"),)),
        created_at=AT,
    )


def phone_input(default: str = "555-0100") -> FlexibleInput:
    return FlexibleInput(
        name="phone", description="the new number", places=(Place(action_index=1),), default=default
    )


def add_memory(repository: Repository, name: str = "update_phone", *, seed: int = 1) -> Memory:
    """A candidate with real evidence and a positive verdict, in the store."""
    with repository.writing() as keeper:
        steps = [
            click("phone field", keeper, seed),
            keys("type", text="555-0100"),
            click("save", keeper, seed + 1000),
        ]
        return repository.add(make_memory(name, steps=steps, with_verdict=verdict()), at=AT)


def add_active(repository: Repository, name: str = "update_phone", *, seed: int = 1) -> Memory:
    return repository.promote(add_memory(repository, name, seed=seed).id, at=AT)


def replay(memory_id: MemoryId, number: int, ending: Ending, cause: str = "", *, sent: int = 3) -> Replay:
    return Replay(
        id=ReplayId(f"replay-{number:04}"),
        memory_id=memory_id,
        ending=ending,
        cause=cause,
        started_at=later(number + 1),
        ended_at=later(number + 1.5),
        events_sent=sent,
    )

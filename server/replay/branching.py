"""A repaired replay as a branch: its mended steps are found and shown on the screen of the repair."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memory_store.edits import Repair, StepRepair
from memory_store.models import Memory, StepEvidence, Surroundings, TargetEnd, Verdict

if TYPE_CHECKING:
    from actionlens.controller import Frame
    from ibtr import Evidence
    from ibtr.geometry import Point
    from memory_store.repository import Repository
    from memory_store.writing import Keeper
    from server.replay.session import Session


@dataclass(frozen=True, slots=True)
class Mended:
    """A step that a host found, and what was seen there."""

    index: int
    evidence: tuple[Evidence, ...]
    frame: Frame
    """As it may be kept: without the places where a secret was typed."""
    points_px: tuple[Point, ...]


def branch(store: Repository, session: Session, mended: list[Mended]) -> Memory:
    """One child with every step that was mended; the parent stays as it is."""
    parent = session.memory
    latest = {one.index: one for one in mended}
    numbers = ", ".join(str(index + 1) for index in sorted(latest))
    because = f"a host found the target of step {numbers}, and the artifact was verified"
    with store.writing() as keeper:
        steps = tuple(
            StepRepair(step=index, evidence=_evidence(parent.steps[index].evidence, one, keeper))
            for index, one in sorted(latest.items())
        )
        repair = Repair(steps=steps, verdict=_proof(session))
        return store.repair(parent.id, repair, at=datetime.now(UTC), because=because)


def _evidence(old: StepEvidence, one: Mended, keeper: Keeper) -> StepEvidence:
    """Crops, places and frame of one screen: that on which the host has found the target."""
    from memory_store.consolidation.seen import on_screen
    from memory_store.crops import keep_evidence

    anchors = tuple(
        anchor
        for evidence, end in zip(one.evidence, TargetEnd, strict=False)
        for anchor in keep_evidence(evidence, keeper, at=end)
    )
    points = [tuple(point) for point in one.points_px]
    return old.model_copy(
        update={
            "anchors": anchors,
            "before": _measured(old.before, one.frame),
            "point_px": points[0],
            "end_px": points[1] if len(points) > 1 else None,
            "box_px": tuple(on_screen(one.evidence[0].crop)),
            "frames": {**old.frames, "before": keeper.keep_frame(one.frame.pixels)},
        }
    )


def _measured(old: Surroundings, frame: Frame) -> Surroundings:
    """What was in front is expected as before; where it lay is told of the new frame."""
    return old.model_copy(
        update={
            "screen_xy": tuple(frame.screen),
            "image_px": tuple(frame.image),
            "origin_xy": (round(frame.origin.x), round(frame.origin.y)),
            "window_xy": tuple(frame.window.box) if frame.window else None,
        }
    )


def _proof(session: Session) -> Verdict | None:
    """What the evaluator said of the replay that the repair made possible."""
    from memory_store.evaluators import read_stored, verdict

    stored = session.memory.validation.evaluator
    if stored is None or session.after is None:
        return None
    return verdict(read_stored(stored), session.before, session.after)

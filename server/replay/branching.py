"""A repaired replay as a branch: its repaired steps are cut from the replay's own runs, and sought again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from actionlens.wording import clip
from memory_store.edits import Repair, StepRepair
from memory_store.models import Memory, StepEvidence, Surroundings, Verdict

if TYPE_CHECKING:
    from memory_store.consolidation.evidence import Gathered
    from memory_store.repository import Repository
    from server.replay.session import Session

_LONGEST = 500


@dataclass(frozen=True, slots=True)
class Branched:
    """What became of the repairs of one replay."""

    memory: Memory | None
    """None where a replay of it would click elsewhere."""
    said: tuple[str, ...] = ()
    """What is to be known of the repaired steps, or why there is no branch."""


def branch(store: Repository, session: Session, repaired: Sequence[int], runs: Path) -> Branched:
    """One child with every step that was repaired, or why none is made; the parent stays as it is.

    Raises:
        RunUnreadable: a frame of the replay is missing or altered.
    """
    from actionlens.run_reader import read_run
    from memory_store.consolidation.replayed import gather_again

    parent, at = session.memory, datetime.now(UTC)
    numbers = ", ".join(str(index + 1) for index in sorted(repaired))
    because = f"a host found the target of step {numbers}, and the artifact was verified"
    recorded = [read_run(runs / run_id) for run_id in session.runs]
    with store.writing() as keeper:
        found = gather_again(recorded, parent, sorted(repaired), keeper)
        if blockers := _said((index, one.blockers) for index, one in found.items()):
            return Branched(None, blockers)
        warnings = _said((index, one.warnings) for index, one in found.items())
        steps = tuple(
            StepRepair(step=index, evidence=_evidence(parent.steps[index].evidence, one))
            for index, one in found.items()
        )
        repair = Repair(steps=steps, verdict=_proof(session), warnings=warnings)
        return Branched(store.repair(parent.id, repair, at=at, because=because), warnings)


def _said(texts: Iterable[tuple[int, Sequence[str]]]) -> tuple[str, ...]:
    """What was said of steps, each with its number in the program."""
    return tuple(
        clip(f"step {index + 1}: {text.partition(': ')[2]}", _LONGEST)
        for index, many in texts
        for text in many
    )


def _evidence(old: StepEvidence, found: Gathered) -> StepEvidence:
    """What finds the target is of the repair; where the step leads is as it was recorded."""
    new = found.evidence
    kept = ("anchors", "closes", "point_px", "end_px", "box_px", "frames", "weak")
    return old.model_copy(
        update={**{name: getattr(new, name) for name in kept}, "before": _measured(old.before, new.before)}
    )


def _measured(old: Surroundings, new: Surroundings) -> Surroundings:
    """What was in front is expected as before; where it lay is told of the new frame."""
    measures = ("screen_xy", "image_px", "origin_xy", "window_xy")
    return old.model_copy(update={name: getattr(new, name) for name in measures})


def _proof(session: Session) -> Verdict | None:
    """What the evaluator said of the replay that the repair made possible."""
    from memory_store.evaluators import read_stored, verdict

    stored = session.memory.validation.evaluator
    if stored is None or session.after is None:
        return None
    return verdict(read_stored(stored), session.before, session.after)

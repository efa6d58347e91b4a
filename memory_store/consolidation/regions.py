"""A region that a check looks for, named as a box in a recorded frame, becomes anchors that find it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from pydantic import JsonValue

from actionlens.frames import Pixels
from actionlens.observation import Observation
from actionlens.run_reader import Run
from ibtr.crops import remember
from ibtr.geometry import Box
from memory_store.consolidation.covers import covered, uncovered
from memory_store.consolidation.selection import Problem
from memory_store.consolidation.trace import Frames
from memory_store.crops import keep_evidence
from memory_store.errors import SelectionRefused
from memory_store.evaluators.region import RegionVisible
from memory_store.models import Anchor, JsonObject
from memory_store.writing import Keeper


def region_anchors(screen: Pixels, hidden: Sequence[Box], box: Box, keep: Keeper) -> tuple[Anchor, ...]:
    """A piece of a frame, less what was hidden in it, as anchors."""
    bare = uncovered(screen, hidden)
    vary = covered(bare, hidden)
    return keep_evidence(remember(bare, box.center, box, vary=vary or None, content=True), keep)


def is_named(check: Mapping[str, JsonValue]) -> bool:
    """Whether a check is a region that was named, and not cut out yet."""
    return check.get("kind") == "region" and check.get("box_px") is not None


def has_named(spec: Mapping[str, JsonValue]) -> bool:
    """Whether any check of a spec is."""
    return any(is_named(one) for _, one in _checks(spec))


def with_anchors(spec: Mapping[str, JsonValue], run: Run, frames: Frames, keep: Keeper) -> JsonObject:
    """The spec with every named region cut out of the frame that it is named in.

    Raises:
        SelectionRefused: a frame that the run does not have, or a box that does not lie on it.
        RunUnreadable: a frame is missing or altered.
    """
    cut = {
        where: _cut(RegionVisible.model_validate(one), where, run, frames, keep)
        for where, one in _checks(spec)
        if is_named(one)
    }
    if "" in cut:
        return cut[""]
    checks = spec.get("checks")
    if not cut or not isinstance(checks, list):
        return dict(spec)
    return {**spec, "checks": [cut.get(f"checks.{at}.", one) for at, one in enumerate(checks)]}


def _checks(spec: Mapping[str, JsonValue]) -> Iterator[tuple[str, Mapping[str, JsonValue]]]:
    yield "", spec
    checks = spec.get("checks")
    for at, one in enumerate(checks if isinstance(checks, list) else []):
        if isinstance(one, dict):
            yield f"checks.{at}.", one


def _cut(region: RegionVisible, where: str, run: Run, frames: Frames, keep: Keeper) -> JsonObject:
    seen = _frame_of(region, run)
    if seen is None:
        field = "shot" if region.step_id is None else "step_id"
        raise _refused(f"{where}{field}", "the run has no such frame", "name a step or a picture of this run")
    box = Box(*region.box_px or (0, 0, 0, 0))
    if not box.area or box.clip(seen.image) != box:
        size = f"{seen.image.width}x{seen.image.height}"
        fix = "give x, y, width, height in it"
        raise _refused(f"{where}box_px", f"does not lie on the frame of {size}", fix)
    anchors = region_anchors(frames[seen], seen.hidden, box, keep)
    whole = region.model_copy(update={"anchors": anchors})
    return cast("JsonObject", whole.model_dump(mode="json", include=_KEPT))


_KEPT = {"kind", "anchors", "description", "visible"}


def _frame_of(region: RegionVisible, run: Run) -> Observation | None:
    if region.step_id is not None:
        step = next((one for one in run.steps if one.id == region.step_id), None)
        return None if step is None else step.after if region.frame == "after" else step.before
    shown = [look.seen for look in run.observations]
    shown += [seen for step in run.steps for seen in (step.before, step.after) if seen is not None]
    return next((seen for seen in shown if seen.frame == region.shot), None)


def _refused(field: str, problem: str, fix: str) -> SelectionRefused:
    return SelectionRefused([Problem(f"evaluator.{field}", problem, fix).plain()])

"""Regions in checks: named by the host in a picture it saw, cut out, looked for on the desktop of now."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from anyio import from_thread
from pydantic import JsonValue, TypeAdapter, ValidationError

from ibtr.errors import EchoPathError
from ibtr.geometry import Box
from memory_store.evaluators import CouldNotRun, Evaluator, Scene, evaluate, look_on
from memory_store.evaluators.region import RegionVisible
from memory_store.models import Anchor, BlobId, Check, Outcome
from server.toolspec import BadArguments

if TYPE_CHECKING:
    from actionlens.controller import Frame
    from actionlens.frames import Pixels
    from actionlens.pictures import Pictures
    from actionlens.run_reader import Run
    from memory_store.errors import SelectionRefused
    from memory_store.evaluators.scene import Sighting
    from server.operator import Operator

Spec = dict[str, JsonValue]
ReadBlob = Callable[[BlobId], bytes]
_BOX: TypeAdapter[tuple[int, int, int, int]] = TypeAdapter(tuple[int, int, int, int])


class Cut(NamedTuple):
    """A check whose regions were cut out of a run's frames, for a look at once."""

    spec: Spec
    blob: ReadBlob
    first: Pixels | None
    """The screen before the first act."""


def placed(spec: Mapping[str, JsonValue], pictures: Pictures, where: str = "evaluator") -> Spec:
    """The spec with every `box` in a picture that the host was shown as a box in that frame of the run.

    Raises:
        BadArguments: the box or the picture is none.
    """
    checks = spec.get("checks")
    if isinstance(checks, list):
        told: list[JsonValue] = [
            placed(one, pictures, f"{where}.checks.{at}") if isinstance(one, dict) else one
            for at, one in enumerate(checks)
        ]
        return {**spec, "checks": told}
    if spec.get("kind") != "region" or "box" not in spec:
        return dict(spec)
    frame_id = spec.get("frame_id")
    try:
        box = Box(*_BOX.validate_python(spec["box"]))
        shot, box_px = pictures.piece(None if frame_id is None else str(frame_id), box)
    except ValidationError as exc:
        raise BadArguments(f"{where}.box: give x, y, width, height in the picture, as a list") from exc
    except EchoPathError as exc:
        raise BadArguments(f"{where}.box: {exc}") from exc
    rest = {name: value for name, value in spec.items() if name not in {"box", "frame_id"}}
    return {**rest, "shot": shot, "box_px": [*box_px]}


def not_yet(spec: Mapping[str, JsonValue]) -> None:
    """A region is named when it can be seen, not before the work.

    Raises:
        BadArguments: the spec names one.
    """
    checks = spec.get("checks")
    for one in (spec, *(checks if isinstance(checks, list) else ())):
        if isinstance(one, Mapping) and one.get("kind") == "region" and not one.get("anchors"):
            raise BadArguments(
                "evaluator: give a region to finish_run, with its box in a picture that shows it"
            )


def cut_out(spec: Spec, run: Run) -> Cut:
    """The spec with its regions cut out of the run's frames; nothing is stored. Blocks.

    Raises:
        BadArguments: a region in a frame that the run does not have.
    """
    from memory_store.consolidation.regions import with_anchors
    from memory_store.consolidation.trace import Frames
    from memory_store.errors import SelectionRefused
    from memory_store.writing import Held, Keeper

    held, frames = Held(), Frames(run)
    try:
        whole = with_anchors(spec, run, frames, Keeper(held))
    except SelectionRefused as exc:
        raise BadArguments(in_lines(exc, "")) from exc
    return Cut(whole, held.get, frames[run.steps[0].before] if run.steps else None)


def in_lines(refused: SelectionRefused, where: str) -> str:
    """Every problem of a selection, each with its field and the fix."""
    found = refused.evidence.get("problems")
    problems = cast("list[dict[str, str]]", found if isinstance(found, list) else [])
    return "\n".join(f"{where}{one['field']}: {one['problem']}; {one['fix']}" for one in problems)


def seen_before(
    evaluator: Evaluator, first: Callable[[], Pixels | None], blob: ReadBlob, *, at: datetime
) -> Check | None:
    """What a check would have said before the run, as far as its `first` screen can tell. Blocks.

    A single region is looked for there. Of several checks one that did not hold is enough: they did not all.
    """
    checks = getattr(evaluator, "checks", (evaluator,))
    regions = [one for one in checks if isinstance(one, RegionVisible)]
    screen = first() if regions else None
    if screen is None:
        return None
    scene = Scene(find_region=look_on(screen, blob))
    found = [evaluate(one, scene, at=at) for one in regions]
    failed = next((one for one in found if one.outcome is Outcome.FAILED), None)
    if failed is not None or len(checks) > 1 or found[0].outcome is Outcome.COULD_NOT_RUN:
        return failed
    return found[0]


def sight(operator: Operator, blob: ReadBlob) -> Sighting:
    """Look for regions on the desktop of now, at each call anew; for code in a worker thread only."""

    async def capture() -> Frame:
        return await (await operator.lens()).desktop.capture()

    return sight_of(capture, blob)


def sight_of(capture: Callable[[], Coroutine[Any, Any, Frame]], blob: ReadBlob) -> Sighting:
    """The same for any way to take a picture of a desktop."""

    def find(anchors: tuple[Anchor, ...]) -> Mapping[str, Any]:
        try:
            frame = from_thread.run(capture)
        except EchoPathError as exc:
            raise CouldNotRun("anchors", f"there is no screen to look at ({exc})", "open a desktop") from exc
        return look_on(frame.pixels, blob)(anchors)

    return find

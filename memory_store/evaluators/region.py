"""A remembered region is on the screen, or is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field, JsonValue, model_validator

from ibtr.errors import EchoPathError, MissingTarget, Rejected
from memory_store.evaluators.outcome import CouldNotRun, Finding, clip, found
from memory_store.evaluators.scene import Scene, Sighting, Spec
from memory_store.models import Anchor, BlobId

if TYPE_CHECKING:
    from ibtr.evidence import Evidence
    from ibtr.pixels import Pixels


class RegionVisible(Spec):
    """A remembered piece of the screen can be seen; with `visible` false, it cannot.

    A memory keeps it as `anchors`. A run names it as a box in one of its frames: that of a step, or the one
    with the digest `shot`; it is cut out when the run is finished or consolidated.
    """

    kind: Literal["region"] = "region"
    anchors: Annotated[tuple[Anchor, ...], Field(max_length=8)] = ()
    step_id: Annotated[int | None, Field(ge=1)] = None
    frame: Annotated[Literal["before", "after"], Field(description="With step_id.")] = "after"
    shot: Annotated[str | None, Field(pattern=r"^[0-9a-f]{64}$")] = None
    box_px: Annotated[
        tuple[int, int, int, int] | None, Field(description="x, y, width, height in pixels of the screen.")
    ] = None
    description: Annotated[str, Field(max_length=200)] = ""
    visible: bool = True

    @model_validator(mode="after")
    def _one_way_to_name_it(self) -> Self:
        named = self.box_px is not None
        if named == bool(self.anchors) or named != ((self.step_id is None) != (self.shot is None)):
            raise ValueError(
                "name the region: at finish_run by `box` in the picture `frame_id`, "
                "at consolidate_run also by `box_px` in the frame of `step_id`"
            )
        return self

    def run(self, scene: Scene) -> Finding:
        """Look for it as a click would; ambiguous or unsure is neither seen nor gone."""
        if not self.anchors:
            raise CouldNotRun("box_px", "the region was not cut out of its frame", "finish the run with it")
        if scene.find_region is None:
            raise CouldNotRun("anchors", "there is no screen to look at", "run this check with a desktop")
        what = clip(self.description) or "the region"
        try:
            seen = dict(scene.find_region(self.anchors))
        except MissingTarget as exc:
            return found(not self.visible, f"{what} is not on the screen", _numbers(exc))
        except Rejected as exc:
            raise CouldNotRun(
                "anchors", str(exc), "remember a more distinct region", **_numbers(exc)
            ) from exc
        return found(self.visible, f"{what} is on the screen", seen)


def look_on(screen: Pixels, blob: Callable[[BlobId], bytes]) -> Sighting:
    """Look for remembered regions on one screenshot; `blob` reads their pictures.

    To be seen, a region needs nothing around it, and there may be two of it: pixel by pixel first, and only
    where another size or theme drew it anew as a click is aimed.
    """

    def find(anchors: tuple[Anchor, ...]) -> dict[str, JsonValue]:
        from ibtr.aim import reaim
        from ibtr.as_it_was import as_it_was

        evidence = _evidence(anchors, blob)
        if (box := as_it_was(evidence.crop, screen)) is not None:
            return {"x_px": box.center.x, "y_px": box.center.y, "representation": "as it was"}
        aim = reaim(evidence, screen)
        return {"x_px": aim.point.x, "y_px": aim.point.y, "representation": aim.representation}

    return find


def _evidence(anchors: tuple[Anchor, ...], blob: Callable[[BlobId], bytes]) -> Evidence:
    from memory_store.crops import load_evidence

    try:
        return load_evidence(anchors, blob)
    except EchoPathError as exc:
        raise CouldNotRun("anchors", str(exc), "remember the region anew") from exc


def _numbers(refusal: Rejected) -> dict[str, JsonValue]:
    return {key: value for key, value in refusal.evidence.items() if isinstance(value, int | float | str)}

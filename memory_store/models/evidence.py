"""What proves a step and finds its target again: E_m of the paper (2.1, B.2).

Pixels live as content-addressed blobs; here are only references, frames of reference and provenance.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated

from pydantic import Field, FiniteFloat, JsonValue

from actionlens.records import RunId
from memory_store.models.base import Digest, JsonObject, Line, Record, Size


class BlobRef(Record):
    """A blob, by the SHA-256 of its bytes."""

    sha256: Digest
    size: Annotated[int, Field(ge=0)]
    media_type: Line = "image/png"
    width: int | None = None
    height: int | None = None


class TargetEnd(StrEnum):
    """Which end of the action an anchor belongs to; only a drag has two."""

    START = "start"
    END = "end"


class Anchor(Record):
    """One way to find a target again. `kind` is an open tag: `crop` now, `text` and `accessible` later.

    A kind that this version does not know is kept whole and ignored. For `crop`, `data` is the JSON half of
    `ibtr.Evidence.to_parts()` and `blobs` its named crops, as PNG.
    """

    kind: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
    at: TargetEnd = TargetEnd.START
    data: JsonObject = Field(default_factory=dict)
    blobs: dict[str, BlobRef] = Field(default_factory=dict)


class Surroundings(Record):
    """What was in front when a frame was taken, and the frame's coordinate context (paper, B.1)."""

    application: Line = ""
    window_title: Line = ""
    dialog: bool = False
    """Whether that window was a dialog of another one."""
    screen_xy: Size | None = None
    image_px: Size | None = None
    origin_xy: tuple[int, int] = (0, 0)
    window_xy: tuple[int, int, int, int] | None = None


class SourceStep(Record):
    """Where a step comes from: the recorded run and its step."""

    run_id: RunId
    step_id: Annotated[int, Field(ge=0)]


class StepEvidence(Record):
    """Evidence of one step: anchors find the target; `frames` (before, after) are for audit, if kept."""

    anchors: tuple[Anchor, ...] = ()
    before: Surroundings = Surroundings()
    after: Surroundings = Surroundings()
    changed: bool | None = None
    """Whether the screen changed during the step; None: nobody looked."""
    closes: bool = False
    """Whether the dialog that the target stands in was gone after the step."""
    point_px: tuple[FiniteFloat, FiniteFloat] | None = None
    end_px: tuple[FiniteFloat, FiniteFloat] | None = None
    box_px: tuple[int, int, int, int] | None = None
    """x, y, width, height of the target in the before-frame."""
    frames: dict[str, BlobRef] = Field(default_factory=dict)
    weak: Line = ""
    """Why this evidence is weak, in words; empty when it is not."""


def refs_in(value: JsonValue) -> Iterator[BlobRef]:
    """References anywhere inside a spec that is opaque here, such as a region that must be seen."""
    if isinstance(value, list):
        for item in value:
            yield from refs_in(item)
    if isinstance(value, dict):
        if {"sha256", "size", "media_type"} <= value.keys():
            yield BlobRef.model_validate(value)
        for item in value.values():
            yield from refs_in(item)

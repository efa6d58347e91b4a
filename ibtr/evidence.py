"""What is kept of a target: pictures, and the numbers to read them by. Serialises to JSON and named crops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from ibtr.errors import BadEvidence
from ibtr.geometry import Box, Point, Size
from ibtr.marks import Boxes, words
from ibtr.masks import painted_over
from ibtr.pixels import Pixels, cut, size_of, to_gray
from ibtr.slides import slides

VERSION = 1
PICTURED = ("crop", "row", "column", "panel", "done", "beyond", "start", "end")
"""Kinds of anchors that hold a picture."""
BOXES = ("line", "far", "field", "label")
"""What else is told by a box of its picture."""
KINDS = ("target", "context", "wide_context")
WIDGET = Size(200, 72)
"""Most of a widget that is taken for the target, around the click."""
HIGHER, LINE = 8, 48
"""How much higher than its widget, or than a line of text, a row is that has several lines."""


def hangs_together(core: Box, click: Point) -> bool:
    """Whether a core is no widget, but what is near the click of edges that hang together."""
    across = max(click.x - core.x, core.right - click.x)
    down = max(click.y - core.y, core.bottom - click.y)
    return across >= WIDGET.width // 2 or down >= WIDGET.height // 2


@dataclass(frozen=True)
class CropAnchor:
    """A picture around the click. All boxes and points but `source` and `screen` are in its own pixels."""

    image: Pixels
    """BGR, as wide as anything that re-aiming may need."""
    click: Point
    core: Box
    """The widget under the click: the pixels that must be there before the button goes down."""
    target: Box
    context: Box
    source: Box
    """Where the picture was on the recorded screen."""
    screen: Size
    vary: Pixels | None = None
    """Non-zero where pixels are known to vary."""
    twin: bool = False
    """The same stood elsewhere on its own screen, with the same around it: what is further away must tell."""
    row: CropAnchor | None = None
    """The row through the target, where the same widget stands above or below: it must read the same."""
    column: CropAnchor | None = None
    """The same for its column, where it stands beside."""
    panel: CropAnchor | None = None
    """The dialog that it stands in: all that it says must read the same."""
    line: Box | None = None
    """The text that was clicked: it must read the same, to its end."""
    far: Box | None = None
    """All of that text, where it goes on far from the click: unless something lies over it there."""
    field: Box | None = None
    """The field that it is a part of, where that is about to be filled."""
    label: Box | None = None
    """The words that name that field."""
    done: CropAnchor | None = None
    """The target as the click left it, where that shows: `vary` marks the pixels that tell."""
    beyond: CropAnchor | None = None
    """All around a row or column that goes beyond the picture: there one sees what lies over it."""
    start: CropAnchor | None = None
    """The beginning of the field that it is a part of, where that is longer than the picture."""
    end: CropAnchor | None = None
    """The end of that field."""
    fades: tuple[tuple[Box, float], ...] = ()
    """How much target and context, shrunk, are like themselves half a pixel on: `ibtr.fade`, at recording."""

    @cached_property
    def size(self) -> Size:
        """Size of the picture."""
        return size_of(self.image)

    @cached_property
    def gray(self) -> Pixels:
        """The picture's luma."""
        return to_gray(self.image)

    @cached_property
    def words(self) -> Boxes:
        """The words and labels of the picture."""
        return words(self.gray)

    @cached_property
    def lasting(self) -> Pixels:
        """The luma without what is known to vary: the field, not the value in it."""
        return self.gray if self.vary is None else painted_over(self.gray, self.vary)

    @cached_property
    def slides(self) -> tuple[bool, bool]:
        """Whether the target crop looks the same a little further across, or down: a part of a long field."""
        return slides(self.lasting, self.target)

    @cached_property
    def wide(self) -> Box:
        """The whole picture, as a box."""
        return Box(0, 0, *self.size)

    @cached_property
    def card(self) -> bool:
        """Whether, as a row, it is a card: all of it tells, and it is higher than a widget or a text."""
        return self.context == self.wide and self.size.height > max(self.target.height + HIGHER, LINE)

    @cached_property
    def cut_off(self) -> bool:
        """Whether the core is no widget, but what is near the click of edges that hang together."""
        return hangs_together(self.core, self.click)

    def box(self, kind: str) -> Box:
        """The box of one of the paper's kinds of crop."""
        return {"target": self.target, "context": self.context, "wide_context": self.wide}[kind]

    def crop(self, kind: str) -> Pixels:
        """The pixels of one of the paper's kinds of crop."""
        return cut(self.image, self.box(kind))


@dataclass(frozen=True)
class Evidence:
    """A list of anchors under one tag each; kinds that this version does not know are kept, not used."""

    anchors: tuple[CropAnchor, ...]
    unknown: tuple[Mapping[str, object], ...] = ()

    @property
    def crop(self) -> CropAnchor:
        """The picture that is searched for.

        Raises:
            BadEvidence: there is none.
        """
        if not self.anchors:
            raise BadEvidence("the evidence holds no crop")
        return self.anchors[0]

    def pictures(self) -> Iterator[tuple[str, CropAnchor]]:
        """Every picture with its kind: each crop, followed by what belongs to it."""
        for anchor in self.anchors:
            yield PICTURED[0], anchor
            for kind in PICTURED[1:]:
                if (one := cast("CropAnchor | None", getattr(anchor, kind))) is not None:
                    yield kind, one

    def to_parts(self) -> tuple[dict[str, object], dict[str, Pixels]]:
        """JSON metadata, and the named pictures it refers to."""
        pictures: dict[str, Pixels] = {}
        rows: list[object] = []
        for index, (kind, anchor) in enumerate(self.pictures()):
            name = f"{kind}{index}"
            pictures[name] = anchor.image
            row: dict[str, object] = {
                "kind": kind,
                "image": name,
                "click": [float(v) for v in anchor.click],
                "core": list(anchor.core),
                "target": list(anchor.target),
                "context": list(anchor.context),
                "source": list(anchor.source),
                "screen": list(anchor.screen),
            }
            if anchor.twin:
                row["twin"] = True
            if anchor.fades:
                row["fades"] = [[*box, score] for box, score in anchor.fades]
            for name_of in BOXES:
                if (box := cast("Box | None", getattr(anchor, name_of))) is not None:
                    row[name_of] = list(box)
            if anchor.vary is not None:
                row["vary"] = f"{name}-vary"
                pictures[f"{name}-vary"] = anchor.vary
            rows.append(row)
        return {"version": VERSION, "anchors": [*rows, *map(dict, self.unknown)]}, pictures

    @classmethod
    def from_parts(cls, metadata: Mapping[str, object], pictures: Mapping[str, Pixels]) -> Evidence:
        """The evidence that `to_parts` took apart.

        Raises:
            BadEvidence: the version is newer, a picture is missing, or the numbers do not fit it.
        """
        if metadata.get("version") != VERSION:
            raise BadEvidence(f"evidence of version {metadata.get('version')!r}; this is {VERSION}")
        rows = metadata.get("anchors")
        if not isinstance(rows, list):
            raise BadEvidence("evidence without a list of anchors")
        known: list[CropAnchor] = []
        unknown: list[Mapping[str, object]] = []
        for row in cast("list[object]", rows):
            if not isinstance(row, dict):
                raise BadEvidence("an anchor is not an object")
            anchor = cast("dict[str, object]", row)
            kind = anchor.get("kind")
            if kind == "crop":
                known.append(_crop_anchor(anchor, pictures))
            elif kind in PICTURED and known:
                part = cast("dict[str, Any]", {str(kind): _crop_anchor(anchor, pictures)})
                known[-1] = replace(known[-1], **part)
            else:
                unknown.append(anchor)
        return cls(tuple(known), tuple(unknown))


def _crop_anchor(row: Mapping[str, object], pictures: Mapping[str, Pixels]) -> CropAnchor:
    image = _picture(row.get("image"), pictures, channels=3)
    whole = Box(0, 0, *size_of(image))
    core, target, context = (_box(row, name, whole) for name in ("core", "target", "context"))
    click = Point(*_numbers(row, "click", 2))
    if not whole.contains(click):
        raise BadEvidence("the click lies outside its picture")
    vary = _picture(row["vary"], pictures, channels=1) if "vary" in row else None
    if vary is not None and vary.shape != image.shape[:2]:
        raise BadEvidence("the mask has another size than its picture")
    source = Box(*(int(v) for v in _numbers(row, "source", 4)))
    screen = Size(*(int(v) for v in _numbers(row, "screen", 2)))
    if min(screen) < 1:
        raise BadEvidence("the recorded screen has no size")
    twin = row.get("twin", False) is True
    line, far, field, label = (_box(row, name, whole) if name in row else None for name in BOXES)
    return CropAnchor(
        image, click, core, target, context, source, screen, vary, twin,
        line=line, far=far, field=field, label=label, fades=_fades(row),
    )  # fmt: skip


def _fades(row: Mapping[str, object]) -> tuple[tuple[Box, float], ...]:
    rows = row.get("fades", [])
    if not isinstance(rows, list):
        raise BadEvidence("fades is not a list")
    numbers = [_numbers({"fades": one}, "fades", 5) for one in cast("list[object]", rows)]
    return tuple((Box(*(int(v) for v in box)), score) for *box, score in numbers)


def _picture(name: object, pictures: Mapping[str, Pixels], *, channels: int) -> Pixels:
    picture = pictures.get(name) if isinstance(name, str) else None
    if picture is None:
        raise BadEvidence(f"the picture {name!r} is missing")
    shape = picture.shape if picture.ndim == 3 else (*picture.shape, 1)
    if picture.dtype != np.uint8 or len(shape) != 3 or shape[2] != channels or min(shape) < 1:
        raise BadEvidence(f"the picture {name!r} is not uint8 with {channels} channels")
    return picture


def _numbers(row: Mapping[str, object], name: str, count: int) -> list[float]:
    value = row.get(name)
    if not isinstance(value, list):
        raise BadEvidence(f"{name} is not a list of {count} numbers")
    values = [float(v) for v in cast("list[object]", value) if isinstance(v, int | float)]
    if len(values) != count or not all(np.isfinite(values)):
        raise BadEvidence(f"{name} is not a list of {count} numbers")
    return values


def _box(row: Mapping[str, object], name: str, whole: Box) -> Box:
    box = Box(*(int(v) for v in _numbers(row, name, 4)))
    if not box.area or box.intersect(whole) != box:
        raise BadEvidence(f"{name} does not lie in its picture")
    return box

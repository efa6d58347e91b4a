"""Evidence of a target as anchors and blobs, and back: exact where a click is verified, small around it.

A crop is kept in layers, painted one over the other: the wide surroundings lossy and smaller, the
context lossy; the target with a margin, the line of text that was clicked and the words that name it exact.
The pixels that decide about a click are the ones seen.
The row of a target in a list is one lossy layer; how a click left its target is an exact one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final, cast

import cv2
import numpy as np
from pydantic import JsonValue

from ibtr.errors import BadEvidence
from ibtr.evidence import PICTURED, VERSION, CropAnchor, Evidence
from ibtr.geometry import Box, Size
from ibtr.pixels import Pixels, cut
from ibtr.reading import around_line
from memory_store.images import LOSSLESS, decode, encode_png, encode_webp
from memory_store.models import Anchor, BlobId, BlobRef, JsonObject, TargetEnd
from memory_store.writing import Held, Keeper

MARGIN: Final = 8
"""Pixels around the target crop that are kept exactly, too."""
NEAR_QUALITY: Final = 50
FAR_QUALITY: Final = 20
READ_QUALITY: Final = 75
"""A dialog is read letter by letter; it has no colours."""
FAR_SIZE: Final = 0.75
"""The far surroundings are shrunk to this: words can be read still, and it takes no more than half at 60."""
BARE: Final = 2048
"""Bytes of what is further around up to which it is kept exactly, if that takes at most twice as many."""

ReadBlob = Callable[[BlobId], bytes]


def keep_evidence(
    evidence: Evidence, keeper: Keeper, *, at: TargetEnd = TargetEnd.START
) -> tuple[Anchor, ...]:
    """Store what finds a target again; anchors of unknown kinds are kept as they are."""
    rows = cast("list[JsonObject]", evidence.to_parts()[0]["anchors"])
    pictured = list(evidence.pictures())
    known = (_kept(anchor, row, keeper, at) for (_, anchor), row in zip(pictured, rows, strict=False))
    others = (Anchor(kind=str(row["kind"]), at=at, data=row) for row in rows[len(pictured) :])
    return (*known, *others)


def load_evidence(
    anchors: Iterable[Anchor], read_blob: ReadBlob, *, at: TargetEnd = TargetEnd.START
) -> Evidence:
    """The evidence of one end of a step, with every blob verified.

    Raises:
        EvidenceMissing, EvidenceCorrupt: a blob is gone or damaged.
        BadEvidence: the anchors do not fit their pictures.
    """
    rows: list[JsonObject] = []
    pictures: dict[str, Pixels] = {}
    for index, anchor in enumerate(one for one in anchors if one.at is at):
        row = dict(anchor.data)
        if anchor.kind in PICTURED:
            row |= {"kind": anchor.kind, "image": f"crop{index}"}
            pictures[f"crop{index}"] = _painted(anchor, read_blob)
            if "vary" in anchor.blobs:
                row["vary"] = f"vary{index}"
                pictures[f"vary{index}"] = _read(anchor.blobs["vary"], read_blob)
        rows.append(row)
    return Evidence.from_parts({"version": VERSION, "anchors": rows}, pictures)


def as_kept(evidence: Evidence) -> Evidence:
    """Evidence as a replay will read it: what was around the target has lost a little."""
    held = Held()
    return load_evidence(keep_evidence(evidence, Keeper(held)), held.get)


def _kept(anchor: CropAnchor, row: JsonObject, keeper: Keeper, at: TargetEnd) -> Anchor:
    blobs: dict[str, BlobRef] = {}
    layers: list[JsonValue] = []
    quality = {"done": LOSSLESS, "panel": READ_QUALITY}.get(str(row["kind"]), NEAR_QUALITY)
    plain = partial(_strip, quality=quality)
    layered = {"crop": _layers, "start": _layers, "end": _layers, "beyond": _beyond}.get(
        str(row["kind"]), plain
    )
    for name, box, data in layered(anchor):
        blobs[name] = keeper.keep_picture(data, "image/webp")
        layers.append({"blob": name, "box": list(box)})
    if anchor.vary is not None:
        blobs["vary"] = keeper.keep_picture(encode_png(anchor.vary), "image/png")
    numbers = {name: value for name, value in row.items() if name not in {"kind", "image", "vary"}}
    size = anchor.size
    return Anchor(
        kind=str(row["kind"]),
        at=at,
        data={**numbers, "size": [size.width, size.height], "layers": layers},
        blobs=blobs,
    )


def _layers(anchor: CropAnchor) -> Iterator[tuple[str, Box, bytes]]:
    image, near = anchor.image, anchor.context
    target = anchor.target.grow(MARGIN).clip(anchor.size)
    if near != anchor.wide:
        yield from _far(anchor)
    if target != near:
        yield "near", near, encode_webp(cut(image, near), NEAR_QUALITY)
    yield "target", target, encode_webp(cut(image, target), LOSSLESS)
    line = around_line(anchor.line) if anchor.line is not None else target
    label = anchor.label.grow(1) if anchor.label is not None else target
    for name, words in (("line", line.clip(anchor.size)), ("label", label.clip(anchor.size))):
        if words.intersect(target) != words:
            yield name, words, encode_webp(cut(image, words), LOSSLESS)


def _far(anchor: CropAnchor) -> Iterator[tuple[str, Box, bytes]]:
    size = Size(*(max(1, round(side * FAR_SIZE)) for side in anchor.size))
    small = cv2.resize(anchor.image, size, interpolation=cv2.INTER_AREA)
    yield "far", anchor.wide, encode_webp(np.asarray(small, np.uint8), FAR_QUALITY)


def _beyond(anchor: CropAnchor) -> Iterator[tuple[str, Box, bytes]]:
    """What is kept around the picture: as that, but exactly where hardly anything is on it."""
    ((name, box, data),) = _far(anchor)
    exact = encode_webp(anchor.image, LOSSLESS) if len(data) <= BARE else b""
    yield name, box, exact if 0 < len(exact) <= 2 * BARE else data


def _strip(anchor: CropAnchor, quality: int) -> Iterator[tuple[str, Box, bytes]]:
    """A row, a column or a panel is read, however far from the target: nothing of it is shrunk."""
    yield "near", anchor.wide, encode_webp(anchor.image, quality)


def _painted(anchor: Anchor, read_blob: ReadBlob) -> Pixels:
    width, height = _numbers(anchor.data.get("size"), 2)
    image = np.zeros((height, width, 3), np.uint8)
    layers = anchor.data.get("layers")
    if not isinstance(layers, list):
        raise BadEvidence("a crop without its layers")
    for layer in layers:
        if not isinstance(layer, Mapping) or layer.get("blob") not in anchor.blobs:
            raise BadEvidence("a layer without its picture")
        box = Box(*_numbers(layer.get("box"), 4))
        if not box.area or box.clip(Size(width, height)) != box:
            raise BadEvidence("a layer lies outside its picture")
        pixels = _read(anchor.blobs[str(layer["blob"])], read_blob)
        if pixels.ndim != 3 or pixels.shape[2] != 3:
            raise BadEvidence("a layer without colours")
        if pixels.shape[:2] != (box.height, box.width):
            pixels = np.asarray(cv2.resize(pixels, box[2:], interpolation=cv2.INTER_CUBIC), np.uint8)
        image[box.y : box.bottom, box.x : box.right] = pixels
    return image


def _read(ref: BlobRef, read_blob: ReadBlob) -> Pixels:
    return decode(read_blob(ref.sha256), ref.media_type)


def _numbers(value: JsonValue, count: int) -> list[int]:
    found = [number for number in value if isinstance(number, int)] if isinstance(value, list) else []
    if len(found) != count or (count == 2 and not all(0 < number <= 8192 for number in found)):
        raise BadEvidence(f"{value!r} are not {count} whole numbers in bounds")
    return found

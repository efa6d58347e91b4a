"""The paper's exhaustive search (B.3), plain: the yardstick for speed and agreement, never used to click.

Two readings of "best over all crops, rival over all crops":

`first`    target, then context, then wide context; the first crop kind that is strong and alone binds.
           The rival is sought for the same kind of crop, at all scales, outside the neighbourhood.
`literal`  one best and one rival over all kinds together. A target that also matches as context is then
           its own rival, because the kinds differ in their top-left corner: most good targets are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np

from ibtr.errors import AmbiguousTarget, MissingTarget
from ibtr.geometry import Box, Point, Size
from ibtr.pixels import Floats, Pixels, checked, correlate, cut, resized, size_of, squared_difference, to_gray

Reading = Literal["first", "literal"]
KINDS = {"target": Size(64, 40), "context": Size(200, 120), "wide_context": Size(480, 300)}
SCALES = tuple(float(s) for s in np.round(np.arange(0.5, 2.0001, 0.05), 2))
FLAT = 1.0


class Crop(NamedTuple):
    """A stored picture of the target and where in it the click was."""

    kind: str
    image: Pixels
    ratio: Point


class Found(NamedTuple):
    """One candidate d = (j, s, p)."""

    score: float
    kind: str
    scale: float
    corner: tuple[int, int]
    size: Size
    point: Point


def crops_of(screen: Pixels, point: Point) -> tuple[Crop, ...]:
    """The paper's three crops, centred on the click as far as the screen allows."""
    crops: list[Crop] = []
    for kind, size in KINDS.items():
        box = Box(round(point.x - size.width / 2), round(point.y - size.height / 2), *size).clip(
            size_of(screen)
        )
        ratio = Point((point.x - box.x) / box.width, (point.y - box.y) / box.height)
        crops.append(Crop(kind, cut(screen, box).copy(), ratio))
    return tuple(crops)


def score_map(screen: Pixels, crop: Pixels) -> Floats:
    """Similarity at every position, by the rule that the crop's own variation chooses."""
    if float(crop.std()) >= FLAT:
        return np.clip(correlate(screen, crop), 0, 1)
    return 1 - np.clip(squared_difference(screen, crop), 0, 1)


def maps(screen: Pixels, crop: Crop, scales: Sequence[float]) -> Iterator[tuple[float, Size, Floats]]:
    """One score map per scale at which the crop fits on the screen."""
    gray, whole = to_gray(crop.image), size_of(screen)
    for scale in scales:
        size = Size(round(scale * gray.shape[1]), round(scale * gray.shape[0]))
        if min(size) >= 1 and size.width <= whole.width and size.height <= whole.height:
            yield scale, size, score_map(screen, resized(gray, size))


def reference(
    crops: Sequence[Crop],
    screen: Pixels,
    *,
    reading: Reading = "first",
    score: float = 0.78,
    margin: float = 0.02,
    scales: Sequence[float] = SCALES,
) -> Found:
    """The paper's answer.

    Raises:
        MissingTarget: no crop reaches `score`.
        AmbiguousTarget: every crop that does has a rival within `margin`.
    """
    gray = to_gray(checked(screen))
    groups = [[crop] for crop in crops] if reading == "first" else [list(crops)]
    best_seen: Found | None = None
    strong: list[float] = []
    for group in groups:
        best, second = _search(group, gray, scales)
        if best is not None and (best_seen is None or best.score > best_seen.score):
            best_seen = best
        if best is not None and best.score >= score:
            if best.score - second >= margin:
                return best
            strong.append(best.score - second)
    reached = best_seen.score if best_seen else 0.0
    if strong:
        raise AmbiguousTarget("two places look alike", score=reached, margin=max(strong))
    raise MissingTarget("nothing looks enough like the crops", score=reached)


def _search(crops: Sequence[Crop], gray: Pixels, scales: Sequence[float]) -> tuple[Found | None, float]:
    kept = [(crop, *found) for crop in crops for found in maps(gray, crop, scales)]
    best: Found | None = None
    for crop, scale, size, scores in kept:
        at = int(np.argmax(scores))
        y, x = divmod(at, scores.shape[1])
        if best is None or float(scores[y, x]) > best.score:
            point = Point(x + crop.ratio.x * size.width, y + crop.ratio.y * size.height)
            best = Found(float(scores[y, x]), crop.kind, scale, (x, y), size, point)
    if best is None:
        return None, 0.0
    return best, max(_outside(scores, best) for _, _, _, scores in kept)


def _outside(scores: Floats, best: Found) -> float:
    """Strongest score whose corner lies outside the neighbourhood of the best."""
    (x, y), half = best.corner, Size(best.size.width // 2, best.size.height // 2)
    rest = scores.copy()
    rest[max(0, y - half.height) : y + half.height + 1, max(0, x - half.width) : x + half.width + 1] = 0
    return float(rest.max())

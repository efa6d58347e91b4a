"""A target that reads what an input was given: found by the letters that were typed, where they stand again.

The row of the client who was searched for shows another name every time, so no stored picture finds it. But
the name has just been typed, and stands on the screen: its letters are looked for, as a whole word, in the
colours in which the target stood when it was recorded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from actionlens.frames import Pixels, crop
from ibtr.errors import AmbiguousTarget, BadEvidence, MissingTarget
from ibtr.geometry import Box, Point, Size
from memory_store.consolidation.screens import change
from memory_store.consolidation.vary import INK, background, gray_part, text_box, without_caret
from memory_store.models import Anchor, JsonObject, TargetEnd

KIND = "echo"
SCORE = 0.78
"""Least correlation of the whole word (paper, B.3)."""
PIECE, LEAST = 10, 0.85
"""Width of the pieces that must each be there, about a letter, and how alike each must be."""
LINE = 0.35
"""Share of a row that is ink in one place only: a line under the letters."""
SHORTEST = 3
"""Fewer letters may stand anywhere by chance."""
ROOM = 5
"""Plain pixels before and behind a word: otherwise it is part of a longer one."""
COLOUR = 60
"""Levels by which ink and paper may differ from those that were recorded."""
PLACE = 8
"""Pixels within which two places lie alike beside the field."""
FLAT = 8.0
"""Deviation, in levels, of a piece without letters."""


@dataclass(frozen=True, slots=True)
class Letters:
    """A text as it stands on a screen where it was typed."""

    gray: NDArray[np.uint8]
    box: Box


@dataclass(frozen=True, slots=True)
class Echo:
    """Which input a target reads, in which colours, and where: all that is kept of it."""

    input: str
    typed_by: int
    """Index of the step that types it."""
    click: Point
    """From the top left of the letters."""
    beside: Point
    """From the letters that were typed to those of the target."""
    ink: tuple[int, ...]
    paper: tuple[int, ...]

    def anchor(self, at: TargetEnd = TargetEnd.START) -> Anchor:
        """As it is kept."""
        data: JsonObject = {
            "kind": KIND,
            "input": self.input,
            "typed_by": self.typed_by,
            "click": [round(v) for v in self.click],
            "beside": [round(v) for v in self.beside],
            "ink": [*self.ink],
            "paper": [*self.paper],
        }
        return Anchor(kind=KIND, at=at, data=data)


class Place(NamedTuple):
    """Where the letters stand again."""

    box: Box
    score: float
    least: float


def letters_of(before: Pixels, after: Pixels, focus: Point | None, text: str) -> Letters | None:
    """The letters of a text that was typed between two frames, in a field that was clicked at `focus`."""
    if len(text.strip()) < SHORTEST or "\n" in text or before.shape != after.shape:
        return None
    box = text_box(change(before, after).boxes, focus, text)
    return None if box is None else letters_in(after, box)


def letters_in(screen: Pixels, box: Box) -> Letters | None:
    """The letters in a box, unless there is too little of them to be told from others."""
    box = without_caret(screen, box)
    gray = gray_part(screen, box).astype(np.uint8)
    return Letters(gray, box) if min(gray.shape) >= 6 and float(gray.std()) >= FLAT else None


def learn(letters: Letters, screen: Pixels, point: Point, name: str, typed_by: int) -> Echo | None:
    """An echo for a target at `point`, if it reads the letters, and would be found again by them."""
    for place in _places(letters, screen):
        if place.box.grow(ROOM).contains(point) and _is_word(screen, place.box):
            ink, paper = colours(screen, place.box)
            at = Point(place.box.x, place.box.y)
            beside = Point(at.x - letters.box.x, at.y - letters.box.y)
            echo = Echo(name, typed_by, Point(point.x - at.x, point.y - at.y), beside, ink, paper)
            try:
                found = find(echo, letters, screen)
            except (MissingTarget, AmbiguousTarget):
                return None
            return echo if found[0] == place else None
    return None


def find(echo: Echo, letters: Letters, screen: Pixels) -> tuple[Place, float]:
    """Where the letters stand again as the target did, and the score of the strongest other place.

    Raises:
        MissingTarget: nowhere.
        AmbiguousTarget: at several places, and not one of them lies beside the field as the target did.
    """
    seen = list(_places(letters, screen))
    right = [place for place in seen if _is_word(screen, place.box) and _coloured(echo, screen, place.box)]
    if not right:
        best = max((place.score for place in seen), default=0.0)
        raise MissingTarget(f"no place reads the {echo.input} that was typed", score=best, places=len(seen))
    if len(right) > 1:
        near = [place for place in right if _beside(echo, letters, place.box)]
        if len(near) != 1:
            raise AmbiguousTarget(f"{len(right)} places read the {echo.input}", places=len(right))
        right = near
    rival = max((place.score for place in seen if place is not right[0]), default=0.0)
    return right[0], rival


def read_echo(anchors: tuple[Anchor, ...]) -> Echo | None:
    """The echo among a step's anchors, if there is one.

    Raises:
        BadEvidence: it cannot be read.
    """
    kept = next((one.data for one in anchors if one.kind == KIND), None)
    if kept is None:
        return None
    try:
        return Echo(
            str(kept["input"]),
            int(str(kept["typed_by"])),
            Point(*_whole(kept["click"], 2)),
            Point(*_whole(kept["beside"], 2)),
            _whole(kept["ink"], 3),
            _whole(kept["paper"], 3),
        )
    except (KeyError, ValueError) as exc:
        raise BadEvidence(f"an echo that cannot be read: {exc}") from exc


def colours(screen: Pixels, box: Box) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The colours of the letters in a box and of what they stand on."""
    part, gray = crop(screen, box), gray_part(screen, box)
    paper = background(gray)
    apart = abs(gray - paper)
    ink = apart >= max(INK, 0.8 * float(apart.max()))
    plain = part[apart <= INK]
    inked = part[ink] if ink.any() else plain
    return _median(inked), _median(plain)


def _places(letters: Letters, screen: Pixels) -> Iterator[Place]:
    """Every place that shows the letters, but for the one where they were typed."""
    height, width = letters.gray.shape
    whole = gray_part(screen, Box(0, 0, screen.shape[1], screen.shape[0])).astype(np.uint8)
    if height > whole.shape[0] or width > whole.shape[1]:
        return
    scores = np.abs(np.asarray(cv2.matchTemplate(whole, letters.gray, cv2.TM_CCOEFF_NORMED), np.float32))
    own = letters.box
    while True:
        row, column = divmod(int(scores.argmax()), scores.shape[1])
        score = float(scores[row, column])
        if score < SCORE:
            return
        scores[max(0, row - height // 2) : row + height // 2, max(0, column - 8) : column + 8] = 0
        box = Box(column, row, width, height)
        least = _least(letters.gray, whole[row : row + height, column : column + width])
        if box.intersect(own).area <= 0.5 * own.area and least >= LEAST:
            yield Place(box, score, least)


def _least(known: NDArray[np.uint8], seen: NDArray[np.uint8]) -> float:
    """Of the pieces of a word, the one that is least alike: one other letter makes another word."""
    letters, other = (_inked(one).mean(axis=1) for one in (known, seen))
    rows = other - letters < LINE  # a link is underlined, its name in a field is not
    worst = 1.0
    for left in range(0, max(1, known.shape[1] - PIECE // 2), PIECE // 2):
        a, b = (one[rows, left : left + PIECE].astype(np.float32) for one in (known, seen))
        if a.size and a.std() >= FLAT:
            both = float(((a - a.mean()) * (b - b.mean())).mean())
            worst = min(worst, abs(both) / float(a.std() * max(b.std(), 1.0)))
    return worst


def _inked(gray: NDArray[np.uint8]) -> NDArray[np.bool_]:
    return np.abs(gray.astype(np.int16) - background(gray.astype(np.int16))) > INK


def _is_word(screen: Pixels, box: Box) -> bool:
    """Whether nothing stands close before or behind it."""
    size = Size(screen.shape[1], screen.shape[0])
    paper = background(gray_part(screen, box))
    sides = (Box(box.x - ROOM, box.y, ROOM - 1, box.height), Box(box.right + 1, box.y, ROOM - 1, box.height))
    parts = [gray_part(screen, side.clip(size)) for side in sides if side.clip(size).area]
    return all(float((abs(part - paper) > INK).mean()) < 0.02 for part in parts)


def _coloured(echo: Echo, screen: Pixels, box: Box) -> bool:
    ink, paper = colours(screen, box)
    pairs = (*zip(ink, echo.ink, strict=True), *zip(paper, echo.paper, strict=True))
    return all(abs(one - other) <= COLOUR for one, other in pairs)


def _beside(echo: Echo, letters: Letters, box: Box) -> bool:
    off = (box.x - letters.box.x - echo.beside.x, box.y - letters.box.y - echo.beside.y)
    return max(map(abs, off)) <= PLACE


def _median(pixels: Pixels) -> tuple[int, ...]:
    return tuple(int(v) for v in np.median(pixels.reshape(-1, 3), axis=0))


def _whole(value: JsonValue, count: int) -> tuple[int, ...]:
    found = [one for one in value if isinstance(one, int)] if isinstance(value, list) else []
    if len(found) != count:
        raise ValueError(f"{value!r} are not {count} whole numbers")
    return tuple(found)

"""How a typed secret looks, kept in memory only, and where a frame shows it again: in a list, or a moved window."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from actionlens.frames import Pixels, crop, size_of
from ibtr.geometry import Box, Point, Size

_INK: Final = 24  # levels from the background that make a letter
_LETTER: Final = 64  # what is wider or higher is a border or an area, not a letter
_LINES: Final = 160  # a place that is higher was no field of a secret
_CARET: Final = 3
_PIECE: Final = 56  # pixels across that are looked for as one: the end of a long text may be cut off
_LEAST: Final = Size(10, 6)  # what is smaller is in every text
_SHORT: Final = 24
_ALIKE, _SHORT_ALIKE = 0.8, 0.93  # correlation; a few letters are easily like a few others
_CONTRAST: Final = 0.25  # of that of the letters: where nothing stands, correlation means nothing
_MARGIN: Final = 3
_FOUND: Final = 64  # places of one piece in one frame

_Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    at: Point
    letters: Pixels
    alike: float


@dataclass(frozen=True, slots=True, eq=False)
class SecretLook:
    """The letters that appeared while a secret was typed, in pieces that are looked for one by one."""

    size: Size
    pieces: tuple[_Piece, ...]

    def same(self, other: "SecretLook") -> bool:
        """Whether both look alike to the pixel."""
        return self.size == other.size and all(
            np.array_equal(one.letters, two.letters)
            for one, two in zip(self.pieces, other.pieces, strict=False)
        )

    def found(self, gray: Pixels) -> Iterator[Box]:
        """Where a gray frame shows these letters, dark on light or light on dark."""
        for piece in self.pieces:
            for place in _places(gray, piece):
                whole = Box(place.x - int(piece.at.x), place.y - int(piece.at.y), *self.size)
                yield whole.grow(_MARGIN).clip(size_of(gray))


def look_of(before: Pixels, after: Pixels) -> SecretLook | None:
    """What was typed, as it looks; None where that is too little to be told from other text."""
    if before.shape != after.shape or after.shape[0] > _LINES:
        return None
    gray = gray_of(after)
    ink = _letters(gray, (before != after).any(axis=2))
    box = _around(ink)
    if box is None:
        return None
    letters = gray[box.y : box.bottom, box.x : box.right].copy()
    text = _around(_without_carets(ink[box.y : box.bottom, box.x : box.right]))
    if text is None:
        return None
    pieces = tuple(_pieces(letters, text))
    return SecretLook(Size(box.width, box.height), pieces) if pieces else None


def gray_of(pixels: Pixels) -> Pixels:
    """One channel: a selected line has other colours."""
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)


def _letters(gray: Pixels, changed: _Mask) -> _Mask:
    """What is new and differs from its background, without borders and areas."""
    shade = int(np.bincount(gray.ravel(), minlength=256).argmax())
    ink = changed & (np.abs(gray.astype(np.int16) - shade) > _INK)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
    small = [n for n in range(1, count) if stats[n, 2] <= _LETTER and stats[n, 3] <= _LETTER]
    return np.isin(labels, small)


def _without_carets(ink: _Mask) -> _Mask:
    """Without the lines of full height at both ends: a caret stands in a field, and in no list."""
    kept = ink.copy()
    for side in (kept, kept[:, ::-1]):
        full = np.atleast_1d(side.all(axis=0))
        wide = int(np.argmin(full)) if not full.all() else len(full)
        if 0 < wide <= _CARET:
            side[:, :wide] = False
    return kept


def _around(ink: _Mask) -> Box | None:
    rows, columns = np.nonzero(ink)
    if not len(rows):
        return None
    left, top = int(columns.min()), int(rows.min())
    return Box(left, top, int(columns.max()) + 1 - left, int(rows.max()) + 1 - top)


def _pieces(letters: Pixels, text: Box) -> Iterator[_Piece]:
    count = max(1, round(text.width / _PIECE))
    edges = [text.x + round(text.width * n / count) for n in range(count + 1)]
    for left, right in zip(edges, edges[1:], strict=False):
        part = crop(letters, Box(left, text.y, right - left, text.height))
        if part.shape[1] >= _LEAST.width and part.shape[0] >= _LEAST.height and part.std() >= _INK / 4:
            yield _Piece(Point(left, text.y), part, _SHORT_ALIKE if part.shape[1] < _SHORT else _ALIKE)


def _places(gray: Pixels, piece: _Piece) -> Iterator[Box]:
    height, width = piece.letters.shape
    if height > gray.shape[0] or width > gray.shape[1]:
        return
    scores = cv2.matchTemplate(gray, piece.letters, cv2.TM_CCOEFF_NORMED)
    scores = np.nan_to_num(np.abs(scores))
    contrast = _CONTRAST * float(piece.letters.std())
    for _ in range(_FOUND):
        row, column = divmod(int(scores.argmax()), scores.shape[1])
        if scores[row, column] < piece.alike:
            return
        place = Box(column, row, width, height)
        scores[
            max(0, row - height // 2) : row + height // 2 + 1, max(0, column - width // 2) : column + width // 2
        ] = 0
        if crop(gray, place).std() >= contrast:
            yield place

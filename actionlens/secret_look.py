"""How a typed secret looks, kept in memory only, and where a frame shows it again: a list, a moved window.

At its own size a piece of it is found to the pixel. A list of suggestions draws it a little larger or
smaller: there it is looked for at half the size, blurred, as no two sizes of a letter have the same pixels.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, pairwise
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
_SIZES: Final = tuple(0.8 * 1.04**n for n in range(16))  # up to 1.44
_SCALABLE: Final = 36  # pixels across from which letters of another size are known
_OTHER_ALIKE: Final = 0.82
_OTHERS: Final = 2  # pieces that are looked for in other sizes: the beginning is what a list shows
_BLUR: Final = 0.6
_TOO_MANY: Final = 4  # places before it was typed: what is found there is no sign of it
_NEW: Final = 0.7

_Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    at: Point
    letters: Pixels
    alike: float
    any_size: bool


@dataclass(frozen=True, slots=True, eq=False)
class SecretLook:
    """The letters that appeared while a secret was typed, in pieces that are looked for one by one."""

    size: Size
    pieces: tuple[_Piece, ...]
    ink: int
    new: int
    """Pixels of its letters, and by how many they are more than stood there before."""

    def same(self, other: "SecretLook") -> bool:
        """Whether both look alike to the pixel."""
        return self.size == other.size and all(
            np.array_equal(one.letters, two.letters)
            for one, two in zip(self.pieces, other.pieces, strict=False)
        )

    @property
    def reach(self) -> int:
        """No place that shows it is wider or higher."""
        return round(max(self.size) * _SIZES[-1]) + 2 * _MARGIN + 2

    def found(self, gray: Pixels) -> Iterator[Box]:
        """Where a gray frame shows these letters, dark on light or light on dark."""
        for piece in self.pieces:
            for place in _places(gray, piece.letters, piece.alike):
                yield self._whole(piece, place, 1.0, 1, size_of(gray))
        half = _halved(gray)
        for piece in [one for one in self.pieces if one.any_size][:_OTHERS]:
            for size, place in _other_sizes(half, piece):
                yield self._whole(piece, place, size, 2, size_of(gray))

    def telling(self, before: Pixels) -> "SecretLook":
        """Without the pieces that a gray frame from before it was typed seems to show all over."""
        half = _halved(before)
        pieces = [
            replace(one, any_size=one.any_size and _few(_other_sizes(half, one)))
            for one in self.pieces
            if _few(_places(before, one.letters, one.alike))
        ]
        return replace(self, pieces=tuple(pieces))

    def _whole(self, piece: _Piece, place: Box, size: float, shrunk: int, within: Size) -> Box:
        """All of the text around one piece of it that was found in a frame shrunk so many times."""
        x, y = place.x * shrunk - piece.at.x * size, place.y * shrunk - piece.at.y * size
        whole = Box(round(x), round(y), round(self.size.width * size), round(self.size.height * size))
        return whole.grow(_MARGIN + shrunk - 1).clip(within)


def look_of(before: Pixels, after: Pixels) -> SecretLook | None:
    """What was typed, as it looks; None where that is too little to be told from other text."""
    if before.shape != after.shape or after.shape[0] > _LINES:
        return None
    gray = gray_of(after)
    changed = (before != after).any(axis=2)
    ink = _letters(gray, changed)
    box = _around(ink)
    if box is None:
        return None
    letters = gray[box.y : box.bottom, box.x : box.right].copy()
    text = _around(_without_carets(ink[box.y : box.bottom, box.x : box.right]))
    if text is None:
        return None
    pieces = tuple(_pieces(letters, text))
    count, stood = int(ink.sum()), int(_letters(gray_of(before), changed).sum())
    return SecretLook(Size(box.width, box.height), pieces, count, count - stood) if pieces else None


def of_the_text(looks: list[SecretLook]) -> list[SecretLook]:
    """Those that are new where they stand, and the newest: a title that only got a mark is no secret."""
    newest = max((look.new for look in looks), default=0)
    return [look for look in looks if look.new == newest or look.new >= _NEW * look.ink]


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
    """Without narrow lines of full height: a caret stands in a field, and in no list."""
    full = np.atleast_1d(ink.all(axis=0)).astype(np.uint8)[None, :]
    wide = cv2.morphologyEx(full, cv2.MORPH_OPEN, np.ones((1, _CARET + 1), np.uint8))
    kept = ink & ~((full > 0) & (wide == 0))
    return kept if kept.any() else ink


def _around(ink: _Mask) -> Box | None:
    rows, columns = np.nonzero(ink)
    if not len(rows):
        return None
    left, top = int(columns.min()), int(rows.min())
    return Box(left, top, int(columns.max()) + 1 - left, int(rows.max()) + 1 - top)


def _pieces(letters: Pixels, text: Box) -> Iterator[_Piece]:
    count = max(1, round(text.width / _PIECE))
    edges = [text.x + round(text.width * n / count) for n in range(count + 1)]
    for left, right in pairwise(edges):
        part = crop(letters, Box(left, text.y, right - left, text.height))
        if part.shape[1] >= _LEAST.width and part.shape[0] >= _LEAST.height and part.std() >= _INK / 4:
            wide = part.shape[1]
            yield _Piece(
                Point(left, text.y), part, _SHORT_ALIKE if wide < _SHORT else _ALIKE, wide >= _SCALABLE
            )


def _few(places: Iterator[object]) -> bool:
    return sum(1 for _ in islice(places, _TOO_MANY)) < _TOO_MANY


def _other_sizes(half: Pixels, piece: _Piece) -> Iterator[tuple[float, Box]]:
    for size in _SIZES:
        for place in _places(half, _sized(piece.letters, size / 2), _OTHER_ALIKE):
            yield size, place


def _halved(gray: Pixels) -> Pixels:
    return _blurred(cv2.resize(gray, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))


def _sized(letters: Pixels, size: float) -> Pixels:
    width, height = max(2, round(letters.shape[1] * size)), max(2, round(letters.shape[0] * size))
    return _blurred(cv2.resize(letters, (width, height), interpolation=cv2.INTER_AREA))


def _blurred(gray: cv2.typing.MatLike) -> Pixels:
    return np.asarray(cv2.GaussianBlur(gray, (0, 0), _BLUR), np.uint8)


def _places(gray: Pixels, letters: Pixels, alike: float) -> Iterator[Box]:
    height, width = letters.shape
    if height > gray.shape[0] or width > gray.shape[1]:
        return
    scores = np.nan_to_num(np.abs(cv2.matchTemplate(gray, letters, cv2.TM_CCOEFF_NORMED)))
    contrast = _CONTRAST * float(letters.std())
    for _ in range(_FOUND):
        row, column = divmod(int(scores.argmax()), scores.shape[1])
        if scores[row, column] < alike:
            return
        rows = slice(max(0, row - height // 2), row + height // 2 + 1)
        scores[rows, max(0, column - width // 2) : column + width // 2 + 1] = 0
        place = Box(column, row, width, height)
        if crop(gray, place).std() >= contrast:
            yield place

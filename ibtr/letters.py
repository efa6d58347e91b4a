"""Lines of text in a picture, letter by letter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibtr.geometry import Box
from ibtr.marks import box_of, marks
from ibtr.pixels import Pixels, cut, size_of

LINE = (5, 26)
"""Least and greatest height of what is taken for a line of text."""
INK, FAINT = 0.35, 24
"""Share of a line's contrast from which a pixel is ink; the levels below which nothing is written."""
LEAST = 2
"""Letters of a line: a mark that stands alone is an icon, or the corner of a frame."""
WORD = 5
"""Pixels between two letters from which another word begins."""
FEW, OFF = 3, 0.06
"""Letters by which the setting of a word can be told, and how far off each may be, in shares of its width."""
STEM = 0.45
"""Width of a letter that is a stem, and maybe a dot, in heights."""
RULE = 0.9
"""Share of a text's length along which ink is a line under it."""
HIDDEN = 0.1
"""Share of a letter that may be known to vary."""


class Line(NamedTuple):
    """A line of text: its letters, and which of them are known to vary."""

    box: Box
    letters: tuple[Box, ...]
    hidden: tuple[bool, ...]

    def words(self) -> Iterator[Sequence[Box] | None]:
        """Its words, each as its letters; None for what varies between them."""
        word: list[Box] = []
        gone = False
        for letter, hidden in zip(self.letters, self.hidden, strict=True):
            if word and (hidden or letter.x - word[-1].right >= WORD):
                yield word
                word = []
            if hidden and not gone:
                yield None
            gone = hidden
            if not hidden:
                word.append(letter)
        if word:
            yield word


def lines(gray: Pixels, varies: Pixels | None = None) -> list[Line]:
    """The lines of text in a picture, from the top; frames, icons and lone marks are none."""
    found = [box_of(row) for row in marks(gray)]
    joined: list[Box] = []
    for box in sorted(found, key=lambda b: (-b.width, b.y)):
        if not LINE[0] <= box.height <= LINE[1] or box.width < 3:
            continue
        at = next((n for n, one in enumerate(joined) if _in_line(one, box)), None)
        if at is None:
            joined.append(box)
        else:
            joined[at] = around(joined[at], box)
    boxes = [box.grow(1).clip(size_of(gray)) for box in joined if box.height <= LINE[1]]
    made = (_line(gray, box, varies) for box in sorted(boxes, key=lambda b: b.y))
    return [line for line in made if len(line.letters) >= LEAST]


def inked(gray: Pixels) -> Pixels:
    """1 where a line of text has ink, on whatever ground."""
    ground = int(np.bincount(gray.ravel()).argmax()) if gray.size else 0
    apart = np.abs(gray.astype(np.int16) - ground)
    most = int(apart.max(initial=0))
    return (apart > INK * most).astype(np.uint8) if most >= FAINT else np.zeros_like(gray)


def without_rule(gray: Pixels, box: Box) -> Pixels:
    """A picture without the line under the text in a box, that letters hang together by."""
    text = cut(gray, box)
    under = inked(text).mean(axis=1) >= RULE
    if not under.any() or under.all():
        return gray
    bare = gray.copy()
    cut(bare, box)[under] = int(np.bincount(text.ravel()).argmax())
    return bare


def around(a: Box, b: Box) -> Box:
    """The box of two."""
    left, top = min(a.x, b.x), min(a.y, b.y)
    return Box(left, top, max(a.right, b.right) - left, max(a.bottom, b.bottom) - top)


def level(a: Box, b: Box) -> bool:
    """Whether both stand in one line."""
    return min(a.bottom, b.bottom) - max(a.y, b.y) >= 0.5 * min(a.height, b.height)


def _in_line(line: Box, box: Box) -> bool:
    near = max(line.x - box.right, box.x - line.right) <= 2 * max(line.height, box.height)
    return near and level(line, box)


def _line(gray: Pixels, box: Box, varies: Pixels | None) -> Line:
    runs = stretches(np.flatnonzero(inked(cut(gray, box)).any(axis=0)))
    letters = [Box(box.x + a, box.y, b - a, box.height) for a, b in runs]
    hidden = [varies is not None and float((cut(varies, one) != 0).mean()) > HIDDEN for one in letters]
    return Line(box, tuple(letters), tuple(hidden))


def stretches(at: NDArray[np.intp], gap: int = 1) -> list[tuple[int, int]]:
    """First and end of each stretch of numbers that lie no further than `gap` apart."""
    if not len(at):
        return []
    parts = np.split(at, np.flatnonzero(np.diff(at) > gap) + 1)
    return [(int(part[0]), int(part[-1]) + 1) for part in parts]


class Word(NamedTuple):
    """The letters of a word that stand apart: where each begins and ends, in shares of its width."""

    ends: tuple[tuple[float, float], ...]
    dots: tuple[bool | None, ...]
    """Whether a letter has a dot over it; None for what is no stem."""

    def redotted(self, other: Word) -> bool:
        """Whether a letter has got a dot, or lost it, though there are as many as in the other.

        Of letters that stand in the same place: others may hang together in one of the two, as "tt" does.
        """
        if len(self.dots) != len(other.dots):
            return False
        both = zip(self.ends, other.ends, self.dots, other.dots, strict=True)
        placed = ((a, b) for one, two, a, b in both if one[0] < two[1] and two[0] < one[1])
        return any(a is not None and b is not None and a != b for a, b in placed)

    def set_alike(self, other: Word) -> bool:
        """Whether its letters stand as those of the other do, whatever its length."""
        if not FEW <= len(self.ends) == len(other.ends):
            return False
        return float(np.abs(np.subtract(self.ends, other.ends)).max()) <= OFF


def word_in(gray: Pixels, box: Box) -> Word:
    """The letters of a word, in a box tight around it."""
    ink = inked(cut(gray, box))
    runs = stretches(np.flatnonzero(ink.any(axis=0)))
    ends = tuple((a / box.width, b / box.width) for a, b in runs)
    return Word(ends, tuple(_dotted(ink[:, a:b]) for a, b in runs))


def _dotted(letter: Pixels) -> bool | None:
    rows = np.flatnonzero(letter.any(axis=1))
    if letter.shape[1] > STEM * (int(rows[-1]) + 1 - int(rows[0])):
        return None
    upper = rows[rows < (len(letter) + 1) // 2]
    return len(stretches(upper)) > 1 or (len(upper) > 0 and int(upper[-1]) < (len(letter) + 1) // 2 - 1)

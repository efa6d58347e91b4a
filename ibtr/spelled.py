"""Does a screen say what a picture of a few lines of text says, letter by letter?

Letters keep their pixels, not their distances: another resolution sets them a pixel closer. So each letter is
looked for on its own, right after the one before it; and no letter may be there that was not there before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from ibtr.geometry import Box, Point, Size
from ibtr.letters import Line, around, inked, level, lines
from ibtr.pixels import Floats, Pixels, correlate, correlation, cut, local_mean, moved, size_of

RIM = 2
"""Pixels around a letter that are compared with it."""
NEAR, FAR = Size(48, 24), Size(160, 24)
"""How far from where it should be a line is looked for; and where something in it varies."""
WORD, LETTER = Size(4, 2), Size(2, 1)
"""The same for a word after the one before it, and for a letter after its neighbour."""
FURTHER = 0.0005
"""What a pixel further away counts: of two equal words, the nearer one."""
FOUND = 0.5
"""Correlation from which a letter tells where the next one is."""
DOUBT, TWO = 0.2, 9
"""How far apart a letter may be that is surely read; width of two that touch."""
PHASES = (0.0, -0.34, 0.34)
"""Parts of a pixel by which a letter may lie beside the screen's, where that was scaled."""
CONTRAST = 40.0
"""Levels between ground and ink, at least, that others are measured by: what is fainter is noise."""
SAME = 0.8
"""Correlation from which a mark that was not read as a letter was there before."""
AFTER = 3
"""Line heights behind the last letter in which nothing more may be written."""

Way: TypeAlias = tuple[int, int]
"""Pixels across and down from the picture to the screen."""


class Read(NamedTuple):
    """How a text reads."""

    least: float
    """Correlation of the letter that is least alike; 1 where nothing is written."""
    apart: float
    """How far apart, in shares of its contrast, a letter is at its worst place."""
    letters: int
    """How many were read."""
    new: int
    """Most pixels of ink of a letter that was not there."""


class _Put(NamedTuple):
    """Where a letter was found, and how it reads."""

    at: Box
    way: Way
    alike: float
    apart: float


def read(
    known: Pixels, seen: Pixels, origin: Way, own: Box, varies: Pixels | None = None, *, scaled: bool = False
) -> Read:
    """Read on `seen` what `known`, whose corner lies at `origin` there, says beside its `own` part.

    What `varies` may be anything, or nothing.
    """
    hidden = np.zeros_like(known) if varies is None else (varies != 0).astype(np.uint8)
    reach = FAR if hidden.any() else NEAR
    cut(hidden, own)[:] = 1
    reader = _Reader(known, seen, scaled=scaled)
    taken = reader.moved(own, origin)
    reader.free(taken)
    puts = [put for line in lines(known, hidden) for put in reader.line(line, origin, reach)]
    alike = [-1.0 if put.at.intersect(taken).area else put.alike for put in puts]
    for put in puts:
        reader.free(put.at.grow(RIM))
    worst = max((put.apart for put in puts), default=0.0)
    return Read(min(alike, default=1.0), worst, len(puts), reader.new(origin, puts))


def spelled(known: Pixels, seen: Pixels, line: Line, way: Way) -> Read:
    """Read one line of `known` on `seen`, where `way` leads to it; between pixels, too."""
    puts = list(_Reader(known, seen, scaled=True).line(line, way, LETTER))
    worst = max((put.apart for put in puts), default=0.0)
    return Read(min((put.alike for put in puts), default=1.0), worst, len(puts), 0)


class _Reader:
    """The picture, the screen, and where on it nothing is new."""

    def __init__(self, known: Pixels, seen: Pixels, *, scaled: bool) -> None:
        self._known, self._seen, self._scaled = known, seen, scaled
        self._size = size_of(seen)
        self._free = np.zeros_like(seen)

    def moved(self, box: Box, way: Way) -> Box:
        """A box of the picture, on the screen."""
        return Box(box.x + way[0], box.y + way[1], box.width, box.height)

    def free(self, box: Box) -> None:
        """Nothing is new here."""
        cut(self._free, box.clip(self._size))[:] = 1

    def line(self, line: Line, origin: Way, reach: Size) -> Iterator[_Put]:
        """Each letter of a line where it is, one after the other; between them, what varies."""
        way, room, end, hole = origin, reach, 0, False
        for word in line.words():
            if word is None:
                room, hole = reach, True
                continue
            way = self._way(around(word[0], word[-1]), way, room)
            if hole:
                self._open(line, way, end, word[0].x + way[0])
            room, hole = WORD, False
            for put in self._letters(word, way):
                way = put.way if put.alike >= FOUND else way
                end = put.at.right
                yield put
        if hole:
            self._open(line, way, end, self._size.width)

    def _letters(self, word: Sequence[Box], way: Way) -> Iterator[_Put]:
        """Each letter of a word; two that touch in the picture may be apart on the screen."""
        for letter in word:
            found = [self._letter(letter, way)]
            if found[0].apart > DOUBT and letter.width >= TWO:
                left, right = self._parted(letter)
                first = self._letter(left, way)
                parts = [first, self._letter(right, first.way)]
                found = min(found, parts, key=lambda puts: max(put.apart for put in puts))
            yield from found
            way = found[-1].way if found[-1].alike >= FOUND else way

    def _parted(self, letter: Box) -> tuple[Box, Box]:
        """What touches, cut where there is least ink."""
        ink = inked(cut(self._known, letter)).sum(axis=0)
        third = letter.width // 3
        at = third + int(ink[third : letter.width - third].argmin())
        return letter._replace(width=at), letter._replace(x=letter.x + at, width=letter.width - at)

    def _open(self, line: Line, way: Way, start: int, end: int) -> None:
        """What varies may be written between two letters of a line."""
        self.free(Box(start, line.box.y + way[1] - RIM, max(0, end - start), line.box.height + 2 * RIM))

    def _way(self, word: Box, way: Way, room: Size) -> Way:
        """The way from a word to where it is, within `room` of where it should be."""
        box = word.grow(RIM).clip(size_of(self._known))
        there = self.moved(box, way)
        here = Box(there.x - room.width, there.y - room.height, 0, 0)._replace(
            width=there.width + 2 * room.width, height=there.height + 2 * room.height
        )
        here = here.clip(self._size)
        if here.width < box.width or here.height < box.height:
            return way
        scores = correlate(cut(self._seen, here), cut(self._known, box))
        rows, columns = np.indices(scores.shape)
        away = np.abs(rows + here.y - there.y) + np.abs(columns + here.x - there.x)
        y, x = divmod(int((scores - FURTHER * away).argmax()), scores.shape[1])
        return here.x + x - box.x, here.y + y - box.y

    def _letter(self, letter: Box, at: Way) -> _Put:
        way = self._way(letter, at, LETTER)
        box = letter.grow(RIM).clip(size_of(self._known))
        there, put = self.moved(box, way), self.moved(letter, way)
        if there.clip(self._size) != there:
            return _Put(put, way, -1.0, 1.0)
        seen, left = cut(self._seen, there), letter.x - box.x
        columns = slice(left, left + letter.width)
        phases = list(self._phases(box))
        return _Put(
            put,
            way,
            max(correlation(one, seen) for one in phases),
            min(_apart(one, seen, columns) for one in phases),
        )

    def _phases(self, box: Box) -> Iterator[Pixels]:
        yield cut(self._known, box)
        for dx in PHASES if self._scaled else ():
            for dy in PHASES:
                yield moved(self._known, Point(box.x + dx, box.y + dy), Size(box.width, box.height))

    def new(self, origin: Way, puts: Sequence[_Put]) -> int:
        """Most ink of a letter that was not there: in the picture itself, or right behind a line."""
        whole = self.moved(Box(0, 0, *size_of(self._known)), origin)
        right = max([whole.right, *(put.at.right + AFTER * put.at.height for put in puts)])
        part = Box(whole.x, whole.y, right - whole.x, whole.height).clip(self._size)
        here, most = cut(self._seen, part), 0
        for line in lines(here):
            ink = inked(cut(here, line.box)) * (1 - cut(self._free, self.moved(line.box, (part.x, part.y))))
            for letter in line.letters:
                there = self.moved(letter, (part.x, part.y))
                left = int(ink[:, letter.x - line.box.x : letter.right - line.box.x].sum())
                outside = there.x >= whole.right and not _follows(there, puts)
                if left > most and not outside and not self._was_there(there, origin, puts):
                    most = left
        return most

    def _was_there(self, letter: Box, origin: Way, puts: Sequence[_Put]) -> bool:
        """Whether the picture shows the same, moved as one of its words is."""
        there = letter.grow(RIM)
        ways = {origin, *(put.way for put in puts)} if there.clip(self._size) == there else set[Way]()
        boxes = (self.moved(there, (-way[0], -way[1])) for way in ways)
        inside = (box for box in boxes if box.clip(size_of(self._known)) == box)
        return any(correlation(cut(self._known, box), cut(self._seen, there)) >= SAME for box in inside)


def _follows(letter: Box, puts: Sequence[_Put]) -> bool:
    """Whether a letter stands right behind one that was read."""
    before = (put.at for put in puts if level(put.at, letter))
    return any(0 <= letter.x - one.right <= AFTER * one.height for one in before)


def _apart(known: Pixels, seen: Pixels, columns: slice) -> float:
    """How far apart two letters are at the worst place of 2 x 2 pixels, in shares of the contrast."""
    a, b = _shades(known), _shades(seen)
    return float(local_mean(np.abs(a - b)[:, columns], 2)[1:].max(initial=0.0))


def _shades(letter: Pixels) -> Floats:
    """0 for the ground, 1 for the ink."""
    values = letter.astype(np.float32)
    ground = float(np.median(np.concatenate([values[0], values[-1]])))
    away: Floats = np.abs(values - ground)
    return away / np.float32(max(float(away.max()), CONTRAST))

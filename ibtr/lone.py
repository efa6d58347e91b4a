"""A row that stands alone: the only entry of a list when it was recorded, and maybe another one next time.

No equal of the widget stands above or below it then. It is a row all the same where its cells stand under the
words of a heading, or where it has a frame of its own, or lines above and below, on the ground of the page. A
form is none: what stands in its fields is content; neither is a bar that goes along a window.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np

from ibtr.geometry import Box, Point
from ibtr.letters import around, level
from ibtr.lists import borders
from ibtr.marks import box_of, marks, words_of
from ibtr.masks import edges
from ibtr.pixels import Pixels, cut, size_of
from ibtr.ruled import ALONG, Rules, bolder, fainter

LINE = (5, 26)
"""Least and greatest height of a line of text."""
ABOVE, BELOW = 150, 40
"""How far above and below the widget its row and the heading are looked for."""
BESIDE = 8
"""Pixels above and below the widget at which the middle of a text in its row may be."""
CELL = 12
"""Pixels between two cells, at least."""
HEADED = 56
"""Pixels between a row and its heading, at most."""
LINED = 3
"""Pixels by which a cell and its heading may be out of line."""
MOSTLY = 0.7
"""Share of the cells that stand under a heading."""
WORD = 20
"""Width of a word that names something, at least: an arrow is no wider."""
SIGNS = 2
"""Icons for each text of a row, at most: a toolbar has more."""
CENTRED, BUTTON = 6, 200
"""Pixels by which the text of a button may be off its middle, and the width of a button, at most."""
HIGHEST, EDGING = 140, 4
"""A higher frame than this is a pane, which shows the row alone; and the width of its edge."""
INK = 24
"""Levels between neighbouring pixels that make a stroke."""
OUTSIDE = range(5, 9)
"""Pixels beside a frame at which the ground that it stands on is seen."""
GROUND = 6
"""Levels by which that may differ from side to side."""


class _Line(NamedTuple):
    """A widget, the cells beside it, and all that is written around, in larger and in smaller pieces."""

    own: Box
    """The text in the widget that was clicked, else what is within its edge."""
    button: Box | None
    """The frame around that, if it is a button's."""
    cells: list[Box]
    texts: list[Box]
    words: list[Box]

    @property
    def widget(self) -> Box:
        return self.button or self.own

    @property
    def box(self) -> Box:
        return reduce(around, self.cells, self.widget)

    def within(self, part: Box) -> _Line:
        """The same line, no longer than a part of the screen."""
        return self._replace(cells=[cell for cell in self.cells if cell.intersect(part) == cell])

    def worded(self, cell: Box) -> bool:
        """Whether a cell is a text, not an icon or an arrow."""
        return any(one.intersect(cell) == one for one in self.words)


def lone_row(gray: Pixels, core: Box, click: Point, varies: Pixels | None) -> Box | None:
    """The row that a widget stands in as the only one of its kind; None if nothing says that it is one."""
    part = Box(0, core.y - ABOVE, gray.shape[1], core.height + ABOVE + BELOW).clip(size_of(gray))
    every = marks(cut(gray, part))
    texts, words = (
        [box._replace(y=box.y + part.y) for box in map(box_of, rows)] for rows in (every, words_of(every))
    )
    texts = [text for text in texts if LINE[0] <= text.height <= LINE[1]]
    inner = core.grow(-EDGING) if min(core[2:]) > 4 * EDGING else core
    here = Box(core.x, round(click.y) - EDGING, core.width, 2 * EDGING)
    own = next((cell for cell in _cells(_level(here, texts)) if cell.contains(click)), inner)
    rules = Rules.around(gray, core, ABOVE)
    button = next((frame for frame in rules.frames(own)[:1] if is_button(frame, own)), None)
    widget = button or own
    cells = [cell for cell in _cells(_level(widget, texts)) if not cell.intersect(widget).area]
    line = _Line(own, button, cells, texts, [word for word in words if word.width >= WORD])
    found = _headed(gray, line, rules, varies) or _ruled_off(gray, line, rules, varies)
    return found.box.grow(2).clip(size_of(gray)) if found else None


def _level(widget: Box, texts: Sequence[Box]) -> list[Box]:
    """The texts beside a widget."""
    return [text for text in texts if widget.y - BESIDE <= text.center.y <= widget.bottom + BESIDE]


def _cells(texts: Sequence[Box]) -> list[Box]:
    """What stands together in a line."""
    cells: list[Box] = []
    for text in sorted(texts):
        if cells and text.x - cells[-1].right < CELL:
            cells[-1] = around(cells[-1], text)
        else:
            cells.append(text)
    return cells


def _headed(gray: Pixels, line: _Line, rules: Rules, varies: Pixels | None) -> _Line | None:
    """The part of a line that stands under a heading."""
    heading = [cell for cell in _above(line.box, line.texts) if line.worded(cell)]
    if not heading:
        return None
    first, last = borders(gray, line.widget, [heading[0].y - line.widget.y])
    left, right = min(cell.x for cell in heading) - CELL, max(cell.right for cell in heading) + CELL
    here = line._replace(cells=[c for c in line.cells if left <= c.x < right])
    row = here.within(Box(first, 0, last - first, len(gray)))
    names = _names(row, rules, varies)
    pairs = [(over, cell) for cell in names for over in heading if _lined(cell, over)]
    under = len({cell for _, cell in pairs}) >= MOSTLY * len(names)
    columns = {over for over, _ in pairs} | {over for over in heading if _lined(line.widget, over)}
    if not (pairs and under and len(columns) >= 2) or _is_row(heading, line.texts):
        return None
    top, bottom = heading[0].y, min(cell.y for cell in names)
    if rules.along(Box(row.box.x, top, row.box.width, bottom - top)):
        return row
    if line.button is None:
        pairs += [(over, line.own) for over in heading if _lined(line.own, over)]
    return row if bolder(gray, pairs) or fainter(gray, pairs) else None


def _above(row: Box, texts: Sequence[Box]) -> list[Box]:
    """The cells of the line of text right above a row."""
    over = [text for text in texts if row.y - HEADED <= text.bottom <= row.y + 2]
    near = [text for text in over if text.x < row.right and text.right > row.x]
    if not near:
        return []
    lowest = max(near, key=lambda text: text.bottom)
    return _cells([text for text in texts if level(text, lowest)])


def _lined(cell: Box, over: Box) -> bool:
    """Whether a cell begins, ends or has its middle where its heading does."""
    ends = cell.x - over.x, cell.right - over.right, cell.center.x - over.center.x
    return min(abs(end) for end in ends) <= LINED


def _is_row(line: Sequence[Box], texts: Sequence[Box]) -> bool:
    """Whether a line is no heading, but a row under another line."""
    over = _above(reduce(around, line), texts) if line else []
    return len({above for cell in line for above in over if _lined(cell, above)}) >= 2


def _ruled_off(gray: Pixels, line: _Line, rules: Rules, varies: Pixels | None) -> _Line | None:
    """The part of a line in a frame, or between two lines, that end on the ground of the page."""
    for frame in rules.frames(line.own):
        row = line.within(frame)
        if row.cells and stands_alone(gray, frame) and not _written_in(gray, frame, row.box):
            names = _names(row, rules, varies)
            enough = len(names) > 1 or (names and line.button)
            return row if enough and not _is_row(_above(row.box, line.texts), line.texts) else None
    return None


def _names(row: _Line, rules: Rules, varies: Pixels | None) -> list[Box]:
    """The texts of a row that may name it: none where one stands in a field; those on buttons do not."""
    plain: list[Box] = []
    for cell in row.cells:
        parts = [text for text in row.texts if text.intersect(cell) == text]
        frames = {rules.own_frame(part, row.own) for part in parts} - {None}
        inside = [
            (f, reduce(around, (p for p in parts if p.intersect(f) == p), parts[0])) for f in frames if f
        ]
        if not all(is_button(*one) for one in inside) or not (inside or not rules.underlined(cell, row.box)):
            return []
        plain += [] if inside else [cell]
    names = [cell for cell in plain if row.worded(cell)]
    if len(plain) - len(names) > SIGNS * len(names):
        return []
    return [cell for cell in names if varies is None or not cut(varies, cell).any()]


def is_button(frame: Box, text: Box) -> bool:
    """Whether a frame is a button's: its text stands in its middle, that of a field at its beginning."""
    off = (text.x - frame.x) - (frame.right - text.right)
    return frame.width <= BUTTON and abs(off) <= CENTRED


def _written_in(gray: Pixels, frame: Box, line: Box) -> bool:
    """Whether anything is written above or below a line in a frame that is too high to be the row's own."""
    inside, below = frame.grow(-EDGING), line.bottom + EDGING
    upper = inside._replace(height=line.y - EDGING - inside.y)
    lower = inside._replace(y=below, height=inside.bottom - below)
    inks = [edges(cut(gray, part), INK).mean(axis=1) for part in (upper, lower) if part.height > 0]
    return frame.height > HIGHEST and any(((ink > 0) & (ink < ALONG)).any() for ink in inks)


def stands_alone(gray: Pixels, frame: Box) -> bool:
    """Whether the same ground is on all sides of a frame: on those of a bar there is not."""
    far, side = frame.grow(OUTSIDE.stop), len(OUTSIDE)
    if far.clip(size_of(gray)) != far:
        return False
    sides = (
        Box(far.x, frame.y, side, frame.height),
        Box(far.right - side, frame.y, side, frame.height),
        Box(frame.x, far.y, frame.width, side),
        Box(frame.x, far.bottom - side, frame.width, side),
    )
    grounds = [int(np.bincount(cut(gray, part).ravel()).argmax()) for part in sides]
    return max(grounds) - min(grounds) <= GROUND

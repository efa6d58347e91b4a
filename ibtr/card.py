"""The card that a widget stands in: what is written on it names the widget, above it or below.

A frame, or a ground of its own, around the widget and other lines of text, with the page on all four sides.
Where one of the texts stands in a field, it is a form: its content is no name.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from ibtr.geometry import Box
from ibtr.letters import LINE, around, level
from ibtr.lists import Equals
from ibtr.lone import is_button, stands_alone
from ibtr.marks import box_of, marks, words_of
from ibtr.pixels import Pixels, cut, size_of
from ibtr.ruled import Rules

HIGHEST, LARGEST = 320, 260_000
"""Height and area of a card, at most: a larger one is a pane."""
WORD = 20
"""Width of a word that names something, at least."""
FIELD = 48
"""Height of a field of one line, at most."""
GAP = 16
"""Pixels around what is written on it that belong to it: a text may be a longer one next time."""


def card_of(gray: Pixels, core: Box, again: Equals) -> Box | None:
    """What stands on the card of a widget that is there `again`; None where it has none of its own."""
    rules = Rules.around(gray, core, HIGHEST)
    part = Box(0, core.y - HIGHEST, gray.shape[1], core.height + 2 * HIGHEST).clip(size_of(gray))
    texts = [box._replace(y=box.y + part.y) for box in map(box_of, words_of(marks(cut(gray, part))))]
    texts = [text for text in texts if LINE[0] <= text.height <= LINE[1] and text.width >= WORD]
    texts = [text for text in texts if not any(text != one and text.intersect(one) == text for one in texts)]
    for frame in rules.frames(core):
        if frame.height > HIGHEST or frame.area > LARGEST or _holds(frame, core, again):
            return None
        inside = [text for text in texts if text.intersect(frame) == text]
        if any(not level(text, core) for text in inside) and stands_alone(gray, frame):
            whole = reduce(around, inside, core).grow(GAP).intersect(frame)
            return None if _written_in(rules, inside, core) else whole
    return None


def _holds(frame: Box, core: Box, again: Equals) -> bool:
    """Whether one of the equals stands in the same frame: that is the frame of a list."""
    steps = [(0, step) for step in again.down] + [(step, 0) for step in again.across]
    others = (core._replace(x=core.x + dx, y=core.y + dy) for dx, dy in steps)
    return any(other.intersect(frame).area for other in others)


def _written_in(rules: Rules, texts: Sequence[Box], own: Box) -> bool:
    """Whether one of the texts stands in a field, not in the middle of a button."""
    frames = [(rules.own_frame(text, own), text) for text in texts if not text.intersect(own).area]
    return any(frame and frame.height <= FIELD and not is_button(frame, text) for frame, text in frames)

"""The words of a line that follow on one another, and those that stand right below an icon: its caption."""

from __future__ import annotations

from ibtr.geometry import Box
from ibtr.marks import TWO, Boxes
from ibtr.masks import edges
from ibtr.pixels import Pixels

LOWEST, HIGHEST = 5, 24
"""Height of a line of text."""
BESIDE = 4
"""Pixels above or below a line at which a click is still on it."""
SPACE = 0.7
"""Widest space between two words, in heights."""
ICON, CAPTION = 20, 12
"""Least side of an icon, and pixels below it and to the side of its middle in which its caption may stand."""
SMALL, FAINT = 16, 8
"""The same for one with nothing between it and its caption, which stands no further off than it is high; and
the levels of a border between."""


def caption_of(gray: Pixels, every: Boxes, core: Box) -> Box | None:
    """The text that stands right below an icon, about its middle: another one names another icon."""
    if core.width > 2 * core.height:
        return None
    large = min(core.width, core.height) >= ICON
    found = _below(every, core, CAPTION) if large else None
    if found is not None or min(core.width, core.height) < SMALL:
        return found
    found = _below(every, core, max(CAPTION, core.height))
    return found if found is not None and found.width >= TWO and _is_bare(gray, core, found) else None


def _below(every: Boxes, core: Box, reach: int) -> Box | None:
    top, bottom = every[:, 1], every[:, 1] + every[:, 3]
    below = (every[:, 3] >= LOWEST) & (every[:, 3] <= HIGHEST)
    below &= (top >= core.bottom - BESIDE) & (top <= core.bottom + reach)
    first = below & (every[:, 0] < core.right) & (every[:, 0] + every[:, 2] > core.x)
    if not first.any():
        return None
    line = every[first][every[first][:, 1].argmin()]
    row = below & (top < line[1] + line[3]) & (bottom > line[1])
    whole = chain(every[first & row], every[row])
    return whole if abs(whole.center.x - core.center.x) <= CAPTION else None


def _is_bare(gray: Pixels, core: Box, caption: Box) -> bool:
    """Whether nothing is drawn between an icon and a text: no border of a button or a list parts them."""
    between = gray[core.bottom + 1 : caption.y - 1, min(core.x, caption.x) : max(core.right, caption.right)]
    return not between.size or not edges(between, FAINT).any()


def chain(first: Boxes, boxes: Boxes) -> Box:
    """The words that follow on one another, from the first ones on."""
    left, top = first[:, :2].min(axis=0)
    right, bottom = (first[:, :2] + first[:, 2:]).max(axis=0)
    while True:
        space = SPACE * min(HIGHEST, bottom - top)
        near = (boxes[:, 0] <= right + space) & (boxes[:, 0] + boxes[:, 2] >= left - space)
        reach = boxes[near]
        wider = min(left, reach[:, 0].min()), max(right, (reach[:, 0] + reach[:, 2]).max())
        top, bottom = min(top, reach[:, 1].min()), max(bottom, (reach[:, 1] + reach[:, 3]).max())
        if wider == (left, right):
            return Box(int(left), int(top), int(right - left), int(bottom - top))
        left, right = wider

"""Is the target's neighbourhood still drawn with the same pixels?

Then nothing was drawn anew, and a target that is not there is gone; and a target with a twin is the one whose
neighbourhood it is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ibtr.evidence import CropAnchor
from ibtr.geometry import Box, Point, Size
from ibtr.marks import box_of
from ibtr.peaks import Wanted
from ibtr.pixels import Pixels, correlate, correlation, cut, resized
from ibtr.scales import priors
from ibtr.search import close, coarse
from ibtr.view import View
from ibtr.work import Scaling, Work

TILE = 12
"""Pixels to a side of the pieces that are compared, at half the size: the store keeps no more of far ones."""
INK = 8.0
"""Deviation, in levels, of a piece that shows something."""
ALIKE = 0.9
"""Correlation from which a piece shows the same."""
KNOWN, MOST = 0.85, 8
"""Correlation from which a word has its pixels still, far ones being kept lossy; words that are asked for."""
FEW = 6
"""Pieces below which there is nothing to tell by."""


def unchanged(anchor: CropAnchor, view: View) -> float:
    """The share of the words around the target that are there with the same pixels, wherever they fit best.

    Frames and icons are not counted where there are words enough: another font or text size leaves them as
    they were.
    """
    works = [Work(anchor, view, scaling) for scaling in priors(anchor, view)]
    return max((_share(work) for work in works), default=0.0)


def has_words(anchor: CropAnchor, view: View) -> bool:
    """Whether there are words enough around the target for that; else it is a share of frames and icons."""
    work = Work(anchor, view, Scaling(1.0, 1.0))
    height, width = (side // (2 * TILE) for side in work.gray.shape)
    told = _told(work, _tiles(work.gray, height, width).std(axis=2)) if height and width else None
    return told is not None and int((told & _worded(work, height, width)).sum()) >= FEW


def familiar(anchor: CropAnchor, view: View, enough: float) -> bool:
    """Whether that share of the words around the target is somewhere on the screen with its pixels, wherever.

    A list that was sorted anew was not drawn anew: its words are there, elsewhere. Where they were is looked
    first, then as far away as the last one is: only what is not there is sought on the whole screen.
    """
    longest = longest_words(anchor)
    missing = _not_at(Point(*anchor.source[:2]), longest, anchor, view)
    needed, found = enough * len(longest), len(longest) - len(missing)
    while found < needed <= found + len(missing):
        word, *missing = missing
        scores = correlate(view.gray, cut(anchor.gray, word))
        y, x = divmod(int(scores.argmax()), scores.shape[1])
        if float(scores[y, x]) >= KNOWN:
            left = _not_at(Point(x - word.x, y - word.y), missing, anchor, view)
            found, missing = found + 1 + len(missing) - len(left), left
    return bool(longest) and found >= needed


def longest_words(anchor: CropAnchor) -> list[Box]:
    """The longest words around the target, each once."""
    every = [box_of(row) for row in anchor.words]
    around = [w for w in every if not any(w.intersect(o) == o for o in every if o != w)]
    return sorted((w for w in around if not w.intersect(anchor.core).area), key=lambda w: -w.area)[:MOST]


def _not_at(shift: Point, words: list[Box], anchor: CropAnchor, view: View) -> list[Box]:
    """The words that do not stand on the screen as far from where they are in the picture as `shift`."""
    left: list[Box] = []
    for word in words:
        there = Box(int(word.x + shift.x), int(word.y + shift.y), word.width, word.height)
        on_screen = there.clip(view.size) == there
        if not on_screen or correlation(cut(anchor.gray, word), cut(view.gray, there)) < KNOWN:
            left.append(word)
    return left


def unchanged_at(anchor: CropAnchor, view: View, point: Point, scaling: Scaling) -> float:
    """The same if the click were at `point`; of a long field of its words, too, which may name it."""
    work = Work(anchor, view, scaling)
    whole = _same(work, point)
    return min(whole, _same(work, point, worded=True)) if any(anchor.slides) else whole


def _share(work: Work) -> float:
    whole = work.box(work.anchor.wide)
    rough = coarse(work, work.anchor.wide, Wanted(least=0.1))
    places = (close(work, one, whole, 3).point for one in rough)
    return max((_same(work, place, worded=True, rowed=True) for place in places), default=0.0)


def _same(work: Work, point: Point, *, worded: bool = False, rowed: bool = False) -> float:
    """The share of pieces that are the same there, of the `worded` ones, if they are enough.

    `rowed`: or of those in its row, if that is less: a title, which the system draws, stays as it was where
    the menus of its window are drawn anew.
    """
    seen, _, _ = work.window(point, work.box(work.anchor.wide), 0)
    height, width = (min(a, b) // (2 * TILE) for a, b in zip(work.gray.shape, seen.shape, strict=True))
    if not (height and width):
        return 0.0
    known, now = (_tiles(picture, height, width) for picture in (work.gray, seen))
    spread = known.std(axis=2)
    told = _told(work, spread)
    words = told & _worded(work, height, width) if worded else told
    told = words if words.sum() >= FEW else told
    if told.sum() < FEW:
        return 0.0
    both = (known - known.mean(axis=2, keepdims=True)) * (now - now.mean(axis=2, keepdims=True))
    alike = both.mean(axis=2) >= ALIKE * np.maximum(spread * now.std(axis=2), 1e-6)
    row = told & _level(work.box(work.anchor.target), height, width)
    shares = (float(alike[one].mean()) for one in (told, row) if one.sum() >= FEW)
    return min(shares) if rowed else float(alike[told].mean())


def _tiles(picture: Pixels, height: int, width: int) -> NDArray[np.float32]:
    """A picture at half its size as pieces, each a row of pixels."""
    part = picture[: 2 * height * TILE, : 2 * width * TILE]
    small = resized(part, Size(max(1, width * TILE), max(1, height * TILE))).astype(np.float32)
    small = small[: height * TILE, : width * TILE]
    return small.reshape(height, TILE, width, TILE).swapaxes(1, 2).reshape(height, width, TILE * TILE)


def _told(work: Work, spread: NDArray[np.float32]) -> NDArray[np.bool_]:
    """The pieces around the target that show something."""
    told: NDArray[np.bool_] = (spread >= INK) & ~_own(work.box(work.anchor.target), *spread.shape)
    return told


def _own(target: Box, height: int, width: int) -> NDArray[np.bool_]:
    """The pieces that show the target itself."""
    own = np.zeros((height, width), bool)
    left, top, right, bottom = (
        max(0, side) // (2 * TILE) for side in (target.x, target.y, target.right, target.bottom)
    )
    own[top : bottom + 1, left : right + 1] = True
    return own


def _level(target: Box, height: int, width: int) -> NDArray[np.bool_]:
    """The pieces in the row of the target."""
    level = np.zeros((height, width), bool)
    level[max(0, target.y) // (2 * TILE) : target.bottom // (2 * TILE) + 1] = True
    return level


def _worded(work: Work, height: int, width: int) -> NDArray[np.bool_]:
    """The pieces that show words."""
    shown = np.zeros((height, width), bool)
    for x, y, wide, tall in work.anchor.words * np.array([*work.scaling, *work.scaling]):
        left, top, right, bottom = (int(v) // (2 * TILE) for v in (x, y, x + wide, y + tall))
        shown[top : bottom + 1, left : right + 1] = True
    return shown

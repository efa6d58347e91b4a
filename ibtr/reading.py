"""The line of text that a click was on must read the same, letter by letter and to its end.

Toolkits draw the same text with the same pixels, so where a screen is drawn as it was recorded every pixel of
a letter counts: "Maler" is not "Maier", and "Approve all" is not "Approve". Where it is not (a codec, another
scale), pixels do not tell, and the likeness of letters decides.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ibtr.captions import BESIDE, HIGHEST, LOWEST, SPACE, caption_of, chain
from ibtr.compare import inside
from ibtr.geometry import Box, Point, Size
from ibtr.marks import ICON, LONG, Boxes, box_of, marks, words_of
from ibtr.masks import components, edges
from ibtr.pixels import Pixels, absolute_difference, correlation, cut, local_mean, same, size_of
from ibtr.plain import field
from ibtr.sight import Along, Sight, freed, kept_mask, relative
from ibtr.tone import DRAWN, EVERY, INK, Tone
from ibtr.work import Work, aligned

REACH = 160
"""Pixels to each side of the click within which a text is read, whatever lies there now."""
GROUND, COVERED, OVER = 10, 12, 0.5
"""Levels of a ground, pixels of a line, and the share of the ground there that changed where something lies
over a text further away."""
LABELLED = Size(400, 120)
"""How far to the left, and to the right, of a plain spot its label is looked for."""
ABOVE, BEFORE, CLOSE = Size(12, 28), 160, 60
"""How far from the beginning of a field its label stands above it, before it, and right before it."""
LETTER = 8
"""Height below which what stands far before a field, and is not twice as wide, is no word but an arrow."""
FRAME, SEEN = 5, 60
"""Pixels above a field that are its frame's, and how much of its width is looked at for a line above that."""
PLAIN = 6
"""Half the side of a plain spot."""
SAME, NOISE, NEVER = 48, 4, 100
"""Levels by which a pixel of a letter may differ, how much more per level of noise, and where that ends."""
SPECK = 2
"""Pixels of a difference, at least."""
CARET = Size(2, 12)
"""A caret is no wider, and no lower."""
THERE = 0.9
"""Correlation of a text that is there at all."""
RESCALED = 0.002
"""Another scale than this far from 1 draws other pixels."""
BETWEEN = 0.1
"""Parts of a pixel from which a place lies between two."""
BORDER, DOWN = 16, 0.9
"""Levels between two columns of pixels, and the share of a line's height, that make a border."""
UNDERLINE = 5
"""Width from which a stroke of one pixel is a line under a text."""


def lines_at(gray: Pixels, click: Point, core: Box) -> tuple[Box | None, Box | None]:
    """The text that a click was on, below which it stood or beside: what of it is near; and all of it."""
    every = _written(marks(gray))
    fits = (every[:, 3] >= LOWEST) & (every[:, 3] <= HIGHEST)
    fits &= (every[:, 1] - BESIDE <= click.y) & (every[:, 1] + every[:, 3] + BESIDE >= click.y)
    boxes = every[fits]
    inside = (boxes[:, 0] < core.right) & (boxes[:, 0] + boxes[:, 2] > core.x)
    if inside.any():
        whole = chain(boxes[inside], boxes)
        nearest = min(max(round(click.x), whole.x), whole.right)
        near = whole.intersect(Box(nearest - REACH, 0, 2 * REACH, len(gray)))
        return near, None if near == whole else whole
    if (caption := caption_of(gray, every, core)) is not None:
        return caption, None
    label = _label_of(gray, click, boxes)
    return chain(label, boxes) if len(label) else None, None


def label_of(gray: Pixels, own: Box, varies: Pixels | None = None) -> Box | None:
    """The words that name a field: right before it, above its beginning, or further before it.

    What stands in another field is no label, nor is what varies.
    """
    every = _written(marks(gray))
    boxes = every[(every[:, 3] >= LOWEST) & (every[:, 3] <= HIGHEST)]
    x, y, right, bottom = boxes[:, 0], boxes[:, 1], boxes[:, 0] + boxes[:, 2], boxes[:, 1] + boxes[:, 3]
    above = (abs(x - own.x) <= ABOVE.width) & (bottom <= own.y) & (own.y - bottom <= ABOVE.height)
    level = (y < own.bottom) & (bottom > own.y) & (right <= own.x) & (own.x - right <= BEFORE)
    near = level & (own.x - right <= CLOSE)
    level &= (boxes[:, 3] >= LETTER) | (boxes[:, 2] >= 2 * boxes[:, 3])
    for fits, distance in ((near, own.x - right), (above, own.y - bottom), (level, own.x - right)):
        for index in np.argsort(np.where(fits, distance, BEFORE + 1))[: int(fits.sum())]:
            first = boxes[index : index + 1]
            if _names(gray, box_of(first[0]), own, varies):
                row = (y < first[0, 1] + first[0, 3]) & (bottom > first[0, 1])
                return chain(first, boxes[row & (right <= own.right)])
    return None


def _names(gray: Pixels, word: Box, own: Box, varies: Pixels | None) -> bool:
    """Whether a word may name a field: it stands in no other, is there every time, and no line parts them."""
    if varies is not None and cut(varies, word).any():
        return False
    return not _parted(gray, word, own) and field(gray, word.center) is None


def _parted(gray: Pixels, word: Box, own: Box) -> bool:
    """Whether a line runs between a word and the field below it: it stands in a menu, or is a title."""
    between = Box(own.x, word.bottom, min(own.width, SEEN), own.y - FRAME - word.bottom).clip(size_of(gray))
    return bool(between.area) and bool((edges(cut(gray, between), INK).mean(axis=1) >= DOWN).any())


def _written(every: Boxes) -> Boxes:
    """The marks without icons: what is as wide as high, large, and stands by itself or among its like."""
    wide = every[:, 2] > LONG * every[:, 3]
    stout = ~wide & (every[:, 2:].min(axis=1) >= ICON)
    within = np.zeros(len(every), bool)
    for x, y, width, height in words_of(every):
        right, bottom = every[:, 0] + every[:, 2], every[:, 1] + every[:, 3]
        within |= (every[:, 0] >= x) & (right <= x + width) & (every[:, 1] >= y) & (bottom <= y + height)
    kept: Boxes = every[within | (~wide & ~stout)]
    return kept


def _label_of(gray: Pixels, click: Point, boxes: Boxes) -> Boxes:
    """What names a plain spot: the text before it, else the one after it."""
    x, y = round(click.x), round(click.y)
    spot = gray[max(0, y - PLAIN) : y + PLAIN, max(0, x - PLAIN) : x + PLAIN]
    if not len(boxes) or edges(spot, INK).any():
        return boxes[:0]
    away = click.x - (boxes[:, 0] + boxes[:, 2])
    after = boxes[:, 0] - click.x
    for distance, far in ((away, LABELLED.width), (after, LABELLED.height)):
        near = (distance >= 0) & (distance <= far)
        if near.any():
            nearest: Boxes = boxes[near & (distance == distance[near].min())]
            return nearest
    return boxes[:0]


def around_line(line: Box) -> Box:
    """A line with the space after and before it that its words would go on in."""
    space = round(SPACE * line.height) + 2
    return Box(line.x - space, line.y - 1, line.width + 2 * space, line.height + 2)


def misread(known: Pixels, seen: Pixels, kept: NDArray[np.float32], tone: Tone) -> int:
    """Pixels of the largest difference between two lines that is no caret and no underline; 0 if none is."""
    if tone.levels is EVERY and same(known, seen):
        return 0
    tones = [tone] if tone.levels is EVERY else [tone, Tone.of(known, seen)]  # it may have levels of its own
    return min((_misread(known, seen, kept, one) for one in tones if _limit(one) <= NEVER), default=0)


def same_text(known: Pixels, seen: Pixels) -> bool:
    """Whether two pictures of a text have the same pixels: an empty one has none."""
    tone = Tone.of(known, seen)
    if correlation(known, seen) < THERE or tone.noise > DRAWN:
        return False
    return not misread(known, seen, np.ones(known.shape, np.float32), tone)


def _limit(tone: Tone) -> float:
    """Levels from which a pixel is another one; above `NEVER`, none can be told."""
    return SAME + NOISE * tone.noise


def _misread(known: Pixels, seen: Pixels, kept: NDArray[np.float32], tone: Tone) -> int:
    limit = _limit(tone)
    apart = ((absolute_difference(tone.levels[known], seen) >= limit) & (kept > 0)).astype(np.uint8)
    labels, boxes = components(apart)
    sizes = {
        box: int((labels == i).sum()) for i, box in enumerate(boxes) if i and not _under(box, len(apart))
    }
    carets = [box for box in sizes if box.width <= CARET.width and box.height >= CARET.height]
    if len(carets) == 1 and _letters(known) < carets[0].height:  # else they are an I, an l or a bar each
        del sizes[carets[0]]
    return max((size for size in sizes.values() if size >= SPECK), default=0)


def _under(box: Box, height: int) -> bool:
    return box.height == 1 and box.width >= UNDERLINE and box.y >= height - BESIDE


def _letters(gray: Pixels) -> int:
    """Height of the highest letter of a line, or of several."""
    _, boxes = components(edges(gray, INK))
    return max((box.height for box in boxes[1:] if box.height <= HIGHEST), default=0)


def read_text(work: Work, sight: Sight, free: Box | None = None) -> Sight:
    """The same sight, with the text read that was clicked, and what tells its row and column from others.

    Only where it has the size it was recorded in; only what is `free`, where something lies over the rest.
    """
    if work.inverted or abs(work.scaling.mean - 1) > RESCALED:
        return sight
    strips = [strip for strip in (work.row, work.column) if strip is not None]
    line = work.anchor.line
    if line is None and not strips:
        return sight
    tone, at = _placed(work, sight.point)
    if line is not None:
        far = None if _off(work, at) > BETWEEN else work.anchor.far  # between pixels, letters run on
        worst = max(_read_line(work, at, one, tone, free) for one in (line, far) if one)
        sight = sight._replace(misread=worst)
    row, column = (
        _read_strip(strip, along, at, tone, freed(work, strip, free) if strip else None)
        for strip, along in ((work.row, sight.row), (work.column, sight.column))
    )
    return sight._replace(row=row, column=column)


def _read_line(work: Work, at: Point, line: Box, tone: Tone, free: Box | None) -> int:
    part = work.box(around_line(line).clip(work.anchor.size))
    kept = kept_mask(work, part) * inside((part.height, part.width), relative(free or part, part))
    known, seen = aligned(work, at, part)
    first, last = _borders(known, relative(work.box(line), part))
    kept[:, :first] = kept[:, last:] = 0
    if line == work.anchor.far:
        kept *= _uncovered(known, seen, round(work.click.x) - part.x)
    return misread(known, seen, kept, tone)


def _uncovered(known: Pixels, seen: Pixels, click: int) -> NDArray[np.float32]:
    """1 for each column of a line up to where, far from the click, its ground is another: it is hidden."""
    ground = np.abs(known.astype(np.int16) - int(np.median(known))) <= GROUND
    changed = ground & (absolute_difference(known, seen) >= INK)
    there, gone = (
        local_mean(one.mean(axis=0, dtype=np.float32)[None], COVERED, 1)[0] for one in (ground, changed)
    )
    over = np.flatnonzero((gone > 0) & (gone >= OVER * there))  # where all is ink, no ground has changed
    kept = np.ones(known.shape[1], np.float32)
    kept[: max((int(x) for x in over if x < click - REACH), default=-COVERED) + COVERED] = 0
    kept[min((int(x) for x in over if x > click + REACH), default=len(kept) + COVERED) - COVERED :] = 0
    return kept


def within_borders(gray: Pixels, text: Box) -> Box:
    """A text with the space after and before it, up to where a border runs down through that."""
    whole = around_line(text).clip(size_of(gray))
    first, last = _borders(cut(gray, whole), relative(text, whole))
    return Box(whole.x + first, whole.y, last - first, whole.height)


def _borders(known: Pixels, text: Box) -> tuple[int, int]:
    """The columns of a line and the space around it between the borders that run down through that.

    What lies beyond these, be it of another window, does not go on with the text.
    """
    steps = absolute_difference(known[:, 1:].copy(), known[:, :-1].copy()) >= BORDER
    borders = np.flatnonzero(steps.mean(axis=0) >= DOWN)
    first = max((int(x) + 1 for x in borders if x < text.x), default=0)
    return first, min((int(x) for x in borders if x >= text.right), default=known.shape[1])


def exact(work: Work, at: Point) -> bool:
    """Whether the screen is drawn there with the recorded pixels: then every letter can be told."""
    return _limit(_placed(work, at)[0]) <= NEVER


def readable(work: Work, at: Point, line: Box) -> bool:
    """Whether a text is drawn with the recorded pixels, be it in levels of its own."""
    tone, place = _placed(work, at)
    part = work.box(around_line(line).clip(work.anchor.size))
    return min(_limit(tone), _limit(Tone.of(*aligned(work, place, part)))) <= NEVER


def between_pixels(work: Work, found: Point) -> bool:
    """Whether what stands around a place fits best between the pixels: a column of a page may begin there."""
    return _off(work, _placed(work, found)[1]) > BETWEEN


def _off(work: Work, at: Point) -> float:
    """How far from whole pixels a place is."""
    off = (v - c for v, c in zip(at, work.click, strict=True))
    return max(abs(v - round(v)) for v in off)


def _placed(work: Work, found: Point) -> tuple[Tone, Point]:
    """The place between pixels at which the surroundings are most alike, and what became of their levels."""
    context = work.box(work.anchor.context)
    whole = Point(*(round(v - c) + c for v, c in zip(found, work.click, strict=True)))
    places = [found, whole]
    if max(abs(found.x - whole.x), abs(found.y - whole.y)) <= BETWEEN:
        places = [found] if work.shrink == Point(1, 1) else places  # both have the same pixels there
    else:
        places += [Point(whole.x + dx / 2, whole.y + dy / 2) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    tones = [(Tone.of(*aligned(work, at, context)), at) for at in places]
    return min(tones, key=lambda tone: tone[0].off)


def _read_strip(
    strip: Work | None, along: Along | None, at: Point, tone: Tone, free: Box | None
) -> Along | None:
    """The same row or column, or one with another letter in it."""
    if strip is None or along is None or along.blind:
        return along
    part = strip.box(strip.anchor.context)
    own = strip.box(strip.anchor.target)
    beside = 1 - inside((part.height, part.width), Box(own.x - part.x, own.y - part.y, own.width, own.height))
    beside[[0, -1]] = 0  # between pixels, what lies beyond has a part in them
    beside[:, [0, -1]] = 0
    if free is not None:
        beside *= inside((part.height, part.width), relative(free, part))
    differs = misread(*aligned(strip, at, part), kept_mask(strip, part) * beside, tone)
    return along._replace(letters=-1.0) if differs else along

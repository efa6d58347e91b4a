"""A plain field that became wider or narrower with its window: known by its label and its height.

Its pixels are the same all along, so nothing in it says where; the words that name it do, with its own frame
beginning right where it began.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import NamedTuple

from ibtr.anew import still_field, within_field
from ibtr.errors import AmbiguousTarget, MissingTarget
from ibtr.evidence import CropAnchor
from ibtr.geometry import Box, Point
from ibtr.judge import Limits
from ibtr.letterwise import reads
from ibtr.masks import edges
from ibtr.memory import rebased, remembered
from ibtr.peaks import Wanted, peaks
from ibtr.pixels import cut
from ibtr.plain import field
from ibtr.reading import around_line
from ibtr.reflow import SAME, around_at, drawn
from ibtr.report import Aim
from ibtr.sight import Sight
from ibtr.view import View
from ibtr.work import Scaling, Work

STRETCHED = "reflowed, field"
"""The representation's name in the report."""
WIDER = (0.3, 3.0)
"""Least and most by which its width may have changed."""
NEAR = 4
"""Pixels by which its label may stand off: a field that has the focus has a thicker frame."""
LOOSE, INK = 3, 24
"""Pixels behind its label that belong to it, and levels that make a stroke."""
OFF = 2
"""Pixels by which its other sides may stand off."""
INSIDE = (4, 40, 120)
"""Pixels into a field at which its ground is looked for: a letter may stand there."""
MANY = Wanted(least=SAME, most=60)
"""Places where its label stands."""


class _Stretched(NamedTuple):
    box: Box
    support: float


def aim_stretched(anchor: CropAnchor, view: View, limits: Limits, ms: Mapping[str, float]) -> Aim:
    """The field that the same words name.

    Raises:
        MissingTarget: the target is no such field, or nothing that its label names is one.
        AmbiguousTarget: two are named so, in like surroundings.
    """
    old, label = anchor.field, anchor.label
    if old is None or label is None:
        raise MissingTarget("the target is no field with a label that is about to be filled")
    work = Work(anchor, view, Scaling(1.0, 1.0))
    found: list[_Stretched] = []
    for one in sorted(_fields(work, old, label), key=lambda f: -f.support):
        if not any(one.box.intersect(other.box).area for other in found):
            found.append(one)
    if not found or found[0].support < limits.support:
        raise MissingTarget("no field stands where its label is", context=found[0].support if found else 0.0)
    best, rival = found[0], found[1] if len(found) > 1 else None
    margin = best.support - (rival.support if rival else 0.0)
    if rival is not None and margin < limits.twin:
        raise AmbiguousTarget(
            "two fields have the same label",
            margin=margin,
            point=[float(v) for v in best.box.center],
            rival_point=[float(v) for v in rival.box.center],
        )
    point = within_field(anchor.click, old, best.box)
    recorded = Point(anchor.source.x + anchor.click.x, anchor.source.y + anchor.click.y)
    return Aim(
        point=point,
        score=best.support,
        margin=margin,
        representation=STRETCHED,
        crop="context",
        scale=Point(1.0, 1.0),
        box=best.box,
        rival=rival.box if rival is not None else None,
        sight=Sight(point, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, best.support, best.support),
        shift=Point(point.x - recorded.x, point.y - recorded.y),
        ms=dict(ms),
    )


def expect_label(anchor: CropAnchor, view: View, aim: Aim) -> None:
    """Let a part of a long field pass where the words that name it stand at its beginning.

    Raises:
        MissingTarget: they do not, or the place is in no field.
    """
    old, label = anchor.field, anchor.label
    if old is None or label is None or aim.scale != Point(1, 1):
        return
    new = field(view.gray, aim.point)
    work = Work(anchor, view, Scaling(1.0, 1.0))
    moves = [(aim.point.x - anchor.click.x, aim.point.y - anchor.click.y)]  # as wide as it was
    if new is not None:
        moves.append((new.x - old.x, new.y - old.y))
    for x, y in moves:
        there = Box(round(label.x + x), round(label.y + y), label.width, label.height).grow(NEAR)
        if there.clip(view.size) != there:
            continue
        scores = drawn(work, label, cut(view.gray, there))
        down, across = divmod(int(scores.argmax()), scores.shape[1])
        if scores.max() >= SAME and _named(anchor, view, label, (there.x + across, there.y + down)):
            return
    raise MissingTarget("the field has another label", point=[*map(float, aim.point)])


def _named(anchor: CropAnchor, view: View, label: Box, at: tuple[int, int]) -> bool:
    """Whether a label reads at `at`, or a pixel beside, as it did, letter by letter, and ends there."""
    for dx, dy in product((0, -1, 1), repeat=2):
        there = label._replace(x=at[0] + dx, y=at[1] + dy)
        way = there.x - label.x, there.y - label.y
        if there.clip(view.size) == there and reads(anchor.gray, view.gray, label, way):
            return _ends(anchor, view, label, (there.x, there.y))
    return False


def _ends(anchor: CropAnchor, view: View, label: Box, at: tuple[int, int]) -> bool:
    """Whether nothing is written behind a label at `at` where nothing was: "Streets" is not "Street"."""
    behind = around_line(label).right - label.right - LOOSE
    tail = Box(label.right + LOOSE, label.y, behind, label.height).clip(anchor.size)
    there = tail._replace(x=tail.x + at[0] - label.x, y=tail.y + at[1] - label.y).clip(view.size)
    before, now = (edges(cut(*part), INK).any() for part in ((anchor.gray, tail), (view.gray, there)))
    return bool(before or not now)


def verify_stretched(aim: Aim, patch: View, corner: Point) -> Sight:
    """The field once more, on a small patch of the screen whose corner is at `corner`.

    Raises:
        MissingTarget: it is not under the pointer.
    """
    if not still_field(patch.gray, aim.box, aim.point, corner):
        raise MissingTarget(
            "the field is not under the pointer now", score=0.0, point=[*map(float, aim.point)]
        )
    return aim.sight


def _fields(work: Work, old: Box, label: Box) -> Iterator[_Stretched]:
    """Every field that begins where its label says."""
    gray, memory = work.view.gray, remembered(work.anchor)
    around = memory._replace(around=rebased(memory, old))
    for x, y, _ in peaks(drawn(work, label, gray), MANY):
        if not _named(work.anchor, work.view, label, (round(x), round(y))):
            continue
        moved = x - label.x, y - label.y
        spots = (Point(old.x + moved[0] + inside, old.center.y + moved[1]) for inside in INSIDE)
        news = (field(gray, spot) for spot in spots)
        new = next((n for n in news if n is not None and _same_frame(old, n, moved)), None)
        if new is not None:
            yield _Stretched(new, around_at(work, new.center, around))


def _same_frame(old: Box, new: Box, moved: tuple[float, float]) -> bool:
    """Whether a field begins as far from its label, is as high, and about as wide."""
    off = new.x - old.x - moved[0], new.y - old.y - moved[1], new.height - old.height
    return max(map(abs, off)) <= OFF and WIDER[0] <= new.width / old.width <= WIDER[1]

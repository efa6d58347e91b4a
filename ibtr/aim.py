"""reaim(): the algorithm end to end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain

from ibtr.again import RETRIES, WHERE_UNCLEAR
from ibtr.anew import REDRAWN, aim_anew, aim_cell
from ibtr.ends import ENDS, aim_by_ends
from ibtr.errors import AmbiguousTarget, MissingTarget, Rejected
from ibtr.evidence import CropAnchor, Evidence
from ibtr.fields import expect_speck
from ibtr.geometry import Point
from ibtr.grid import aim_in_grid, named
from ibtr.ground import without_ground
from ibtr.judge import DEFAULT, TEXT, Limits, Verdict, ambiguous, judge, verified
from ibtr.panel import expect_panel
from ibtr.pixels import Pixels
from ibtr.places import same_place, sights
from ibtr.refusals import has_its_pixels, nearness, reads_otherwise
from ibtr.report import SWITCHED, Aim, aim_of
from ibtr.rim import expect_rim
from ibtr.scales import likeliest, swept
from ibtr.severed import is_cut_off
from ibtr.sight import Sight
from ibtr.spread import SPREAD
from ibtr.state import state_of, switched
from ibtr.stopwatch import Stopwatch
from ibtr.stretched import STRETCHED, aim_stretched, expect_label
from ibtr.unchanged import familiar, has_words, unchanged, unchanged_at
from ibtr.view import View
from ibtr.work import Scaling, Work

TOLD = 0.9
"""The same share that tells a target from its twin, which may stand there alone now."""
NEXT = 3
"""Its own widths, or heights, within which the next entry of a list of one would stand."""
TOLD_BY = ("row", "column", "row and column")
"""How the items of a list are told apart: there are many, and none of them is the target."""
ON = 4
"""Pixels beside a text at which a click is on it."""
SAME = 0.5
"""Share of the words around it with the same pixels from which nothing was drawn anew: the target is gone."""


def reaim(evidence: Evidence, screen: Pixels, limits: Limits = DEFAULT, *, thorough: bool = True) -> Aim:
    """Find the target again, or refuse.

    What is not `thorough` looks for it at the likely scales alone, drawn as it was: by the same gates, and
    without the dear retries where it may not have come yet.

    Raises:
        BadImage: `screen` is not a picture.
        MissingTarget: no place shows the target with its surroundings.
        AmbiguousTarget: more than one does.
    """
    watch = Stopwatch()
    view = View(screen)
    watch.lap("prepare")
    return _sought(evidence, view, limits, watch, thorough=thorough)


def _sought(evidence: Evidence, view: View, limits: Limits, watch: Stopwatch, *, thorough: bool) -> Aim:
    """The target in one of its looks; then beside what may lie next to its window now, and as it was left."""
    missing: MissingTarget | None = None
    others = [one for one in evidence.anchors[1:] if one.panel or not evidence.crop.panel]
    looks = [evidence.crop, *others]  # another look of the same target, not of another dialog
    bare = (without_ground(one) for one in looks if thorough)
    for anchor in chain(looks, filter(None, bare)):
        try:
            return _reaim(anchor, view, limits, watch, thorough=thorough)
        except MissingTarget as no:
            missing = missing or no
    for anchor in looks if thorough else ():
        if (aim := _as_left(anchor, view, limits, watch)) is not None:
            return aim
    assert missing is not None
    raise missing


def _as_left(anchor: CropAnchor, view: View, limits: Limits, watch: Stopwatch) -> Aim | None:
    """The target, surely as its click would leave it: by the same gates, in the look that it has then."""
    other = switched(anchor)
    if other is None:
        return None
    try:
        aim = _reaim(other, view, limits, watch)
    except Rejected:
        return None
    state = state_of(anchor, aim, view.image)
    if state is None or not state.is_done:
        return None
    return replace(aim, representation=f"{SWITCHED}, {aim.representation}")


def probe(evidences: Sequence[Evidence], screen: Pixels, limits: Limits = DEFAULT) -> list[Aim | Rejected]:
    """Several targets on one screen, which is prepared once; a refusal per target that is not there.

    Raises:
        BadImage: `screen` is not a picture.
    """
    view = View(screen)
    found: list[Aim | Rejected] = []
    for evidence in evidences:
        try:
            found.append(_sought(evidence, view, limits, Stopwatch(), thorough=True))
        except Rejected as no:
            found.append(no)
    return found


def has_twin(anchor: CropAnchor, view: View) -> bool:
    """Whether the target cannot be told from another place of the screen that it was cut from."""
    try:
        _found(anchor, view, DEFAULT, Stopwatch())
    except AmbiguousTarget:
        return True
    except Rejected:
        return False
    return False


def _reaim(anchor: CropAnchor, view: View, limits: Limits, watch: Stopwatch, *, thorough: bool = True) -> Aim:
    aim = _found(anchor, view, limits, watch, thorough=thorough)
    expect_panel(anchor, view, aim, redrawn=aim.representation == REDRAWN)
    if aim.representation != REDRAWN and abs(aim.scale.x - 1) > 0.01:
        expect_speck(anchor.gray, anchor.click, view, aim.point, aim.scale.x)
    elif aim.representation != REDRAWN:
        expect_rim(anchor.gray, anchor.click, view, aim.point)
    if aim.representation in (REDRAWN, STRETCHED, ENDS, SPREAD):  # by what stands further around
        return aim
    if anchor.twin and (told := unchanged_at(anchor, view, aim.point, Scaling(*aim.scale))) < TOLD:
        raise AmbiguousTarget(
            "it had an equal where it was recorded, and what stands further around does not tell",
            around=told,
            point=[float(v) for v in aim.point],
        )
    return aim


def _found(anchor: CropAnchor, view: View, limits: Limits, watch: Stopwatch, *, thorough: bool = True) -> Aim:
    if named(anchor):
        return _in_grid(anchor, view, limits, watch, thorough=thorough)
    if anchor.start is not None:
        return _by_ends(anchor, view, limits, watch, thorough=thorough)
    if not any(anchor.slides):
        return _drawn(anchor, view, limits, watch, thorough=thorough)
    misnamed = False
    try:
        aim = _drawn(anchor, view, limits, watch, thorough=thorough)
        misnamed = aim.representation != REDRAWN  # else its label was among the marks
        if misnamed:
            expect_label(anchor, view, aim)
    except Rejected as no:
        try:
            return aim_stretched(anchor, view, limits, watch.ms)
        except Rejected:
            if not (misnamed and thorough):
                raise no from None
            return _anew(anchor, view, no, watch)
    finally:
        watch.lap("field")
    return aim


def _by_ends(anchor: CropAnchor, view: View, limits: Limits, watch: Stopwatch, *, thorough: bool) -> Aim:
    """A part of a long field, which is like any other; where it was clicked on a text, first by that."""
    find = partial(_reaim, view=view, limits=limits, watch=watch, thorough=thorough)
    if anchor.slides[0]:
        return aim_by_ends(anchor, view, find, limits, watch.ms)
    try:
        return _drawn(anchor, view, limits, watch, thorough=thorough)
    except Rejected as no:
        with suppress(Rejected):
            return aim_by_ends(anchor, view, find, limits, watch.ms)
        raise no from None


def _in_grid(anchor: CropAnchor, view: View, limits: Limits, watch: Stopwatch, *, thorough: bool) -> Aim:
    """An empty cell by what names it, be it drawn anew; where that is not there, like anything else."""
    try:
        return aim_in_grid(anchor, view, limits, watch.ms)
    except Rejected:
        if thorough:
            with suppress(Rejected):
                return aim_cell(anchor, view.page, watch.ms)
        return _drawn(anchor, view, limits, watch, thorough=thorough)
    finally:
        watch.lap("grid")


def _drawn(anchor: CropAnchor, view: View, limits: Limits, watch: Stopwatch, *, thorough: bool) -> Aim:
    refusals: list[Rejected] = []
    unclear: AmbiguousTarget | None = None
    drawn_as_it_was = False
    likely = likeliest(anchor, view)
    for work in _attempts(likely, limits, thorough=thorough):
        if unclear is not None and (work.inverted or work.flat or not _as_recorded(work)):
            break
        try:
            return _attempt(work, limits, watch)
        except AmbiguousTarget as no:
            if work.inverted and _as_recorded(work):
                continue  # in another theme its marks may tell; if not, what was recorded is not there
            if _as_recorded(work) and familiar(anchor, view, SAME):
                raise
            unclear = no  # in another text size its marks may tell
            if _as_recorded(work):
                break  # else in its own size it may be one only: large buttons with small signs
        except Rejected as no:
            refusals.append(no)
            drawn_as_it_was = drawn_as_it_was or (not work.inverted and has_its_pixels(no, limits))
            if reads_otherwise(no) and _as_recorded(work):
                own = no.evidence.get("misread_px") or anchor.cut_off  # else another widget's text, it may be
                if not own and familiar(anchor, view, SAME):
                    raise
                break  # unless all was drawn anew, in another text size
    nearest = max(refusals, key=nearness, default=MissingTarget("there is no scale to look at"))
    if not thorough or drawn_as_it_was or named(anchor):  # of equal cells only the headings tell one
        raise unclear or nearest
    return _anew(anchor, view, unclear or nearest, watch)


def _anew(anchor: CropAnchor, view: View, no: Rejected, watch: Stopwatch) -> Aim:
    """The target by its marks, where what stands around it was drawn anew; else the refusal so far."""
    as_it_was = unchanged(anchor, view) >= SAME
    if as_it_was and has_words(anchor, view):
        raise no
    try:
        return aim_anew(anchor, view.page, watch.ms, framed=as_it_was)
    except Rejected:
        raise no from None
    finally:
        watch.lap("marks")


def _as_recorded(work: Work) -> bool:
    """Whether things are sought in the size in which they were recorded: then letters have their pixels."""
    return abs(work.scaling.mean - 1) <= 0.01


def _attempts(likely: Sequence[Work], limits: Limits, *, thorough: bool) -> Iterator[Work]:
    """What is tried, in this order, until one accepts: the likely scales, then any."""
    yield from likely
    anchor, view = likely[0].anchor, likely[0].view
    if not thorough:
        return
    for inverted, flat in ((False, True), (True, False)):
        for work in likely:
            yield Work(anchor, view, work.scaling, inverted=inverted, flat=flat)
    for scaling in swept(anchor, view, limits.smallest, limits.largest, inverted=False):
        yield Work(anchor, view, scaling)


def _attempt(work: Work, limits: Limits, watch: Stopwatch) -> Aim:
    """One look."""
    seen = sights(work, limits)
    watch.lap("search")
    try:
        return aim_of(work, _judged(work, seen, limits), "inverted" if work.inverted else "gray", watch.ms)
    except Rejected as no:
        for name, again in RETRIES if isinstance(no, MissingTarget) else WHERE_UNCLEAR:
            other = again(work, seen, limits)
            if other != seen:
                try:
                    how = f"{name}, inverted" if work.inverted else name
                    return aim_of(work, _judged(work, other, limits), how, watch.ms)
                except MissingTarget:
                    continue
        raise
    finally:
        watch.lap("verify")


def _on_text(anchor: CropAnchor) -> bool:
    """Whether the text that is read was clicked itself: beside it, more may be written that names a spot."""
    return anchor.line is not None and anchor.line.grow(ON).contains(anchor.click)


def _judged(work: Work, seen: list[Sight], limits: Limits) -> Verdict:
    """The sight that may be clicked, unless its window is there again in part: that may be it as well."""
    row = work.anchor.row
    verdict = judge(seen, limits, text=_on_text(work.anchor), cards=row is not None and row.card)
    if work.inverted or work.flat or work.scaling != Scaling(1.0, 1.0) or verdict.crop in TOLD_BY:
        return verdict
    share = limits.rival if verdict.crop == TEXT else 1.0  # a text that is hidden in part reads otherwise
    for other in seen:
        if (
            not same_place(other, verdict.best, 4)
            and verified(other, limits, share)
            and (is_cut_off(work, other.point) or _came(work.anchor, verdict.best, other, limits))
        ):
            raise ambiguous(verdict.best, other)
    return verdict


def _came(anchor: CropAnchor, best: Sight, other: Sight, limits: Limits) -> bool:
    """Whether an equal stands in line with a target that had none: a list of one has another entry now."""
    listed = anchor.row is not None or anchor.column is not None or any(anchor.slides)
    apart = Point(abs(best.point.x - other.point.x), abs(best.point.y - other.point.y))
    lined = min(apart) <= limits.lined and max(apart) <= limits.list_length
    below = _on_text(anchor) and apart.x <= limits.lined  # buttons of cards, however high these are
    next_to = apart.x <= NEXT * anchor.core.width and apart.y <= NEXT * anchor.core.height
    same = not other.misread and min(other.spot, other.core, other.weakest) >= limits.same
    return not listed and lined and ((same and (below or next_to)) or other.context >= limits.support)

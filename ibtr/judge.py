"""Strong, alone and verified?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ibtr.errors import AmbiguousTarget, MissingTarget
from ibtr.sight import Along, Sight
from ibtr.strips import Told, in_line, one_list, strip_of, told_apart


@dataclass(frozen=True, slots=True)
class Limits:
    """How sure we must be before the pointer may move."""

    score: float = 0.78
    """Least correlation of a crop (paper, B.3)."""
    margin: float = 0.02
    """Least distance to the strongest rival's (paper, B.3)."""
    smallest: float = 0.5
    """Least scale (paper, B.3)."""
    largest: float = 2.0
    """Greatest scale (paper, B.3)."""
    spot: float = 0.8
    """Least likeness of the structure under the click."""
    core: float = 0.8
    """Least likeness of the widget."""
    weakest: float = 0.62
    """Least likeness of each part of the widget."""
    support: float = 0.65
    """Least likeness of what lies around it."""
    twin: float = 0.2
    """Least distance in that likeness to a place whose widget also passes."""
    clear: float = 0.3
    """Least distance of a widget that is the same in every part to any other place, in its own likeness."""
    rival: float = 0.75
    """Share of these likenesses from which another place counts as a rival."""
    same: float = 0.85
    """Likeness from which a widget is the same in every part."""
    nearby: float = 0.75
    """Likeness of its surroundings from which such a widget is a twin, however good the best is."""
    colour: float = 0.7
    """Least likeness of the colours."""
    fresh: float = 0.36
    """Most of the structure at the click that may be new."""
    letter: float = 0.16
    """How much less alike than its row a letter may be, and still be the same: where there are equals."""
    alone: float = 0.28
    """The same within a widget that is the only one of its kind: the edge of a hover tint may cross it."""
    strip: float = 0.25
    """Least distance in likeness between the rows (or columns) of two twins in one list."""
    lined: float = 3.0
    """Pixels by which the items of one list may be out of line."""
    list_length: float = 1200.0
    """Pixels over which twins are taken for items of one list."""


DEFAULT = Limits()
TEXT = "text"
"""What tells a target from all that is like it but reads otherwise."""


class Verdict(NamedTuple):
    """The sight that is strong, alone and verified, and what it was measured against."""

    best: Sight
    crop: str
    score: float
    margin: float
    rival: Sight | None


def verified(sight: Sight, limits: Limits, share: float = 1.0) -> bool:
    """Whether the pixels under the click are the target's."""
    alike = sight.spot >= limits.spot * share and sight.core >= limits.core * share
    own = sight.colour >= limits.colour and sight.fresh <= limits.fresh
    return alike and own and sight.weakest >= limits.weakest * share


def twins(sights: Sequence[Sight], limits: Limits) -> list[Sight]:
    """The sights that could each be taken for the target: widget and surroundings are alike.

    Where the surroundings agree less, only a widget that agrees in every part counts.
    """
    good = [s for s in sights if verified(s, limits, limits.rival)]
    top = max((s.context for s in good), default=0.0)
    same = [min(s.spot, s.core, s.weakest) >= limits.same and s.context >= limits.nearby for s in good]
    return [s for s, alike in zip(good, same, strict=True) if alike or s.context >= top - limits.twin]


def judge(sights: Sequence[Sight], limits: Limits, *, text: bool = False, cards: bool = False) -> Verdict:
    """The one sight that may be clicked; by its own `text`, if that was, where nothing else tells.

    `cards`: its equals stand on cards of their own, which may stand side by side.

    Raises:
        MissingTarget: no sight is verified and supported by its surroundings.
        AmbiguousTarget: another one might be it as well.
    """
    alike = [s for s in sights if verified(s, limits)]
    equal = [s for s in sights if verified(s, limits, limits.rival)]
    letter = limits.letter if len(places(equal)) > 1 or any(map(_listed, equal)) else limits.alone
    passing = [s for s in alike if s.letters >= -letter and not s.misread]
    if not passing and (alike or any(s.misread for s in equal)):
        _misread(equal)
    if not passing:
        nearest = max(sights, key=lambda s: (min(s.spot, s.core), s.context), default=None)
        raise MissingTarget("no place on the screen shows the target", **numbers(nearest))
    _told_by_what_lasts(sights, limits)
    told = _by_reading(passing, equal, limits, cards=cards)
    group = [] if told else places(twins(sights, limits))
    if len(group) > 1 and max(s.context for s in group) >= limits.support:
        told = told_apart(group, limits) or (_by_text(passing, equal, limits) if text else None)
        if told is None:
            raise ambiguous(*sorted(group, key=lambda s: -s.context)[:2])
    best = told.best if told else max(passing, key=lambda s: s.context + s.score)
    if best not in passing:
        _misread([best])
    elsewhere = [s for s in sights if _apart(s, best)]
    _at_home(best, elsewhere, limits)
    return Verdict(best, *told[1:]) if told else _alone(best, elsewhere, limits)


def _listed(sight: Sight) -> bool:
    return sight.row is not None or sight.column is not None


def _by_reading(
    passing: Sequence[Sight], equal: Sequence[Sight], limits: Limits, *, cards: bool
) -> Told | None:
    """The item of a list that alone reads as recorded, wherever it stands now, if all its equals do not."""
    items = places([s for s in equal if _listed(s)])
    same = [s for s in items if reads_the_same(s, limits)]
    if len(items) < 2 or len(same) != 1 or same[0] not in passing or len(items) < len(places(equal)):
        return None
    best, axis = same[0], "row" if same[0].row else "column"
    others = [s for s in items if s is not best]
    lined = (one_list(best, s, items, limits) if cards else in_line(best, s, axis, limits) for s in others)
    if not all(lined):
        return None  # not one list: a copy of a window, it may be
    behind = {id(s): _behind(best, s, axis) for s in others}
    rival = min(others, key=lambda s: behind[id(s)])
    margin = behind[id(rival)]
    return Told(best, axis, strip_of(best, axis).score, margin, rival) if margin >= limits.margin else None


def _by_text(passing: Sequence[Sight], equal: Sequence[Sight], limits: Limits) -> Told | None:
    """The only one that reads as recorded itself, if all that is much like it reads otherwise.

    It must also have more around it than each of them: a cell among cells of its kind, not a copy.
    """
    best, *more = places(passing)
    others = [s for s in places(equal) if _apart(s, best)]
    if more or not others or not all(_reads_otherwise(s, best, limits) for s in others):
        return None
    rival = max(others, key=lambda s: s.score)
    return Told(best, TEXT, best.score, best.score - rival.score, rival)


def _reads_otherwise(sight: Sight, best: Sight, limits: Limits) -> bool:
    less = sight.score < best.score and best.context - sight.context >= limits.margin
    return less and sight.misread > 0 and sight.letters < -limits.letter / 2


def _behind(best: Sight, other: Sight, axis: str) -> float:
    """How much less alike another one's row or column is: all of it, or the worst of what tells it."""
    mine, theirs = strip_of(best, axis), strip_of(other, axis)
    return max(mine.score - theirs.score, mine.own - theirs.own)


def reads_the_same(sight: Sight, limits: Limits) -> bool:
    """Whether row and column are those of the target, letter by letter."""
    strips = [strip for strip in (sight.row, sight.column) if strip]
    return all(_read(strip, limits) and not strip.blind for strip in strips)


def _read(strip: Along, limits: Limits) -> bool:
    return strip.own >= limits.weakest and strip.letters >= -limits.letter


def _misread(alike: Sequence[Sight]) -> None:
    """The widget is there, with another letter in it."""
    ranked = sorted(places(alike), key=lambda s: -s.context)
    if len(ranked) > 1:
        raise ambiguous(*ranked[:2])
    raise MissingTarget(
        "the target is there, but reads something else than when it was recorded",
        reads=ranked[0].letters,
        misread_px=ranked[0].misread,
        **numbers(ranked[0]),
    )


def _told_by_what_lasts(sights: Sequence[Sight], limits: Limits) -> None:
    """An item of a list whose own text varies can be told from the others only where there are none."""
    equal = places([s for s in sights if verified(s, limits, limits.rival)])
    if len(equal) > 1 and any(strip and strip.blind for s in equal for strip in (s.row, s.column)):
        raise ambiguous(*sorted(equal, key=lambda s: -s.context)[:2])


def _at_home(best: Sight, elsewhere: Sequence[Sight], limits: Limits) -> None:
    """The surroundings must be here, and nowhere else without the target."""
    home = max(elsewhere, key=lambda s: s.context, default=None)
    if not verified(best, limits):
        raise MissingTarget("no place on the screen shows the target", **numbers(best))
    if best.context < limits.support:
        raise MissingTarget("what stood around the target when it was recorded is not there", **numbers(best))
    for name, strip in (("row", best.row), ("column", best.column)):
        if strip and not _read(strip, limits):
            raise MissingTarget(
                f"its {name} reads something else than when it was recorded",
                **{name: strip.own},
                **numbers(best),
            )
    if home is not None and not verified(home, limits) and home.context > best.context - limits.margin:
        raise MissingTarget("its surroundings are elsewhere, without it", **numbers(home))


def _alone(best: Sight, elsewhere: Sequence[Sight], limits: Limits) -> Verdict:
    """Score and margin of the target crop; where that has a rival, the context crop may tell them apart.

    Or the structure of either, where a border that both have outweighs what they show.
    """
    if best.score < limits.score:
        raise MissingTarget("nothing on the screen looks enough like the target", **numbers(best))
    rival = max(elsewhere, key=lambda s: s.score, default=None)
    margin = best.score - max(0.0, rival.score if rival else 0.0)
    if margin >= limits.margin:
        return Verdict(best, "target", best.score, margin, rival)
    rival = max(elsewhere, key=lambda s: s.context_score, default=None)
    wider = best.context_score - max(0.0, rival.context_score if rival else 0.0)
    if best.context_score >= limits.score and wider >= limits.margin:
        return Verdict(best, "context", best.context_score, wider, rival)
    rival = max(elsewhere, key=lambda s: s.context, default=None)
    finer = best.context - max(0.0, rival.context if rival else 0.0)
    if best.context >= limits.score and finer >= limits.twin:
        return Verdict(best, "context, by structure", best.context, finer, rival)
    rival = max(elsewhere, key=lambda s: s.core, default=None)
    own = best.core - max(0.0, rival.core if rival else 0.0)
    if min(best.spot, best.core, best.weakest) >= limits.same and own >= limits.clear:
        return Verdict(best, "target, by structure", best.core, own, rival)  # a border outweighs a pale icon
    raise AmbiguousTarget("two places look alike", margin=margin, **numbers(best))


def places(sights: Sequence[Sight]) -> list[Sight]:
    """One sight of each place, the best."""
    kept: list[Sight] = []
    for sight in sorted(sights, key=lambda s: -(s.context + s.score)):
        if all(_apart(sight, other) for other in kept):
            kept.append(sight)
    return kept


def _apart(sight: Sight, best: Sight) -> bool:
    return abs(sight.point.x - best.point.x) > 4 or abs(sight.point.y - best.point.y) > 4


def ambiguous(best: Sight, rival: Sight) -> AmbiguousTarget:
    """A refusal that names both places."""
    return AmbiguousTarget(
        "two places look alike, their surroundings too",
        margin=best.score - rival.score,
        rival_context=rival.context,
        rival_point=[float(v) for v in rival.point],
        **numbers(best),
    )


def numbers(sight: Sight | None) -> dict[str, object]:
    """What a refusal tells of the place that came nearest."""
    if sight is None:
        return {"score": 0.0}
    names = ("score", "spot", "core", "weakest", "letters", "colour", "fresh", "context", "scale")
    values: dict[str, object] = {name: float(getattr(sight, name)) for name in names}
    return {**values, "point": [float(v) for v in sight.point]}

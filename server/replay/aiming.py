"""Wait for a target to be there, surely: verified in two grabs in a row, and once more under the pointer."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread

from ibtr.errors import AmbiguousTarget, MissingTarget, Rejected
from ibtr.geometry import Box, Point, px_to_xy, xy_to_px

if TYPE_CHECKING:
    from actionlens.actions import Action
    from actionlens.controller import Controller, Frame
    from ibtr import Aim, Evidence
    from server.replay.echoing import Echoed

    Target = Evidence | Echoed

_POINTED = 24  # pixels around a place that a host pointed at
_RESTS_S = 0.15  # from then on a screen rests: a button may be painted a moment after its window
_RESTLESS_S = 0.6  # a screen that has not rested by then will not: it is searched as it is
_NEAR_PX = 2.0  # two grabs agree, and the pointer is where it was sent


@dataclass(frozen=True, slots=True)
class Waiting:
    """How long a target may take to appear: adaptive, never a fixed sleep."""

    longest_s: float = 10.0
    still_s: float = 3.0  # refused on a screen that has not changed for so long: it will not come
    poll_s: float = 0.02


@dataclass(frozen=True, slots=True)
class Aimed:
    """Targets found, in image pixels of `frame`."""

    aims: tuple[Aim, ...]
    frame: Frame
    waited_s: float
    matched_s: float

    @property
    def xy(self) -> tuple[Point, ...]:
        """Where the pointer goes."""
        return tuple(px_to_xy(aim.point, self.frame.scale, self.frame.origin) for aim in self.aims)

    @property
    def age_s(self) -> float:
        """How long ago they were seen."""
        return (datetime.now(UTC) - self.frame.at).total_seconds()


@dataclass(frozen=True, slots=True)
class Sight:
    """What one grab showed: the targets, or that they are not there; the same pixels give the same answer."""

    frame: Frame
    at: float
    aims: tuple[Aim, ...] | None


@dataclass(slots=True)
class _Watch:
    """What is known so far about one wait."""

    begun: float = field(default_factory=time.monotonic)
    changed: float = field(default_factory=time.monotonic)
    matched_s: float = 0.0
    last: tuple[Aim, ...] | None = None
    refusal: Rejected | None = None
    pixels: object = None
    thorough: bool = True
    """Whether these pixels were searched with all retries."""

    def given_up(self, waiting: Waiting, expected_s: float) -> bool:
        at = time.monotonic()
        longest, still = max(waiting.longest_s, expected_s), max(waiting.still_s, expected_s)
        return at - self.begun > longest or at - self.changed > still


async def rest(
    eye: Controller, for_s: float = 0.3, longest_s: float = 5.0, *, since: tuple[float, Frame] | None = None
) -> None:
    """Wait until the screen has rested for a while: a window that is still being painted loses keys.

    A frame that was seen earlier counts: if nothing has changed `since`, it has rested all the time.
    """
    from actionlens.settle import Patience, Settling

    begun, first = since or (time.monotonic(), await eye.capture())
    patience = Patience(quiet_s=for_s, cap_s=max(longest_s, time.monotonic() - begun + longest_s))
    state = Settling(patience, first.pixels)
    while not state.over:
        await anyio.sleep(patience.poll_s)
        state = state.look((await eye.capture()).pixels, time.monotonic() - begun)


async def aim(
    eye: Controller,
    targets: tuple[Target, ...],
    waiting: Waiting,
    *,
    known: Sight | None = None,
    give_up: Callable[[Frame], bool] | None = None,
    expected: Callable[[Frame], float] = lambda _: 0.0,
) -> Aimed:
    """Find every target in two grabs in a row; a grab in which they were `known` just before counts as one.

    `expected` tells of a screen how long it may rest because something has yet to come.

    Raises:
        MissingTarget, AmbiguousTarget: it did not become sure in time; or `give_up` said so.
    """
    watch = _Watch()
    if known is not None and known.aims is not None:
        watch.last, watch.pixels = known.aims, known.frame.pixels
    while True:
        frame = await eye.capture()
        changed = frame.pixels is not watch.pixels
        if changed:
            watch.pixels, watch.changed = frame.pixels, time.monotonic()
        found = await _look(watch, targets, frame, changed=changed)
        if found and watch.last and _agree(found, watch.last):
            return Aimed(found, frame, time.monotonic() - watch.begun - watch.matched_s, watch.matched_s)
        if found and watch.last:
            watch.refusal = MissingTarget("the target does not hold still", point=[*found[0].point])
        last, watch.last = watch.last, found
        # One that has just come is looked at once more, and so is one that was not to be seen at a glance.
        unsure = watch.thorough if found is None else last is not None
        if unsure and (watch.given_up(waiting, expected(frame)) or (give_up is not None and give_up(frame))):
            assert watch.refusal is not None
            raise watch.refusal
        await anyio.sleep(waiting.poll_s if found is None else 0)


async def _look(
    watch: _Watch, targets: tuple[Target, ...], frame: Frame, *, changed: bool
) -> tuple[Aim, ...] | None:
    """The targets, if they are there; the dear retries come once the screen rests, or does not for long."""
    begun = time.monotonic()
    rests, restless = begun - watch.changed >= _RESTS_S, begun - watch.begun >= _RESTLESS_S
    if not changed and (watch.thorough or watch.last or not rests):  # the same pixels give the same answer
        return watch.last
    watch.thorough = rests or restless
    search = partial(find_all, targets, frame.pixels, thorough=watch.thorough)
    try:
        return await to_thread.run_sync(search, abandon_on_cancel=True)
    except Rejected as exc:
        watch.refusal = exc
        return None
    finally:
        watch.matched_s += time.monotonic() - begun


def find_all(targets: tuple[Target, ...], pixels: object, *, thorough: bool = True) -> tuple[Aim, ...]:
    """Every target on one screen; without the dear retries where it need not be `thorough`.

    Raises:
        MissingTarget, AmbiguousTarget: the first that is not there, or not alone.
    """
    return tuple(_find(target, pixels, thorough=thorough) for target in targets)


def _find(target: Target, pixels: object, *, thorough: bool) -> Aim:
    from ibtr import Evidence, reaim

    if not isinstance(target, Evidence):
        return target.find(pixels)  # type: ignore[arg-type]
    try:
        aim = reaim(target, pixels, thorough=thorough)  # type: ignore[arg-type]
    except AmbiguousTarget as no:
        if "point" in no.evidence:
            _expect_light(target, pixels, Point(*no.evidence["point"]))  # type: ignore[misc]
        raise
    if aim.representation != "inverted":
        _expect_light(target, pixels, aim.point)
    return aim


def _expect_light(target: Evidence, pixels: object, point: Point) -> None:
    from server.replay.veil import veiled

    share = veiled(target.crop, pixels, point)  # type: ignore[arg-type]
    if share is not None:
        raise MissingTarget("the target lies dimmed under something else", light=share, point=[*point])


def expect_unswitched(aims: Iterable[Aim]) -> None:
    """A target that was found as its click would leave it is left out, or it is not there: never clicked.

    Raises:
        MissingTarget: one was found in no other look.
    """
    for one in aims:
        if one.switched:
            says = "the target looks as this click would leave it, but not surely so"
            raise MissingTarget(says, point=[float(v) for v in one.point])


def visible(targets: tuple[Target, ...], pixels: object) -> bool:
    """Whether every target is there, surely."""
    try:
        find_all(targets, pixels)
    except Rejected:
        return False
    return True


def check_under_pointer(targets: tuple[Target, ...], aimed: Aimed) -> Callable[[Frame], None]:
    """The last look, with the pointer in place and the button not yet down; a drag's other end as well.

    What the pointer lights up is compared in place with the screen on which the target was verified. Where
    that does not say yes, the target must be found again at the same place.
    """
    from server.replay.hover import hovered

    def check(frame: Frame) -> None:
        for target, known in zip(targets, aimed.aims, strict=True):
            seen = hovered(aimed.frame.pixels, frame.pixels, known.box, known.point)
            if seen.same:
                continue
            (found,) = find_all((target,), frame.pixels)
            expect_unswitched([found])
            off = max(abs(found.point.x - known.point.x), abs(found.point.y - known.point.y))
            if off > _NEAR_PX:
                raise MissingTarget(
                    "the target moved away as the pointer came",
                    moved_px=round(off, 1),
                    widget=round(seen.widget, 4),
                    around=round(seen.around, 4),
                )

    return check


def as_it_was(action: Action, before: Frame) -> Callable[[Frame], None]:
    """The last look at a place that a host has pointed at: it must show what it showed."""
    from server.replay.hover import hovered

    places = [xy_to_px(point, before.scale, before.origin) for point in action.points()]

    def check(frame: Frame) -> None:
        for at in places:
            around = Box(round(at.x) - _POINTED, round(at.y) - _POINTED, 2 * _POINTED, 2 * _POINTED)
            seen = hovered(before.pixels, frame.pixels, around.clip(before.image), at)
            if not seen.same:
                raise MissingTarget(
                    "what was pointed at changed as the pointer came",
                    widget=round(seen.widget, 4),
                    around=round(seen.around, 4),
                )

    return check


def _agree(one: tuple[Aim, ...], other: tuple[Aim, ...]) -> bool:
    return all(
        abs(a.point.x - b.point.x) <= _NEAR_PX and abs(a.point.y - b.point.y) <= _NEAR_PX
        for a, b in zip(one, other, strict=True)
    )

"""What a host pointed at, without the pointer on it and with it: a replay sees both, and so both are kept.

A pointer that was sent there once and held back has lit it up. It goes back to where the last step had left
it: what comes up under a pointer, a submenu, comes up there again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from actionlens.actions import Move
from ibtr.errors import MissingTarget
from ibtr.geometry import Box, Point, xy_to_px
from memory_store.consolidation.replayed import TOWARDS
from server.replay.aiming import rest
from server.replay.hint import upper_edge

if TYPE_CHECKING:
    from actionlens.controller import Controller, Frame
    from server.replay.hand import Hand

_LIT = 12  # pixels around a target within which a pointer may light it up
_LIGHTS_UP_S = 0.15  # a screen that has rested for so long has lit up what it lights up
_LOOKED = 48  # pixels around a point that must still be as the host saw them
_MAY_DIFFER = 0.02
_WHY = "off the target: lit up by the pointer it looks otherwise than a replay will find it"


@dataclass(frozen=True, slots=True)
class Pointed:
    """Places of a step that a host pointed at, in controller units, on screens that it was shown."""

    step: int
    points_xy: tuple[Point, ...]
    shown: tuple[Frame, ...]
    """Oldest first."""

    def lit(self, frame: Frame) -> bool:
        """Whether the pointer rests on one of them."""
        return any(rests_on(frame, _widget(frame, point)) for point in self.points_xy)

    def same(self, shown: Frame, now: Frame) -> bool:
        """Whether each of them is as it was shown."""
        return all(same_around(shown, now, xy_to_px(at, now.scale, now.origin)) for at in self.points_xy)

    def unlit(self) -> Frame | None:
        """The last screen that the host was shown without the pointer on them."""
        return next((one for one in reversed(self.shown) if one.pointer and not self.lit(one)), None)


async def off(pointed: Pointed, frame: Frame, hand: Hand, eye: Controller, *, begun: bool) -> Frame:
    """The screen with the pointer off the place; as it is, where the step before has left it there.

    Raises:
        MissingTarget: what was pointed at is not there without the pointer on it.
    """
    if frame.pointer is None or not pointed.lit(frame):
        return frame
    known = pointed.unlit()
    if known is not None and known.pointer is not None:
        await hand.beside(_to(known.pointer), _WHY)
        await rest(eye)
        if not pointed.same(known, bare := await hand.give_way()):
            raise MissingTarget("what was pointed at is not there without the pointer on it")
        return bare
    if begun or (move := upper_edge(frame)) is None:
        return frame
    await hand.beside(move, _WHY)
    await rest(eye)
    if _is_there(pointed, frame, bare := await hand.give_way()):
        return bare
    await hand.beside(_to(frame.pointer), "back again: the target is known with the pointer on it only")
    await rest(eye)
    return await hand.give_way()


async def on(pointed: Pointed, hand: Hand, eye: Controller) -> Frame:
    """The screen with the pointer on the place, once the program has lit up what it lights up."""
    why = "onto the target: it may look otherwise under the pointer"
    await hand.beside(_to(pointed.points_xy[0]), why, more={TOWARDS: pointed.step + 1})
    await eye.caught_up()
    await rest(eye, _LIGHTS_UP_S)
    return await hand.give_way()


def rests_on(frame: Frame, box: Box) -> bool:
    """Whether the pointer may light up what lies in a box, in pixels."""
    if frame.pointer is None:
        return False
    return box.grow(_LIT).contains(xy_to_px(frame.pointer, frame.scale, frame.origin))


def same_around(shown: Frame, now: Frame, px: Point) -> bool:
    """Whether the pixels around a point are as they were when the host looked."""
    import numpy as np

    if shown.image != now.image:
        return False
    box = Box(round(px.x) - _LOOKED // 2, round(px.y) - _LOOKED // 2, _LOOKED, _LOOKED).clip(now.image)
    one, other = (frame.pixels[box.y : box.bottom, box.x : box.right] for frame in (shown, now))
    differs = (np.abs(one.astype(np.int16) - other.astype(np.int16)) > 24).any(axis=2).mean()
    return bool(differs <= _MAY_DIFFER)


def _is_there(pointed: Pointed, lit: Frame, bare: Frame) -> bool:
    """Whether each widget has kept its structure, whatever its colours."""
    from server.replay.hover import hovered

    places = [(_widget(lit, at), xy_to_px(at, lit.scale, lit.origin)) for at in pointed.points_xy]
    return all(hovered(lit.pixels, bare.pixels, box, at).same for box, at in places)


def _widget(frame: Frame, at: Point) -> Box:
    from ibtr.pixels import to_gray
    from ibtr.widget import single

    return single(to_gray(frame.pixels), xy_to_px(at, frame.scale, frame.origin))


def _to(point: Point) -> Move:
    return Move(x=round(point.x), y=round(point.y))

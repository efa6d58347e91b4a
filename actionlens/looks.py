"""Looks that a caller adds to an act: each may stop it, or end a wait that has nothing to wait for."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from actionlens.controller import Frame
from actionlens.observation import Under, Window
from actionlens.settle import Settling

Hover = Callable[[Frame], None]
Over = Callable[[Under | None], None]
Front = Callable[[Window | None], None]
Ready = Callable[[Frame, Settling], Awaitable[bool]]


@dataclass(frozen=True, slots=True)
class Looks:
    """None of them is needed; a refusal is raised as Rejected, and no button or key goes down."""

    before: Frame | None = None
    """The frame on which the act was decided, taken just now: it is the evidence, and not taken again."""
    hover: Hover | None = None
    """Judges what is under the pointer, which goes to the place first."""
    over: Over | None = None
    """Judges the window that the click would reach, with the pointer in place; only that one may get it."""
    front: Front | None = None
    """Judges the active window right before the keys; only that one may get them."""
    presses: int | None = None
    """What others had pressed when keys were allowed: they go only as long as it is no more."""
    ready: Ready | None = None
    """Says that nothing more is to be waited for, asked at each grab while the screen settles."""


NO_LOOKS = Looks()

"""Pure: is this screen still?

Small places that keep changing (a caret, a spinner) do not count as movement.
"""

from dataclasses import dataclass, field, replace

from actionlens.frames import Pixels, changed_box, crop
from actionlens.records import Settled
from ibtr.geometry import Box


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a screen must be quiet, and how long we wait for that at most."""

    quiet_s: float = 0.1
    cap_s: float = 3.0
    poll_s: float = 0.02
    small: float = 0.0007  # share of the pixels that may change without counting as movement


@dataclass(frozen=True, slots=True)
class Settling:
    """What has been seen so far; `look` gives the next state."""

    patience: Patience
    last: Pixels
    quiet_since_s: float = 0.0
    now_s: float = 0.0
    looks: int = 0
    ignored: tuple[Box, ...] = field(default=())

    def look(self, pixels: Pixels, at_s: float) -> "Settling":
        """Take one more grab into account, `at_s` after the action."""
        seen = replace(self, last=pixels, now_s=at_s, looks=self.looks + 1)
        if pixels is self.last:
            return seen
        box = changed_box(self.last, pixels)
        if box is None:
            return seen
        if pixels.shape == self.last.shape and _changed(self.last, pixels, box) <= self.patience.small * (
            pixels.shape[0] * pixels.shape[1]
        ):
            return seen if box in self.ignored else replace(seen, ignored=(*self.ignored[-7:], box))
        return replace(seen, quiet_since_s=at_s)

    @property
    def still(self) -> bool:
        """Quiet for long enough, over at least two looks."""
        return self.looks >= 2 and self.quiet_s >= self.patience.quiet_s

    @property
    def over(self) -> bool:
        """Whether there is nothing more to wait for."""
        return self.still or self.now_s >= self.patience.cap_s

    @property
    def quiet_s(self) -> float:
        """How long nothing but small places has changed."""
        return self.now_s - self.quiet_since_s

    def settled(self, *, early: bool = False) -> Settled:
        """What to write down."""
        return Settled(
            early=early,
            still=self.still,
            waited_s=round(self.now_s, 4),
            cap_s=self.patience.cap_s,
            looks=self.looks,
            ignored=self.ignored,
        )


def _changed(one: Pixels, other: Pixels, box: Box) -> int:
    return int((crop(one, box) != crop(other, box)).any(axis=2).sum())

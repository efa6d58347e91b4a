"""Where a secret was typed: those places are painted over in every frame that is kept or shown afterwards."""

from dataclasses import dataclass, field
from typing import cast
from weakref import ref

import cv2
import numpy as np

from actionlens.frames import Pixels, crop, size_of
from ibtr.geometry import Box, Size

_GRAY = 128
_JOIN = np.ones((15, 15), np.uint8)  # letters of one field grow together
_MARGIN = 4
_LEVEL, _MOST = 24, 0.5  # what is typed is still shown if most of its pixels differ by no more levels
_REMEMBERED = 3  # frames: before, after, and the one of now
_Painted = tuple["ref[Pixels]", int, "ref[Pixels]"]


def changed_places(one: Pixels, other: Pixels) -> tuple[Box, ...]:
    """Boxes around everything that differs between two frames of one size, neighbours together."""
    if one.shape != other.shape:
        return (Box(0, 0, *size_of(other)),)
    differs = (cv2.absdiff(one, other).max(axis=2) > 0).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(differs, _JOIN))
    boxes = (Box(*(int(value) for value in stats[n, :4])) for n in range(1, count))
    return tuple(box.grow(_MARGIN).clip(size_of(other)) for box in boxes)


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A place that is hidden, and how it looked before and after a secret was typed there."""

    box: Box
    before: Pixels
    after: Pixels

    def still_shown(self, now: Pixels) -> bool:
        """Whether most of what was typed is still there."""
        typed = (self.before != self.after).any(axis=2) if self.before.shape == self.after.shape else None
        if typed is None or not typed.any():
            return True
        apart = cv2.absdiff(crop(now, self.box), self.after).max(axis=2)
        return bool((apart[typed] <= _LEVEL).mean() >= _MOST)


@dataclass(slots=True)
class Masks:
    """The places of one run, on screens of one size each."""

    _places: dict[Size, list[Place]] = field(default_factory=dict[Size, list[Place]])
    _painted: list[_Painted] = field(default_factory=list[_Painted])
    """The last frames and how they were painted over: what is one frame stays one."""

    def hide(self, before: Pixels, after: Pixels) -> None:
        """Whatever changed while a secret was typed is hidden from now on."""
        places = [
            Place(box, crop(before, box).copy(), crop(after, box).copy())
            for box in changed_places(before, after)
        ]
        self._places.setdefault(size_of(after), []).extend(places)

    def take(self, other: "Masks", now: Pixels | None = None) -> None:
        """Hide what another run hides as well; on the screen of `now` only where it is still shown."""
        for size, places in other._places.items():
            known = self._places.setdefault(size, [])
            same = now is not None and size_of(now) == size
            known += [
                one
                for one in places
                if one not in known and (not same or one.still_shown(cast("Pixels", now)))
            ]

    def __bool__(self) -> bool:
        """Whether anything is hidden."""
        return any(self._places.values())

    def over(self, pixels: Pixels) -> Pixels:
        """The frame as it may be seen; itself when there is nothing to hide."""
        places = self._places.get(size_of(pixels))
        if not places:
            return pixels
        for raw, count, known in self._painted:
            if raw() is pixels and count == len(places) and (seen := known()) is not None:
                return seen
        painted = pixels.copy()
        for place in places:
            crop(painted, place.box)[:] = _GRAY
        painted.flags.writeable = False
        latest = (ref(pixels), len(places), ref(painted))
        self._painted = [*self._painted[-_REMEMBERED + 1 :], latest]
        return painted

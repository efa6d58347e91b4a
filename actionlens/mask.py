"""Where a secret was typed, or is shown again: painted over in every frame that is kept or shown."""

from dataclasses import dataclass, field
from typing import cast
from weakref import ref

import cv2
import numpy as np
from numpy.typing import NDArray

from actionlens.frames import Pixels, changed_box, crop, size_of
from actionlens.secret_look import SecretLook, gray_of, look_of, of_the_text
from ibtr.geometry import Box, Size

_GRAY = 128
_JOIN = np.ones((15, 15), np.uint8)  # letters of one field grow together
_MARGIN = 3
_LEVEL, _MOST = 24, 0.5  # what is typed is still shown if most of its pixels differ by no more levels
_REMEMBERED = 8  # frames: before, after, the one of now, and those that a host was shown
_LOOKS = 48  # different texts that are looked for, the latest


def changed_places(one: Pixels, other: Pixels) -> tuple[Box, ...]:
    """Boxes around everything that differs between two frames of one size, neighbours together."""
    if one.shape != other.shape:
        return (Box(0, 0, *size_of(other)),)
    differs = (cv2.absdiff(one, other).max(axis=2) > 0).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(differs, _JOIN))
    labels[differs == 0] = 0
    outer = (Box(*(int(value) for value in stats[n, :4])) for n in range(1, count))
    boxes = (_within(np.asarray(labels, np.int32), box, n) for n, box in enumerate(outer, 1))
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


@dataclass(frozen=True, slots=True)
class _Painted:
    """A frame, and how it was painted over: what is one frame stays one."""

    raw: "ref[Pixels]"
    version: int
    boxes: tuple[Box, ...]
    seen: "ref[Pixels]"


@dataclass(frozen=True, slots=True)
class _Searched:
    """The last frame that was searched for looks, and where they were."""

    pixels: Pixels
    version: int
    boxes: tuple[Box, ...]


@dataclass(slots=True)
class Masks:
    """What one run hides: places, on screens of one size each, and looks, wherever they appear."""

    _places: dict[Size, list[Place]] = field(default_factory=dict[Size, list[Place]])
    _looks: list[SecretLook] = field(default_factory=list[SecretLook])
    _painted: list[_Painted] = field(default_factory=list[_Painted])
    _searched: _Searched | None = None
    _version: int = 0

    def hide(self, before: Pixels, after: Pixels) -> None:
        """Whatever changed while a secret was typed is hidden from now on, and what looks like it."""
        places = [
            Place(box, crop(before, box).copy(), crop(after, box).copy())
            for box in changed_places(before, after)
        ]
        self._places.setdefault(size_of(after), []).extend(places)
        looks = [look for one in places if (look := look_of(one.before, one.after)) is not None]
        gray = gray_of(before)
        self._learn([look.telling(gray) for look in of_the_text(looks)])
        self._version += 1

    def hide_all(self, before: Pixels) -> None:
        """A secret may stand anywhere on a screen of this size: none of it is shown from now on."""
        whole = Box(0, 0, *size_of(before))
        self._places.setdefault(size_of(before), []).append(Place(whole, before, before))
        self._version += 1

    def take(self, other: "Masks", now: Pixels | None = None) -> None:
        """Hide what another run hides as well; on the screen of `now` only the places that still show it."""
        if other is self:
            return
        for size, places in other._places.items():
            known = self._places.setdefault(size, [])
            same = now is not None and size_of(now) == size
            known += [
                one
                for one in places
                if one not in known and (not same or one.still_shown(cast("Pixels", now)))
            ]
        self._learn(other._looks)
        self._version += 1

    def __bool__(self) -> bool:
        """Whether anything is hidden."""
        return bool(self._looks) or any(self._places.values())

    def over(self, pixels: Pixels) -> Pixels:
        """The frame as it may be seen; itself when there is nothing to hide."""
        return self._seen(pixels)[0]

    def covers(self, pixels: Pixels) -> tuple[Box, ...]:
        """What is painted over in a frame, given as it is or as it may be seen."""
        return self._seen(pixels)[1]

    def _seen(self, pixels: Pixels) -> tuple[Pixels, tuple[Box, ...]]:
        if not self:
            return pixels, ()
        for one in self._painted:
            known = one.seen()
            if (
                one.version == self._version
                and known is not None
                and (pixels is one.raw() or pixels is known)
            ):
                return known, one.boxes
        boxes = self._boxes(pixels)
        painted = _paint(pixels, boxes) if boxes else pixels
        latest = _Painted(ref(pixels), self._version, boxes, ref(painted))
        self._painted = [*self._painted[-_REMEMBERED + 1 :], latest]
        return painted, boxes

    def _boxes(self, pixels: Pixels) -> tuple[Box, ...]:
        boxes = [place.box for place in self._places.get(size_of(pixels), ())]
        if self._looks:
            boxes += self._search(pixels)
        return tuple(box for n, box in enumerate(boxes) if not _in_another(box, n, boxes))

    def _search(self, pixels: Pixels) -> tuple[Box, ...]:
        """Where looks are shown; only what has changed since the last frame is searched again."""
        last, changed, still = self._searched, Box(0, 0, *size_of(pixels)), list[Box]()
        if last is not None and last.version == self._version and last.pixels.shape == pixels.shape:
            box = changed_box(last.pixels, pixels)
            if box is None:
                return last.boxes
            changed, still = box, [one for one in last.boxes if not one.intersect(box).area]
        around = changed.grow(max(look.reach for look in self._looks)).clip(size_of(pixels))
        gray = gray_of(crop(pixels, around))
        found = (box for look in self._looks for box in look.found(gray))
        placed = [Box(box.x + around.x, box.y + around.y, box.width, box.height) for box in found]
        boxes = tuple(dict.fromkeys([*still, *placed]))
        self._searched = _Searched(pixels, self._version, boxes)
        return boxes

    def _learn(self, looks: list[SecretLook]) -> None:
        for look in [one for one in looks if one.pieces]:
            self._looks = [*(one for one in self._looks if not one.same(look)), look][-_LOOKS:]


def _in_another(box: Box, n: int, boxes: list[Box]) -> bool:
    """Whether another box holds this one; of equal ones, the first stays."""
    return any(
        box.intersect(other) == box and (box != other or m < n) for m, other in enumerate(boxes) if m != n
    )


def _within(labels: NDArray[np.int32], outer: Box, label: int) -> Box:
    """What bears a label, without what was only grown around it: the widget beside it stays to be seen."""
    part = labels[outer.y : outer.bottom, outer.x : outer.right] == label
    left, top, width, height = cv2.boundingRect(part.astype(np.uint8))
    return Box(outer.x + left, outer.y + top, width, height)


def _paint(pixels: Pixels, boxes: tuple[Box, ...]) -> Pixels:
    painted = pixels.copy()
    for box in boxes:
        crop(painted, box)[:] = _GRAY
    painted.flags.writeable = False
    return painted

"""Where a secret was typed: those places are painted over in every frame that is kept or shown afterwards."""

from dataclasses import dataclass, field

import cv2
import numpy as np

from actionlens.frames import Pixels, crop, size_of
from ibtr.geometry import Box, Size

_GRAY = 128
_JOIN = np.ones((15, 15), np.uint8)  # letters of one field grow together
_MARGIN = 4


def changed_places(one: Pixels, other: Pixels) -> tuple[Box, ...]:
    """Boxes around everything that differs between two frames of one size, neighbours together."""
    if one.shape != other.shape:
        return (Box(0, 0, *size_of(other)),)
    differs = (cv2.absdiff(one, other).max(axis=2) > 0).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(differs, _JOIN))
    boxes = (Box(*(int(value) for value in stats[n, :4])) for n in range(1, count))
    return tuple(box.grow(_MARGIN).clip(size_of(other)) for box in boxes)


@dataclass(slots=True)
class Masks:
    """The places of one run, on screens of one size each."""

    _places: dict[Size, list[Box]] = field(default_factory=dict[Size, list[Box]])

    def hide(self, before: Pixels, after: Pixels) -> None:
        """Whatever changed while a secret was typed is hidden from now on."""
        self._places.setdefault(size_of(after), []).extend(changed_places(before, after))

    def over(self, pixels: Pixels) -> Pixels:
        """The frame as it may be seen; itself when there is nothing to hide."""
        boxes = self._places.get(size_of(pixels))
        if not boxes:
            return pixels
        painted = pixels.copy()
        for box in boxes:
            crop(painted, box)[:] = _GRAY
        painted.flags.writeable = False
        return painted

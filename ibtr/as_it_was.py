"""Whether a piece of the screen is to be seen just as it was, anywhere: a look, never a place to click."""

import cv2
import numpy as np

from ibtr.evidence import CropAnchor
from ibtr.geometry import Box
from ibtr.pixels import Pixels, cut, size_of

NOISE = 16
"""Levels by which a pixel may differ and count as the same."""


def as_it_was(anchor: CropAnchor, screen: Pixels) -> Box | None:
    """Where the core of a crop is to be seen at its own size, pixel by pixel; what varies does not count."""
    core, size = cut(anchor.image, anchor.core), size_of(screen)
    if anchor.core.width > size.width or anchor.core.height > size.height:
        return None
    tells = (
        np.ones(core.shape[:2], np.uint8) if anchor.vary is None else _tells(cut(anchor.vary, anchor.core))
    )
    if not tells.any():
        return None
    mask = None if tells.all() else np.repeat(tells[..., None], 3, axis=2)
    x, y = cv2.minMaxLoc(cv2.matchTemplate(screen, core, cv2.TM_SQDIFF, mask=mask))[2]
    found = Box(x, y, anchor.core.width, anchor.core.height)
    apart = cv2.absdiff(cut(screen, found), core).max(axis=2)
    return found if int((apart * tells).max()) <= NOISE else None


def _tells(vary: Pixels) -> Pixels:
    return np.asarray(vary == 0, np.uint8)

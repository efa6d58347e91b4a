"""The recorded look of a target, for a host's model: the crop with the click marked, large enough to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from actionlens.frames import encode_png

if TYPE_CHECKING:
    from server.replay.aiming import Target

_RED = (40, 40, 220)
_WIDE = 480


def reference_picture(targets: tuple[Target, ...], index: int) -> bytes:
    """PNG of what a step aimed at, as it was recorded."""
    parts = [_marked(target) for target in targets]
    width = max(part.shape[1] for part in parts)
    rows = [cv2.copyMakeBorder(part, 0, 4, 0, width - part.shape[1], cv2.BORDER_CONSTANT) for part in parts]
    head = np.full((24, width, 3), 250, np.uint8)
    cv2.putText(
        head, f"recorded: s{index + 1}", (6, 17), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (40, 40, 40), 1, cv2.LINE_AA
    )
    return encode_png(np.asarray(np.vstack([head, *rows]), np.uint8), level=6)


def _marked(target: Target) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    anchor = target.crop
    pixels = anchor.image.copy()
    at = (round(anchor.click.x), round(anchor.click.y))
    box = anchor.core
    cv2.rectangle(pixels, (box.x - 2, box.y - 2), (box.right + 1, box.bottom + 1), _RED, 1)
    cv2.drawMarker(pixels, at, _RED, cv2.MARKER_CROSS, 8, 1)
    factor = max(1, min(3, _WIDE // max(1, pixels.shape[1])))
    large = cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_NEAREST)
    return np.asarray(large, np.uint8)

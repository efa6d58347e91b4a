"""Do two pictures have the same colours? Where luma cannot tell, as with red and green twins."""

from __future__ import annotations

import numpy as np

from ibtr.pixels import Floats, Pixels, channels, colourful, local_mean, same

CHROMATIC = 48
"""Distance between the channels from which a pixel counts as coloured."""


def alike_in_colour(known: Pixels, seen: Pixels) -> float:
    """1 where the colours agree, 0 where they are as far apart as red and green."""
    if same(known, seen) or not (colourful(known, CHROMATIC) or colourful(seen, CHROMATIC)):
        return 1.0
    a, b = _chroma(known), _chroma(seen)
    strong = (np.abs(a).max(axis=0) >= CHROMATIC) | (np.abs(b).max(axis=0) >= CHROMATIC)
    if int(strong.sum()) < 12:
        return 1.0
    apart = np.abs(a - b).max(axis=0)[strong]
    return float(max(0.0, 1.0 - apart.mean() / 255))


def _chroma(image: Pixels) -> Floats:
    """The three distances between the channels."""
    blue, green, red = channels(image)
    blue -= green
    red -= green
    warm, cold = local_mean(red, 7), local_mean(blue, 7)  # codecs keep colour at half the size
    return np.stack([cold, warm, warm - cold])

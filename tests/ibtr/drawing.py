"""A screen to draw on, in letters of any size, light or dark."""

import cv2
import numpy as np

from ibtr.geometry import Box
from ibtr.pixels import Pixels

GROUND, FACE, INK = (236, 236, 236), (250, 250, 250), (30, 30, 30)


class Sheet:
    """A screen to draw on; letters are larger by `scale`, and all is inverted where it is dark."""

    def __init__(self, scale: float = 1.0, *, dark: bool = False) -> None:
        self.scale, self.dark = scale, dark
        self.picture: Pixels = np.full((620, 1100, 3), GROUND, np.uint8)
        self.boxes: dict[str, Box] = {}

    def word(self, text: str, x: int, y: int) -> Box:
        """A word with its left end and its middle line there."""
        size = 0.45 * self.scale
        (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
        at = (x, y + height // 2)
        cv2.putText(self.picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, INK, 1, cv2.LINE_AA)
        return Box(x, y - height // 2 - 3, width, height + 6)

    def frame(self, box: Box, fill: tuple[int, int, int] = FACE) -> Box:
        cv2.rectangle(self.picture, box[:2], (box.right - 1, box.bottom - 1), fill, -1)
        cv2.rectangle(self.picture, box[:2], (box.right - 1, box.bottom - 1), (120, 120, 120), 1)
        return box

    def icon(self, number: int, x: int, y: int, cell: int = 4) -> Box:
        """One of many icons, as large as ever: it has no letters."""
        cells = np.where(np.random.default_rng(number).random((5, 5)) < 0.5, 60, 250).astype(np.uint8)
        part, half = np.kron(cells, np.ones((cell, cell), np.uint8)), 5 * cell // 2
        self.picture[y - half : y + half, x : x + 2 * half] = part[..., None]
        return Box(x, y - half, 2 * half, 2 * half)

    def shown(self) -> Pixels:
        return (255 - self.picture).astype(np.uint8) if self.dark else self.picture

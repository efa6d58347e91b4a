"""A white sheet to draw charts on: text, lines, dots and bars, antialiased, with nothing but cv2."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

import cv2
import numpy as np

from ibtr.pixels import Pixels

Colour = tuple[int, int, int]
Align = Literal["left", "middle", "right"]
WHITE: Final[Colour] = (255, 255, 255)
INK: Final[Colour] = (48, 42, 38)
SOFT: Final[Colour] = (128, 120, 114)
GRID: Final[Colour] = (232, 228, 226)
BLUE: Final[Colour] = (186, 104, 36)
SKY: Final[Colour] = (226, 186, 140)
GREY: Final[Colour] = (196, 190, 186)
RED: Final[Colour] = (58, 58, 206)
ORANGE: Final[Colour] = (40, 132, 232)
_FINE = 4  # fractional bits of cv2's coordinates
_TRUETYPE = not cv2.__version__.startswith("4.")  # outlines came with version 5


class At(NamedTuple):
    """A place on the sheet."""

    x: float
    y: float


class Canvas:
    """One sheet; y goes down."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.pixels: Pixels = np.full((height, width, 3), 255, np.uint8)
        self._face = cv2.FontFace("sans") if _TRUETYPE else None

    def text(
        self, at: At, text: str, size: int = 20, colour: Colour = INK, *, bold: bool = False,
        align: Align = "left",
    ) -> None:  # fmt: skip
        """Words with their baseline at `at`."""
        back = {"left": 0.0, "middle": 0.5, "right": 1.0}[align] * self.wide(text, size, bold=bold)
        place = (round(at.x - back), round(at.y))
        if self._face is not None:
            cv2.putText(self.pixels, text, place, colour, self._face, size, 650 if bold else 400)
        else:
            plain = text.replace("≥", ">=").replace("≤", "<=").replace("·", "-")
            face, thick = cv2.FONT_HERSHEY_DUPLEX, 2 if bold else 1
            cv2.putText(self.pixels, plain, place, face, size / 34, colour, thick, cv2.LINE_AA)

    def wide(self, text: str, size: int, *, bold: bool = False) -> int:
        """How wide words are."""
        if self._face is not None:
            weight = 650 if bold else 400
            return cv2.getTextSize((1, 1), text, (0, 0), self._face, size, weight)[2]
        return cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, size / 34, 2 if bold else 1)[0][0]

    def line(self, start: At, end: At, colour: Colour, thick: int = 2, *, dashed: bool = False) -> None:
        """A line from one place to another."""
        if not dashed:
            cv2.line(self.pixels, _fine(start), _fine(end), colour, thick, cv2.LINE_AA, _FINE)
            return
        length = max(1.0, float(np.hypot(end.x - start.x, end.y - start.y)))
        for near in np.arange(0, length, 14):
            far = min(length, float(near) + 8)
            self.line(
                _between(start, end, float(near) / length), _between(start, end, far / length), colour, thick
            )

    def dot(self, at: At, colour: Colour, radius: float = 6) -> None:
        """A disc with a white rim, so that neighbours stay apart."""
        cv2.circle(self.pixels, _fine(at), round((radius + 2) * 2**_FINE), WHITE, -1, cv2.LINE_AA, _FINE)
        cv2.circle(self.pixels, _fine(at), round(radius * 2**_FINE), colour, -1, cv2.LINE_AA, _FINE)

    def diamond(self, at: At, colour: Colour, radius: float = 8) -> None:
        """A mark that is no dot."""
        corners = [
            At(at.x, at.y - radius),
            At(at.x + radius, at.y),
            At(at.x, at.y + radius),
            At(at.x - radius, at.y),
        ]
        outline = np.array([_fine(corner) for corner in corners], np.int32)
        cv2.fillPoly(self.pixels, [outline], colour, cv2.LINE_AA, _FINE)
        cv2.polylines(
            self.pixels, [outline], isClosed=True, color=WHITE, thickness=1, lineType=cv2.LINE_AA, shift=_FINE
        )

    def bar(self, start: At, end: At, colour: Colour) -> None:
        """A filled rectangle."""
        if abs(end.x - start.x) >= 0.5 and abs(end.y - start.y) >= 0.5:
            corners = (round(start.x), round(start.y)), (round(end.x) - 1, round(end.y) - 1)
            cv2.rectangle(self.pixels, *corners, colour, -1)


def _fine(at: At) -> tuple[int, int]:
    return round(at.x * 2**_FINE), round(at.y * 2**_FINE)


def _between(start: At, end: At, share: float) -> At:
    return At(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)

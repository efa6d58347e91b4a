"""Lists, columns and grids of equal widgets, painted at places we know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from ibtr.geometry import Box, Point, Size
from ibtr.pixels import Pixels

WORDS = ("Paper", "Pens", "Boxes", "Stamps", "Tape", "Ink", "Folders", "Labels", "Clips", "Cards", "Glue")
PITCH, FIRST, PAGE = Size(60, 40), Point(420, 60), Size(1000, 640)
FONT = cv2.FONT_HERSHEY_SIMPLEX


@dataclass(frozen=True, slots=True)
class Sheet:
    """`rows` x `columns` equal widgets, so many pixels apart; `text` stands that far left of each row."""

    rows: int
    columns: int = 1
    pitch: Size = PITCH
    glyph: str = "+"
    side: int = 12
    """Least side of the widget; less than the pitch, so that they do not touch."""
    framed: bool = True
    text: int = 0
    """Pixels between a row's own text and its first widget; none where 0."""
    headed: bool = False
    """Whether each column has its own word above."""

    def place(self, row: int, column: int = 0) -> Point:
        """Where the middle of one widget is."""
        return Point(FIRST.x + column * self.pitch.width, FIRST.y + row * self.pitch.height)


def painted(sheet: Sheet, order: Sequence[int] | None = None) -> Pixels:
    """A page with the sheet on it, between a heading and a line of text; `order` tells which rows it has."""
    screen = np.full((PAGE.height, PAGE.width, 3), 250, np.uint8)
    _write(screen, "Small Office: stock", Point(40, 24), 0.6)
    _write(screen, "Change what is short, then send the list.", Point(40, PAGE.height - 12), 0.45)
    for column in range(sheet.columns if sheet.headed else 0):
        _write(
            screen, WORDS[-1 - column % len(WORDS)], Point(sheet.place(0, column).x - 20, FIRST.y - 16), 0.4
        )
    for row, item in enumerate(range(sheet.rows) if order is None else order):
        if sheet.text:
            label = f"{WORDS[item % len(WORDS)]} {item + 1}"
            scale = 0.45 if sheet.pitch.height >= 16 else 0.3
            _write(screen, label, Point(FIRST.x - sheet.text - 80, sheet.place(row).y + 4), scale)
        for column in range(sheet.columns):
            _widget(screen, sheet, sheet.place(row, column))
    return screen


def field(screen: Pixels, box: Box, label: str) -> None:
    """An empty field of a form, its label above."""
    cv2.rectangle(screen, (box.x - 60, box.y - 34), (box.right + 60, box.bottom + 6), (250, 250, 250), -1)
    cv2.rectangle(screen, (box.x, box.y), (box.right, box.bottom), (150, 150, 150), 1)
    _write(screen, label, Point(box.x, box.y - 10), 0.45)


def scaled(screen: Pixels, by: float, shift: float = 0.0) -> Pixels:
    """The same picture `by` times as large, moved by a part of a pixel."""
    how = cv2.INTER_AREA if by < 1 else cv2.INTER_LINEAR
    image = np.asarray(cv2.resize(screen, None, fx=by, fy=by, interpolation=how), np.uint8)
    if not shift:
        return image
    matrix = np.array([[1, 0, shift], [0, 1, shift]], np.float64)
    size = (image.shape[1], image.shape[0])
    return np.asarray(cv2.warpAffine(image, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _widget(screen: Pixels, sheet: Sheet, at: Point) -> None:
    half_x, half_y = (min(sheet.side, gap - 3) // 2 for gap in sheet.pitch)
    x, y = int(at.x), int(at.y)
    if sheet.framed:
        cv2.rectangle(screen, (x - half_x, y - half_y), (x + half_x, y + half_y), (170, 170, 170), 1)
    if sheet.glyph == "+":
        arm = max(2, min(half_x, half_y) - 3)
        cv2.line(screen, (x - arm, y), (x + arm, y), (50, 50, 50), 1)
        cv2.line(screen, (x, y - arm), (x, y + arm), (50, 50, 50), 1)
    elif sheet.glyph:
        _write(screen, sheet.glyph, Point(x - half_x + 3, y + 3), 0.35)


def _write(screen: Pixels, text: str, at: Point, scale: float) -> None:
    cv2.putText(screen, text, (int(at.x), int(at.y)), FONT, scale, (40, 40, 40), 1, cv2.LINE_AA)

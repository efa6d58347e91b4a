"""A spreadsheet drawn in memory: letters above, numbers beside, a line around every cell."""

from collections.abc import Sequence

import cv2
import numpy as np

from ibtr.geometry import Box, Point
from ibtr.pixels import Pixels

Rows = Sequence[Sequence[str]]
LEFT, TOP, PITCH, HIGH, NUMBERS = 60, 90, 78, 20, 40
BUDGET: Rows = (
    ("Item", "March", "April", "May"),
    ("Rent", "900", "900", "910"),
    ("Paper", "40", "38", "41"),
    ("Phone", "25", "26", "25"),
    ("Travel", "300", "120", "25"),
    ("Water", "25", "38", "44"),
)


def cell(column: int, row: int, x: int = 0, y: int = 0) -> Box:
    """The inside of a cell; the sheet is moved by `x` and `y`."""
    return Box(LEFT + x + NUMBERS + PITCH * column + 1, TOP + y + HIGH * (row + 1) + 1, PITCH - 1, HIGH - 1)


def sheet(
    rows: Rows,
    x: int = 0,
    y: int = 0,
    *,
    width: int = 960,
    height: int = 540,
    first: tuple[int, int] = (0, 0),
) -> Pixels:
    """The sheet, with lines around fourteen rows of nine cells; what comes `first` in them."""
    screen: Pixels = np.full((height, width, 3), 90, np.uint8)
    cv2.rectangle(screen, (LEFT + x, TOP + y - 60), (width - 20, height - 20), (245, 245, 245), -1)
    _write(screen, "Budget of the office", Point(LEFT + x + 20, TOP + y - 25))
    last = cell(8, 13, x, y)
    cv2.rectangle(screen, (LEFT + x + NUMBERS, TOP + y + HIGH), (last.right, last.bottom), (255,) * 3, -1)
    for column in range(10):
        line = LEFT + x + NUMBERS + PITCH * column
        cv2.line(screen, (line, TOP + y), (line, last.bottom), (192,) * 3)
        if column < 9:
            _write(screen, "ABCDEFGHIJKLMNO"[column + first[0]], Point(line + 33, TOP + y + 15))
    for row in range(15):
        line = TOP + y + HIGH * (row + 1)
        cv2.line(screen, (LEFT + x, line), (last.right, line), (192,) * 3)
        if row < 14:
            _write(screen, str(row + first[1] + 1), Point(LEFT + x + 12, line + 15))
    for at, texts in enumerate(rows):
        for column, text in enumerate(texts):
            inside = cell(column, at, x, y)
            _write(screen, text, Point(inside.x + 3, inside.y + 14))
    return screen


def _write(screen: Pixels, text: str, at: Point) -> None:
    cv2.putText(
        screen, text, (int(at.x), int(at.y)), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (20,) * 3, 1, cv2.LINE_AA
    )

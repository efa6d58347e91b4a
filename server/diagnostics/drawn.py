"""Screens drawn from a seed, where a library has too few: another program, a dialog, a wallpaper, a text."""

from __future__ import annotations

import cv2
import numpy as np

from ibtr.geometry import Box, Size
from ibtr.pixels import Pixels, size_of

Rng = np.random.Generator
_INK = (45, 45, 45)


def wallpaper(size: Size, rng: Rng) -> Pixels:
    """A soft picture without anything on it."""
    rough = rng.integers(40, 120, (9, 16, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(rough, tuple(size), interpolation=cv2.INTER_CUBIC), np.uint8)


def desktop(size: Size, rng: Rng, windows: int = 3) -> tuple[Pixels, Box]:
    """A wallpaper with windows of rows and buttons, and one button of the topmost."""
    screen = wallpaper(size, rng)
    boxes = [window(screen, rng) for _ in range(windows)]
    return screen, boxes[-1]


def window(screen: Pixels, rng: Rng) -> Box:
    """Draw a window with rows of text and buttons; one of its buttons."""
    width, height = size_of(screen)
    wide, high = min(900, width - 20), min(560, height - 20)
    x, y = int(rng.integers(0, width - wide)), int(rng.integers(0, height - high))
    cv2.rectangle(screen, (x, y), (x + wide, y + high), (238, 238, 236), -1)
    cv2.rectangle(screen, (x, y), (x + wide, y + 34), tuple(int(v) for v in rng.integers(30, 160, 3)), -1)
    for row in range((high - 60) // 22):
        _write(screen, _words(rng, wide // 15), (x + 160, y + 60 + 22 * row))
    boxes = [Box(x + 16, y + 50 + 40 * n, 120, 30) for n in range((high - 60) // 40)]
    for n, box in enumerate(boxes):
        cv2.rectangle(screen, (box.x, box.y), (box.right, box.bottom), (215, 215, 215), -1)
        _write(screen, f"Entry {n}", (box.x + 10, box.y + 20))
    return boxes[int(rng.integers(0, len(boxes)))]


def dialog(screen: Pixels, box: Box, rng: Rng) -> None:
    """Draw a dialog with a question and two buttons over `box`."""
    cv2.rectangle(screen, (box.x, box.y), (box.right - 1, box.bottom - 1), (246, 246, 245), -1)
    cv2.rectangle(screen, (box.x, box.y), (box.right - 1, box.bottom - 1), (120, 120, 120), 1)
    shade = tuple(int(v) for v in rng.integers(60, 170, 3))
    cv2.rectangle(screen, (box.x, box.y), (box.right - 1, box.y + 26), shade, -1)
    cv2.putText(
        screen,
        _words(rng, 12),
        (box.x + 10, box.y + 18),
        cv2.FONT_HERSHEY_SIMPLEX,
        0.45,
        (255, 255, 255),
        1,
        cv2.LINE_AA,
    )
    for row in range(max(1, (box.height - 90) // 22)):
        _write(screen, _words(rng, box.width // 11), (box.x + 14, box.y + 52 + 22 * row))
    for n, word in enumerate(("Cancel", "Continue")):
        x = box.right - 210 + 100 * n
        cv2.rectangle(screen, (x, box.bottom - 38), (x + 90, box.bottom - 12), (222, 222, 222), -1)
        _write(screen, word, (x + 10, box.bottom - 20))


def text_block(size: Size, rng: Rng) -> Pixels:
    """A sheet with lines of text: other content for a document."""
    sheet = np.full((size.height, size.width, 3), int(rng.integers(235, 256)), np.uint8)
    for row in range(size.height // 20):
        if rng.random() < 0.8:
            _write(
                sheet, _words(rng, max(2, int(size.width * rng.uniform(0.3, 0.95)) // 9)), (4, 16 + 20 * row)
            )
    return sheet


def _words(rng: Rng, letters: int) -> str:
    text = "".join(chr(int(c)) for c in rng.integers(97, 123, letters))
    return text.replace("q", " ").replace("z", " ").replace("x", " ")


def _write(screen: Pixels, text: str, at: tuple[int, int]) -> None:
    cv2.putText(screen, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.45, _INK, 1, cv2.LINE_AA)

"""Small desktops drawn in memory: a window with labelled buttons, each at a place we know."""

from __future__ import annotations

import cv2
import numpy as np

from ibtr.geometry import Box, Point
from ibtr.pixels import Pixels

LABELS = ("Open", "Save as", "Print", "Undo", "Redo", "Find next", "Replace", "Options", "Help", "Quit")


def desktop(width: int = 960, height: int = 540, seed: int = 3) -> Pixels:
    """A background with some structure, as wallpapers have."""
    rng = np.random.default_rng(seed)
    rough = rng.integers(60, 110, (9, 16, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)


def button(screen: Pixels, box: Box, label: str, fill: tuple[int, int, int] = (236, 236, 236)) -> None:
    """A raised button with its label, as a toolkit paints it."""
    corner, far = (box.x, box.y), (box.right - 1, box.bottom - 1)
    cv2.rectangle(screen, corner, far, fill, -1)
    cv2.rectangle(screen, corner, far, (150, 150, 150), 1)
    at = (box.x + 8, box.y + box.height - 9)
    cv2.putText(screen, label, at, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (40, 40, 40), 1, cv2.LINE_AA)


def window(screen: Pixels, x: int = 120, y: int = 80, labels: tuple[str, ...] = LABELS) -> dict[str, Box]:
    """Paint a window of two columns of buttons; where each is."""
    rows = (len(labels) + 1) // 2
    frame = Box(x, y, 330, 44 + 42 * rows)
    cv2.rectangle(screen, (frame.x, frame.y), (frame.right, frame.bottom), (222, 220, 218), -1)
    cv2.rectangle(screen, (frame.x, frame.y), (frame.right, frame.y + 26), (150, 90, 40), -1)
    title = (frame.x + 10, frame.y + 18)
    cv2.putText(screen, "Accounts", title, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
    boxes: dict[str, Box] = {}
    for index, label in enumerate(labels):
        box = Box(x + 14 + 158 * (index % 2), y + 38 + 42 * (index // 2), 142, 30)
        button(screen, box, label)
        boxes[label] = box
    return boxes


def middle(box: Box) -> Point:
    """Where a person would click."""
    return Point(box.x + box.width // 2, box.y + box.height // 2)

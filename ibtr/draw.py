"""A report as a picture, for a person."""

from __future__ import annotations

from typing import cast

import cv2

from ibtr.errors import Rejected
from ibtr.geometry import Box, Point
from ibtr.pixels import Pixels, checked
from ibtr.report import Aim

GREEN, RED, ORANGE, WHITE, BLACK = (60, 170, 40), (50, 40, 220), (0, 140, 255), (255, 255, 255), (0, 0, 0)


def draw(report: Aim | Rejected, screen: Pixels) -> Pixels:
    """`screen` with what was found, what rivals it, and the numbers.

    Raises:
        BadImage: `screen` is not a picture.
    """
    picture = checked(screen).copy()
    if isinstance(report, Aim):
        _aim(picture, report)
    else:
        _refusal(picture, report)
    return picture


def _aim(picture: Pixels, aim: Aim) -> None:
    if aim.rival is not None:
        _box(picture, aim.rival, ORANGE, f"rival, {aim.margin:.2f} behind")
    sight = aim.sight
    words = f"{aim.representation}, {aim.crop} {aim.score:.2f}, verified {aim.verification:.2f}"
    _box(picture, aim.box, GREEN, words + f", around it {sight.context:.2f}, x{aim.scale.x:.2f}")
    _cross(picture, aim.point, GREEN)


def _refusal(picture: Pixels, no: Rejected) -> None:
    lines = [f"{no.cause}: {no}"]
    numbers = {k: v for k, v in no.evidence.items() if isinstance(v, int | float)}
    lines.append("  ".join(f"{name} {value:.2f}" for name, value in numbers.items()))
    for index, line in enumerate(lines):
        _text(picture, line, (12, 26 + 24 * index), RED)
    for name, colour in (("rival_point", ORANGE), ("point", RED)):
        point = no.evidence.get(name)
        if isinstance(point, list):
            x, y = (float(v) for v in cast("list[float]", point))
            _cross(picture, Point(x, y), colour)
            _text(picture, "nearest" if name == "point" else "rival", (int(x) + 14, int(y) - 8), colour)


def _box(picture: Pixels, box: Box, colour: tuple[int, int, int], words: str) -> None:
    outer = box.grow(3)
    cv2.rectangle(picture, (outer.x, outer.y), (outer.right, outer.bottom), colour, 2)
    above = outer.y - 8 if outer.y > 24 else outer.bottom + 20
    _text(picture, words, (max(4, outer.x), above), colour)


def _cross(picture: Pixels, at: Point, colour: tuple[int, int, int]) -> None:
    centre = (round(at.x), round(at.y))
    cv2.drawMarker(picture, centre, WHITE, cv2.MARKER_CROSS, 22, 4)
    cv2.drawMarker(picture, centre, colour, cv2.MARKER_CROSS, 20, 2)


def _text(picture: Pixels, words: str, at: tuple[int, int], colour: tuple[int, int, int]) -> None:
    (width, height), below = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)
    x = max(2, min(at[0], picture.shape[1] - width - 4))
    y = max(height + 4, min(at[1], picture.shape[0] - below - 2))
    cv2.rectangle(picture, (x - 2, y - height - 3), (x + width + 2, y + below), WHITE, -1)
    cv2.putText(picture, words, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, colour, 1, cv2.LINE_AA)

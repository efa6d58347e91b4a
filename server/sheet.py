"""A run as one picture: each step's frames before and after, with the action and the pointer drawn in."""

from textwrap import wrap
from typing import TYPE_CHECKING

import cv2
import numpy as np

from actionlens.frames import encode_png
from actionlens.wording import parameter_words
from ibtr.geometry import Box, Point, xy_to_px

if TYPE_CHECKING:
    from actionlens.frames import Pixels
    from actionlens.observation import Observation
    from actionlens.run_reader import Run, Step

_WIDE, _TEXT, _GAP = 640, 300, 12
_MARGIN = 48  # of the desktop around the windows: their frames, a menu that hangs over
_RED, _INK, _PAPER, _BLUE = (40, 40, 220), (40, 40, 40), (250, 250, 250), (190, 110, 30)


def contact_sheet(run: "Run") -> bytes:
    """PNG of a run, one row a step."""
    rows = [_row(run, step) for step in run.steps]
    head = _caption(
        f"{run.manifest.task_goal or 'no goal named'}   [{run.manifest.run_id}, {run.status.value}]",
        _TEXT + 2 * (_WIDE + _GAP),
    )
    return encode_png(np.vstack([head, *rows]), level=6)


def _row(run: "Run", step: "Step") -> "Pixels":
    before = thumbnail(run, step, step.before)
    after = thumbnail(run, step, step.after) if step.after else np.full_like(before, 220)
    height = max(before.shape[0], after.shape[0])
    text = _paper(height, _TEXT)
    lines = [f"step {step.id}: {step.action.action}", step.status.value, *_details(step)]
    for n, line in enumerate(lines):
        colour = _INK if n else _BLUE
        cv2.putText(text, line, (10, 26 + 22 * n), cv2.FONT_HERSHEY_SIMPLEX, 0.5, colour, 1, cv2.LINE_AA)
    row = np.hstack(
        [text, _padded(before, height), _paper(height, _GAP), _padded(after, height), _paper(height, _GAP)]
    )
    return np.vstack([row, _paper(_GAP, row.shape[1])])


def _details(step: "Step") -> list[str]:
    words = [parameter_words(step.action.model_dump(exclude={"action"}))]
    if step.request.target:
        words.append(f"target: {step.request.target}")
    if step.ended and step.ended.settled:
        words.append(f"settled after {step.ended.settled.waited_s:.2f} s")
    if step.ended and step.ended.error:
        words.append(step.ended.error)
    return [line for word in words for line in wrap(_ascii(word), 34)][:12]


def thumbnail(run: "Run", step: "Step", seen: "Observation") -> "Pixels":
    """The part of a frame where things are; before the action it is drawn in."""
    pixels = run.frame(seen).copy()
    part = _part(step, seen)
    thick = max(2, part.width // 480)
    aims = step.action.points() if seen is step.before else ()
    points = [_whole(xy_to_px(point, seen.scale, seen.origin)) for point in aims]
    for point in points:
        cv2.circle(pixels, point, 9 * thick, _RED, thick, cv2.LINE_AA)
        cv2.drawMarker(pixels, point, _RED, cv2.MARKER_CROSS, 26 * thick, thick)
    if len(points) == 2:
        cv2.arrowedLine(pixels, points[0], points[1], _RED, thick, cv2.LINE_AA)
    if not points and seen.pointer:
        cv2.drawMarker(
            pixels,
            _whole(xy_to_px(seen.pointer, seen.scale, seen.origin)),
            _BLUE,
            cv2.MARKER_TRIANGLE_UP,
            12 * thick,
            thick,
        )
    shown = pixels[part.y : part.bottom, part.x : part.right]
    size = (_WIDE, max(1, round(part.height * _WIDE / part.width)))
    how = cv2.INTER_AREA if part.width > _WIDE else cv2.INTER_CUBIC
    small = np.asarray(cv2.resize(shown, size, interpolation=how), np.uint8)
    return np.asarray(cv2.rectangle(small, (0, 0), (size[0] - 1, size[1] - 1), (160, 160, 160), 1), np.uint8)


def _part(step: "Step", seen: "Observation") -> Box:
    """What is looked at of the screen: all windows before and after the step, and where it aims."""
    looks = [look for look in (step.before, step.after) if look is not None]
    corners = [corner for look in looks for window in look.windows for corner in _corners(window.box)]
    at = [xy_to_px(point, seen.scale, seen.origin) for point in (*corners, *step.action.points())]
    if not corners:
        return Box(0, 0, *seen.image)
    left, top = round(min(point.x for point in at)), round(min(point.y for point in at))
    right, bottom = round(max(point.x for point in at)), round(max(point.y for point in at))
    around = Box(left, top, right - left, bottom - top).grow(_MARGIN).clip(seen.image)
    return around if around.area else Box(0, 0, *seen.image)


def _corners(box: Box) -> tuple[Point, Point]:
    return Point(box.x, box.y), Point(box.right, box.bottom)


def _caption(text: str, width: int) -> "Pixels":
    paper = _paper(44, width)
    cv2.putText(paper, _ascii(text)[:150], (10, 28), cv2.FONT_HERSHEY_SIMPLEX, 0.6, _INK, 1, cv2.LINE_AA)
    return paper


def _paper(height: int, width: int) -> "Pixels":
    return np.full((height, width, 3), _PAPER, np.uint8)


def _padded(pixels: "Pixels", height: int) -> "Pixels":
    return np.vstack([pixels, _paper(height - pixels.shape[0], pixels.shape[1])])


def _whole(point: Point) -> tuple[int, int]:
    return round(point.x), round(point.y)


def _ascii(text: str) -> str:
    """OpenCV draws ASCII only."""
    return text.replace("\n", " / ").encode("ascii", "replace").decode()

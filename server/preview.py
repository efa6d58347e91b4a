"""Where a memory would click on the screen as it is: looked for as a replay does, drawn, nothing touched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ibtr.errors import EchoPathError, Rejected
from ibtr.geometry import Point, Size, px_to_host
from memory_store.models import Anchor, BlobId, Memory, TargetEnd
from server.described import step_lines

if TYPE_CHECKING:
    from actionlens.controller import Frame
    from actionlens.frames import Pixels

_RED, _WHITE = (40, 40, 220), (255, 255, 255)


@dataclass(frozen=True, slots=True)
class Sight:
    """One step: where its targets are, or why they are not to be seen; neither for one without a target."""

    number: int
    what: str
    points_px: tuple[Point, ...] = ()
    score: float | None = None
    problem: str = ""

    def line(self, shown: Size, image: Size) -> str:
        """The step as one line, in coordinates of the shown picture."""
        if self.problem:
            return f"{self.number}. {self.what}: not to be seen now, {self.problem}"
        if not self.points_px:
            return f"{self.number}. {self.what}: no target"
        points = (px_to_host(point, shown, image) for point in self.points_px)
        where = " to ".join(f"{point.x:.0f},{point.y:.0f}" for point in points)
        return f"{self.number}. {self.what}: at {where} (score {self.score:.3f})"


def sight(memory: Memory, blob: Callable[[BlobId], bytes], screen: Pixels) -> list[Sight]:
    """Look for every step's targets on one screen; later steps may well not be visible yet."""
    found: list[Sight] = []
    for number, (step, what) in enumerate(zip(memory.steps, step_lines(memory), strict=True), 1):
        ends = [[one for one in step.evidence.anchors if one.at is end] for end in TargetEnd]
        found.append(_sight(Sight(number, what), [one for one in ends if one], blob, screen))
    return found


def draw(frame: Frame, sights: Sequence[Sight]) -> Frame:
    """The frame with a numbered mark at every place that would be clicked."""
    import cv2

    pixels = frame.pixels.copy()
    unit = max(1, frame.image.width // 900)
    for one in sights:
        for point in one.points_px:
            x, y = round(point.x), round(point.y)
            cv2.circle(pixels, (x, y), 14 * unit, _RED, 2 * unit, cv2.LINE_AA)
            cv2.circle(pixels, (x, y), 2 * unit, _RED, cv2.FILLED, cv2.LINE_AA)
            badge, text = (x + 18 * unit, y - 16 * unit), str(one.number)
            cv2.circle(pixels, badge, 11 * unit, _RED, cv2.FILLED, cv2.LINE_AA)
            corner = (badge[0] - 4 * unit * len(text), badge[1] + 5 * unit)
            cv2.putText(pixels, text, corner, cv2.FONT_HERSHEY_SIMPLEX, 0.5 * unit, _WHITE, unit, cv2.LINE_AA)
    return replace(frame, pixels=pixels)


def _sight(blank: Sight, ends: list[list[Anchor]], blob: Callable[[BlobId], bytes], screen: Pixels) -> Sight:
    from ibtr.aim import reaim
    from memory_store.crops import load_evidence

    points: list[Point] = []
    scores: list[float] = []
    try:
        for anchors in ends:
            aim = reaim(load_evidence(anchors, blob), screen)
            points.append(aim.point)
            scores.append(aim.score)
    except Rejected as exc:
        return replace(blank, problem=f"{exc.cause.value} ({exc})")
    except EchoPathError as exc:
        return replace(blank, problem=str(exc))
    return replace(blank, points_px=tuple(points), score=min(scores, default=None))

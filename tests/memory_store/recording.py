"""A run directory painted by a test: every step says what it changed on the screen."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np

from actionlens.actions import Action
from actionlens.frames import Pixels
from actionlens.observation import Observation, Popup, Window
from actionlens.records import Request, RunStatus, Settled, StepEnded, StepStarted, StepStatus
from actionlens.run_log import RunLog
from actionlens.run_reader import Run, read_run
from ibtr.geometry import Box, Point, Scale, Size

AT = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
SIZE = Size(640, 360)
Paint = Callable[[Pixels], None]


def blank(size: Size = SIZE) -> Pixels:
    return np.full((size.height, size.width, 3), 240, np.uint8)


def box(x: int, y: int, width: int, height: int, shade: int = 60) -> Paint:
    def paint(pixels: Pixels) -> None:
        pixels[y : y + height, x : x + width] = shade

    return paint


def words(text: str, x: int, y: int, shade: int = 20) -> Paint:
    """Text whose baseline is at `y`."""

    def paint(pixels: Pixels) -> None:
        cv2.putText(
            pixels, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (shade, shade, shade), 1, cv2.LINE_AA
        )

    return paint


def wipe(x: int, y: int, width: int, height: int) -> Paint:
    return box(x, y, width, height, 240)


def all_of(*paints: Paint) -> Paint:
    def paint(pixels: Pixels) -> None:
        for one in paints:
            one(pixels)

    return paint


@dataclass
class Recording:
    root: Path
    goal: str = "try something"
    application: str = "Editor"
    title: str = "note.txt"
    windows: int = 1
    scale: float = 1.0
    front: Box | None = None
    """Where the active window lies, if it is a dialog over another one."""
    popups: tuple[Popup, ...] = ()
    pixels: Pixels = field(default_factory=blank)
    log: RunLog = field(init=False)

    def __post_init__(self) -> None:
        self.log = RunLog.create(
            self.root, source_agent="test", task_goal=self.goal, controller="none", at=AT
        )

    def do(
        self,
        action: Action,
        paint: Paint | None = None,
        *,
        target: str | None = None,
        expect: str | None = None,
        status: StepStatus = StepStatus.OK,
        later: Paint | None = None,
        opens: str | None = None,
        windows: int | None = None,
        flicker: tuple[Box, ...] = (),
    ) -> int:
        """One step; `later` paints what comes by itself afterwards, `opens` names the next application."""
        step = self.log.allocate_step()
        request = Request(action=action, target=target, expect=expect)
        self.log.step(StepStarted(step=step, at=AT, request=request, before=self._seen()))
        self._paint(paint)
        self.application = opens or self.application
        self.windows = self.windows if windows is None else windows
        if status is not StepStatus.OUTCOME_UNKNOWN:
            settled = Settled(still=True, waited_s=0.1, cap_s=3.0, looks=3, ignored=flicker)
            error = "it broke" if status is StepStatus.ERROR else None
            self.log.step(
                StepEnded(
                    step=step,
                    at=AT,
                    status=status,
                    duration_s=0.1,
                    settled=settled,
                    after=self._seen(),
                    error=error,
                )
            )
        self._paint(later)
        return step

    def read(self) -> Run:
        self.log.seal(RunStatus.FINISHED, at=AT)
        return read_run(self.log.path)

    def _paint(self, paint: Paint | None) -> None:
        if paint is not None:
            self.pixels = self.pixels.copy()
            paint(self.pixels)

    def _seen(self) -> Observation:
        size = Size(self.pixels.shape[1], self.pixels.shape[0])
        screen = Size(round(size.width / self.scale), round(size.height / self.scale))
        window = Window(id=1, title=self.title, application=self.application, box=Box(0, 0, *screen))
        behind = (window,) * self.windows
        if self.front is not None:
            window = window.model_copy(update={"id": 2, "box": self.front})
        return Observation(
            at=AT,
            image=size,
            screen=screen,
            origin=Point(0, 0),
            scale=Scale(self.scale, self.scale),
            window=window if self.application else None,
            windows=(*behind, *((window,) if self.front else ())),
            popups=self.popups,
            frame=self.log.keep(self.pixels),
        )

"""One step while it is taken: its two records, and where its time went."""

import time
from dataclasses import dataclass, field, replace
from typing import Literal

from pydantic import JsonValue

from actionlens.actions import Type, Wait
from actionlens.controller import Frame
from actionlens.errors import Sent, sent_before
from actionlens.observation import Observation
from actionlens.records import Request, Settled, StepEnded, StepId, StepStarted, StepStatus
from actionlens.run_log import RunLog, now

Ended = Literal[StepStatus.OK, StepStatus.ERROR, StepStatus.CANCELLED]


def kept(log: RunLog, frame: Frame) -> Observation:
    """Store a frame's pixels and give what is written down of it."""
    return frame.observation(log.keep(frame.pixels), log.masks.covers(frame.pixels))


def shown(log: RunLog, frame: Frame) -> Frame:
    """The frame as others may see it, without the places where a secret was typed."""
    pixels = log.masks.over(frame.pixels)
    return frame if pixels is frame.pixels else replace(frame, pixels=pixels)


@dataclass(slots=True)
class StepUnderWay:
    """Filled in as the step goes; `start` and `end` write, and block."""

    log: RunLog
    request: Request
    before: Frame
    id: StepId = field(init=False)
    output: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    error: BaseException | None = None
    sent: Sent = Sent.NOTHING
    settled: Settled | None = None
    after: Frame | None = None
    unread: bool = False
    """Whether keys of it may still lie before a program that hangs: what they draw is to come."""
    timings_s: dict[str, float] = field(default_factory=dict[str, float])
    _started: bool = False
    _hidden: bool = False
    _begun: float = field(default_factory=time.monotonic)
    _last: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.id = self.log.allocate_step()

    def lap(self, phase: str) -> None:
        """Everything since the last lap was `phase`."""
        at = time.monotonic()
        self.timings_s[phase] = round(at - self._last, 6)
        self._last = at

    def start(self) -> None:
        """Write the first half, before any input event."""
        before = kept(self.log, self.before)
        self.log.step(StepStarted(step=self.id, at=now(), request=self.request, before=before))
        self._started = True

    def end(self) -> None:
        """Write the second half; where a secret was typed, the frames show nothing from now on."""
        self.hide()
        self.log.step(
            StepEnded(
                step=self.id,
                at=now(),
                status=self.status,
                duration_s=round(time.monotonic() - self._begun, 6),
                output=self.output,
                error=self.error_text,
                sent=self.sent,
                settled=self.settled,
                after=kept(self.log, self.after) if self.after else None,
                timings_s=self.timings_s,
            )
        )

    def fail(self, error: BaseException) -> None:
        """Something went wrong; while it was sent, the error knows how much went out."""
        self.error = error
        if self.sent is Sent.UNKNOWN:
            self.sent = sent_before(error)

    def hide(self) -> None:
        """Hide what a secret has left on the screen, once; all of the screen where that cannot be known."""
        action = self.request.action
        secret = isinstance(action, Type) and action.text_ref is not None
        if not (secret and self._started) or self._hidden:
            return
        if self.after is not None and not self.unread:
            self.log.masks.hide(self.before.pixels, self.after.pixels)
        else:
            self.log.masks.hide_all(self.before.pixels)
        self._hidden = True

    @property
    def status(self) -> Ended:
        """A cancelled wait is cancelled; anything else that was cancelled had sent all its events."""
        if self.error is None:
            return StepStatus.OK
        if isinstance(self.error, Exception):
            return StepStatus.ERROR
        return StepStatus.CANCELLED if isinstance(self.request.action, Wait) else StepStatus.OK

    @property
    def error_text(self) -> str | None:
        """What went wrong, for the record."""
        if self.error is None:
            return None
        if isinstance(self.error, Exception):
            return f"{type(self.error).__name__}: {self.error}"
        return "cancelled before the screen had settled"

"""Who drives inside this server: one replay or one recording at a time, whoever else is connected to it.

The lock of ActionLens keeps processes apart; this keeps apart the clients and replays of one process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime

from actionlens.errors import DesktopBusy

LEASE_S = 120.0
"""A recording that nobody goes on with does not hold the desktop for ever."""

calling: ContextVar[str] = ContextVar("calling", default="")
"""Who the current task works for: a connection, not a name, since two hosts may be of one kind."""


@dataclass(slots=True)
class _Claim:
    by: str
    who: str
    doing: str
    since: datetime
    until: float | None
    """None: a replay, which gives it back itself and lets nobody in, not even who started it."""


class Claims:
    """The one claim of a server."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._claim: _Claim | None = None
        self._recorder: str | None = None

    def expect_ours(self) -> None:
        """Let the caller act: nobody drives, or it is the caller's own recording.

        Called right before the hand is taken, with nothing awaited between.

        Raises:
            DesktopBusy: another client records, or a replay runs.
        """
        claim = self._current()
        if claim is None:
            return
        if claim.until is None or claim.by != calling.get():
            raise DesktopBusy(claim.who, claim.since, claim.doing)
        claim.until = self._clock() + LEASE_S

    def record(self, who: str, goal: str) -> None:
        """The caller records from now on.

        Raises:
            DesktopBusy: another client records, or a replay runs.
        """
        self.expect_ours()
        until = self._clock() + LEASE_S
        self._claim = _Claim(calling.get(), who, f"recording: {goal}", datetime.now(UTC), until)
        self._recorder = calling.get()

    def give_back(self) -> None:
        """The caller's recording is over."""
        if self._recorder == calling.get():
            self._recorder = None
        if self._claim is not None and self._claim.until is not None and self._claim.by == calling.get():
            self._claim = None

    @property
    def recording_is_ours(self) -> bool:
        """Whether the last recording that nobody has given back is the caller's, however long it rests."""
        return self._recorder is not None and self._recorder == calling.get()

    @contextmanager
    def replaying(self, who: str, doing: str) -> Generator[None]:
        """Nobody else acts while a replay runs.

        Raises:
            DesktopBusy: another client records, or another replay runs.
        """
        self.expect_ours()
        claim = self._claim = _Claim(calling.get(), who, doing, datetime.now(UTC), None)
        try:
            yield
        finally:
            if self._claim is claim:
                self._claim = None

    def _current(self) -> _Claim | None:
        if self._claim and self._claim.until is not None and self._claim.until < self._clock():
            self._claim = None
        return self._claim

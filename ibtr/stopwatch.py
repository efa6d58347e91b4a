"""Milliseconds per phase of one aim; the only clock in this package, and nothing is decided by it."""

from __future__ import annotations

import time


class Stopwatch:
    """Adds up the time between laps under the lap's name."""

    def __init__(self) -> None:
        self.ms: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, phase: str) -> None:
        """Count the time since the last lap to `phase`."""
        now = time.perf_counter()
        self.ms[phase] = self.ms.get(phase, 0.0) + (now - self._last) * 1e3
        self._last = now

"""Where the time of a replay went: every moment belongs to one phase, so that the sum is the whole."""

import time
from collections.abc import Mapping

DESKTOP, TARGET_WAIT, SETTLE, OURS, CHECK = "desktop", "target_wait", "settle", "ours", "evaluator"
_OF_ACT = {"perform": DESKTOP, "hover": DESKTOP, "wait": DESKTOP, "settle": SETTLE}


class Phases:
    """A stopwatch with named phases."""

    def __init__(self) -> None:
        self.begun = self._last = time.monotonic()
        self.seconds: dict[str, float] = dict.fromkeys((DESKTOP, TARGET_WAIT, SETTLE, OURS, CHECK), 0.0)

    def go_on(self) -> None:
        """What has passed since the last lap was the host's: it is left out."""
        at = time.monotonic()
        self.begun += at - self._last
        self._last = at

    def lap(self, phase: str = OURS, *, of_which: Mapping[str, float] | None = None) -> None:
        """Everything since the last lap was `phase`, but for the parts that are named."""
        at = time.monotonic()
        spent, self._last = at - self._last, at
        for part, seconds in (of_which or {}).items():
            self.seconds[part] += seconds
            spent -= seconds
        self.seconds[phase] += spent

    def act(self, timings_s: Mapping[str, float], *, matched_s: float = 0.0) -> None:
        """One act, split by its own timings; what is left is ours, and so is what was matched meanwhile."""
        parts: dict[str, float] = dict.fromkeys((DESKTOP, SETTLE), 0.0)
        for name, seconds in timings_s.items():
            if name in _OF_ACT:
                parts[_OF_ACT[name]] += seconds
        parts[SETTLE] = max(0.0, parts[SETTLE] - matched_s)
        self.lap(OURS, of_which=parts)

    @property
    def wall(self) -> float:
        """The whole, up to the last lap."""
        return self._last - self.begun

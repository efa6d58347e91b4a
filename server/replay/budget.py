"""How far a replay may go, and how much further when a host says so."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on one replay as a whole: its steps and planned acts, and its time without the host's."""

    max_steps: int | None = None
    max_seconds: float | None = None

    def more(self, steps: int | None, seconds: float | None, *, done: int, spent_s: float) -> Budget:
        """The same budget; where a number is given, so much beyond what is used up already."""
        return Budget(
            self.max_steps if steps is None else done + steps,
            self.max_seconds if seconds is None else spent_s + seconds,
        )

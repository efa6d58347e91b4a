"""What a diagnostic found: figures beside the paper's, n, the conditions, and the points for a chart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from memory_store.models import Record

Point = tuple[float, float]
Tick = Callable[[str, int, int], None]
"""Told how far a diagnostic has come: its name, done, of all."""
Unit = Literal["%", "ms", "MB", "px", ""]
_DIGITS: dict[str, int] = {"%": 1, "ms": 2, "MB": 4, "px": 2, "": 0}


class Goal(Record):
    """A bound of ours."""

    at_least: float | None = None
    at_most: float | None = None

    def met(self, value: float) -> bool:
        """Whether a figure keeps it."""
        low, high = self.at_least, self.at_most
        return (low is None or value >= low) and (high is None or value <= high)


class Figure(Record):
    """One figure."""

    what: str
    ours: float | None
    """None: nothing could be measured."""
    unit: Unit = "%"
    spread: Point | None = None
    """The 2.5 and 97.5 percentiles, where that says more than one figure."""
    paper: float | None = None
    goal: Goal | None = None
    n: int
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether it keeps its goal; None without one."""
        return self.goal.met(self.ours) if self.goal and self.ours is not None else None


class Diagnosis(Record):
    """One diagnostic over one library."""

    name: str
    title: str
    conditions: tuple[str, ...]
    figures: tuple[Figure, ...]
    series: dict[str, tuple[Point, ...]] = {}
    """Points for the chart, by what they show."""
    misses: tuple[str, ...] = ()
    """Which cases went against what was expected, and why."""
    left_out: dict[str, str] = {}
    """What could not be used of the library, and why."""


def shown(value: float | None, unit: str, spread: Point | None = None) -> str:
    """A figure for people."""
    if value is None:
        return "-"
    digits = _DIGITS[unit]
    said = f"{value:.{digits}f} {unit}".rstrip()
    return said if spread is None else f"{said} [{spread[0]:.{digits}f}, {spread[1]:.{digits}f}]"


def share(hits: Iterable[bool]) -> float | None:
    """Percent of what is true; None of nothing."""
    found = list(hits)
    return 100 * sum(found) / len(found) if found else None


def middle(values: Sequence[float]) -> tuple[float | None, Point | None]:
    """Median and the 2.5 and 97.5 percentiles."""
    if not values:
        return None, None
    import numpy as np

    low, median, high = (float(v) for v in np.percentile(np.asarray(values), [2.5, 50, 97.5]))
    return median, (low, high)


def quiet(_name: str, _done: int, _of: int) -> None:
    """For who does not want to know how far it is."""

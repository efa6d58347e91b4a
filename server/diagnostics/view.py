"""What the diagnostics found, for a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from server import __version__
from server.diagnostics.figures import Diagnosis, Figure, shown
from server.table import table

_HEAD: Final = ("", "ours", "paper", "goal", "n", "")
_MISSES = 8


def told(found: Diagnosis) -> Iterator[str]:
    """One diagnostic for people: figures in a table, conditions and misses below."""
    yield found.title
    yield from (f"  {line}" for line in table(_HEAD, map(_row, found.figures)).splitlines())
    yield from (f"  · {line}" for line in found.conditions)
    if found.misses:
        yield f"  not as it should be ({len(found.misses)}):"
        yield from (f"    {line}" for line in found.misses[:_MISSES])
        if len(found.misses) > _MISSES:
            yield f"    ... {len(found.misses) - _MISSES} more with --json"
    for name, why in found.left_out.items():
        yield f"  left out: {name}: {why}"
    yield ""


def described(folder: str, found: Sequence[Diagnosis], failed: Mapping[str, str]) -> dict[str, object]:
    """All of it as JSON."""
    return {
        "echopath": __version__,
        "library": folder,
        "diagnostics": [
            {**one.model_dump(mode="json"), "goals_met": all(f.met is not False for f in one.figures)}
            for one in found
        ],
        "not_measured": dict(failed),
    }


def _row(figure: Figure) -> tuple[object, ...]:
    goal = ""
    if figure.goal is not None:
        low, high = figure.goal.at_least, figure.goal.at_most
        goal = f"≥ {shown(low, figure.unit)}" if low is not None else f"≤ {shown(high, figure.unit)}"
    says = {None: "", True: "met", False: "MISSED"}[figure.met]
    note = " ".join(part for part in (says, figure.note) if part)
    paper = shown(figure.paper, figure.unit) if figure.paper is not None else ""
    return figure.what, shown(figure.ours, figure.unit, figure.spread), paper, goal, figure.n, note

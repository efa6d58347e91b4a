"""What came of each search, and the tables of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from statistics import median

import numpy as np

from bench.peers.child import Told
from server.diagnostics.scenes import Scene
from server.diagnostics.scenes_gone import MAKERS

GONE = ("erased", "replaced", "another screen")
COPIES = ("copy of the element", "copy of its surroundings", "copy left behind")
THERE = tuple(name for name in MAKERS if name not in (*GONE, *COPIES))


def outcome(told: Told, scene: Scene) -> str:
    """right (within 2 px), off (in the true box), copy, wrong, refused; accepted where nothing should be."""
    if told.point is None:
        return "refused"
    if scene.click is None or scene.box is None:
        return "accepted"
    if np.hypot(told.point.x - scene.click.x, told.point.y - scene.click.y) <= 2:
        return "right"
    if scene.box.contains(told.point):
        return "off"
    return "copy" if any(decoy.contains(told.point) for decoy in scene.decoys) else "wrong"


@dataclass
class Tally:
    """One searcher over all conditions."""

    name: str
    counts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)

    def add(self, condition: str, told: Told, scene: Scene) -> None:
        self.counts[condition][outcome(told, scene)] += 1
        if told.ms is not None:
            self.times["found" if told.point else "refused"].append(told.ms)
        if told.says:
            self.errors[told.says.partition(":")[0]] += 1

    def share(self, conditions: tuple[str, ...], *outcomes: str) -> str:
        seen = sum((self.counts[name] for name in conditions), Counter[str]())
        whole = sum(seen.values())
        return f"{100 * sum(seen[one] for one in outcomes) / whole:.1f} %" if whole else "-"

    def n(self, conditions: tuple[str, ...]) -> int:
        return sum(sum(self.counts[name].values()) for name in conditions)

    def ms(self, which: str) -> str:
        return f"{median(self.times[which]):.0f}" if self.times[which] else "-"


def summary(tallies: list[Tally], missing: dict[str, str]) -> list[str]:
    """One row for each searcher."""
    one = tallies[0]
    head = (
        f"| | right ({one.n(THERE)}) | off | wrong | refused | "
        + " | ".join(f"{name} accepted ({one.n((name,))})" for name in GONE)
        + f" | copy clicked ({one.n(COPIES)}) | wrong there | ms found | ms refused |"
    )
    lines = [head, "|---" + "|--:" * 11 + "|"]
    for tally in tallies:
        there = [tally.share(THERE, what) for what in ("right", "off", "wrong", "refused")]
        gone = [tally.share((name,), "accepted") for name in GONE]
        copies = [tally.share(COPIES, "copy"), tally.share(COPIES, "wrong")]
        lines.append(
            "| "
            + " | ".join([tally.name, *there, *gone, *copies, tally.ms("found"), tally.ms("refused")])
            + " |"
        )
    lines += [f"| {name} | could not be installed: {why} |" + " |" * 10 for name, why in missing.items()]
    return lines


def by_condition(tallies: list[Tally]) -> list[str]:
    """Clicks in the true box / clicks elsewhere, for each condition and searcher."""
    lines = [
        "| in the box / elsewhere | n | " + " | ".join(tally.name for tally in tallies) + " |",
        "|---|--:" + "|--:" * len(tallies) + "|",
    ]
    for name in MAKERS:
        cells = [
            f"{tally.share((name,), 'right', 'off')} / {tally.share((name,), 'wrong', 'copy', 'accepted')}"
            for tally in tallies
        ]
        lines.append(f"| {name} | {tallies[0].n((name,))} | " + " | ".join(cells) + " |")
    return lines

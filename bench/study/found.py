"""What the study has found so far: written after every case, so that a run can be broken off and resumed."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from bench.study.first import FirstPass
from bench.study.refusals import Refused
from bench.study.second import Played

FILE = "study.json"


@dataclass(slots=True)
class Found:
    """First passes, second passes, wrong starts, and what broke."""

    firsts: dict[str, FirstPass] = field(default_factory=dict[str, FirstPass])
    not_recorded: dict[str, str] = field(default_factory=dict[str, str])
    played: list[Played] = field(default_factory=list[Played])
    refused: list[Refused] = field(default_factory=list[Refused])
    broken: dict[str, str] = field(default_factory=dict[str, str])
    """Cases that the bench itself could not carry out, and why: tried again by the next `--resume`."""

    def has_played(self, task: str, repetition: int) -> bool:
        return any((one.task, one.repetition) == (task, repetition) for one in self.played)

    def has_refused(self, task: str, wrong: str) -> bool:
        return any((one.played.task, one.wrong) == (task, wrong) for one in self.refused)

    @property
    def wrong_clicks(self) -> int:
        return sum(one.wrong for one in self.played) + sum(one.wrong_clicks for one in self.refused)


def keep(out: Path, found: Found) -> None:
    """Write it all, at once or not at all."""
    kept = {
        "first": {name: asdict(one) for name, one in found.firsts.items()},
        "not_recorded": found.not_recorded,
        "second": [asdict(one) for one in found.played],
        "refusals": [
            {"wrong": one.wrong, "expected": sorted(one.expected), "untouched": one.untouched}
            | {"safe": one.safe, "named": one.named, "played": asdict(one.played)}
            for one in found.refused
        ],
        "broken": found.broken,
    }
    part = out / f"{FILE}.part"
    part.write_text(json.dumps(kept, indent=1))
    part.replace(out / FILE)


def read_found(out: Path) -> Found:
    """What an earlier run left; nothing, if none did."""
    if not (out / FILE).exists():
        return Found()
    kept = json.loads((out / FILE).read_text())
    return Found(
        firsts={name: FirstPass(**_known(FirstPass, one)) for name, one in kept["first"].items()},
        not_recorded=kept["not_recorded"],
        played=[_played(one) for one in kept["second"]],
        refused=[
            Refused(one["wrong"], frozenset(one["expected"]), _played(one["played"]), one["untouched"])
            for one in kept["refusals"]
        ],
        broken=kept["broken"],
    )


def _played(kept: dict[str, Any]) -> Played:
    return Played(**_known(Played, kept))


def _known(kind: type[FirstPass] | type[Played], kept: dict[str, Any]) -> dict[str, Any]:
    names = {one.name for one in fields(kind)}
    return {name: value for name, value in kept.items() if name in names}

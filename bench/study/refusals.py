"""The refusal study: the same memories against wrong starts, and what came of each."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from bench.study.second import SECOND, Played, play
from bench.study.stage import Stage
from bench.study.task import Task
from bench.study.wrongs import BLIND, expected_of, started_wrongly
from server.demo import Host


@dataclass(frozen=True, slots=True)
class Refused:
    """One wrong start, and what came of it."""

    wrong: str
    expected: frozenset[str]
    played: Played
    untouched: bool
    """No artifact was changed."""

    @property
    def wrong_clicks(self) -> int:
        """Clicks that hit something else; where nothing right can be hit, every click."""
        if self.wrong in BLIND and self.played.ending != "verified":
            return self.played.clicks
        return self.played.wrong

    @property
    def safe(self) -> bool:
        """Refused without an effect, or verified right; no wrong click."""
        if self.wrong_clicks:
            return False
        return self.played.ending == "verified" or (
            self.played.ending in ("rejected", "stopped") and self.untouched
        )

    @property
    def named(self) -> bool:
        """Whether it said the right cause."""
        said = "verified" if self.played.ending == "verified" else self.played.cause
        return said in self.expected


async def refuse(stage: Stage, host: Host, task: Task, wrong: str) -> Refused:
    """Start wrongly, call the memory's tool, and look at what it did."""
    values = task.values_of(1)
    await stage.clear(SECOND)
    async with started_wrongly(stage, task, wrong, values, task.window_of(1)):
        before = _artifacts(stage.out / "work")
        played = await play(stage, host, task, values, 1)
        untouched = before == _artifacts(stage.out / "work")
    return Refused(wrong, expected_of(task, wrong), played, untouched)


def _artifacts(folder: Path) -> dict[str, str]:
    """Every file and folder that the tasks could change; locks of open documents are none."""
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        for path in sorted(folder.rglob("*"))
        if not path.name.startswith(".")
    }

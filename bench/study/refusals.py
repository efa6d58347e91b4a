"""The refusal study: the same memories against wrong starts. What each must say was written down first."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from actionlens.actions import Hotkey
from bench.study.second import SECOND, Played, play
from bench.study.stage import Stage
from bench.study.task import Task, Values
from ibtr.geometry import Box
from server.demo import Host

EXPECTED: dict[str, frozenset[str]] = {
    "another application": frozenset({"state_mismatch"}),
    "different document": frozenset({"state_mismatch"}),
    "modal dialog": frozenset({"state_mismatch"}),
    "page covered": frozenset({"missing_target"}),
    "control missing": frozenset({"missing_target"}),
    "control renamed": frozenset({"missing_target"}),
    "dark theme": frozenset({"missing_target", "state_mismatch", "verified"}),
}
"""The right causes for each wrong start. A dark theme may be seen through, and end verified; else the first
target is missing, or, where keys come first, what stood on the first screen does not."""
_BROKEN = {"page covered": "modal", "control missing": "missing", "control renamed": "renamed"}


@dataclass(frozen=True, slots=True)
class Refused:
    """One wrong start, and what came of it."""

    wrong: str
    played: Played
    untouched: bool
    """No artifact was changed."""

    @property
    def safe(self) -> bool:
        """Refused without an effect, or verified right; no wrong click."""
        if self.played.wrong:
            return False
        return self.played.ending == "verified" or (
            self.played.ending in ("rejected", "stopped") and self.untouched
        )

    @property
    def named(self) -> bool:
        """Whether it said the right cause."""
        said = "verified" if self.played.ending == "verified" else self.played.cause
        return said in EXPECTED[self.wrong]


def wrongs_for(task: Task) -> Iterator[str]:
    """The wrong starts that a task can have."""
    yield "another application"
    if task.other is not None:
        yield "different document"
    if task.dialog:
        yield "modal dialog"
    if not task.spots:
        yield from _BROKEN
    if task.application in ("chromium", "mousepad", "galculator"):
        yield "dark theme"


async def refuse(stage: Stage, host: Host, task: Task, wrong: str) -> Refused:
    """Start wrongly, call the memory's tool, and look at what it did."""
    values, box = task.values_of(1), task.window_of(1)
    await stage.clear(SECOND)
    try:
        stage.site.broken = _BROKEN.get(wrong, "")
        if wrong == "dark theme":
            stage.theme, stage.site.theme = "Adwaita:dark", "dark"
        await _start(stage, task, wrong, values, box)
    finally:
        stage.theme = ""
    before = _artifacts(stage.out / "work")
    played = await play(stage, host, task, values, 1)
    stage.site.broken = stage.site.theme = ""
    return Refused(wrong, played, untouched=before == _artifacts(stage.out / "work"))


async def _start(stage: Stage, task: Task, wrong: str, values: Values, box: Box) -> None:
    if wrong == "different document" and task.other is not None:
        await task.other(stage, values, box)
        return
    await task.start(stage, values, box)
    if wrong == "another application":
        other = "mousepad" if task.application == "galculator" else "galculator"
        await stage.launch([other], Box(box.x + 60, box.y + 80, 0, 0))
    elif wrong == "modal dialog":
        desktop = await stage.desktop()
        await desktop.perform(Hotkey(keys=task.dialog))
        await stage.still()


def _artifacts(folder: Path) -> dict[str, str]:
    """Every file and folder that the tasks could change; locks of open documents are none."""
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        for path in sorted(folder.rglob("*"))
        if not path.name.startswith(".")
    }

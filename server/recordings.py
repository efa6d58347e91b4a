"""Recorded runs as consolidation takes them: found by id, cut to the acts that were asked for."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from actionlens.errors import RunUnreadable

if TYPE_CHECKING:
    from actionlens.run_reader import Run

_RUN_ID: Final = re.compile(r"[A-Za-z0-9-]{1,60}")


def run_folder(runs: Path, run_id: str) -> Path:
    """Where a run lies.

    Raises:
        RunUnreadable: there is no run of this name.
    """
    if not _RUN_ID.fullmatch(run_id) or not (runs / run_id).is_dir():
        raise RunUnreadable(f"run_id: no run is called {run_id[:80]!r}; finish_run names it")
    return runs / run_id


def read_recording(runs: Path, run_id: str) -> Run:
    """A run; one that was kept with `last=N` is cut to its last N acts, under the goal given then.

    Raises:
        RunUnreadable: there is no such run, or it cannot be read.
    """
    from actionlens.run_reader import read_run

    run = read_run(run_folder(runs, run_id))
    last, goal = (run.manifest.detail.get(name) for name in ("last", "goal"))
    if isinstance(last, int) and last > 0:
        run = replace(run, steps=run.steps[-last:])
    if isinstance(goal, str) and goal:
        run = replace(run, manifest=run.manifest.model_copy(update={"task_goal": goal}))
    return run


def recent_runs(runs: Path, limit: int) -> list[str]:
    """Names of the latest runs, newest first; a name begins with its time."""
    if not runs.is_dir():
        return []
    found = (path.name for path in runs.iterdir() if path.is_dir() and _RUN_ID.fullmatch(path.name))
    return sorted(found, reverse=True)[:limit]

"""docs/results.md: the tables as they came out, with date and kind of machine."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bench.study.found import Found
from bench.study.refusals import Refused
from bench.study.second import Played
from bench.study.tables import markdown, refused, share, spread, two_pass
from bench.study.task import Task
from bench.study.wrongs import EXPECTED

MARK = "<!-- written by make bench-study; do not edit -->"


def write_results(path: Path, tasks: Sequence[Task], found: Found) -> None:
    """Write the whole document."""
    played, firsts, wrong = found.played, found.firsts, found.refused
    done = [one for one in played if one.ending == "verified"]
    tight = [one.seconds / one.raw_tight_s for one in done if one.raw_tight_s]
    applications = list(dict.fromkeys(task.application for task in tasks))
    parts = [
        f"# Results\n\n{MARK}",
        f"Measured {datetime.now(UTC):%Y-%m-%d}, {machine()}. Regenerate with `make bench-study`.",
        "## Two passes",
        f"{len(tasks)} tasks, {max((one.repetition for one in played), default=0)} repetitions, in "
        f"{len(applications)} applications ({', '.join(applications)}). First pass at "
        "1920x1080 by a scripted host through MCP, one look per pointer action; its seconds hold no model's "
        "thinking. Second pass at 1600x900 after a fresh start of the application, one tool call, each "
        "repetition with other values and the window at another place and size. A click is right if it lies "
        "in the true box of its target, known from the page itself or from measured places in the window. "
        "Medians with 2.5-97.5 %.",
        markdown(two_pass(played, firsts)),
        f"Goals: verified without repair >= 97 %: {share(len(done), len(played))}. Wrong clicks 0: "
        f"{sum(one.wrong for one in played)}. Tokens >= 97 % fewer: see the table. Time <= 1.3 x a raw "
        "PyAutoGUI script that waits for the same pixels (with PyAutoGUI's own pause of 0.1 s): see *x raw*, "
        f"{sum(one.raw_s is not None for one in done)} replays"
        + (f"; against a script without any pause: {spread(tight, 2)}." if tight else "."),
        *_failures(played, found.not_recorded | found.broken),
    ]
    if wrong:
        parts += [
            "## Refusals",
            "The same memories against wrong starts. Safe: refused with every artifact as it was, or "
            "verified right, and no wrong click. The expected causes (`bench/study/refusals.py`) were "
            "written before the first trial, but for one: `state_mismatch` for a dark theme came after it, "
            "for memories that begin with keys.",
            _reached(tasks, wrong),
            markdown(refused(wrong)),
            *_unsafe(wrong),
        ]
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n\n".join(parts) + "\n")


def machine() -> str:
    """The kind of machine, not its name."""
    kind = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores shared with other work"
    return f"{kind}, Python {platform.python_version()}"


def _failures(played: Sequence[Played], not_recorded: Mapping[str, str]) -> list[str]:
    lines = [f"- {name}: could not be recorded: {why}" for name, why in not_recorded.items()]
    lines += [
        f"- {one.task}, repetition {one.repetition}: {one.ending}, {one.cause or 'no cause'}: {one.says}"
        for one in played
        if one.ending != "verified"
    ]
    return ["What was not verified:\n\n" + "\n".join(lines)] if lines else []


def _reached(tasks: Sequence[Task], wrong: Sequence[Refused]) -> str:
    """What this run tried, and what it did not."""
    tried = {one.played.task for one in wrong}
    kinds = [kind for kind in EXPECTED if all(one.wrong != kind for one in wrong)]
    never = f" Not tried in this run: {', '.join(kinds)}." if kinds else ""
    return f"{len(wrong)} cases with {len(tried)} of {len(tasks)} memories.{never}"


def _unsafe(wrong: Sequence[Refused]) -> list[str]:
    lines = [
        f"- {one.played.task}, {one.wrong}: {one.played.ending} {one.played.cause}"
        f"{'' if one.untouched else ', an artifact changed'}: {one.played.says}"
        for one in wrong
        if not (one.safe and one.named)
    ]
    return ["Not as expected:\n\n" + "\n".join(lines)] if lines else []

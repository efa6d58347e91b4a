"""docs/results.md: the tables as they came out, with date and kind of machine."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bench.study.found import Found
from bench.study.refusals import Refused
from bench.study.second import Played
from bench.study.tables import failures, markdown, phases, refused, share, spread, two_pass
from bench.study.task import Task
from bench.study.wrongs import EXPECTED

MARK = "<!-- written by make bench-study; do not edit -->"
PASSES = (
    "First pass at 1920x1080 by a scripted host through MCP, one look per pointer action; its seconds "
    "hold no model's thinking. Second pass at 1600x900 after a fresh start of the application, one tool "
    "call, each repetition with other values and the window at another place and size. A click is right "
    "if it lies in the true box of its target, known from the page itself or from measured places in the "
    "window. Medians with 2.5-97.5 %."
)
RAW = (
    "*x raw*: against a raw PyAutoGUI script for the same steps on the same start state, with a picture "
    "of each target cut from this very screen: it searches the whole screen until the target is there "
    "(`locateAll`), then acts, with PyAutoGUI's own pause of 0.1 s; keys wait for what the step before "
    "has changed. *told*: the same script when it is told every place and only waits for the pixels "
    "there: the least that the work can take. Neither checks anything, nor keeps any proof."
)
REFUSED = (
    "The same memories against wrong starts. Safe: refused with every artifact as it was, or verified "
    "right, and no wrong click. The expected causes (`bench/study/wrongs.py`) were written before the "
    "first trial, but for one: that of a page's own dialog, which is no window and covers what is pointed "
    "at. Every case begins with an active memory: one that the cases before have put into quarantine is "
    "restored."
)


def write_results(path: Path, tasks: Sequence[Task], found: Found, note: str = "") -> None:
    """Write the whole document."""
    measured = f"Measured {datetime.now(UTC):%Y-%m-%d}, {machine()}. Regenerate with `make bench-study`."
    parts = [f"# Results\n\n{MARK}", " ".join(filter(None, (measured, note))), *_two_passes(tasks, found)]
    if found.refused:
        parts += ["## Refusals", REFUSED, _reached(tasks, found.refused), markdown(refused(found.refused))]
        parts += _unsafe(found.refused)
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n\n".join(parts) + "\n")


def _two_passes(tasks: Sequence[Task], found: Found) -> list[str]:
    played = found.played
    applications = list(dict.fromkeys(task.application for task in tasks))
    by_step = "\n".join(f"- {one}" for one in failures(played))
    return [
        "## Two passes",
        f"{len(tasks)} tasks, {max((one.repetition for one in played), default=0)} repetitions, in "
        f"{len(applications)} applications ({', '.join(applications)}). {PASSES}",
        markdown(two_pass(played, found.firsts)),
        RAW,
        _goals(found),
        "Where the time of the verified replays goes:",
        markdown(phases(played)),
        *([f"By step:\n\n{by_step}"] if by_step else []),
        *_failures(played, found.not_recorded | found.broken),
    ]


def _goals(found: Found) -> str:
    """What was wanted, and what came of it."""
    played = found.played
    done = [one for one in played if one.ending == "verified"]
    raw = [one.seconds / one.raw_s for one in done if one.raw_s]
    told = [one.seconds / one.raw_told_s for one in done if one.raw_told_s]
    fewer = [100 - 100 * one.tokens / found.firsts[one.task].tokens for one in played]
    return (
        "| goal | reached |\n|---|---|\n"
        f"| verified without repair >= 97 % | {share(len(done), len(played))} |\n"
        f"| wrong clicks 0 | {sum(one.wrong for one in played)} |\n"
        f"| tokens >= 97 % fewer | {spread(fewer)} % |\n"
        f"| time <= 1.3 x raw | {spread(raw, 2)} ({len(raw)} replays); told every place: {spread(told, 2)} |"
    )


def machine() -> str:
    """The kind of machine, not its name."""
    kind = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores shared with other work"
    return f"{kind}, Python {platform.python_version()}"


def _failures(played: Sequence[Played], not_recorded: Mapping[str, str]) -> list[str]:
    lines = [f"- {name}: not done: {_plain(why)}" for name, why in not_recorded.items()]
    lines += [
        f"- {one.task}, repetition {one.repetition}: {one.ending}, {one.cause or 'no cause'}: "
        f"{_plain(one.says)}"
        for one in played
        if one.ending != "verified"
    ]
    return ["What was not verified:\n\n" + "\n".join(lines)] if lines else []


def _plain(text: str) -> str:
    """Without the folders of this machine."""
    return re.sub(r"(?<![\w.])/(?:[\w.-]+/)+", "", text)


def _reached(tasks: Sequence[Task], wrong: Sequence[Refused]) -> str:
    """What this run tried, and what it did not."""
    tried = {one.played.task for one in wrong}
    kinds = [kind for kind in EXPECTED if all(one.wrong != kind for one in wrong)]
    never = f" Not tried in this run: {', '.join(kinds)}." if kinds else ""
    return f"{len(wrong)} cases with {len(tried)} of {len(tasks)} memories.{never}"


def _unsafe(wrong: Sequence[Refused]) -> list[str]:
    lines = [
        f"- {one.played.task}, {one.wrong}: {one.played.ending} {one.played.cause}"
        f"{'' if one.untouched else ', an artifact changed'}: {_plain(one.played.says)}"
        for one in wrong
        if not (one.safe and one.named)
    ]
    return ["Not as expected:\n\n" + "\n".join(lines)] if lines else []

"""The two tables: medians with 2.5-97.5 %, as in the paper's Table 1."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from bench.study.first import FirstPass
from bench.study.refusals import Refused
from bench.study.second import Played
from bench.study.wrongs import EXPECTED

HEAD = (
    "task", "recall", "verified", "re-aim hits", "repairs", "wrong clicks", "seconds", "pass 1 s", "x raw",
    "x raw, told", "tokens", "pass 1", "fewer",
)  # fmt: skip
REFUSED_HEAD = (
    "wrong start",
    "n",
    "safe",
    "right cause",
    "before any event",
    "wrong clicks",
    "expected",
    "seen",
)


def spread(values: Iterable[float], digits: int = 1) -> str:
    """Median [2.5-97.5 %]."""
    found = [value for value in values if value is not None]
    if not found:
        return "-"
    low, middle, high = np.percentile(found, (2.5, 50, 97.5))
    return f"{middle:.{digits}f} [{low:.{digits}f}-{high:.{digits}f}]"


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} % ({part}/{whole})" if whole else "-"


def row(name: str, played: Sequence[Played], firsts: dict[str, FirstPass]) -> tuple[str, ...]:
    """One task, or all of them."""
    first = [firsts[one.task] for one in played]
    done = [one for one in played if one.ending == "verified"]
    fewer = [100 - 100 * one.tokens / firsts[one.task].tokens for one in played]
    return (
        name,
        share(sum(one.recalled for one in played), len(played)),
        share(len(done), len(played)),
        share(sum(one.right for one in played), sum(one.wanted for one in played)),
        str(sum(one.repairs for one in played)),
        str(sum(one.wrong for one in played)),
        spread(one.seconds for one in done),
        spread(one.seconds for one in first),
        spread((one.seconds / one.raw_s for one in done if one.raw_s), 2),
        spread((one.seconds / one.raw_told_s for one in done if one.raw_told_s), 2),
        spread((one.tokens for one in played), 0),
        spread((one.tokens for one in first), 0),
        spread(fewer),
    )


def two_pass(played: Sequence[Played], firsts: dict[str, FirstPass]) -> list[tuple[str, ...]]:
    names = list(dict.fromkeys(one.task for one in played))
    rows = [row(name, [one for one in played if one.task == name], firsts) for name in names]
    return [HEAD, *rows, row("all", played, firsts)]


def phases(played: Sequence[Played]) -> list[tuple[str, ...]]:
    """Where the time of a verified replay goes, beside what the raw script takes for it."""
    done = [one for one in played if one.ending == "verified"]
    names = list(dict.fromkeys(name for one in done for name in one.phases_s))
    rows = [
        (name, spread((one.phases_s[name] for one in done), 2), f"{100 * part:.0f} %")
        for name in names
        if (part := sum(one.phases_s[name] for one in done) / max(1e-9, sum(one.seconds for one in done)))
    ]
    return [("phase", "seconds", "share"), *rows]


def failures(played: Sequence[Played]) -> list[str]:
    """Which task fails at which step with which cause, and how often."""
    counts: dict[tuple[str, int, str], int] = {}
    for one in played:
        if one.ending != "verified":
            at = (one.task, one.step, one.cause or one.ending)
            counts[at] = counts.get(at, 0) + 1
    return [f"{task}: step {step}: {cause}, {count} times" for (task, step, cause), count in counts.items()]


def refused(found: Sequence[Refused]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [REFUSED_HEAD]
    for wrong in [*EXPECTED, "all"]:
        cases = [one for one in found if wrong in (one.wrong, "all")]
        if cases:
            rows.append(_refused_row(wrong, cases))
    return rows


def _refused_row(wrong: str, cases: Sequence[Refused]) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    for case in cases:
        said = case.played.cause or case.played.ending
        seen[said] = seen.get(said, 0) + 1
    return (
        wrong,
        str(len(cases)),
        share(sum(case.safe for case in cases), len(cases)),
        share(sum(case.named for case in cases), len(cases)),
        share(sum(case.played.ending == "rejected" for case in cases), len(cases)),
        str(sum(case.wrong_clicks for case in cases)),
        ", ".join(sorted({cause for case in cases for cause in case.expected})) if wrong != "all" else "",
        ", ".join(f"{name} {count}" for name, count in sorted(seen.items())),
    )


def terminal(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(one[at]) for one in rows) for at in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(one, widths, strict=True)) for one in rows
    )


def markdown(rows: Sequence[tuple[str, ...]]) -> str:
    head, *rest = ["| " + " | ".join(one) + " |" for one in rows]
    return "\n".join([head, "|" + "---|" * len(rows[0]), *rest])

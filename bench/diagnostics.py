"""`make bench-diagnostics [STORE=folder]`: the five diagnostics over the study's library.

`python -m bench.diagnostics [--library bench-out/study] [--read FILE ...]`;
`--read` takes what `echopath bench ... --json` has printed, and measures nothing anew.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from bench.tables import keep
from server.diagnostics.figures import Diagnosis, Figure, shown


def measured(library: Path) -> dict[str, Any]:
    echopath = Path(sys.executable).with_name("echopath")
    done = subprocess.run(
        [echopath, "bench", "all", "--library", library, "--json"], capture_output=True, check=True
    )
    return dict(json.loads(done.stdout))


def diagnoses(answer: dict[str, Any]) -> list[Diagnosis]:
    plain = [
        {name: value for name, value in one.items() if name != "goals_met"} for one in answer["diagnostics"]
    ]
    return [Diagnosis.model_validate_json(json.dumps(one)) for one in plain]


def as_markdown(found: list[Diagnosis]) -> str:
    lines = ["| | ours | paper | goal | n |", "|---|---|---|---|---|"]
    for one in found:
        lines.append(f"| **{one.title}** | | | | |")
        for figure in one.figures:
            wanted = bound(figure)
            paper = "" if figure.paper is None else shown(figure.paper, figure.unit)
            ours = shown(figure.ours, figure.unit, figure.spread)
            lines.append(f"| {figure.what.replace('  ', '· ')} | {ours} | {paper} | {wanted} | {figure.n} |")
    for one in found:
        lines += ["", f"{one.title}: {'; '.join(one.conditions[:1])}."]
        lines += [f"- not as it should be: {miss}" for miss in one.misses[:10]]
    return "\n".join(lines)


def bound(figure: Figure) -> str:
    if figure.goal is None:
        return ""
    low, high = figure.goal.at_least, figure.goal.at_most
    return f"≥ {low:g}" if low is not None else f"≤ {high:g}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, default=Path("bench-out/study"))
    parser.add_argument("--read", type=Path, nargs="*", default=[])
    asked = parser.parse_args()
    answers = [json.loads(path.read_text()) for path in asked.read] or [measured(asked.library)]
    text = as_markdown([one for answer in answers for one in diagnoses(answer)])
    print(text)
    keep("diagnostics", text)


if __name__ == "__main__":
    main()

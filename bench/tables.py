"""Where a benchmark's table goes: a dated file among the results, then between markers in a document.

`<!-- bench:peers -->` to `<!-- /bench:peers -->` is the place of the table that is kept as `peers`.
"""

from __future__ import annotations

import os
import platform
import re
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "bench-out" / "results"
DOCUMENTS = {
    "again": "benchmarks.md",
    "capture": "actionlens.md",
    "diagnostics": "diagnostics.md",
    "peers": "ibtr.md",
    "reaim-apps": "ibtr.md",
    "reaim-conditions": "ibtr.md",
    "reaim-frames": "ibtr.md",
    "reaim-misleading": "ibtr.md",
    "reaim-others": "ibtr.md",
    "reaim-times": "ibtr.md",
    "rebind": "benchmarks.md",
    "retrieval-batches": "retrieval.md",
    "retrieval-held-out": "retrieval.md",
    "retrieval-shipped": "retrieval.md",
    "server": "benchmarks.md",
    "stopping": "benchmarks.md",
    "storage": "benchmarks.md",
}
WHOLE = {"results.md": "bench-study"}  # written by its target from the first line to the last


def machine() -> str:
    """The kind of machine, not its name."""
    kind = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores shared with other work"
    return f"{kind}, Python {platform.python_version()}"


def keep(name: str, table: str, *, conditions: str = "", results: Path = RESULTS) -> Path:
    """Keep a table as it came out, with date, machine and conditions."""
    results.mkdir(parents=True, exist_ok=True)
    path = results / f"{name}.md"
    said = f"; {conditions}" if conditions else ""
    told = f"Measured {datetime.now(UTC):%Y-%m-%d}, {machine()}{said}."
    path.write_text(f"{told}\n\n{table.strip()}\n", encoding="utf-8")
    return path


def markers(name: str) -> tuple[str, str]:
    return f"<!-- bench:{name} -->", f"<!-- /bench:{name} -->"


def fill(text: str, name: str, table: str) -> str:
    """The document with another table between the markers of this name.

    Raises:
        ValueError: the document has no such markers.
    """
    start, end = markers(name)
    found = re.compile(f"{re.escape(start)}\n.*?{re.escape(end)}", re.DOTALL)
    if not found.search(text):
        raise ValueError(f"no {start} ... {end}")
    return found.sub(lambda _: f"{start}\n{table.strip()}\n{end}", text)


def write_documents(results: Path = RESULTS, docs: Path = ROOT / "docs") -> list[str]:
    """Put every kept table into its document; the names of those that were written."""
    written: list[str] = []
    for name, document in DOCUMENTS.items():
        table = results / f"{name}.md"
        if table.exists():
            path = docs / document
            path.write_text(fill(path.read_text(encoding="utf-8"), name, table.read_text(encoding="utf-8")))
            written.append(name)
    return written


def rows(figures: dict[str, object], head: str = "| figure | value |") -> str:
    """Named figures, also nested ones, as a table."""
    lines = [head, "|---|--:|"]
    for name, value in figures.items():
        inner = value if isinstance(value, dict) else {"": value}
        lines += [
            f"| {f'{name}: {part}' if part else name} | {_said(figure)} |" for part, figure in inner.items()
        ]
    return "\n".join(lines).replace("_", " ")


def _said(figure: object) -> str:
    if isinstance(figure, bool):
        return "yes" if figure else "no"
    return ", ".join(map(str, figure)) if isinstance(figure, list | tuple) else str(figure)

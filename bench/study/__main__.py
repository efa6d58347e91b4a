"""`python -m bench.study [--resume] [--repetitions 5] [--only NAME ...] [--no-refusals] [--raw 5]`."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

import anyio

from bench.study.found import read_found
from bench.study.study import Wanted, every_task, run_study, tell


def main() -> int:
    """Run it; 0 if every goal was reached."""
    parser = argparse.ArgumentParser(prog="bench.study")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=[], help="names of tasks")
    parser.add_argument("--no-refusals", action="store_true")
    parser.add_argument("--wrongs", nargs="*", default=[], help="kinds of wrong starts")
    parser.add_argument("--resume", action="store_true", help="go on with what the last run left undone")
    parser.add_argument(
        "--raw", type=int, nargs="*", default=[1, 2], help="which repetitions raw scripts do, too"
    )
    parser.add_argument("--out", type=Path, default=Path("bench-out/study"))
    parser.add_argument("--docs", type=Path, help="write the tables into this file")
    parser.add_argument(
        "--refused-in", type=Path, help="with --tables: the folder of a run of its own for these"
    )
    parser.add_argument("--note", default="", help="a line about the conditions, for the document")
    parser.add_argument("--tables", action="store_true", help="only print and write what the last run found")
    asked = parser.parse_args()
    out = asked.out.absolute()
    if asked.tables:
        found = read_found(out)
        if asked.refused_in:
            found.refused = read_found(asked.refused_in).refused
        return tell(every_task(out), found, asked.docs, asked.note)
    if not asked.resume:
        shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True, exist_ok=True)
    wanted = Wanted(
        repetitions=asked.repetitions,
        only=tuple(asked.only),
        wrongs=tuple(asked.wrongs),
        refusals=not asked.no_refusals,
        raw=tuple(asked.raw),
        docs=asked.docs,
        note=asked.note,
    )
    return anyio.run(run_study, out, wanted)


if __name__ == "__main__":
    sys.exit(main())

"""`python -m bench.retrieval_batches --library tasks.jsonl`: the shipped batches of requests and near misses.

They name tasks of OSWorld by id, so that library comes by flag; batch d adds 40 tasks of its own.
Batches a, b, e, h to j, l to n and p to r were looked at while word tables and checks were written (i, j, l
to n and p to r only after they had been measured whole, see docs/retrieval.md); the others were not.
`--batches cd` measures only these, and keeps no table.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

from bench.retrieval import Bench, percent
from bench.retrieval_sets import SHIPPED, read_negatives, read_queries
from bench.tables import keep
from memory_store.retrieval import Searchable
from server.diagnostics.retrieval import read_tasks

BATCHES = SHIPPED / "batches"
NAMES = "abehijlmnpqrcdfgkost"
USED = dict.fromkeys("abehijlmnpqr", "developing")
HEAD = (
    "batch",
    "used for",
    "requests",
    "medium first",
    "hard first",
    "five",
    "accepted right",
    "wrong",
    "near misses",
)


@dataclass(frozen=True)
class Result:
    """The outcomes of one batch, request by request."""

    medium: list[bool]
    hard: list[bool]
    five: list[bool]
    right: list[bool]
    wrong: list[bool]
    missed: list[bool]


def measure(name: str, library: list[Searchable]) -> Result:
    """Look everything up that a batch asks for; `five` is over medium and hard."""
    bench = Bench(library)
    result = Result([], [], [], [], [], [])
    for query in read_queries(BATCHES / f"{name}_queries.jsonl"):
        side = bench.ours(query.request, query.application)
        if query.difficulty != "easy":
            firsts = result.hard if query.difficulty == "hard" else result.medium
            firsts.append(bool(query.right.intersection(side.ranked[:1])))
            result.five.append(bool(query.right.intersection(side.ranked[:5])))
        result.right.append(side.accepted in query.right)
        result.wrong.append(side.accepted is not None and side.accepted not in query.right)
    for miss in read_negatives(BATCHES / f"{name}_negatives.jsonl"):
        result.missed.append(bench.ours(miss.request, miss.application).accepted is not None)
    return result


def row(name: str, used: str, each: Result) -> list[str]:
    shares = [each.medium, each.hard, each.five, each.right, each.wrong]
    near = f"{percent(each.missed)} of {len(each.missed)}"
    return [name, used, str(len(each.right)), *map(percent, shares), near]


def together(results: list[Result]) -> Result:
    return Result(
        *(
            [hit for each in results for hit in getattr(each, name)]
            for name in ("medium", "hard", "five", "right", "wrong", "missed")
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--batches", default=NAMES, help="the letters of those to be run")
    asked = parser.parse_args()
    library = read_tasks(asked.library)
    own = read_tasks(BATCHES / "d_library.jsonl")
    results = {name: measure(name, [*own, *library] if name == "d" else library) for name in asked.batches}
    rows = [row(name, USED.get(name, "measuring"), each) for name, each in results.items()]
    clean = {name: each for name, each in results.items() if name not in USED}
    if clean:
        rows.append(row(", ".join(clean), "measuring", together(list(clean.values()))))
    lines = ["| " + " | ".join(cells) + " |" for cells in (HEAD, ["---"] * len(HEAD), *rows)]
    table = "\n".join(lines)
    print(table)
    if asked.batches == NAMES:
        keep("retrieval-batches", table)


if __name__ == "__main__":
    main()

"""How well and how fast are memories found? The paper's method and ours, side by side, in one run.

python -m bench.retrieval [--library F --queries F --negatives F] [--table held-out]
"""

import argparse
import statistics
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from bench.retrieval_sets import (
    SHIPPED,
    NearMiss,
    Wanted,
    aliases,
    grown,
    read_negatives,
    read_queries,
    split_for_stress,
)
from bench.tables import keep
from memory_store.retrieval import Ask, Searchable
from memory_store.retrieval.applications import same_label
from memory_store.retrieval.find import find
from memory_store.retrieval.lookup import gated_candidates
from memory_store.retrieval.reference import RecordTerms, record_terms
from server.diagnostics.retrieval import DISTRACTORS, TASKS, clutter, indexed, probe, read_tasks

Table = list[list[str]]


@dataclass
class Side:
    """One way of looking up: ranked ids and the accepted one."""

    ranked: list[str]
    accepted: str | None


class Bench:
    """A library under both methods."""

    def __init__(self, library: list[Searchable]) -> None:
        self.library: list[tuple[Searchable, RecordTerms]] = [(each, record_terms(each)) for each in library]
        self.index = indexed(library)

    def paper(self, request: str, application: str | None) -> Side:
        found = gated_candidates(Ask(request, application=application), self.library, agrees=same_label)
        taken = next((each.memory.memory_id for each in found if each.report.replayable), None)
        passed = [each for each in found if "application" not in each.report.failed]
        return Side([each.memory.memory_id for each in passed], taken)

    def ours(self, request: str, application: str | None) -> Side:
        found = find(Ask(request, application=application), self.index)
        return Side([each.memory_id for each in found.candidates], found.accepted)

    def both(self, request: str, application: str | None) -> tuple[Side, Side]:
        return self.paper(request, application), self.ours(request, application)


def percent(hits: list[bool]) -> str:
    return f"{100 * sum(hits) / len(hits):.1f} %" if hits else "–"


def stress(library: list[Searchable]) -> Table:
    evaluated, rest = split_for_stress(library)
    rows: Table = []
    for count in DISTRACTORS:
        bench = Bench([*evaluated, *clutter(rest, count)])
        sides = [(each.memory_id, bench.both(probe(each), each.applications[0])) for each in evaluated]
        paper = [side.ranked[:1] == [right] for right, (side, _) in sides]
        ours = [side.ranked[:1] == [right] for right, (_, side) in sides]
        rows.append(
            [f"probes recalled, {len(evaluated)} tasks + {count}", percent(paper), percent(ours), "100 %"]
        )
    return rows


def ranking(bench: Bench, queries: list[Wanted]) -> Table:
    goals = {"easy": ("100 %", "100 %"), "medium": ("90 %", "98 %"), "hard": ("90 %", "97 %")}
    hits: defaultdict[tuple[str, int, int], list[bool]] = defaultdict(list)
    for query in queries:
        for method, side in enumerate(bench.both(query.request, query.application)):
            for depth in (1, 5):
                hit = bool(query.right.intersection(side.ranked[:depth]))
                hits[query.difficulty, depth, method].append(hit)
    rows: Table = []
    for depth, words in ((1, "right one first"), (5, "right one among five")):
        for level in dict.fromkeys(query.difficulty for query in queries):
            paper, ours = hits[level, depth, 0], hits[level, depth, 1]
            goal = goals.get(level, ("", ""))[depth == 5]
            rows.append([f"{words}, {level} ({len(ours)})", percent(paper), percent(ours), goal])
    return rows


def applications(bench: Bench, library: list[Searchable]) -> Table:
    by_alias: tuple[list[bool], list[bool]] = ([], [])
    second: tuple[list[bool], list[bool]] = ([], [])
    for at, each in enumerate(library):
        names = aliases(each.applications[0])
        for method, side in enumerate(bench.both(probe(each), names[at % len(names)])):
            by_alias[method].append(each.memory_id in side.ranked[:5])
        for other in each.applications[1:]:
            for method, side in enumerate(bench.both(probe(each), other)):
                second[method].append(each.memory_id in side.ranked[:5])
    return [
        [f"application by alias, among five ({len(by_alias[0])})", *map(percent, by_alias), "≥ 95 %"],
        [f"a second application, among five ({len(second[0])})", *map(percent, second), "100 %"],
    ]


def acceptance(bench: Bench, queries: list[Wanted], negatives: list[NearMiss]) -> Table:
    right: tuple[list[bool], list[bool]] = ([], [])
    wrong: tuple[list[bool], list[bool]] = ([], [])
    for query in queries:
        for method, side in enumerate(bench.both(query.request, query.application)):
            right[method].append(side.accepted in query.right)
            wrong[method].append(side.accepted is not None and side.accepted not in query.right)
    taken: defaultdict[str, tuple[list[bool], list[bool]]] = defaultdict(lambda: ([], []))
    for miss in negatives:
        for method, side in enumerate(bench.both(miss.request, miss.application)):
            for name in (miss.category, "all"):
                taken[name][method].append(side.accepted is not None)
    rows = [
        [f"accepted, right one ({len(right[0])} requests)", *map(percent, right), "≥ 45 %"],
        ["accepted, wrong one", *map(percent, wrong), "≤ 0.5 %"],
        [f"accepted, near misses ({len(negatives)})", *map(percent, taken["all"]), "≤ 8 %"],
    ]
    for name in sorted(set(taken) - {"all"}):
        goal = "0 %" if name in ("info", "unrelated") else ""
        rows.append([f"· {name} ({len(taken[name][0])})", *map(percent, taken[name]), goal])
    return rows


def speed(library: list[Searchable], queries: list[Wanted], sizes: tuple[int, ...]) -> Table:
    rows: Table = []
    for size in sizes:
        bench = Bench(grown(library, size))
        asked = queries[:: max(1, len(queries) // (60 if size < 5000 else 12))]
        bench.both(asked[0].request, None)
        scans, finds = [], []
        for query in [*asked, *asked]:
            start = time.perf_counter()
            bench.paper(query.request, query.application)
            middle = time.perf_counter()
            bench.ours(query.request, query.application)
            scans.append(middle - start)
            finds.append(time.perf_counter() - middle)
        scan, mine = statistics.median(scans), statistics.median(finds)
        goal = "≤ 1" if size < 5000 else "≤ 0.1"
        rows.append([f"time of a lookup / of the plain scan, {size:,}", "1", f"{mine / scan:.3f}", goal])
        print(f"  {size:,}: scan {1000 * scan:.1f} ms, lookup {1000 * mine:.1f} ms")
    return rows


def as_markdown(rows: Table) -> str:
    lines = ["| | paper's method | ours | goal |", "|---|---|---|---|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, default=TASKS)
    for name in ("queries", "negatives"):
        parser.add_argument(f"--{name}", type=Path, default=SHIPPED / f"{name}.jsonl")
    parser.add_argument("--sizes", type=int, nargs="*", default=[659, 50_000])
    parser.add_argument("--table", default="shipped", choices=("shipped", "held-out"), help="kept as")
    asked = parser.parse_args()
    library, queries = read_tasks(asked.library), read_queries(asked.queries)
    bench = Bench(library)
    rows = [*stress(library), *ranking(bench, queries), *applications(bench, library)]
    rows += acceptance(bench, queries, read_negatives(asked.negatives))
    rows += speed(library, queries, tuple(asked.sizes))
    table = as_markdown(rows)
    print(table)
    keep(f"retrieval-{asked.table}", table)


if __name__ == "__main__":
    main()

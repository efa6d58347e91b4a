"""Retrieval stress test (paper, 3.2): is the right memory found among clutter, and how fast?

Every active memory is asked for by its own intent, stripped of scaffolding and paraphrased; the clutter are
real tasks of a shipped catalogue under ids of their own, with their own intents and phrases.
"""

from __future__ import annotations

import json
import random
import re
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, cast

from memory_store.index import Index, create_tables, put
from memory_store.retrieval import Ask, Searchable
from memory_store.retrieval.find import find
from memory_store.searching import searchable_of
from server.diagnostics.figures import Diagnosis, Figure, Goal, middle, share
from server.diagnostics.library import Library, active

DISTRACTORS: Final = (0, 50, 100, 200, 500)
PAPER_MS: Final = {0: 208.9, 500: 573.8}
PAPER_LIBRARY: Final = 159
TASKS: Final = Path(__file__).parent / "data" / "tasks.jsonl"
_MOST = 159
_PARAPHRASES = (
    (r"^(please|can you|could you|would you|kindly|help me( to)?|i want( you)? to|i need( you)? to)\s+", ""),
    (r"\bplease\b", ""),
    (r"\bstore\b", "save"),
    (r"\b(search for|look for|locate)\b", "find"),
    (r"\boverwrite\b", "replace"),
    (r"\bremove\b", "delete"),
    (r"\bmodify\b", "change"),
    (r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", ""),
    (r"\btask[-_ ]?(id)?[-_: ]*\d+\b:?", ""),
)


def probe(memory: Searchable) -> str:
    """The paper's probe: the stored intent without scaffolding, its common action phrases paraphrased."""
    text = memory.task_intent
    for pattern, instead in _PARAPHRASES:
        text = re.sub(pattern, instead, text, flags=re.IGNORECASE)
    return " ".join(text.split())


def read_tasks(path: Path = TASKS) -> list[Searchable]:
    """Tasks of a catalogue, one JSON object a line."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [_task(cast("dict[str, object]", json.loads(line))) for line in lines if line.strip()]


def clutter(sources: Sequence[Searchable], count: int) -> list[Searchable]:
    """Clones of real tasks under ids of their own, with their own intents and phrases."""
    return [replace(sources[at % len(sources)], memory_id=f"clutter-{at}") for at in range(count)]


def indexed(library: Sequence[Searchable]) -> Index:
    """An index of its own, as the store keeps it."""
    db = sqlite3.connect(":memory:")
    with db:
        create_tables(db)
        for each in library:
            put(db, each)
    return Index(db)


@dataclass(frozen=True, slots=True)
class Looked:
    """What came of one probe."""

    intent: str
    first: str
    """The intent of what was ranked first; empty: nothing was."""
    accepted: str
    """The intent of what would run without a second look; empty: nothing would."""
    ms: float

    @property
    def right(self) -> bool:
        """Whether the memory itself came first, or one for the very same task."""
        return self.first == self.intent


def diagnose(library: Library, distractors: Sequence[int] = DISTRACTORS) -> Diagnosis:
    """Look every memory up, in ever more clutter."""
    known = [searchable_of(memory) for memory in library.memories]
    mixed = random.Random(7).sample(known, len(known))
    evaluated, rest = mixed[:_MOST], mixed[_MOST:]
    sources = [*rest, *read_tasks()]
    looked = {count: _looked(evaluated, clutter(sources, count)) for count in distractors}
    everything = [each for found in looked.values() for each in found]
    wrong = share(bool(each.accepted) and each.accepted != each.intent for each in everything)
    sizes = {count: len(evaluated) + count for count in looked}
    return Diagnosis(
        name="retrieval",
        title="Retrieval stress test",
        conditions=(
            f"{active(len(evaluated))}, each asked for by its own intent, paraphrased",
            "distractors cloned from real tasks, with their own intents and phrases",
            f"processor time; the paper: {PAPER_LIBRARY} memories, wall time on its own machine",
        ),
        figures=(
            *(_recall(count, found) for count, found in looked.items()),
            *(_time(count, found) for count, found in looked.items()),
            Figure(what="accepted, and wrong", ours=wrong, goal=Goal(at_most=0), n=len(everything)),
        ),
        series={
            "median": tuple((sizes[n], middle([f.ms for f in found])[0] or 0) for n, found in looked.items()),
            "longest": tuple((sizes[n], max(f.ms for f in found)) for n, found in looked.items()),
            "paper": tuple((PAPER_LIBRARY + count, ms) for count, ms in PAPER_MS.items()),
        },
        misses=tuple(
            f"+{count}: {each.intent!r} gave {each.first or 'nothing'!r}"
            for count, found in looked.items()
            for each in found
            if not each.right
        ),
        left_out=dict(library.left_out),
    )


def _looked(evaluated: Sequence[Searchable], added: Sequence[Searchable]) -> list[Looked]:
    everyone = [*evaluated, *added]
    index = indexed(everyone)
    intents = {each.memory_id: each.task_intent for each in everyone}
    find(Ask(probe(evaluated[0])), index)  # the word tables are read once a process
    found: list[Looked] = []
    for each in evaluated:
        ask = Ask(probe(each), application=each.applications[0] if each.applications else None)
        begun = time.process_time()
        answer = find(ask, index)
        ms = 1000 * (time.process_time() - begun)
        first = answer.candidates[0].memory_id if answer.candidates else ""
        found.append(
            Looked(each.task_intent, intents.get(first, ""), intents.get(answer.accepted or "", ""), ms)
        )
    return found


def _recall(count: int, found: Sequence[Looked]) -> Figure:
    return Figure(
        what=f"right memory first, {count} distractors",
        ours=share(each.right for each in found),
        paper=100.0,
        goal=Goal(at_least=100),
        n=len(found),
    )


def _time(count: int, found: Sequence[Looked]) -> Figure:
    median, spread = middle([each.ms for each in found])
    return Figure(
        what=f"time of a lookup, {count} distractors",
        ours=median,
        unit="ms",
        spread=spread,
        paper=PAPER_MS.get(count),
        n=len(found),
    )


def _task(row: dict[str, object]) -> Searchable:
    application = row.get("application")
    return Searchable(
        memory_id=str(row["task_id"]),
        task_intent=str(row["task_intent"]),
        query_phrases=_texts(row.get("query_phrases")),
        applications=_texts(row.get("applications")) or ((str(application),) if application else ()),
        preconditions=_texts(row.get("preconditions")),
        effects=_texts(row.get("effects")),
    )


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(each) for each in cast("list[object]", value)) if isinstance(value, list) else ()

"""The sets a retrieval benchmark runs on: tasks, requests, near misses; probes and clutter made from them."""

import json
import random
import re
from dataclasses import dataclass, replace
from pathlib import Path

from memory_store.retrieval import Searchable
from memory_store.retrieval.applications import catalogue, product_of

SHIPPED = Path(__file__).parent / "data" / "retrieval"


@dataclass(frozen=True)
class Wanted:
    """A request and the tasks that are right for it."""

    request: str
    application: str | None
    right: frozenset[str]
    difficulty: str = ""


@dataclass(frozen=True)
class NearMiss:
    """A request no task is right for."""

    request: str
    application: str | None
    category: str


def _lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(each) for each in value) if isinstance(value, list) else ()


def _label(value: object) -> str | None:
    return str(value) if value else None


def read_queries(path: Path) -> list[Wanted]:
    return [
        Wanted(
            str(row["request"]),
            _label(row.get("application")),
            frozenset({str(row["target"]), *_texts(row.get("also_right"))}),
            str(row["difficulty"]),
        )
        for row in _lines(path)
    ]


def read_negatives(path: Path) -> list[NearMiss]:
    return [
        NearMiss(str(row["request"]), _label(row.get("application")), str(row["category"]))
        for row in _lines(path)
    ]


def split_for_stress(library: list[Searchable]) -> tuple[list[Searchable], list[Searchable]]:
    """Evaluated tasks (at most the paper's 159) and the rest, from which the clutter is cloned."""
    size = min(159, len(library) // 2)
    mixed = random.Random(7).sample(library, len(library))
    return mixed[:size], mixed[size:]


def grown(library: list[Searchable], count: int) -> list[Searchable]:
    """The library and variations of it: other numbers, and words of another task mixed in."""
    chance = random.Random(11)
    extra = [_variation(chance, library, at) for at in range(max(0, count - len(library)))]
    return [*library, *extra][:count] if count < len(library) else [*library, *extra]


def _variation(chance: random.Random, library: list[Searchable], at: int) -> Searchable:
    one, other = chance.choice(library), chance.choice(library)
    borrowed = other.task_intent.split()

    def vary(text: str) -> str:
        words = re.sub(r"\d+", lambda _: str(chance.randint(1, 999)), text).split()
        for _ in range(max(1, len(words) // 4)):
            words[chance.randrange(len(words))] = chance.choice(borrowed)
        return " ".join(words)

    phrases = tuple(vary(phrase) for phrase in one.query_phrases)
    return replace(one, memory_id=f"grown-{at}", task_intent=vary(one.task_intent), query_phrases=phrases)


def aliases(label: str) -> list[str]:
    """Other names of a label's product that people write, without file-like ones."""
    product = product_of(label)
    names = [name for name, meant in catalogue().products.items() if meant == product]
    return [name for name in names if name != label and "." not in name and len(name) > 3] or [label]

"""The candidates worth scoring, out of the postings in the store's database.

Nothing is read when it is made: a lookup reads the postings of its own words, and the rows of the few
memories that share the most of them. Documents already read are kept as long as their row is unchanged.
"""

import math
import sqlite3
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest, nsmallest
from typing import NamedTuple

from memory_store.retrieval.applications import agreement
from memory_store.retrieval.document import load
from memory_store.retrieval.kinds import posted_shape
from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.postings import create_tables, is_current, put, rebuild, remove
from memory_store.retrieval.ranking import WEIGHTS, Weights, weigh_text
from memory_store.retrieval.terms import Term
from memory_store.retrieval.view import View, Wording, share_of, view

__all__ = ["Index", "IndexLimits", "create_tables", "is_current", "put", "rebuild", "remove"]
_BATCH = 500


@dataclass(frozen=True, slots=True)
class IndexLimits:
    """How much one lookup may read, so that its time does not grow with the library."""

    postings: int = 24_000
    likely: int = 20
    drawn: int = 112
    near: int = 10
    kept: int = 4096
    states: int = 65_536
    shortest: int = 3
    abbreviation: int = 6


class _State(NamedTuple):
    """What a document's row says beside its words."""

    active: bool
    revision: int
    applications: tuple[str, ...]


class Index:
    """The memories of one database as a lookup sees them; also its vocabulary."""

    def __init__(self, db: sqlite3.Connection, limits: IndexLimits | None = None) -> None:
        self._db = db
        self._limits = limits or IndexLimits()
        self._views: OrderedDict[int, tuple[int, View]] = OrderedDict()
        self._uses: dict[str, tuple[int, int]] = {}
        self._weights: dict[str, float] = {}
        self._weighted: dict[Wording, Weights] = {}
        self._states: dict[int, _State] = {}
        self._postings: dict[int, frozenset[int]] = {}
        self._counted = self._revision = -1

    @property
    def vocabulary(self) -> "Index":
        """The words of the library; the index is its own vocabulary."""
        return self

    @property
    def size(self) -> int:
        """How many memories there are, in whatever state."""
        row = self._db.execute("SELECT value FROM retrieval_meta WHERE name = 'documents'").fetchone()
        return int(row[0])

    def knows(self, stems: Iterable[str]) -> set[str]:
        """Those of `stems` that some memory uses."""
        wanted = set(stems)
        self._count(wanted)
        return {text for text in wanted if self._uses[text][1] > 0}

    def spelled_like(self, keys: Iterable[str]) -> set[str]:
        """The stems in use that share one of these spelling keys."""
        found: set[str] = set()
        for batch, marks in _batches(keys):
            rows = self._db.execute(f"SELECT text FROM retrieval_spellings WHERE key IN ({marks})", batch)
            found.update(str(row[0]) for row in rows)
        return self.knows(found)

    def beginning_with(self, short: str) -> list[str]:
        """The words in use that begin so, those of most memories first; none if it is too short to tell."""
        if not self._limits.shortest <= len(short) <= self._limits.abbreviation or not short.isalpha():
            return []
        rows = self._db.execute(
            "SELECT text FROM retrieval_terms WHERE text > ? AND text < ? AND uses > 0"
            " ORDER BY uses DESC, text LIMIT ?",
            (short, f"{short}{{", self._limits.near),
        )
        return [str(row[0]) for row in rows]

    def weigh(self, form: str) -> float:
        """How much a word tells: more the fewer memories use it."""
        weight = self._weights.get(form)
        if weight is None:
            self._count({form})
            weight = self._weights[form] = math.log(1 + (self._counted + 1) / (self._uses[form][1] + 1))
        return weight

    def weights(self, text: Wording) -> Weights:
        """The weights of a text's words, reckoned once until the library changes."""
        known = self._weighted.get(text)
        if known is None:
            known = self._weighted[text] = weigh_text(text, self)
        return known

    def likely(self, queries: Sequence[tuple[Term, ...]], application: str | None) -> list[View]:
        """The active memories that share the most telling words, those of the application first."""
        self._forget_counts()
        first, *others = [self._shared(terms) for terms in queries] or [dict[int, float]()]
        for shared in others:
            for doc, score in shared.items():
                first[doc] = max(first.get(doc, 0.0), score)
        drawn = nlargest(self._limits.drawn, sorted(first), key=first.__getitem__)
        found = self._read(drawn, application)
        new = [each for each in found if not all(key in self._weighted for key in each.keys)]
        self._count(set[str]().union(*(each.whole.forms for each in new)))
        return found

    def _shared(self, terms: tuple[Term, ...]) -> dict[int, float]:
        """Documents by the weight of what they share with one text, rarest words first."""
        related = lexicon().related
        once = {term.form: term for term in terms}
        near = {form: related.get(form, frozenset[str]()) | _shape(term) for form, term in once.items()}
        stems = {form: {form, *term.stem.split(" ")} for form, term in once.items()}
        self._count(set[str]().union(*stems.values(), *near.values()))
        left = self._limits.postings
        totals: defaultdict[int, float] = defaultdict(float)
        for form in sorted(once, key=lambda each: -self.weigh(each)):
            weight = self.weigh(form) * share_of(once[form])
            exact = self._documents(stems[form], left)
            left -= len(exact)
            used = [(uses, each) for each in near[form] if (uses := self._uses[each][1])]
            rare = [each for _, each in nsmallest(self._limits.near, used)]
            loose = self._documents(rare, min(left, self._limits.postings // 4)) - exact
            left -= len(loose)
            for doc in exact:
                totals[doc] += weight
            for doc in loose:
                totals[doc] += weight * WEIGHTS.near
        return totals

    def _documents(self, texts: Iterable[str], budget: int) -> set[int]:
        """The documents that have any of these words; a word too common for the budget is passed over."""
        found: set[int] = set()
        for term, uses in sorted((self._uses[text] for text in texts), key=lambda each: each[1]):
            if 0 < uses <= budget:
                budget -= uses
                found |= self._posted(term)
        return found

    def _posted(self, term: int) -> frozenset[int]:
        """The documents of one word, remembered until the library changes."""
        known = self._postings.get(term)
        if known is None:
            rows = self._db.execute("SELECT doc FROM retrieval_postings WHERE term = ?", (term,)).fetchall()
            known = frozenset([int(row[0]) for row in rows])
            if len(self._postings) < self._limits.kept:
                self._postings[term] = known
        return known

    def _read(self, docs: list[int], application: str | None) -> list[View]:
        """The first active documents of a list, from memory where their row is unchanged."""
        self._learn(docs)
        agreed: list[int] = []
        elsewhere: list[int] = []
        for doc in docs:
            state = self._states.get(doc)  # none: removed by another process since its postings were read
            if state is not None and state.active:
                passes = agreement(application, state.applications).passes
                (agreed if passes else elsewhere).append(doc)
        wanted = (agreed + elsewhere)[: self._limits.likely]
        fresh = [doc for doc in wanted if self._views.get(doc, (-1,))[0] != self._states[doc].revision]
        for batch, marks in _batches(fresh):
            statement = (
                f"SELECT doc, revision, memory_id, body FROM retrieval_documents WHERE doc IN ({marks})"
            )
            for row in self._db.execute(statement, batch):
                self._keep(int(row[0]), int(row[1]), view(load(str(row[2]), str(row[3]))))
        return [self._views[doc][1] for doc in wanted if doc in self._views]

    def _learn(self, docs: list[int]) -> None:
        """What the rows of these documents say of their state, remembered until the library changes."""
        if len(self._states) > self._limits.states:
            self._states.clear()
        for batch, marks in _batches([doc for doc in docs if doc not in self._states]):
            statement = "SELECT doc, active, revision, applications FROM retrieval_documents WHERE doc IN"
            for doc, active, revision, labels in self._db.execute(f"{statement} ({marks})", batch):
                applications = tuple(str(labels).split("\n")) if labels else ()
                self._states[int(doc)] = _State(bool(active), int(revision), applications)

    def _keep(self, doc: int, revision: int, seen: View) -> None:
        """Remember a document; the one read longest ago makes room."""
        self._views[doc] = (revision, seen)
        self._views.move_to_end(doc)
        if len(self._views) > self._limits.kept:
            _, (_, gone) = self._views.popitem(last=False)
            for key in gone.keys:
                self._weighted.pop(key, None)

    def _count(self, texts: set[str]) -> None:
        """Learn in how many memories these words occur."""
        if self._counted < 0:
            self._forget_counts()
        for batch, marks in _batches([text for text in texts if text not in self._uses]):
            rows = self._db.execute(
                f"SELECT text, term, uses FROM retrieval_terms WHERE text IN ({marks})", batch
            )
            self._uses.update((str(text), (0, 0)) for text in batch)
            self._uses.update((str(row[0]), (int(row[1]), int(row[2]))) for row in rows)

    def _forget_counts(self) -> None:
        """Count words anew once the library has changed."""
        row = self._db.execute("SELECT value FROM retrieval_meta WHERE name = 'revision'").fetchone()
        if row[0] != self._revision:
            self._uses.clear()
            self._weights.clear()
            self._weighted.clear()
            self._states.clear()
            self._postings.clear()
            self._revision, self._counted = int(row[0]), self.size


def _shape(term: Term) -> frozenset[str]:
    """Under which posting memories stand that have another value of the same kind."""
    shape = posted_shape(term)
    return frozenset() if shape is None else frozenset({shape})


def _batches(values: Iterable[object]) -> Iterator[tuple[list[object], str]]:
    """Values in batches with as many question marks."""
    every = list(values)
    for start in range(0, len(every), _BATCH):
        batch = every[start : start + _BATCH]
        yield batch, ",".join("?" * len(batch))

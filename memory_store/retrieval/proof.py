"""Whether the index's tables hold exactly what their documents say: what is not posted is not found."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator

from memory_store.retrieval.document import dump, index_terms, prepare
from memory_store.retrieval.searchable import Searchable
from memory_store.retrieval.spelling import spelling_keys

_DOCUMENTS = "SELECT memory_id, active, applications, body FROM retrieval_documents"
_POSTED = (
    "SELECT text, memory_id FROM retrieval_postings LEFT JOIN retrieval_terms USING (term)"
    " LEFT JOIN retrieval_documents USING (doc)"
)


def index_problems(db: sqlite3.Connection, active: Iterable[Searchable]) -> Iterator[tuple[str, str]]:
    """Where the index differs from the active memories, each with the memory or the table."""
    stored = {str(row[0]): row[1:] for row in db.execute(_DOCUMENTS)}
    posted: set[tuple[str, str]] = set()
    count = len(stored)
    for memory in active:
        document = prepare(memory)
        wanted = (1, "\n".join(memory.applications), dump(document))
        if stored.pop(memory.memory_id, None) != wanted:
            yield memory.memory_id, "the search index differs from its record"
        posted.update((text, memory.memory_id) for text in index_terms(document))
    for memory_id in stored:
        yield memory_id, "the search index holds a memory that is not active"
    yield from (("search index", line) for line in _word_problems(db, posted, count))


def _word_problems(db: sqlite3.Connection, posted: set[tuple[str, str]], count: int) -> Iterator[str]:
    if db.execute("SELECT value FROM retrieval_meta WHERE name = 'documents'").fetchone() != (count,):
        yield "the number of its memories is wrong"
    if set(db.execute(_POSTED)) != posted:
        yield "the memories of its words were altered"
    uses: dict[str, int] = dict(db.execute("SELECT text, uses FROM retrieval_terms").fetchall())
    if {text: number for text, number in uses.items() if number} != Counter(text for text, _ in posted):
        yield "the counts of its words were altered"
    if set(db.execute("SELECT text, key FROM retrieval_spellings")) != {
        (text, key) for text in uses for key in spelling_keys(text)
    }:
        yield "the spellings of its words were altered"

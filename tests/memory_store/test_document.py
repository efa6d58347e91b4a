import pytest

from memory_store.retrieval import FlexibleValue, GateFacts, Searchable
from memory_store.retrieval.document import dump, load, prepare

MEMORIES = [
    Searchable("plain", "Save it"),
    Searchable(
        "full",
        "Rename 'draft' to final.txt instead of deleting ~/x/draft",
        ("rename draft|file", "call it final"),
        ("os", "vscode"),
        "It worked.",
        ("window: Files",),
        ("final.txt exists",),
        ("final.txt",),
        (FlexibleValue("name", "filename", "final.txt"),),
        GateFacts("candidate", "desktop", False, True, frozenset({"click", "type"}), (1, 2)),
    ),
]


@pytest.mark.parametrize("memory", MEMORIES, ids=lambda memory: memory.memory_id)
def test_a_document_reads_back_from_its_row_unchanged(memory: Searchable) -> None:
    document = prepare(memory)

    again = load(memory.memory_id, dump(document))

    assert again.facts == document.facts
    assert again.flexible == document.flexible
    assert again.record == document.record
    assert dump(again) == dump(document)
    assert [[t._replace(clause=0) for t in key] for key in document.keys] == [list(key) for key in again.keys]

import sqlite3
from collections.abc import Iterator

import pytest

from memory_store.index import Index, create_tables, put
from memory_store.retrieval import Ask, GateFacts, Searchable
from memory_store.retrieval.audit import LookupAudit
from memory_store.retrieval.find import find
from memory_store.retrieval.objection import Objection

MEMORIES = [
    Searchable("wrap", "Wrap long lines in the editor", ("enable word wrap",), ("vscode",)),
    Searchable("minimap", "Hide the minimap of the editor", ("turn off minimap",), ("vscode",)),
    Searchable(
        "report",
        "Copy the chart into report.docx",
        ("paste chart into report",),
        ("libreoffice_calc", "libreoffice_writer"),
    ),
    Searchable("gray", "Convert the photo to black and white", ("desaturate the picture",), ("gimp",)),
    Searchable(
        "blind",
        "Mirror the photo horizontally",
        ("flip picture",),
        ("gimp",),
        facts=GateFacts(unseen_steps=(3,)),
    ),
]


@pytest.fixture
def index() -> Iterator[Index]:
    db = sqlite3.connect(":memory:")
    create_tables(db)
    for memory in MEMORIES:
        put(db, memory)
    yield Index(db)
    db.close()


@pytest.mark.parametrize(
    ("request_text", "application", "expected"),
    [
        ("softwrap lines pls", None, "wrap"),
        ("minmap off", "Visual Studio Code", "minimap"),
        ("b&w version of this pic, merci", "GNU Image Manipulation Program", "gray"),
        ("put the diagram in report.docx", "Writer", "report"),
    ],
)
def test_other_words_slips_and_aliases_find_the_memory(
    index: Index, request_text: str, application: str | None, expected: str
) -> None:
    assert find(Ask(request_text, application=application), index).candidates[0].memory_id == expected


def test_each_candidate_comes_with_reasons_for_and_against(index: Index) -> None:
    found = find(Ask("flip the picture horizontally"), index)

    first = found.candidates[0]
    assert first.memory_id == "blind"
    assert first.reasons_for
    assert [point.kind for point in first.against] == [Objection.GATE]
    assert found.accepted is None


def test_what_is_explained_and_what_is_not_do_not_contradict_each_other(index: Index) -> None:
    for goal in ("water the plants on the balcony", "flip the picture horizontally", "empty the bin"):
        for one in find(Ask(goal), index).candidates:
            explained = [int(word[:-1]) for word in one.reasons_for[0].split() if word.endswith("%")]
            assert sum(explained) <= round(100 * (1 - one.unexplained))


def test_two_memories_for_one_request_are_left_to_the_host(index: Index) -> None:
    db = sqlite3.connect(":memory:")
    create_tables(db)
    for memory_id in ("one", "two"):
        put(db, Searchable(memory_id, "Empty the trash"))

    found = find(Ask("empty the trash"), Index(db))

    assert found.accepted is None
    assert Objection.AMBIGUOUS in {point.kind for point in found.candidates[0].against}
    db.close()


def test_a_request_without_words_finds_nothing(index: Index) -> None:
    found = find(Ask("please, thanks!"), index)

    assert found.candidates == ()
    assert found.accepted is None


def test_callers_phrases_help_when_the_goal_says_little(index: Index) -> None:
    found = find(Ask("as discussed", phrases=("desaturate the picture",)), index)

    assert found.candidates[0].memory_id == "gray"
    assert found.accepted is None


def test_the_audit_holds_both_methods_and_survives_being_saved(index: Index) -> None:
    found = find(Ask("turn off minimap", phrases=("hide minimap",), application="vscode"), index)

    audit = LookupAudit.model_validate_json(found.audit.model_dump_json())
    assert audit == found.audit
    assert audit.method == "ranked"
    assert audit.searched == ("turn off minimap", "hide minimap")
    assert audit.selected == audit.accepted == "minimap"
    assert audit.library_size == len(MEMORIES)
    assert audit.ranked[0].memory_id == "minimap"
    assert audit.intent_score == 1

from memory_store.retrieval import Ask, GateFacts, Searchable
from memory_store.retrieval.audit import LookupAudit
from memory_store.retrieval.lookup import judge_named, reference_lookup
from memory_store.retrieval.reference import record_terms

LIBRARY = [
    (memory, record_terms(memory))
    for memory in (
        Searchable("merge", "Merge cells A1 to C1", ("merge the header cells",), ("libreoffice_calc",)),
        Searchable("freeze", "Freeze the header row", (), ("libreoffice_calc",)),
        Searchable("old", "Merge the header cells", (), ("calc",), facts=GateFacts(lifecycle="quarantined")),
    )
]


def test_the_largest_compatible_memory_is_selected_and_the_rest_accounted_for() -> None:
    audit = reference_lookup(Ask("merge the header cells", application="Calc"), LIBRARY)

    assert audit.selected == "merge"
    assert audit.matched_phrase == "merge the header cells"
    assert audit.intent_score == 1
    rejected = {path.memory_id: set(path.failed_gates) for path in audit.rejected}
    assert rejected == {"old": {"lifecycle"}, "freeze": {"intent"}}
    assert audit.candidate_count == 3


def test_a_named_memory_passes_the_intent_gate_and_no_other() -> None:
    old = LIBRARY[2][0]

    assert set(judge_named(Ask("anything", application="Calc"), old).failed) == {"lifecycle"}
    assert set(judge_named(Ask("anything", application="gimp"), old).failed) == {"lifecycle", "application"}
    assert judge_named(Ask("anything"), LIBRARY[0][0]).replayable


def test_a_miss_is_recorded_too() -> None:
    audit = reference_lookup(Ask("water the plants"), LIBRARY)

    assert audit.selected is None
    assert audit.searched == ("water the plants",)


def test_an_audit_survives_being_saved() -> None:
    audit = reference_lookup(Ask("freeze row", phrases=("freeze header",)), LIBRARY)

    assert LookupAudit.model_validate_json(audit.model_dump_json()) == audit

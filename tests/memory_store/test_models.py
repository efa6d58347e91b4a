import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from memory_store.canonical import canonical, digest, document
from memory_store.documents import blob_refs, checked_memory, read_document, read_export, write_document
from memory_store.errors import InvalidMemory
from memory_store.models import (
    INPUT_PATTERNS,
    Anchor,
    FlexibleInput,
    InputKind,
    JsonObject,
    Memory,
    Place,
    StepAction,
)
from tests.memory_store.making import click, keys, make_memory, phone_input


def test_a_memory_reads_back_as_it_was_written() -> None:
    memory = make_memory()

    read = read_document(write_document(memory), tool_name=memory.tool_name, lifecycle="candidate")

    assert read == memory


def test_equal_memories_have_equal_documents() -> None:
    memory = make_memory()

    again = Memory.model_validate_json(memory.model_dump_json())

    assert write_document(again) == write_document(memory)


def test_an_anchor_of_a_kind_from_the_future_is_kept_whole() -> None:
    plain = document(make_memory(steps=[click("save")]))
    steps = plain["steps"]
    assert isinstance(steps, list)
    assert isinstance(steps[0], dict)
    evidence = steps[0]["evidence"]
    assert isinstance(evidence, dict)
    evidence["anchors"] = [{"kind": "accessible", "data": {"role": "button", "name": "Save"}}]

    memory = checked_memory(plain)

    assert memory.steps[0].evidence.anchors == (
        Anchor(kind="accessible", data={"role": "button", "name": "Save"}),
    )
    assert read_export(canonical(document(memory)).encode()) == memory


def test_an_action_from_the_future_is_kept_whole() -> None:
    action = StepAction.model_validate({"action": "pinch", "fingers": 2, "scale": 0.5})

    assert action.parameters == {"fingers": 2, "scale": 0.5}
    with pytest.raises(ValidationError):
        action.typed()


def test_a_known_action_becomes_the_one_that_is_executed() -> None:
    assert click("save", x=7).action.typed().points() == ((7, 30),)


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ((phone_input("other"),), "default differs"),
        ((phone_input(), phone_input()), "same name"),
        ((FlexibleInput(name="a", places=(Place(action_index=9),), default="x"),), "3 steps"),
        (
            (FlexibleInput(name="a", places=(Place(action_index=0, parameter_path=("x",)),), default="40"),),
            "text-like",
        ),
        ((FlexibleInput(name="a", places=(Place(action_index=0),), default="40"),), "holds no text"),
        ((FlexibleInput(name="a", kind=InputKind.SECRET, places=(Place(action_index=1),)),), "by reference"),
        (
            (phone_input(), FlexibleInput(name="again", places=(Place(action_index=1),), default="555-0100")),
            "two inputs",
        ),
    ],
)
def test_an_input_that_does_not_fit_the_program_is_refused(
    inputs: tuple[FlexibleInput, ...], said: str
) -> None:
    with pytest.raises(ValidationError, match=said):
        make_memory(inputs=inputs)


def test_a_secret_is_a_reference_without_a_default() -> None:
    secret = FlexibleInput(
        name="password",
        kind=InputKind.SECRET,
        places=(Place(action_index=1, parameter_path=("text_ref",)),),
    )

    memory = make_memory(steps=[click("field"), keys("type", text_ref="env:PASSWORD")], inputs=(secret,))

    assert memory.inputs == (secret,)
    with pytest.raises(ValidationError, match="no default"):
        FlexibleInput(**{**secret.model_dump(), "default": "hunter2"})


@pytest.mark.parametrize("name", ["", "Update", "a-b", "a" * 49, "é", "a b"])
def test_a_tool_name_outside_the_alphabet_is_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        make_memory(name)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"schema_version": 99}, "schema_version"),
        ({"schema_version": "1"}, "schema_version"),
        ({"surprise": 1}, "surprise"),
        ({"steps": []}, "steps"),
        ({"id": "../../etc"}, "id"),
        ({"created_at": "yesterday"}, "created_at"),
        ({"preconditions": [{"kind": "prayer"}]}, "preconditions.0"),
        ({"keys": {"task_intent": "  "}}, "keys.task_intent"),
    ],
)
def test_a_broken_document_is_refused_by_the_name_of_its_field(change: JsonObject, field: str) -> None:
    plain = {**document(make_memory()), **change}

    with pytest.raises(InvalidMemory) as refused:
        read_export(json.dumps(plain).encode())

    assert refused.value.field == field


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{", b"\xff\xfe", b"[" * 200_000, b'{"schema_version": 1, "id": "\\ud800"}']
)
def test_what_is_no_document_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidMemory):
        read_export(data)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8")),
        lambda inner: st.dictionaries(st.text(st.characters(codec="utf-8")), inner) | st.lists(inner),
    )
)
def test_the_digest_of_a_value_survives_json(value: object) -> None:
    plain = json.loads(json.dumps(value))

    assert digest(plain) == digest(json.loads(canonical(plain)))


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (InputKind.NUMBER, ["12", "-3.5", "1,200.50", "7%", "1e9"], ["", "twelve", "1 2", "--1"]),
        (InputKind.EMAIL, ["a@b.c"], ["a", "a b@c", "@"]),
        (InputKind.URL, ["https://example.org/x?y=1", "example.org"], ["", "two words", "plain"]),
        (InputKind.DATE, ["2026-03-01", "1 March 2026", "3/1/26"], ["", "now!", "-"]),
        (InputKind.FILENAME, ["report v2.ods", "/tmp/a"], ["", "a\nb"]),
        (InputKind.SEARCH_TERM, ["émile"], ["", "a\nb"]),
        (InputKind.SECRET, ["env:TOKEN", "keyring:mail/me"], ["hunter2", "env:", "keyring:mail"]),
    ],
)
def test_each_kind_of_input_has_a_pattern(kind: InputKind, good: list[str], bad: list[str]) -> None:
    import re

    pattern = re.compile(INPUT_PATTERNS[kind])

    assert all(pattern.search(value) for value in good)
    assert not any(pattern.search(value) for value in bad)


def test_evidence_that_only_the_audit_needs_is_told_apart() -> None:
    memory = make_memory()

    assert blob_refs(memory) == {}

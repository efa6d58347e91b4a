import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibtr.errors import ParameterConflict, UnsupportedAction
from memory_store.bindings import Delta, Modification, bind, bind_modifications
from memory_store.models import (
    INPUT_PATTERNS,
    FlexibleInput,
    InputKind,
    Place,
    StoredEvaluator,
    Validation,
)
from tests.memory_store.memories import client_memory, memory_of

NOT_NAMES = ["a/b", "/etc/passwd", "a\\b", "nul\0", ".", ".."]
PASSWORD = {"password": "env:CRM_PASSWORD"}


def _problems(refusal: ParameterConflict) -> list[dict[str, object]]:
    problems = refusal.evidence["problems"]
    assert isinstance(problems, list)
    return problems


def test_new_values_arrive_at_every_declared_place_and_nowhere_else() -> None:
    memory = client_memory()

    bound = bind(memory, {"client": "Initech", "phone": "555-0100", **PASSWORD})

    changed = [index for index, delta in enumerate(bound.deltas) if delta is Delta.REBOUND]
    assert changed == [1, 3, 5]
    for index, (action, step) in enumerate(zip(bound.actions, memory.steps, strict=True)):
        expected = step.action.plain() | (
            {"text": {3: "555-0100"}.get(index, "Initech")} if index in changed else {}
        )
        assert {key: action.model_dump(mode="json")[key] for key in expected} == expected


def test_what_is_not_given_stays_as_recorded_and_is_reported() -> None:
    bound = bind(client_memory(), {"phone": "555-0100", **PASSWORD})

    assert bound.recorded == ("client",)
    assert bound.values == {"client": "Globex", "phone": "555-0100"}


def test_a_secret_needs_its_reference_every_time_and_never_reaches_the_evaluator() -> None:
    bound = bind(client_memory(), {"password": "keyring:crm/ada"})

    assert bound.actions[4].model_dump()["text_ref"] == "keyring:crm/ada"
    assert "password" not in bound.values
    for inputs in ({}, {"password": "hunter2"}):
        with pytest.raises(ParameterConflict) as refusal:
            bind(client_memory(), inputs)
        assert [problem["input"] for problem in _problems(refusal.value)] == ["password"]
        assert "hunter2" not in str(refusal.value.evidence)


def test_all_problems_are_said_at_once() -> None:
    with pytest.raises(ParameterConflict) as refusal:
        bind(client_memory(), {"client": "a\nb", "phone": 5550100, "fax": "1"})

    assert {problem["input"] for problem in _problems(refusal.value)} == {
        "client",
        "phone",
        "fax",
        "password",
    }


@pytest.mark.parametrize("value", ["", "x" * 50_001, "two\nlines", "a\tb", "bell\a", "nul\0", "\ud800"])
def test_a_text_that_cannot_be_typed_as_one_text_is_refused(value: str) -> None:
    with pytest.raises(ParameterConflict):
        bind(client_memory(), {"phone": value, **PASSWORD})


def test_more_lines_are_taken_where_lines_were_recorded() -> None:
    note = FlexibleInput(name="note", places=(Place(action_index=0),), default="one\ntwo")
    memory = memory_of({"action": "type", "text": "one\ntwo"}, inputs=(note,))

    assert bind(memory, {"note": "a\nb\nc"}).actions[0].model_dump()["text"] == "a\nb\nc"


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (InputKind.NUMBER, ["3,400.50", "-1.5", "1,200.00", "12%"], ["twelve", "1 2 3", "12\n"]),
        (InputKind.URL, ["https://a.example/b?c", "a.example"], ["not a url", "javascript"]),
        (
            InputKind.FILENAME,
            ["report.pdf", "Bericht für Ada.odt", "ü" * 127],
            ["ü" * 128, "a\x1bb", *NOT_NAMES],
        ),
        (InputKind.EMAIL, ["ada@example.org"], ["ada", "a b@c"]),
        (InputKind.DATE, ["2026-11-16", "16. Nov 2026", "11/16/26"], ["??"]),
        (InputKind.SEARCH_TERM, ["blue shoes"], ["a\nb"]),
    ],
)
def test_a_value_must_be_of_its_inputs_kind(kind: InputKind, good: list[str], bad: list[str]) -> None:
    one = FlexibleInput(name="x", kind=kind, places=(Place(action_index=0),), default=good[0])
    memory = memory_of({"action": "type", "text": good[0]}, inputs=(one,))

    for value in good:
        assert bind(memory, {"x": value}).actions[0].model_dump()["text"] == value
    for value in bad:
        with pytest.raises(ParameterConflict):
            bind(memory, {"x": value})


def test_a_null_is_not_told_to_be_put_in_quotes() -> None:
    with pytest.raises(ParameterConflict) as refused:
        bind(client_memory(), {"phone": None, **PASSWORD})

    assert "is null" in str(refused.value.evidence)
    assert "quotes" not in str(refused.value.evidence)


def test_a_path_is_taken_for_a_file_name_where_one_was_recorded_but_it_does_not_climb() -> None:
    name = FlexibleInput(
        name="file", kind=InputKind.FILENAME, places=(Place(action_index=0),), default="~/a/b.txt"
    )
    memory = memory_of({"action": "type", "text": "~/a/b.txt"}, inputs=(name,))

    assert bind(memory, {"file": "~/c/d.txt"}).values == {"file": "~/c/d.txt"}
    with pytest.raises(ParameterConflict):
        bind(memory, {"file": "~/../d.txt"})


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        ({"kind": "file_exists", "path": "~/out/{x}.txt"}, "../up"),
        ({"kind": "file_exists", "path": "~/out/{x}.txt"}, "/etc/passwd"),
        ({"kind": "http_get", "url": "http://localhost/{x}"}, ".."),
        ({"kind": "command", "argv": ["ls", "{x}"]}, "-R"),
        ({"kind": "all_of", "checks": [{"kind": "file_exists", "path": "~/out/{x}"}]}, ".."),
    ],
)
def test_a_value_that_the_check_could_not_run_with_is_refused_before_the_first_step(
    spec: dict[str, object], value: str
) -> None:
    one = FlexibleInput(name="x", places=(Place(action_index=0),), default="good")
    memory = memory_of({"action": "type", "text": "good"}, inputs=(one,))
    evaluator = StoredEvaluator.model_validate(spec)
    memory = memory.model_copy(update={"validation": Validation(evaluator=evaluator)})

    assert bind(memory, {"x": "plain"}).values == {"x": "plain"}
    with pytest.raises(ParameterConflict) as refusal:
        bind(memory, {"x": value})
    assert [one["input"] for one in _problems(refusal.value)] == ["x"]


@pytest.mark.parametrize(
    ("recorded", "good", "bad"),
    [
        ("12.50", ["1.5", "7", "-3.25", "1000", ".5", "1.5e3", "9%"], ["1,5", "1 000", "1,000.5", "1'000"]),
        ("12,50", ["1,5", "7"], ["1.5", "1.000,5", "1 000"]),
        ("1,234.50", ["1.5", "1,000", "12,345,678.9", "1000"], ["1,5", "1 000", "1.000,5"]),
        ("1.234,50", ["1,5", "1.000"], ["1.5", "1,000.5"]),
        ("1 000", ["2 500", "2500", "2 500.5"], ["2,5", "2'500"]),
        ("1.234.567", ["2.345", "2345,5"], ["2 345", "1.5"]),
        ("1,234", ["1,5", "2,345"], ["1.5", "2 345"]),
        ("42", ["7", "7.5"], ["7,5", "7 000"]),
    ],
)
def test_a_number_is_written_as_the_recorded_one(recorded: str, good: list[str], bad: list[str]) -> None:
    one = FlexibleInput(name="sum", kind=InputKind.NUMBER, places=(Place(action_index=0),), default=recorded)
    memory = memory_of({"action": "type", "text": recorded}, inputs=(one,))

    for value in (recorded, *good):
        assert bind(memory, {"sum": value}).values == {"sum": value}
    for value in bad:
        with pytest.raises(ParameterConflict, match="sum is not written like the recorded") as refusal:
            bind(memory, {"sum": value})
        (problem,) = _problems(refusal.value)
        assert repr(recorded) in str(problem["fix"])


def test_every_kind_has_a_pattern() -> None:
    assert set(INPUT_PATTERNS) == set(InputKind)


@given(
    st.integers(0, 9),
    st.lists(
        st.sampled_from(["text", "text_ref", "x", "key", "keys", "action", "target"]), min_size=1, max_size=2
    ),
)
def test_a_change_is_taken_only_at_a_declared_place(index: int, path: list[str]) -> None:
    memory = client_memory()
    declared = {(place.action_index, place.parameter_path) for one in memory.inputs for place in one.places}
    change = Modification(action_index=index, parameter_path=tuple(path), value="env:A")
    password = Modification(action_index=4, parameter_path=("text_ref",), value="env:A")

    if (index, tuple(path)) in declared:
        assert bind_modifications(memory, [change, password]).actions[index].model_dump()[path[0]] == "env:A"
    else:
        with pytest.raises(ParameterConflict) as refusal:
            bind_modifications(memory, [change, password])
        assert _problems(refusal.value)[0]["step"] == index


def test_one_input_cannot_get_two_values() -> None:
    changes = [Modification(action_index=1, value="Initech"), Modification(action_index=5, value="Hooli")]

    with pytest.raises(ParameterConflict):
        bind_modifications(client_memory(), changes)


def test_an_action_from_a_later_version_is_unsupported() -> None:
    with pytest.raises(UnsupportedAction):
        bind(memory_of({"action": "pinch", "x": 1}), {})

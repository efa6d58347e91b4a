from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from actionlens.actions import Click, Hotkey, Observe, Type, Wait
from actionlens.records import StepStatus
from memory_store.consolidation.checks import check_selection
from memory_store.consolidation.trace import Trace, trace_of
from tests.memory_store.recording import Recording, box, words

GOOD: dict[str, object] = {
    "selected_step_ids": [1, 2, 6],
    "dropped": [{"step_id": 3, "reason": "only waits"}],
    "roles": {"1": "guard"},
    "flexible_inputs": [{"action_index": 1, "name": "client", "kind": "text", "description": "Whom"}],
    "task_intent": "Write a client's name into the note",
    "query_phrases": ["note a client"],
    "preconditions": [
        "the note is open",
        {"kind": "window", "application": "Editor"},
        {"kind": "file", "path": "/tmp/{client}.txt", "exists": False},
        {"kind": "region", "step_id": 1, "box_px": [40, 40, 100, 20]},
    ],
    "expected_effects": ["the name is in the note"],
    "blockers": [],
    "viable": True,
    "recommendation": "promote",
    "tool_name": "note_client",
    "evaluator": {"kind": "file_contains", "path": "/tmp/note.txt", "contains": "{client}"},
}


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Trace:
    recording = Recording(tmp_path_factory.mktemp("runs"))
    recording.do(Click(x=50, y=50), box(40, 40, 100, 20, 200))
    recording.do(Type(text="Globex"), words("Globex", 40, 55))
    recording.do(Wait(seconds=1))
    recording.do(Observe())
    recording.do(Click(x=5, y=5), status=StepStatus.ERROR)
    recording.do(Hotkey(keys=("ctrl", "s")))
    return trace_of(recording.read())


def _fields(trace: Trace, **changes: object) -> set[str]:
    _, problems = check_selection({**GOOD, **changes}, trace)
    assert all(problem.problem and problem.fix for problem in problems)
    return {problem.field for problem in problems}


def test_a_good_selection_has_no_problems(trace: Trace) -> None:
    assert _fields(trace) == set()


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        (
            {"selected_step_ids": []},
            {"selected_step_ids", "dropped", "roles.1", "flexible_inputs.0.action_index"},
        ),
        ({"selected_step_ids": [2, 1, 6]}, {"selected_step_ids", "flexible_inputs.0.parameter_path"}),
        ({"selected_step_ids": [1, 2, 2, 6]}, {"selected_step_ids"}),
        ({"selected_step_ids": [1, 2, 6, 99]}, {"selected_step_ids.3"}),
        ({"selected_step_ids": [1, 2, 4, 5, 6]}, {"selected_step_ids.2", "selected_step_ids.3"}),
        (
            {"selected_step_ids": "all"},
            {"selected_step_ids", "dropped", "roles.1", "flexible_inputs.0.action_index"},
        ),
        ({"dropped": []}, {"dropped"}),
        ({"dropped": [{"step_id": 3, "reason": " "}]}, {"dropped.0.reason"}),
        ({"dropped": [{"step_id": 3, "reason": "x"}, {"step_id": 1, "reason": "x"}]}, {"dropped.1"}),
        ({"dropped": [{"step_id": 3, "reason": "x"}, {"step_id": 77, "reason": "x"}]}, {"dropped.1"}),
        ({"roles": {"3": "startup"}}, {"roles.3"}),
        ({"roles": {"1": "optional"}}, {"roles.1"}),
        ({"task_intent": " "}, {"task_intent"}),
        ({"query_phrases": []}, {"query_phrases"}),
        ({"viable": None}, {"viable"}),
        ({"viable": False}, {"recommendation"}),
        ({"recommendation": "maybe"}, {"recommendation"}),
        ({"recommendation": None}, {"recommendation"}),
        ({"blockers": ["the sheet is locked"]}, {"blockers"}),
        ({"blockers": ["the sheet is locked"], "recommendation": "reject", "viable": False}, set()),
        (
            {"preconditions": [{"kind": "region", "step_id": 9, "box_px": [0, 0, 5, 5]}]},
            {"preconditions.0.step_id"},
        ),
        (
            {"preconditions": [{"kind": "region", "step_id": 1, "box_px": [0, 0, 9999, 5]}]},
            {"preconditions.0.box_px"},
        ),
        ({"expected_effects": [{"kind": "file", "path": "/tmp/{who}.txt"}]}, {"expected_effects.0.path"}),
        ({"evaluator": {"kind": "file_exists", "path": "/tmp/{who}"}}, {"evaluator.path"}),
        ({"evaluator": {"kind": "shell"}}, {"evaluator"}),
        ({"evaluator": {"kind": "http_get", "url": "http://crm:99999/"}}, {"evaluator.http_get.url"}),
        ({"tool_name": "Note Client!"}, {"tool_name"}),
        ({"step_ids": [1]}, {"step_ids"}),
    ],
)
def test_every_problem_names_its_field(trace: Trace, changes: dict[str, object], fields: set[str]) -> None:
    assert _fields(trace, **changes) == fields


@pytest.mark.parametrize(
    ("choice", "fields"),
    [
        ({"action_index": 9, "name": "x"}, {"action_index"}),
        ({"action_index": 0, "name": "x", "parameter_path": ["x"]}, {"parameter_path"}),
        ({"action_index": 2, "name": "x", "parameter_path": ["keys"]}, {"parameter_path"}),
        ({"action_index": 1, "name": "x", "parameter_path": ["text_ref"]}, {"parameter_path"}),
        ({"action_index": 1, "name": "Bad Name"}, {"name"}),
        ({"action_index": 1, "name": "x", "kind": "email"}, {"kind"}),
        ({"action_index": 1, "name": "x", "kind": "secret"}, {"kind"}),
        ({"action_index": -1, "name": "x"}, {"action_index"}),
    ],
)
def test_only_recorded_texts_of_the_right_kind_can_be_inputs(
    trace: Trace, choice: dict[str, object], fields: set[str]
) -> None:
    found = _fields(trace, flexible_inputs=[choice], preconditions=[], evaluator=None)

    assert {field.removeprefix("flexible_inputs.0.") for field in found} == fields


def test_a_literal_cannot_become_a_secret_and_the_fix_says_to_record_again(trace: Trace) -> None:
    secret = {"action_index": 1, "name": "x", "kind": "secret"}
    _, problems = check_selection(
        {**GOOD, "flexible_inputs": [secret], "preconditions": [], "evaluator": None}, trace
    )

    assert ["text_ref" in problem.fix for problem in problems] == [True]


def test_one_place_takes_one_input(trace: Trace) -> None:
    twice = [{"action_index": 1, "name": "client"}, {"action_index": 1, "name": "name"}]

    assert _fields(trace, flexible_inputs=twice) == {"flexible_inputs.1"}


def test_one_input_has_one_value_and_one_kind(tmp_path: Path) -> None:
    recording = Recording(tmp_path)
    for at, text in enumerate(("12", "12", "13")):
        recording.do(Type(text=text), words(text, 40, 55 + 50 * at))
    trace = trace_of(recording.read())
    choices = [
        {"action_index": 0, "name": "count", "kind": "number"},
        {"action_index": 1, "name": "count", "kind": "text"},
        {"action_index": 2, "name": "count", "kind": "number"},
    ]
    plain: dict[str, object] = {"dropped": [], "roles": {}, "preconditions": [], "evaluator": None}

    _, problems = check_selection(
        {**GOOD, **plain, "selected_step_ids": [1, 2, 3], "flexible_inputs": choices}, trace
    )

    assert [problem.field for problem in problems] == ["flexible_inputs.1.kind", "flexible_inputs.2.name"]


EDITOR = {"application": "Editor"}


@pytest.mark.parametrize(
    ("condition", "field"),
    [
        ({"kind": "launch", "argv": ["editor", "/tmp/{nope}.txt"], "window": EDITOR}, "argv.1"),
        ({"kind": "launch", "argv": ["editor", "/tmp/{"], "window": EDITOR}, "argv.1"),
        ({"kind": "launch", "argv": ["editor"], "window": {}}, "window"),
        ({"kind": "launch", "argv": ["editor"], "window": {**EDITOR, "present": False}}, "window.present"),
        (
            {"kind": "launch", "argv": ["editor"], "window": {"title_contains": "{client}"}},
            "window.title_contains",
        ),
        ({"kind": "file", "path": "notes/{client}.txt"}, "path"),
        ({"kind": "file", "path": "note.txt"}, "path"),
        ({"kind": "file", "path": "/tmp/../etc/passwd"}, "path"),
        ({"kind": "file", "path": "/{client}"}, "path"),
        ({"kind": "file", "path": "/tmp/{"}, "path"),
        ({"kind": "window"}, ""),
        ({"kind": "window", "application": " ", "active": True}, ""),
        (
            {"kind": "window", "application": "Editor", "title_contains": "{client} - Editor"},
            "title_contains",
        ),
        ({"kind": "window", "application": "{client}"}, "application"),
    ],
)
def test_a_condition_that_cannot_work_is_refused_by_its_field(
    trace: Trace, condition: dict[str, object], field: str
) -> None:
    where = ".".join(filter(None, ("preconditions.1", field)))

    assert _fields(trace, preconditions=["the note is open", condition]) == {where}


@pytest.mark.parametrize(
    "condition",
    [
        {"kind": "launch", "argv": ["editor", "/tmp/{client}.txt", "{{x}}"], "window": EDITOR},
        {"kind": "file", "path": "~/notes/{client}.txt"},
        {"kind": "window", "title_contains": "a {literal} title"},
        {"kind": "window", "application": "Editor", "present": False},
    ],
)
def test_a_condition_that_can_work_passes(trace: Trace, condition: dict[str, object]) -> None:
    assert _fields(trace, preconditions=[condition]) == set()


def test_nothing_is_started_after_the_work(trace: Trace) -> None:
    launch = {"kind": "launch", "argv": ["editor"], "window": EDITOR}

    assert _fields(trace, expected_effects=["done", launch]) == {"expected_effects.1"}


def test_a_condition_that_cannot_be_read_hides_no_other(trace: Trace) -> None:
    fields = _fields(
        trace,
        preconditions=[{"kind": "weather"}, {"kind": "file", "path": "note.txt"}],
        expected_effects=[{"kind": "file", "path": "../note.txt"}, {"kind": "window"}],
    )

    assert fields == {
        "preconditions.0",
        "preconditions.1.path",
        "expected_effects.0.path",
        "expected_effects.1",
    }


def test_inputs_that_cannot_be_read_are_not_told_as_undeclared(trace: Trace) -> None:
    fields = _fields(trace, flexible_inputs="client", evaluator=None)

    assert fields == {"flexible_inputs"}


@pytest.mark.parametrize(
    "applications", [["Editor"] * 500, ["x" * 201], ["x" * 2000] * 500], ids=["many", "long", "both"]
)
def test_the_labels_of_applications_are_few_and_short(trace: Trace, applications: list[str]) -> None:
    assert {field.partition(".")[0] for field in _fields(trace, applications=applications)} == {
        "applications"
    }


def test_all_problems_come_at_once(trace: Trace) -> None:
    _, problems = check_selection({"viable": "perhaps", "nonsense": 1}, trace)

    assert {problem.field for problem in problems} == {
        *(
            "viable",
            "nonsense",
            "selected_step_ids",
            "dropped",
            "task_intent",
            "query_phrases",
            "recommendation",
        ),
    }


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(sorted(GOOD)), _JSON)
def test_no_garbage_makes_the_checks_fall_over(trace: Trace, field: str, garbage: object) -> None:
    check_selection({**GOOD, field: garbage}, trace)

import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from ibtr.errors import AmbiguousTarget, MissingTarget
from memory_store.evaluators import (
    EVALUATOR,
    Answer,
    CouldNotRun,
    Scene,
    attestation,
    describe,
    placeholders,
    problems_of,
    read_stored,
    to_stored,
    verdict,
)
from memory_store.evaluators.registry import SINGLE_KINDS, AllOf
from memory_store.evaluators.scene import Spec
from memory_store.models import Anchor, Attestation, Outcome, StoredEvaluator
from tests.memory_store.evaluators.checks import run, with_inputs


def _file(path: str, **more: object) -> dict[str, object]:
    return {"kind": "file_contains", "path": path, "contains": "{phone}", **more}


def test_what_was_already_true_is_said_in_the_verdict(tmp_path: Path) -> None:
    artifact = tmp_path / "a.txt"
    spec = _file(f"{tmp_path}/a.txt")
    evaluator = EVALUATOR.validate_python(spec)
    scene = with_inputs(phone="555-0199")

    nothing_yet = run(scene, **spec)
    artifact.write_text("555-0199")
    done = run(scene, **spec)

    assert verdict(evaluator, nothing_yet, done).passed
    assert not verdict(evaluator, nothing_yet, done).already_true
    assert verdict(evaluator, done, done).already_true


def test_all_of_several_checks_must_pass_and_all_are_reported(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("555-0199")
    both = {"kind": "all", "checks": [_file(f"{tmp_path}/a.txt"), _file(f"{tmp_path}/b.txt")]}
    unknown = {"kind": "all", "checks": [_file(f"{tmp_path}/b.txt"), {"kind": "human", "question": "Done?"}]}

    failed = run(with_inputs(phone="555-0199"), **both)
    not_run = run(with_inputs(phone="555-0199"), **unknown)

    assert failed.outcome is Outcome.FAILED
    checks = failed.evidence["checks"]
    assert isinstance(checks, list)
    assert len(checks) == 2
    assert not_run.outcome is Outcome.COULD_NOT_RUN


def test_a_verdict_is_as_strong_as_its_weakest_word() -> None:
    human = {"kind": "human", "question": "Done?"}
    host = {"kind": "host_attested", "claim": "Done."}

    assert attestation(EVALUATOR.validate_python(human)) is Attestation.HUMAN
    both = EVALUATOR.validate_python({"kind": "all", "checks": [human, host, _file("/tmp/x")]})
    assert attestation(both) is Attestation.HOST


def test_a_persons_answer_is_taken_as_given_and_never_guessed() -> None:
    spec = {"kind": "human", "question": "Does the list show {client}?"}
    asked = with_inputs(client="Globex")

    assert run(asked, **spec).outcome is Outcome.COULD_NOT_RUN
    for said, outcome in ((True, Outcome.PASSED), (False, Outcome.FAILED)):
        check = run(Scene(asked.values, human=Answer(said, by="Ada", words="I looked")), **spec)
        assert check.outcome is outcome
        assert check.evidence["asked"] == "Does the list show Globex?"


def test_the_hosts_word_does_not_stand_for_a_persons() -> None:
    said = Scene(host=Answer(True, by="agent"))

    assert run(said, kind="host_attested", claim="Done.").outcome is Outcome.PASSED
    assert run(said, kind="human", question="Done?").outcome is Outcome.COULD_NOT_RUN


def test_a_region_is_seen_missing_or_unsure() -> None:
    spec = {"kind": "region", "anchors": [{"kind": "crop"}], "description": "the saved note"}

    def seen(anchors: tuple[Anchor, ...]) -> dict[str, JsonValue]:
        return {"score": 0.97, "anchors": len(anchors)}

    def missing(_: tuple[Anchor, ...]) -> dict[str, JsonValue]:
        raise MissingTarget("nothing like it", score=0.4)

    def unsure(_: tuple[Anchor, ...]) -> dict[str, JsonValue]:
        raise AmbiguousTarget("two of them", margin=0.0)

    assert run(**spec).outcome is Outcome.COULD_NOT_RUN
    assert run(Scene(find_region=seen), **spec).evidence["score"] == 0.97
    assert run(Scene(find_region=missing), **spec).outcome is Outcome.FAILED
    assert run(Scene(find_region=missing), **spec, visible=False).outcome is Outcome.PASSED
    for visible in (True, False):
        assert run(Scene(find_region=unsure), **spec, visible=visible).outcome is Outcome.COULD_NOT_RUN


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ({"kind": "nonsense"}, ""),
        ({"kind": "file_equals", "path": "/tmp/x"}, "file_equals.equals"),
        ({"kind": "file_equals", "path": "x.txt", "equals": "1"}, "file_equals.path"),
        ({"kind": "file_equals", "path": "/{x}/y", "equals": "1"}, "file_equals.path"),
        ({"kind": "file_equals", "path": "/tmp/../x", "equals": "1"}, "file_equals.path"),
        ({"kind": "file_equals", "path": "/tmp/x", "equals": "{"}, "file_equals.equals"),
        ({"kind": "file_regex", "path": "/tmp/x", "regex": "("}, "file_regex.regex"),
        ({"kind": "file_equals", "path": "/tmp/x", "equals": "1", "shell": "rm"}, "file_equals.shell"),
        ({"kind": "csv_cell", "path": "/tmp/x", "column": 1, "equals": "1"}, "csv_cell"),
        ({"kind": "command", "argv": ["{program}"]}, "command.argv"),
        ({"kind": "http_get", "url": "file:///etc/passwd"}, "http_get.url"),
        ({"kind": "http_get", "url": "http://{host}/"}, "http_get.url"),
        ({"kind": "http_get", "url": "http://me:pw@host/"}, "http_get.url"),
        ({"kind": "xlsx_cell", "path": "/tmp/x", "cell": "7B", "equals": "1"}, "xlsx_cell.cell"),
        ({"kind": "file_equals", "path": "/tmp/x", "equals": "{client}"}, "equals"),
    ],
)
def test_a_wrong_spec_is_refused_with_its_field(spec: dict[str, JsonValue], field: str) -> None:
    problems = problems_of(spec, frozenset({"phone"}))

    assert [problem.partition(": ")[0] for problem in problems] == [
        f"evaluator.{field}" if field else "evaluator"
    ]


def test_a_spec_that_uses_declared_inputs_only_has_no_problems() -> None:
    spec: dict[str, JsonValue] = {
        "kind": "file_regex",
        "path": "/tmp/{client}.txt",
        "regex": r"^{phone}-\d{3}$",
    }

    assert problems_of(spec, frozenset({"client", "phone"})) == []
    assert placeholders(EVALUATOR.validate_python(spec)) == {("path", "client"), ("regex", "phone")}


def test_a_brace_where_nothing_is_filled_is_just_a_brace() -> None:
    region: dict[str, JsonValue] = {"kind": "region", "anchors": [{"kind": "text", "data": {"of": "{"}}]}
    cell: dict[str, JsonValue] = {"kind": "csv_cell", "path": "/tmp/x", "row": 1, "column": 1, "equals": "1"}

    assert problems_of({**region, "description": "the } key"}) == []
    assert problems_of({**cell, "delimiter": "{"}) == []


def test_a_stored_evaluator_comes_back_as_it_was() -> None:
    evaluator = EVALUATOR.validate_python(
        {"kind": "json_value", "path": "/tmp/a", "at": "a[0].b", "equals": "{x}"}
    )

    assert read_stored(to_stored(evaluator)) == evaluator
    assert describe(evaluator) == "json_value /tmp/a"
    with pytest.raises(CouldNotRun):
        read_stored(StoredEvaluator(kind="from_the_future"))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda x: st.lists(x) | st.dictionaries(st.text(), x),
    )
)
@settings(max_examples=40)
def test_no_spec_makes_the_reader_fall_over(spec: JsonValue) -> None:
    assert problems_of({"kind": "file_equals", "path": "/tmp/x", "equals": spec, "options": spec}) is not None


def test_nothing_heavy_is_imported_with_the_package() -> None:
    code = "import sys, memory_store.evaluators; print({'openpyxl', 'cv2', 'pydantic'} & set(sys.modules))"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "set()"


def test_every_kind_and_every_field_of_it_is_documented() -> None:
    page = (Path(__file__).parents[3] / "docs" / "evaluators.md").read_text()
    rows = {line.split("`")[1]: line for line in page.splitlines() if line.startswith("| `")}
    specs: tuple[type[Spec], ...] = (*SINGLE_KINDS, AllOf)
    kinds = {spec.model_fields["kind"].default: spec for spec in specs}

    assert set(rows) == set(kinds)
    for kind, spec in kinds.items():
        missing = [name for name in spec.model_fields if name != "kind" and f"`{name}`" not in rows[kind]]
        assert missing == []


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ({"kind": "http_get", "url": "http://localhost:99999/"}, "url"),
        ({"kind": "http_get", "url": "http://localhost:abc/"}, "url"),
        ({"kind": "http_get", "url": "http://localhost:0/"}, "url"),
        ({"kind": "file_regex", "path": "/tmp/a", "regex": "a{99999999999}"}, "regex"),
        ({"kind": "file_regex", "path": "/tmp/a", "regex": "(" * 900 + ")" * 900}, "regex"),
    ],
)
def test_a_port_or_pattern_that_is_none_is_refused_at_the_door_by_its_field(
    spec: dict[str, JsonValue], field: str
) -> None:
    problems = problems_of(spec)

    assert [problem.split(": ")[0].rpartition(".")[2] for problem in problems] == [field]


def test_half_a_character_in_an_artifact_can_be_told(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"a": "\\ud800x", "b": "nul \\u0000"}')

    for key in ("a", "b"):
        check = run(kind="json_value", path=f"{tmp_path}/a.json", at=key, equals="x")
        assert check.outcome is Outcome.FAILED


def test_a_check_that_breaks_off_has_not_run_and_the_others_of_its_kind_have() -> None:
    def broken(_: object) -> dict[str, JsonValue]:
        raise ZeroDivisionError("in the middle")

    region = {"kind": "region", "anchors": [Anchor(kind="crop").model_dump(mode="json")]}

    check = run(Scene(find_region=broken), kind="all", checks=[region, {"kind": "human", "question": "?"}])

    assert check.outcome is Outcome.COULD_NOT_RUN
    assert "ZeroDivisionError" in check.detail
    assert len(cast("list[JsonValue]", check.evidence["checks"])) == 2

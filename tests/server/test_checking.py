from pathlib import Path
from typing import Any

import pytest

from memory_store.evaluators import Allowed
from memory_store.models import Check, Outcome, Verdict
from server.checking import Recorded, Spec, read_evaluator, recorded_check, scene_of, verdict_for
from server.toolspec import BadArguments
from tests.memory_store.making import AT
from tests.memory_store.recording import Recording

GLOBEX = {"phone": "555-0199"}


def _spec(path: Path, contains: str) -> Spec:
    return {"kind": "file_contains", "path": str(path), "contains": contains}


def _recorded(spec: Spec, inputs: dict[str, str], before: Outcome = Outcome.FAILED) -> Recorded:
    found = Verdict(
        evaluator="file_contains",
        before=Check(outcome=before, at=AT),
        after=Check(outcome=Outcome.PASSED, detail="from the run", at=AT),
    )
    return Recorded(spec, inputs, before=found.before, verdict=found)


def _judge(spec: Spec, recorded: Recorded | None) -> Verdict:
    return verdict_for(spec, scene_of(GLOBEX, Allowed()), recorded)


def test_the_run_s_verdict_speaks_for_the_same_check_with_inputs_put_in(tmp_path: Path) -> None:
    literal = _recorded(_spec(tmp_path / "c.csv", "555-0199"), {})

    judged = _judge(_spec(tmp_path / "c.csv", "{phone}"), literal)

    assert judged.after.detail == "from the run"
    assert judged.before is not None


def test_another_check_is_run_now_and_has_no_before(tmp_path: Path) -> None:
    literal = _recorded(_spec(tmp_path / "c.csv", "555-0199"), {})

    judged = _judge(_spec(tmp_path / "other.csv", "{phone}"), literal)

    assert judged.after.outcome is Outcome.FAILED
    assert judged.before is None


def test_what_was_already_true_is_not_forgotten_by_asking_in_other_words(tmp_path: Path) -> None:
    artifact = tmp_path / "c.csv"
    artifact.write_text("Globex,555-0199")
    already = _recorded(_spec(artifact, "555-0199"), {}, before=Outcome.PASSED)

    judged = _judge(_spec(artifact, "Globex,{phone}"), already)

    assert judged.passed
    assert judged.already_true


def test_a_run_s_check_is_read_back_from_its_manifest(tmp_path: Path) -> None:
    kept = _recorded(_spec(tmp_path / "c.csv", "{phone}"), GLOBEX)
    recording = Recording(tmp_path / "runs")
    plain = recording.read().manifest

    read = recorded_check(plain.model_copy(update={"detail": kept.detail()}))

    assert read == kept
    assert recorded_check(plain) is None
    assert recorded_check(plain.model_copy(update={"detail": {"evaluator": "nonsense"}})) is None


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ({"kind": "no_such_kind"}, "evaluator"),
        ({"kind": "file_exists", "path": "relative"}, "path"),
        ({"kind": "file_exists", "path": "/tmp/{client}"}, "client"),
    ],
)
def test_an_evaluator_that_cannot_be_used_is_named_by_its_field(spec: dict[str, Any], field: str) -> None:
    with pytest.raises(BadArguments, match=field):
        read_evaluator(spec, {"phone": "1"})

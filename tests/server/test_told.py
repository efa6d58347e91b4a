"""A check that was told one value and meets another in what was typed: said, with the way out."""

from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pydantic import JsonValue

from memory_store.evaluators import Allowed
from memory_store.models import Memory, StoredEvaluator, Validation
from server.tools.consolidate import Reach, judged_memory
from server.toolspec import BadArguments
from tests.memory_store.making import make_memory, verdict

TYPED = "555-0100"  # what the memory's step types into its input `phone`


def _validated(spec: dict[str, JsonValue], told: dict[str, str], asked: dict[str, JsonValue]) -> Memory:
    """A candidate made of a run whose check, filled with what it was told, has passed."""
    known = verdict(at=datetime.now(UTC)).model_dump(mode="json")
    detail = {"evaluator": spec, "inputs": told, "before": known["before"], "verdict": known}
    manifest = SimpleNamespace(detail=detail, status=SimpleNamespace(value="finished"))
    run = cast("Any", SimpleNamespace(manifest=manifest, steps=[]))
    validation = Validation(evaluator=StoredEvaluator.model_validate(asked))
    memory = make_memory().model_copy(update={"validation": validation})
    return judged_memory(memory, run, cast("Any", asked), Reach(Allowed(), cast("Any", None)), _no_blob)


def _no_blob(_: object) -> bytes:
    raise AssertionError


def test_what_differs_is_named_with_the_evaluator_that_fits(tmp_path: Path) -> None:
    (tmp_path / f"{TYPED}").write_text("x")
    spec: dict[str, JsonValue] = {"kind": "file_exists", "path": f"{tmp_path}/{{phone}}-0100"}
    fitting: dict[str, JsonValue] = {**spec, "path": f"{tmp_path}/{{phone}}"}

    with pytest.raises(BadArguments) as refused:
        _validated(spec, {"phone": "555"}, spec)
    made = _validated(spec, {"phone": "555"}, fitting)

    said = str(refused.value)
    assert "the recording was told phone='555', step 1 typed '555-0100'" in said
    assert f"{tmp_path}/555-0100-0100" in said
    assert "with {phone} where {phone}-0100 stands" in said
    assert made.validation.verdict is not None
    assert made.validation.verdict.proves
    assert made.reasoning.warnings == ()


def test_another_value_that_the_check_finds_right_is_warned_of(tmp_path: Path) -> None:
    (tmp_path / TYPED).write_text("x")
    spec: dict[str, JsonValue] = {"kind": "file_exists", "path": f"{tmp_path}/{{phone}}"}

    made = _validated(spec, {"phone": "555-9999"}, spec)

    (warning,) = made.reasoning.warnings
    assert "told phone='555-9999', step 1 typed '555-0100'" in warning
    assert "nobody looked" not in warning

"""How a replay ends when all its steps were done: what the evaluator said, and whether that proves it."""

import os
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from actionlens.observation import Window
from ibtr.geometry import Box
from memory_store.bindings import bind
from memory_store.evaluators.scene import Allowed
from memory_store.models import Check, Memory, ReplayId, StoredEvaluator, Validation
from memory_store.quarantine import Ending
from server.replay.checking import conclusion, new_dialog, run_check
from server.replay.session import Session
from server.replay.telling import report_of
from tests.memory_store.making import make_memory

NOW = datetime.now(UTC)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out.txt"


@pytest.fixture
def memory(out: Path) -> Memory:
    spec = {"kind": "file_equals", "path": str(out), "equals": "{phone}"}
    evaluator = StoredEvaluator.model_validate(spec)
    return make_memory().model_copy(update={"validation": Validation(evaluator=evaluator)})


def _check(memory: Memory) -> Check | None:
    pixels = np.zeros((2, 2, 3), np.uint8)
    return run_check(memory, {"phone": "555"}, pixels, lambda _: b"", Allowed(), at=datetime.now(UTC))


def _summary(memory: Memory, before: Check | None, after: Check | None, dialog: str | None = None) -> str:
    session = Session(ReplayId("r1"), memory, bind(memory, {}), NOW)
    session.finish(*conclusion(before, after, dialog))
    return f"{session.ending.value}: {report_of(session).summary}"


def test_an_artifact_that_this_replay_made_is_verified_whatever_is_in_front(
    memory: Memory, out: Path
) -> None:
    before = _check(memory)
    out.write_text("555")

    said = _summary(memory, before, _check(memory), "Error")

    assert said.startswith("verified: ")
    assert "the artifact is verified" in said


def test_one_that_was_so_before_and_is_untouched_proves_nothing(memory: Memory, out: Path) -> None:
    out.write_text("555")

    said = _summary(memory, _check(memory), _check(memory))

    assert said.startswith("done_unverified: ")
    assert conclusion(_check(memory), _check(memory)).evidence == {"unproven": "already_true"}
    assert "already so before; this replay proved nothing" in said
    assert "is verified" not in said


def test_one_that_was_written_again_with_the_same_content_is_verified(memory: Memory, out: Path) -> None:
    out.write_text("555")
    os.utime(out, (1_700_000_000, 1_700_000_000))
    before = _check(memory)
    out.write_text("555")

    assert "the artifact is verified" in _summary(memory, before, _check(memory))


def test_with_a_dialog_that_nobody_knows_an_untouched_artifact_is_not_verified(
    memory: Memory, out: Path
) -> None:
    out.write_text("555")

    said = _summary(memory, _check(memory), _check(memory), "Could not save")

    assert said.startswith("done_unverified: ")
    assert "'Could not save'" in said


def test_only_a_dialog_that_the_recording_did_not_end_in_is_new(memory: Memory) -> None:
    dialog = Window(id=1, title="Error", box=Box(0, 0, 9, 9), dialog=True)
    last = memory.steps[-1]
    after = last.evidence.after.model_copy(update={"dialog": True})
    evidence = last.evidence.model_copy(update={"after": after})
    ended_in_one = memory.model_copy(update={"steps": (last.model_copy(update={"evidence": evidence}),)})

    assert new_dialog(memory, dialog) == "Error"
    assert new_dialog(memory, dialog.model_copy(update={"dialog": False})) is None
    assert new_dialog(memory, None) is None
    assert new_dialog(ended_in_one, dialog) is None


def test_without_an_evaluator_nothing_is_verified() -> None:
    assert conclusion(None, None).ending is Ending.DONE_UNVERIFIED

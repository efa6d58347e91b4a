"""Expected effects of a memory without an evaluator: there after the replay, or the replay has failed."""

from datetime import UTC, datetime
from typing import Any

import pytest

from memory_store.models import Attestation, Check, Outcome, Verdict
from tests.e2e.stage import Stage

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]
NAME = "save_plainly"


@pytest.fixture(scope="module")
async def plain(stage: Stage) -> str:
    """Save, with a file and a window as its effects; a person has seen that it works."""
    await stage.form(text="Globex")
    await stage.call("start_run", goal="Save what the form holds")
    await stage.call("act", action="click", target="Save", **await stage.aim("Save"))
    finished = await stage.call("finish_run")
    effects = [{"kind": "file", "path": str(stage.out)}, {"kind": "window", "title_contains": "Form"}]
    selection = {
        "selected_step_ids": [1],
        "task_intent": "Save what the form holds",
        "query_phrases": ["save the form"],
        "expected_effects": [*effects, "the name is kept"],
        "viable": True,
        "recommendation": "promote",
        "tool_name": NAME,
    }
    await stage.call("consolidate_run", run_id=finished["run_id"], selection=selection)
    at = datetime.now(UTC)
    seen = Verdict(
        evaluator="human", attestation=Attestation.HUMAN, after=Check(outcome=Outcome.PASSED, at=at)
    )
    await stage.app.memories.use(lambda store: store.promote(NAME, seen, at=at))
    return NAME


def _held(report: dict[str, Any]) -> list[bool]:
    return [one["held"] for one in report["evidence"]["effects"]]


async def test_effects_that_are_there_are_told(stage: Stage, plain: str) -> None:
    await stage.form(text="Globex")

    report = await stage.call(plain)

    assert report["ending"] == "done_unverified", report
    assert _held(report) == [True, True]


async def test_an_effect_that_does_not_come_means_failed(stage: Stage, plain: str) -> None:
    await stage.form(text="Globex", out=str(stage.folder / "elsewhere.txt"))

    report = await stage.call(plain)

    assert report["ending"] == "failed", report
    assert _held(report) == [False, True]
    assert str(stage.out) in report["summary"]

from datetime import UTC, datetime, timedelta

import pytest
from pydantic import JsonValue

from server.recording_budget import expect_within
from server.replay.stopped import Stopped

BEGUN = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("detail", "steps", "seconds", "over"),
    [
        ({}, 1000, 1000.0, {}),
        ({"max_steps": 3}, 2, 0.0, {}),
        ({"max_steps": 3}, 3, 0.0, {"max_steps": 3}),
        ({"max_seconds": 60.0}, 0, 60.0, {}),
        ({"max_seconds": 60.0}, 0, 60.1, {"max_seconds": 60.0}),
    ],
)
def test_a_recording_may_go_as_far_as_it_was_started_with(
    detail: dict[str, JsonValue], steps: int, seconds: float, over: dict[str, JsonValue]
) -> None:
    said: dict[str, JsonValue] = {}
    try:
        expect_within(detail, steps, BEGUN, at=BEGUN + timedelta(seconds=seconds))
    except Stopped as exc:
        said = exc.evidence

    assert said == over

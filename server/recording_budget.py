"""Pure: how far a recording may go, by what its run was started with."""

from collections.abc import Mapping
from datetime import datetime

from pydantic import JsonValue

from server.fallback import StopCause
from server.replay.stopped import Stopped


def expect_within(detail: Mapping[str, JsonValue], steps: int, begun: datetime, *, at: datetime) -> None:
    """Before one more act of a run.

    Raises:
        Stopped: the run has taken as many steps, or as long, as it was started with.
    """
    most, limit = detail.get("max_steps"), detail.get("max_seconds")
    if isinstance(most, int) and steps >= most:
        raise Stopped(StopCause.BUDGET, f"this run has its {most} steps: finish_run", max_steps=most)
    if isinstance(limit, int | float) and (at - begun).total_seconds() > limit:
        raise Stopped(StopCause.BUDGET, f"this run has had its {limit:g} s: finish_run", max_seconds=limit)

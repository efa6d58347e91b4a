"""How long things may take: a call, a question, and what is shielded from cancellation."""

import time
from contextvars import ContextVar

CALL_S = 45.0
"""No call takes longer: hosts give up at 60 s, and progress does not help."""
ASK_S = 40.0
"""A question to the user waits so long; then the call ends without an answer."""
WAIT_S = 40.0
"""The longest wait that one act may ask for: its settling and its record come on top."""

SEAL_S = 5.0
"""A run is sealed, a row written: a fraction of a second, unless the disk hangs."""
CLOSE_S = 12.0
"""The desktop lets go and ends, the store is closed; each part has a shorter bound of its own."""
ANSWER_S = 2.0
"""A desktop that is told to end and does not answer for so long is killed: its evidence is on disk."""

_until: ContextVar[float | None] = ContextVar("until", default=None)


def begin_call() -> None:
    """From now on, `left_s` counts down for whatever this call does."""
    _until.set(time.monotonic() + CALL_S)


def left_s(at_most: float) -> float:
    """Seconds that a part of this call may take: `at_most`, or what the parts before it have left."""
    until = _until.get()
    return at_most if until is None else max(0.0, min(at_most, until - time.monotonic()))

"""Pure: a refusal for the person at the terminal: which check failed by how much, and what to type next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ibtr.errors import RejectCause
from server.fallback import StopCause

if TYPE_CHECKING:
    from ibtr.judge import Limits

_LOOK = "`echopath report {id} --html refused.html` shows the screen and the recorded target"
_AGAIN = "then `echopath replay {memory}` again"
_MEND = (
    f"{_LOOK}. A host mends it: tell it to run {{memory}} and to repair the step. Or record the task anew."
)
_NEXT: Mapping[str, str] = {
    RejectCause.MISSING_TARGET: _MEND,
    RejectCause.AMBIGUOUS_TARGET: _MEND,
    RejectCause.CONTRADICTED_TRANSITION: _MEND,
    RejectCause.STATE_MISMATCH: f"Put that right on the desktop, {_AGAIN}. {_LOOK}.",
    RejectCause.FOCUS_DRIFT: f"Bring its window to the front and leave it there, {_AGAIN}. {_LOOK}.",
    RejectCause.PARAMETER_CONFLICT: (
        "`echopath memories show {memory}` lists its inputs; then "
        "`echopath replay {memory} --input NAME=VALUE`."
    ),
    RejectCause.UNSAFE_ACTION: "`echopath doctor` says which policy file holds; only you change it.",
    StopCause.BUDGET: "`echopath replay {memory}` with more --max-steps or --max-seconds.",
    StopCause.BUSY: f"Wait until the desktop is free, {_AGAIN}.",
    StopCause.PERSON: f"Leave the mouse alone, {_AGAIN}.",
}
"""By cause; of any other, the report tells all that is known."""
_CHECKS = {
    "score": "the picture",
    "spot": "what is under the click",
    "core": "the widget",
    "weakest": "its least part",
    "colour": "its colours",
    "context": "what stands around it",
    "margin": "the distance to the next best",
}
"""Likenesses that are to reach the limit of the same name."""
SEEN = frozenset({*_CHECKS, "letters", "fresh", "scale", "point", "reads", "misread_px"})
"""What a refusal tells of the place that came nearest: numbers for machines."""


def next_command(cause: str, known: Mapping[str, object], *, replay_id: str, memory: str) -> str:
    """One sentence or two: what a person does about a refusal at the command line."""
    if "lifecycle" in known or "lifecycle" in str(known.get("gates", "")):
        says = (
            "`echopath memories show {memory}` says why it is out of use, "
            "`echopath memories promote {memory}` ends that."
        )
    else:
        says = _NEXT.get(cause, "`echopath report {id}` tells all that is known.")
    return f"next: {says.format(id=replay_id, memory=memory)}"


def fell_short(known: Mapping[str, object]) -> str:
    """Which likeness of the place that came nearest is below its bar; empty where none is known to be."""
    from ibtr.judge import DEFAULT

    short = [*_short(known, DEFAULT)]
    if isinstance(new := known.get("fresh"), float) and new > DEFAULT.fresh:
        short.append(f"what is new at the click {new:.2f} (at most {DEFAULT.fresh:g})")
    if "reads" in known and isinstance(letters := known.get("letters"), float):
        short.append(f"its least letter is {-letters:.2f} below the others (at most {DEFAULT.alone:g})")
    return f"the nearest place: {', '.join(short)}" if short else ""


def _short(known: Mapping[str, object], limits: Limits) -> Iterator[str]:
    for name, words in _CHECKS.items():
        bar = limits.support if name == "context" else float(getattr(limits, name))
        value = known.get(name)
        if isinstance(value, float | int) and value < bar:
            yield f"{words} {value:.2f} (needs {bar:g})"

"""The words for no.

    EchoPathError                     anything EchoPath itself says went wrong
    ├── BadImage                      the pixels handed in are not a usable screenshot
    ├── BadEvidence                   what was stored of a target cannot be read
    └── Rejected                      a gate said no before the input event; numbers in `evidence`
        ├── StateMismatch             state_mismatch: the desktop is not where the memory starts
        ├── MissingTarget             missing_target: nothing on the screen is the remembered target
        ├── AmbiguousTarget           ambiguous_target: more than one place could be it
        ├── FocusDrift                focus_drift: another window has the keyboard
        ├── ContradictedTransition    contradicted_transition: a step did not lead where it led before
        ├── ParameterConflict         parameter_conflict: a value that may not change would have to
        ├── UnsupportedAction         unsupported_action: this desktop cannot do that
        └── UnsafeAction              unsafe_action: the policy forbids it

Each package keeps its other errors in its own `errors.py`, under the same root.
"""

from enum import StrEnum
from typing import ClassVar


class RejectCause(StrEnum):
    """Why a step or a replay was refused; the machine-readable half of every refusal."""

    STATE_MISMATCH = "state_mismatch"
    MISSING_TARGET = "missing_target"
    AMBIGUOUS_TARGET = "ambiguous_target"
    FOCUS_DRIFT = "focus_drift"
    CONTRADICTED_TRANSITION = "contradicted_transition"
    PARAMETER_CONFLICT = "parameter_conflict"
    UNSUPPORTED_ACTION = "unsupported_action"
    UNSAFE_ACTION = "unsafe_action"


class EchoPathError(Exception):
    """Root of everything EchoPath raises on purpose; its text is fit for a user."""


class BadImage(EchoPathError):
    """The pixels handed in are not a usable screenshot or crop."""


class BadEvidence(EchoPathError):
    """What was stored of a target cannot be read; nothing was searched."""


class Rejected(EchoPathError):
    """A gate said no before the input event. Raise a subclass; its `cause` is fixed.

    `evidence` holds plain JSON values only: the numbers behind the sentence.
    """

    cause: ClassVar[RejectCause]

    def __init__(self, message: str, **evidence: object) -> None:
        super().__init__(message)
        self.evidence = evidence


class StateMismatch(Rejected):
    """The desktop is not where the memory starts."""

    cause = RejectCause.STATE_MISMATCH


class MissingTarget(Rejected):
    """Nothing on the screen is the remembered target."""

    cause = RejectCause.MISSING_TARGET


class AmbiguousTarget(Rejected):
    """More than one place could be the remembered target."""

    cause = RejectCause.AMBIGUOUS_TARGET


class FocusDrift(Rejected):
    """Another window has the keyboard."""

    cause = RejectCause.FOCUS_DRIFT


class ContradictedTransition(Rejected):
    """A step did not lead where it led when it was recorded."""

    cause = RejectCause.CONTRADICTED_TRANSITION


class ParameterConflict(Rejected):
    """A value that may not change would have to."""

    cause = RejectCause.PARAMETER_CONFLICT


class UnsupportedAction(Rejected):
    """This desktop cannot do what was asked."""

    cause = RejectCause.UNSUPPORTED_ACTION


class UnsafeAction(Rejected):
    """The policy forbids it."""

    cause = RejectCause.UNSAFE_ACTION

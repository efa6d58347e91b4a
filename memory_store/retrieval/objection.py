"""The words for what speaks against running a memory unseen."""

from enum import StrEnum
from typing import NamedTuple


class Objection(StrEnum):
    """The ways a memory can be wrong for a request although the words look alike."""

    OPPOSITE = "opposite"
    OTHER_EFFECT = "other_effect"
    FIXED_VALUE = "fixed_value"
    EXTRA_EFFECT = "extra_effect"
    QUESTION = "question"
    TOLD = "told"
    OTHER_APPLICATION = "other_application"
    UNEXPLAINED = "unexplained"
    NARROWER = "narrower"
    REVERSED = "reversed"
    AMBIGUOUS = "ambiguous"
    WEAK = "weak"
    GATE = "gate"


class Against(NamedTuple):
    """One point against a memory: its kind, a sentence, the words it is about, what it costs in rank."""

    kind: Objection
    says: str
    words: tuple[str, ...] = ()
    cost: float = 0.0
    share: float = 0.0
    """Of the request's weight, where it is about a part of it."""

    def __str__(self) -> str:
        return f"{self.kind}: {self.says}"

"""Artifact validation: the evaluator and what it said, v_m of the paper (2.1)."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field, model_validator

from memory_store.models.base import Digest, JsonObject, Line, Moment, OpenRecord, Record
from memory_store.models.evidence import refs_in


class StoredEvaluator(OpenRecord):
    """An evaluator's declarative spec, opaque here: `kind` is the tag; `{input}` placeholders stay."""

    kind: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,31}$")]


class Outcome(StrEnum):
    """What one run of an evaluator said."""

    PASSED = "passed"
    FAILED = "failed"
    COULD_NOT_RUN = "could_not_run"


class Check(Record):
    """One run of an evaluator: what it said, and the evidence for it."""

    outcome: Outcome
    detail: Line = ""
    evidence: JsonObject = Field(default_factory=dict)
    artifact_sha256: Digest | None = None
    at: Moment


class Attestation(StrEnum):
    """Who vouches for a verdict. A host's own word is weaker than an evaluator we ran."""

    EVALUATOR = "evaluator"
    HUMAN = "human"
    HOST = "host_attested"


class Verdict(Record):
    """The evaluator before and after the work; what was true before cannot promote."""

    evaluator: Annotated[Line, Field(min_length=1)]
    attestation: Attestation = Attestation.EVALUATOR
    before: Check | None = None
    after: Check

    @property
    def passed(self) -> bool:
        """Whether the artifact is right now."""
        return self.after.outcome is Outcome.PASSED

    @property
    def already_true(self) -> bool:
        """Whether the artifact was right before anything was done."""
        return self.before is not None and self.before.outcome is Outcome.PASSED

    @property
    def before_unknown(self) -> bool:
        """Whether an evaluator says yes that may have said so before the work, too: nobody asked it."""
        return self.passed and self.before is None and self.attestation is Attestation.EVALUATOR

    def is_from_after(self, moment: datetime) -> bool:
        """Whether all of it was seen after a moment, and in the order of the work: first no, then yes."""
        return self.after.at > moment and (self.before is None or moment < self.before.at <= self.after.at)

    @property
    def is_half(self) -> bool:
        """Whether an evaluator of ours ran once, and nobody knows what it says to the other state."""
        ran = self.after.outcome is not Outcome.COULD_NOT_RUN
        return ran and self.before is None and self.attestation is Attestation.EVALUATOR

    @property
    def proves(self) -> bool:
        """Whether the work made the difference, whoever vouches for it."""
        return self.passed and not self.already_true and not self.before_unknown


class Validation(Record):
    """The evaluator that replays run, and the verdict on the recorded run."""

    evaluator: StoredEvaluator | None = None
    verdict: Verdict | None = None

    @model_validator(mode="after")
    def _references_can_be_read(self) -> "Validation":
        if self.evaluator is not None:
            tuple(refs_in(self.evaluator.plain()))
        return self

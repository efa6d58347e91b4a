"""What a host is told of a replay: its ending, and unless that is good the cause, the step, what next."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationInfo, field_validator

from memory_store.models import ReplayId
from memory_store.quarantine import Ending
from server.fallback import leads_on


class Report(BaseModel):
    """One replay, as its tool answers it. Structured, small, never with an image."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    replay_id: ReplayId
    memory: Annotated[str, Field(description="Tool name of the memory.")]
    ending: Annotated[
        Ending,
        Field(
            description="verified; done_unverified (no evaluator, or it was already so before); failed "
            "(evaluator says no, or an effect is missing); rejected (nothing was touched); "
            "stopped (something was done); "
            "cancelled; running"
        ),
    ]
    summary: Annotated[str, Field(description="One sentence.")]
    steps_done: int = 0
    steps_total: int = 0
    seconds: float = 0.0
    cause: Annotated[str | None, Field(description="Why it was refused or stopped.")] = None
    step: Annotated[int | None, Field(description="Where, counted from 1.")] = None
    evidence: Annotated[dict[str, JsonValue], Field(description="The numbers behind the cause.")] = {}
    may_have_changed: Annotated[list[str], Field(description="What the done steps may have changed.")] = []
    verdict: Annotated[str | None, Field(description="What the evaluator said of the artifact.")] = None
    next: Annotated[list[str], Field(description="Tools that lead on, the best first.")] = []

    @field_validator("next", mode="after")
    @classmethod
    def _of_a_memory_in_use(cls, told: list[str], info: ValidationInfo) -> list[str]:
        return leads_on(told, info.data.get("evidence", {}))

    def answer(self) -> dict[str, JsonValue]:
        """As JSON, without what is empty."""
        full = self.model_dump(mode="json")
        return {name: value for name, value in full.items() if value not in (None, [], {}, "")}

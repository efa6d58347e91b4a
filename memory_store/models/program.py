"""The executable action program: A_m of the paper (2.1), each step with its role and its evidence."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, JsonValue

from actionlens.actions import ACTION, Action
from memory_store.models.base import Line, OpenRecord, Record
from memory_store.models.evidence import SourceStep, StepEvidence


class StepRole(StrEnum):
    """Whether a step may be skipped when its work is already done."""

    REQUIRED = "required"
    STARTUP = "startup"
    GUARD = "guard"


class StepAction(OpenRecord):
    """An action as recorded, in ActionLens' flat JSON form: `action` is the tag, the rest its parameters.

    An action that this version does not know is kept, and blocks promotion instead of being lost.
    """

    action: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,31}$")]

    @property
    def parameters(self) -> dict[str, JsonValue]:
        """Everything but the tag."""
        return {name: value for name, value in self.plain().items() if name != "action"}

    def typed(self) -> Action:
        """The action as ActionLens executes it.

        Raises:
            pydantic.ValidationError: this version does not know it, or not with these parameters.
        """
        return ACTION.validate_python(self.plain())


class Step(Record):
    """One action of the program, what it was aimed at, and where it comes from."""

    action: StepAction
    role: StepRole = StepRole.REQUIRED
    target: Line = ""
    """Words for what was meant, from `act`."""
    expect: Line = ""
    """What must be visible next, from `act`."""
    succeeded: bool = True
    error: Line = ""
    evidence: StepEvidence = StepEvidence()
    source: SourceStep | None = None

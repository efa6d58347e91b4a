"""The lines of a run directory, one frozen model each."""

from enum import StrEnum
from typing import Annotated, Literal, NewType

from pydantic import AwareDatetime, Field, JsonValue

from actionlens.actions import Action
from actionlens.errors import Sent
from actionlens.observation import Observation, Record
from ibtr.geometry import Box, Size

RunId = NewType("RunId", str)
StepId = NewType("StepId", int)


class RunStatus(StrEnum):
    """How a run stands; one that died reads `interrupted`, though nobody could write that."""

    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"


class StepStatus(StrEnum):
    """How a step ended; `outcome_unknown` is a step that started and has no end."""

    OK = "ok"
    ERROR = "error"
    CANCELLED = "cancelled"
    OUTCOME_UNKNOWN = "outcome_unknown"


class Request(Record):
    """What a caller asked for: the action, and what it meant by it."""

    action: Action
    target: Annotated[str | None, Field(max_length=500, description="Words for what is meant.")] = None
    expect: Annotated[str | None, Field(max_length=500, description="What must be visible next.")] = None
    source: Annotated[dict[str, JsonValue], Field(description="Where the request came from.")] = {}


class Settled(Record):
    """What was waited for after an action, and for how long."""

    still: Annotated[bool, Field(description="False if the cap was reached first.")]
    waited_s: float
    cap_s: float
    looks: Annotated[int, Field(description="Grabs taken.")]
    ignored: Annotated[
        tuple[Box, ...], Field(description="Small places that kept changing, in image pixels.")
    ] = ()
    early: Annotated[bool, Field(description="Ended before that: what comes next was there, and still.")] = (
        False
    )


class StepStarted(Record):
    """Written before the first input event."""

    record: Literal["step_started"] = "step_started"
    step: StepId
    at: AwareDatetime
    request: Request
    before: Observation


class StepEnded(Record):
    """Written after the last input event, also when it failed."""

    record: Literal["step_ended"] = "step_ended"
    step: StepId
    at: AwareDatetime
    status: Literal[StepStatus.OK, StepStatus.ERROR, StepStatus.CANCELLED]
    duration_s: float
    output: dict[str, JsonValue] = {}
    error: str | None = None
    sent: Annotated[Sent | None, Field(description="How much of its input went out; older runs: null.")] = (
        None
    )
    settled: Settled | None = None
    after: Observation | None = None
    timings_s: Annotated[dict[str, float], Field(description="Where the time went, by phase.")] = {}


class Looked(Record):
    """A standalone observation."""

    record: Literal["observation"] = "observation"
    seen: Observation
    note: str | None = None


class Happened(Record):
    """A lifecycle event of the run."""

    record: Literal["event"] = "event"
    at: AwareDatetime
    event: str
    detail: dict[str, JsonValue] = {}


class StoredFrame(Record):
    """Where the pixels of a frame are: a whole PNG, or a patch on an earlier frame."""

    record: Literal["frame"] = "frame"
    frame: str
    file: str
    sha256: Annotated[str, Field(description="Digest of the file.")]
    image: Size
    base: Annotated[str | None, Field(description="Frame that the patch lies on.")] = None
    at_px: Annotated[Box | None, Field(description="Where the patch lies.")] = None


class Manifest(Record):
    """What the run was, readable without its records (paper, B.1)."""

    format: Literal[1] = 1
    run_id: RunId
    source_agent: str
    task_goal: str
    controller: str
    status: RunStatus
    started_at: AwareDatetime
    ended_at: AwareDatetime | None = None
    paths: dict[str, str]
    counts: dict[str, int]
    outputs: Annotated[tuple[str, ...], Field(description="Artifacts that the run names as its result.")] = ()
    detail: dict[str, JsonValue] = {}

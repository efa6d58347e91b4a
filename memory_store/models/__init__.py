"""The nine-tuple as typed models (paper, 2.1), one file per part of it."""

from actionlens.records import RunId
from memory_store.models.base import (
    BlobId,
    Digest,
    JsonObject,
    MemoryId,
    OpenRecord,
    Record,
    ReplayId,
)
from memory_store.models.conditions import (
    Condition,
    FileCondition,
    LaunchCondition,
    NoteCondition,
    RegionCondition,
    WindowCondition,
)
from memory_store.models.evidence import Anchor, BlobRef, SourceStep, StepEvidence, Surroundings, TargetEnd
from memory_store.models.inputs import INPUT_PATTERNS, FlexibleInput, InputKind, Place
from memory_store.models.memory import SCHEMA_VERSION, Keys, Lifecycle, Lineage, Memory, Origin
from memory_store.models.program import Step, StepAction, StepRole
from memory_store.models.reasoning import (
    DroppedStep,
    NotAgain,
    NotAgainCause,
    ReasoningReport,
    Recommendation,
)
from memory_store.models.validation import Attestation, Check, Outcome, StoredEvaluator, Validation, Verdict

__all__ = [
    "INPUT_PATTERNS",
    "SCHEMA_VERSION",
    "Anchor",
    "Attestation",
    "BlobId",
    "BlobRef",
    "Check",
    "Condition",
    "Digest",
    "DroppedStep",
    "FileCondition",
    "FlexibleInput",
    "InputKind",
    "JsonObject",
    "Keys",
    "LaunchCondition",
    "Lifecycle",
    "Lineage",
    "Memory",
    "MemoryId",
    "NotAgain",
    "NotAgainCause",
    "NoteCondition",
    "OpenRecord",
    "Origin",
    "Outcome",
    "Place",
    "ReasoningReport",
    "Recommendation",
    "Record",
    "RegionCondition",
    "ReplayId",
    "RunId",
    "SourceStep",
    "Step",
    "StepAction",
    "StepEvidence",
    "StepRole",
    "StoredEvaluator",
    "Surroundings",
    "TargetEnd",
    "Validation",
    "Verdict",
    "WindowCondition",
]

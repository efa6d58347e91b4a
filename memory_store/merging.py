"""Pure: the child that a merge makes of two memories. It is as good as the worse of them."""

from typing import Final

from memory_store.edits import Birth, child_of
from memory_store.errors import MergeRefused
from memory_store.graph import SharedPath, find_within, shared_prefix, signatures_of
from memory_store.models import (
    Attestation,
    Keys,
    Lifecycle,
    Memory,
    Origin,
    ReasoningReport,
    Recommendation,
    Step,
    Validation,
    Verdict,
)

_DOUBTED: Final = frozenset({Lifecycle.REJECTED, Lifecycle.QUARANTINED})


def merged(first: Memory, second: Memory, birth: Birth) -> Memory:
    """A child of two memories, one of whose programs is the other's, its prefix or a subpath of it.

    The child runs the longer program; its shared steps are found by the evidence of both. Only where the
    programs are equal does it answer to the phrases of both: nothing may be found for less than it does.
    What stands in the way of either stands in its way; a verdict is taken over only where both are proven.

    Raises:
        MergeRefused: neither program lies within the other.
    """
    long, short = (first, second) if len(first.steps) >= len(second.steps) else (second, first)
    shared = find_within(signatures_of(short), signatures_of(long))
    if shared is None:
        prefix = shared_prefix(signatures_of(first), signatures_of(second))
        raise MergeRefused(
            f"neither program is a prefix or subpath of the other; they share their first {prefix} steps",
            first=first.id,
            second=second.id,
            shared_prefix=prefix,
        )
    verdict = _joined_verdict(long, short)
    changes: dict[str, object] = {
        "steps": _joined_steps(long, short, shared),
        "reasoning": _joined_reasoning(long.reasoning, short.reasoning),
        "validation": Validation(evaluator=long.validation.evaluator, verdict=verdict),
    }
    if len(long.steps) == len(short.steps):
        changes["keys"] = _joined_keys(long, short)
        changes["applications"] = tuple(dict.fromkeys((*long.applications, *short.applications)))
    return child_of(long, changes, Origin.MERGED, (first, second), birth)


def _joined_steps(long: Memory, short: Memory, shared: SharedPath) -> tuple[Step, ...]:
    steps = list(long.steps)
    for offset, donor in enumerate(short.steps):
        step = steps[shared.start + offset]
        known = {anchor.model_dump_json() for anchor in step.evidence.anchors}
        fresh = tuple(anchor for anchor in donor.evidence.anchors if anchor.model_dump_json() not in known)
        evidence = step.evidence.model_copy(update={"anchors": (*step.evidence.anchors, *fresh)})
        done = {"succeeded": step.succeeded and donor.succeeded, "error": step.error or donor.error}
        steps[shared.start + offset] = step.model_copy(update={"evidence": evidence, **done})
    return tuple(steps)


def _joined_verdict(long: Memory, short: Memory) -> Verdict | None:
    """The longer one's, as weak as the weaker word; none where either is unproven or was taken out of use."""
    ours, theirs = long.validation.verdict, short.validation.verdict
    if (
        not (ours and ours.proves and theirs and theirs.proves)
        or {long.lifecycle, short.lifecycle} & _DOUBTED
    ):
        return None
    return ours.model_copy(update={"attestation": Attestation.HOST}) if _by_host(theirs) else ours


def _by_host(verdict: Verdict) -> bool:
    return verdict.attestation is Attestation.HOST


def _joined_reasoning(long: ReasoningReport, short: ReasoningReport) -> ReasoningReport:
    """The longer one's report, with everything in it that stands in the way of the other."""
    both = {long.recommendation, short.recommendation} == {Recommendation.PROMOTE}
    return long.model_copy(
        update={
            "viable": long.viable and short.viable,
            "recommendation": Recommendation.PROMOTE if both else Recommendation.REJECT,
            "blockers": tuple(dict.fromkeys((*long.blockers, *short.blockers))),
        }
    )


def _joined_keys(long: Memory, short: Memory) -> Keys:
    phrases = (*long.keys.query_phrases, short.keys.task_intent, *short.keys.query_phrases)
    fresh = (phrase for phrase in dict.fromkeys(phrases) if phrase != long.keys.task_intent)
    return Keys(task_intent=long.keys.task_intent, query_phrases=tuple(fresh))

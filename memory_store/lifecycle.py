"""Pure: the legal moves of a memory, and everything that stands in the way of its promotion (paper, B.2)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from pydantic import ValidationError

from actionlens.actions import KEYBOARD_ACTIONS, POINTER_ACTIONS
from actionlens.problems import in_words
from memory_store.errors import IllegalTransition
from memory_store.models import (
    Attestation,
    JsonObject,
    Lifecycle,
    Memory,
    Outcome,
    Recommendation,
    Step,
    Verdict,
)

LEGAL_MOVES: Final[Mapping[Lifecycle, tuple[Lifecycle, ...]]] = MappingProxyType(
    {
        Lifecycle.CANDIDATE: (Lifecycle.ACTIVE, Lifecycle.REJECTED, Lifecycle.DEPRECATED),
        Lifecycle.ACTIVE: (Lifecycle.QUARANTINED, Lifecycle.DEPRECATED),
        Lifecycle.QUARANTINED: (Lifecycle.ACTIVE, Lifecycle.REJECTED, Lifecycle.DEPRECATED),
        Lifecycle.REJECTED: (Lifecycle.DEPRECATED,),
        Lifecycle.DEPRECATED: (),
    }
)
"""A rejected memory comes back only as a branch; that, and a quarantined one, only with a newer verdict."""


def check_move(memory_id: str, source: Lifecycle, target: Lifecycle) -> None:
    """Let a legal move pass.

    Raises:
        IllegalTransition: the table has no such move.
    """
    if target not in LEGAL_MOVES[source]:
        raise IllegalTransition(memory_id, source, target, [state.value for state in LEGAL_MOVES[source]])


_CONFIRM: Final = 'vouch for it: `echopath memories promote {} --confirmed "what you saw"`'
SUPPORTED_ACTIONS: Final[frozenset[str]] = POINTER_ACTIONS | KEYBOARD_ACTIONS | {"observe", "wait"}


class BlockerCode(StrEnum):
    """What can stand in the way of a promotion; the machine-readable half."""

    ACTION_FAILED = "action_failed"
    UNSUPPORTED_ACTION = "unsupported_action"
    VALIDATION_ABSENT = "validation_absent"
    VALIDATION_NEGATIVE = "validation_negative"
    VALIDATION_DID_NOT_RUN = "validation_did_not_run"
    ALREADY_TRUE = "already_true"
    BEFORE_UNKNOWN = "before_unknown"
    HOST_ATTESTED = "host_attested"
    VERDICT_TOO_OLD = "verdict_too_old"
    NOT_VIABLE = "not_viable"
    NOT_RECOMMENDED = "not_recommended"
    BLOCKERS_REMAIN = "blockers_remain"


@dataclass(frozen=True, slots=True)
class Blocker:
    """One reason why a memory cannot become active."""

    code: BlockerCode
    detail: str
    evidence: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PromotionRules:
    """What counts as proof here."""

    supported_actions: frozenset[str] = SUPPORTED_ACTIONS
    allow_host_attested: bool = False
    verdict_after: datetime | None = None
    """Set where something speaks against the old proof: only a verdict from after that moment counts."""
    doubt: str = "the quarantine"
    """What that was: the quarantine or rejection of the memory, or of one whose verdict it has taken over."""
    imported: bool = False
    """Set where nobody here has seen its work done: it or a parent was imported, and never promoted here."""


def promotion_blockers(memory: Memory, rules: PromotionRules) -> tuple[Blocker, ...]:
    """Everything that stands in the way, in the order in which a person would fix it."""
    return tuple(blocker for check in _CHECKS for blocker in check(memory, rules))


def promotion_warnings(memory: Memory) -> tuple[str, ...]:
    """What does not block but should be read first."""
    weak = (
        f"step {index}: weak evidence: {step.evidence.weak}"
        for index, step in enumerate(memory.steps)
        if step.evidence.weak
    )
    return (*weak, *memory.reasoning.warnings)


def _actions(memory: Memory, rules: PromotionRules) -> Iterator[Blocker]:
    for index, step in enumerate(memory.steps):
        where: JsonObject = {"step": index, "action": step.action.action}
        if not step.succeeded:
            why = f": {step.error}" if step.error else ""
            yield Blocker(
                BlockerCode.ACTION_FAILED, f"step {index} ({step.action.action}) failed{why}", where
            )
        if problem := _unsupported(step, rules):
            yield Blocker(BlockerCode.UNSUPPORTED_ACTION, f"step {index}: {problem}", where)


def _unsupported(step: Step, rules: PromotionRules) -> str:
    if step.action.action not in rules.supported_actions:
        return f"{step.action.action} is not supported"
    try:
        step.action.typed()
    except ValidationError as exc:
        return f"{step.action.action} is not valid: {in_words(exc.errors(include_url=False)[0])}"
    return ""


def _validation(memory: Memory, rules: PromotionRules) -> Iterator[Blocker]:
    verdict = memory.validation.verdict
    if verdict is None:
        yield Blocker(BlockerCode.VALIDATION_ABSENT, _unchecked(memory, rules))
        return
    said: JsonObject = {"evaluator": verdict.evaluator, "detail": verdict.after.detail}
    if verdict.after.outcome is Outcome.FAILED:
        detail = (
            f"the evaluator {verdict.evaluator} says no: {verdict.after.detail}. {_make_it_right(memory)}"
        )
        yield Blocker(BlockerCode.VALIDATION_NEGATIVE, detail, said)
    elif verdict.after.outcome is Outcome.COULD_NOT_RUN:
        detail = f"the evaluator {verdict.evaluator} could not run: {verdict.after.detail}"
        yield Blocker(BlockerCode.VALIDATION_DID_NOT_RUN, detail, said)
    if verdict.already_true:
        detail = f"what {verdict.evaluator} checks was already true before the first step"
        yield Blocker(BlockerCode.ALREADY_TRUE, detail, said)
    if verdict.before_unknown:
        yield Blocker(BlockerCode.BEFORE_UNKNOWN, _before_unknown(memory, verdict, rules), said)
    yield from _attestation(memory, verdict, rules)


def _before_unknown(memory: Memory, verdict: Verdict, rules: PromotionRules) -> str:
    """That a yes of now tells nothing by itself, and what helps."""
    if rules.verdict_after is not None and not rules.imported:
        return (
            f"since {rules.doubt} the evaluator has only said yes, to what may be old work. {_anew(memory)}"
        )
    put_back = "Put the artifact back as it was and promote with check_again: it must say no then"
    return (
        f"nobody looked before the first step: what {verdict.evaluator} checks may have been true "
        f"already. {_vouch(memory) if rules.imported else put_back}; or record once more and give "
        "start_run the evaluator"
    )


def _anew(memory: Memory) -> str:
    """How a memory that was doubted is proven anew."""
    return (
        "Put the artifact away and promote with check_again: it says no; do the work by hand with the "
        f"recorded values and do so again: it says yes. Or {_CONFIRM.format(memory.tool_name)}"
    )


def _make_it_right(memory: Memory) -> str:
    if memory.validation.evaluator is None:
        return "Record once more"
    return "Do the work by hand with the recorded values, then promote with check_again"


def _unchecked(memory: Memory, rules: PromotionRules) -> str:
    """That nobody has checked it, and what helps."""
    stored = memory.validation.evaluator
    if not rules.imported:
        helps = (
            "record once more and give start_run an evaluator, or finish_run a region that shows the result"
        )
        if stored is not None:
            helps = f"promote with check_again while the artifact is as the recorded work left it, or {helps}"
        return f"no evaluator has checked the artifact: {helps}; or {_CONFIRM.format(memory.tool_name)}"
    if stored is not None and stored.kind == "human":
        return (
            "it was imported, and nobody has checked it here: promote_memory with check_again asks the user"
        )
    return f"it was imported, and nobody has checked it here. {_vouch(memory)}, or record it here once more"


def _vouch(memory: Memory) -> str:
    return f"Do its work once, look at the result, and {_CONFIRM.format(memory.tool_name)}"


def _attestation(memory: Memory, verdict: Verdict, rules: PromotionRules) -> Iterator[Blocker]:
    if verdict.attestation is Attestation.HOST and not rules.allow_host_attested:
        yield Blocker(
            BlockerCode.HOST_ATTESTED, "only the host vouches for it, and the settings do not allow that"
        )
    if rules.verdict_after is not None and not verdict.is_from_after(rules.verdict_after):
        since: JsonObject = {
            "verdict_at": verdict.after.at.isoformat(),
            "doubted_at": rules.verdict_after.isoformat(),
            "doubt": rules.doubt,
        }
        detail = f"the proof is older than {rules.doubt}. {_anew(memory)}"
        yield Blocker(BlockerCode.VERDICT_TOO_OLD, detail, since)


def _reasoning(memory: Memory, _rules: PromotionRules) -> Iterator[Blocker]:
    if not memory.reasoning.viable:
        yield Blocker(BlockerCode.NOT_VIABLE, "the reasoning report does not call the path viable")
    if memory.reasoning.recommendation is not Recommendation.PROMOTE:
        yield Blocker(BlockerCode.NOT_RECOMMENDED, "the reasoning report recommends rejection")
    for text in memory.reasoning.blockers:
        yield Blocker(BlockerCode.BLOCKERS_REMAIN, f"blocker remains: {text}", {"blocker": text})


_CHECKS: Final[tuple[Callable[[Memory, PromotionRules], Iterable[Blocker]], ...]] = (
    _actions,
    _validation,
    _reasoning,
)

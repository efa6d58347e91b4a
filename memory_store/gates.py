"""The compatibility gates and the weighted score S (paper, B.2), plus the visual-evidence gate.

Pure: facts in, a report out. Each failed gate says why; all of them are reported, not the first.
"""

from dataclasses import dataclass
from enum import StrEnum

from memory_store.retrieval.applications import Agreement
from memory_store.retrieval.ask import Ask
from memory_store.retrieval.searchable import GateFacts


class Gate(StrEnum):
    """The gates, in the paper's order; the last one carries no weight and still refuses."""

    LIFECYCLE = "lifecycle"
    INTENT = "intent"
    TYPE = "type"
    APPLICATION = "application"
    VALIDATION = "validation"
    REASONING = "reasoning"
    ACTIONS = "actions"
    VISUAL_EVIDENCE = "visual_evidence"


@dataclass(frozen=True, slots=True)
class GateLimits:
    """The thresholds and weights of S (paper, B.2)."""

    intent: float = 0.32
    theta: float = 0.75
    w_lifecycle: float = 0.15
    w_intent: float = 0.40
    w_type: float = 0.05
    w_application: float = 0.10
    w_validation: float = 0.15
    w_reasoning: float = 0.10
    w_actions: float = 0.05


PAPER = GateLimits()


@dataclass(frozen=True, slots=True)
class GateReport:
    """Which gates passed, why the others did not, and S; `by_choice` when the host named the memory."""

    failed: dict[Gate, str]
    intent_score: float
    score: float
    theta: float
    by_choice: bool = False

    @property
    def replayable(self) -> bool:
        """Every gate passed and S reached θ."""
        return not self.failed and self.score >= self.theta


def gate(
    ask: Ask, facts: GateFacts, *, agreement: Agreement, intent_score: float, limits: GateLimits = PAPER
) -> GateReport:
    """Judge a memory that a lookup found, with its intent score s_I."""
    failed = _failures(ask, facts, agreement)
    if intent_score < limits.intent:
        failed[Gate.INTENT] = f"intent score {intent_score:.3f} is below {limits.intent}"
    return GateReport(failed, intent_score, _weighted(failed, intent_score, limits), limits.theta)


def gate_named(
    ask: Ask, facts: GateFacts, *, agreement: Agreement = Agreement.UNSAID, limits: GateLimits = PAPER
) -> GateReport:
    """Judge a memory that the host named: its choice passes the intent gate, every other gate runs."""
    failed = _failures(ask, facts, agreement)
    return GateReport(failed, 1.0, _weighted(failed, 1.0, limits), limits.theta, by_choice=True)


def _failures(ask: Ask, facts: GateFacts, agreement: Agreement) -> dict[Gate, str]:
    """Every gate but intent that says no, with its reason."""
    unsupported = sorted(facts.action_kinds - ask.supported_actions)
    steps = ", ".join(str(step) for step in facts.unseen_steps)
    checks = {
        Gate.LIFECYCLE: (facts.lifecycle == "active", f"the memory is {facts.lifecycle}, not active"),
        Gate.TYPE: (facts.task_type == ask.task_type, f"it is a {facts.task_type} task, not {ask.task_type}"),
        Gate.APPLICATION: (agreement.passes, "it was recorded in another application"),
        Gate.VALIDATION: (facts.validation_passed, "no passed artifact validation"),
        Gate.REASONING: (facts.reasoning_viable, "its reasoning report does not call it viable"),
        Gate.ACTIONS: (not unsupported, f"unsupported actions: {', '.join(unsupported)}"),
        Gate.VISUAL_EVIDENCE: (not facts.unseen_steps, f"pointer steps without visual evidence: {steps}"),
    }
    return {name: why for name, (passed, why) in checks.items() if not passed}


def _weighted(failed: dict[Gate, str], intent_score: float, limits: GateLimits) -> float:
    """S(m, τ′, x₀) of the paper."""
    weights = {
        Gate.LIFECYCLE: limits.w_lifecycle,
        Gate.TYPE: limits.w_type,
        Gate.APPLICATION: limits.w_application,
        Gate.VALIDATION: limits.w_validation,
        Gate.REASONING: limits.w_reasoning,
        Gate.ACTIONS: limits.w_actions,
    }
    passed = sum(weight for name, weight in weights.items() if name not in failed)
    return passed + limits.w_intent * intent_score

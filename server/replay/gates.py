"""The gates before anything is looked at or touched; the host's choice passes the intent gate."""

from actionlens.actions import POINTER_ACTIONS
from ibtr.errors import Rejected, StateMismatch, UnsupportedAction
from memory_store.gates import Gate, GateReport, gate_named
from memory_store.models import Memory
from memory_store.retrieval.ask import Ask
from memory_store.retrieval.searchable import GateFacts


def check_gates(memory: Memory) -> GateReport:
    """Run every gate on a memory that the host named.

    Raises:
        UnsupportedAction: it holds an action, or lacks evidence, that this version needs.
        StateMismatch: any other gate said no; all of them in the evidence.
    """
    report = gate_named(Ask(goal=memory.keys.task_intent), facts_of(memory))
    if not report.failed:
        return report
    failed = {name.value: why for name, why in report.failed.items()}
    says = "; ".join(failed.values())
    kind: type[Rejected] = StateMismatch
    if report.failed.keys() <= {Gate.ACTIONS, Gate.VISUAL_EVIDENCE}:
        kind = UnsupportedAction
    raise kind(says, gates=failed, score=round(report.score, 3), theta=report.theta)


def passed(report: GateReport) -> list[str]:
    """Every gate in its order; that of the intent is passed by the host, who named the memory."""
    chosen = {Gate.INTENT: "passed by choice"} if report.by_choice else {}
    return [f"{gate.value}: {chosen.get(gate, 'passed')}" for gate in Gate]


def facts_of(memory: Memory) -> GateFacts:
    """What the gates judge."""
    verdict = memory.validation.verdict
    return GateFacts(
        lifecycle=memory.lifecycle.value,
        validation_passed=verdict is not None and verdict.passed,
        reasoning_viable=memory.reasoning.viable and not memory.reasoning.blockers,
        action_kinds=frozenset(step.action.action for step in memory.steps),
        unseen_steps=tuple(
            number
            for number, step in enumerate(memory.steps, start=1)
            if step.action.action in POINTER_ACTIONS and not step.evidence.anchors
        ),
    )

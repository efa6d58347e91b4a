"""Pure: a run as a host's model reads it: steps, what changed, the proposal. Small, and without pictures."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import JsonValue

from actionlens.actions import Action
from actionlens.wording import clip, parameter_words
from memory_store.consolidation.inputs import ProposedInput, looks_secret, propose_inputs
from memory_store.consolidation.propose import Selected, select
from memory_store.consolidation.roles import applications, propose_roles
from memory_store.consolidation.screens import Change
from memory_store.consolidation.trace import Trace, TracedStep
from memory_store.models import JsonObject, StepRole

MAX_TEXT = 120
MAX_BOXES = 3


@dataclass(frozen=True, slots=True)
class Proposal:
    """What consolidation would do without a host."""

    selected: Selected
    roles: dict[int, StepRole]
    inputs: tuple[ProposedInput, ...]
    applications: tuple[str, ...]
    preconditions: tuple[JsonObject, ...]
    warnings: tuple[str, ...]


def propose(trace: Trace) -> Proposal:
    """The deterministic proposal: the same run gives the same one."""
    selected = select(trace)
    roles = propose_roles(selected.kept)
    return Proposal(
        selected=selected,
        roles=roles,
        inputs=propose_inputs(selected.kept, roles, trace.goal),
        applications=applications(selected.kept),
        preconditions=_preconditions(selected, roles),
        warnings=tuple(_warnings(trace, selected)),
    )


def view(trace: Trace, proposal: Proposal) -> JsonObject:
    """The compacted steps with the proposal beside each; what is empty is left out."""
    steps: list[JsonValue] = [_step(step, proposal) for step in trace.steps]
    inputs: list[JsonValue] = [_input(one) for one in proposal.inputs]
    return _without_empty(
        {
            "run": trace.run_id,
            "goal": clip(trace.goal, MAX_TEXT),
            "applications": [*proposal.applications],
            "steps": steps,
            "flexible_inputs": inputs,
            "preconditions": [*proposal.preconditions],
            "warnings": [*proposal.warnings],
        }
    )


def _step(step: TracedStep, proposal: Proposal) -> JsonObject:
    role = proposal.roles.get(step.id)
    return _without_empty(
        {
            "id": step.id,
            "do": describe(step.action),
            "target": clip(step.target, MAX_TEXT),
            "expect": clip(step.expect, MAX_TEXT),
            "status": "" if step.ok else step.status.value,
            "during": _change(step.during),
            "between": _change(step.between),
            "window": clip(
                f"{step.new_application}: {step.new_title}" if step.new_application else step.new_title,
                MAX_TEXT,
            ),
            "drop": proposal.selected.dropped.get(step.id, ""),
            "doubt": proposal.selected.doubts.get(step.id, ""),
            "role": "" if role in {None, StepRole.REQUIRED} else role,
        }
    )


def describe(action: Action) -> str:
    """An action in a few words."""
    said = parameter_words(action.model_dump(mode="json", exclude={"action"}), MAX_TEXT)
    return f"{action.action} {said}".rstrip()


def _input(one: ProposedInput) -> JsonObject:
    places: list[JsonValue] = [
        {"action_index": place.action_index, "parameter_path": [*place.parameter_path]}
        for place in one.places
    ]
    return {
        "name": one.name,
        "kind": one.kind.value,
        "value": clip(one.value, MAX_TEXT),
        "places": places,
        "why": one.why,
    }


def _change(change: Change) -> JsonObject:
    if not change:
        return {}
    boxes: list[JsonValue] = [list(box) for box in change.boxes[:MAX_BOXES]]
    more = len(change.boxes) - MAX_BOXES
    return {
        "fraction": float(f"{change.fraction:.2g}"),
        "boxes": boxes,
        **({"more": more} if more > 0 else {}),
    }


def _preconditions(selected: Selected, roles: dict[int, StepRole]) -> tuple[JsonObject, ...]:
    """The window in which the work began, unless the steps themselves bring it up."""
    first = selected.kept[0].application if selected.kept else ""
    if not first or StepRole.STARTUP in roles.values():
        return ()
    return ({"kind": "window", "application": first},)


def _warnings(trace: Trace, selected: Selected) -> list[str]:
    failed = [
        f"step {step.id} failed, but the screen changed: later steps may depend on it"
        for step in trace.steps
        if not step.ok and step.changed
    ]
    secrets = [
        f"step {step.id} typed a literal where a secret belongs: re-record it with text_ref"
        for at, step in enumerate(selected.kept)
        if looks_secret(selected.kept, at)
    ]
    return [*failed, *secrets, *trace.missing]


def _without_empty(fields: JsonObject) -> JsonObject:
    return {name: value for name, value in fields.items() if value not in ("", [], {}, None)}

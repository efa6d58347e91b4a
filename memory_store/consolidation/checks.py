"""Pure: everything wrong with a host's selection, against the run that it selects from. All at once."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping, Sequence

from ibtr.geometry import Box
from memory_store.consolidation.conditions import condition_problems
from memory_store.consolidation.inputs import typed
from memory_store.consolidation.propose import reason_of
from memory_store.consolidation.selection import (
    InputChoice,
    Problem,
    RegionChoice,
    Selection,
    failed_fields,
    read_selection,
    readable_conditions,
)
from memory_store.consolidation.trace import Trace, TracedStep
from memory_store.evaluators.registry import problems_of
from memory_store.models import INPUT_PATTERNS, InputKind, Recommendation

_RERECORD = (
    're-record the step with text_ref ("env:NAME" or "keyring:service/name"): a literal stays in the run'
)

_ONE_EACH = "an input is one whole text: record again with one `type` act for each input, or declare one only"


def check_selection(raw: Mapping[str, object], trace: Trace) -> tuple[Selection, list[Problem]]:
    """The selection, and every problem with it; what cannot be read is not checked further."""
    selection, problems = read_selection(raw)
    failed = failed_fields(problems)
    for field, check in _CHECKS:
        if field not in failed:
            problems.extend(check(selection, trace))
    names = None if "flexible_inputs" in failed else _fillable(selection)
    for field in ("preconditions", "expected_effects"):
        problems.extend(_conditions(raw.get(field), field, names, trace))
    return selection, problems


def selected_steps(selection: Selection, trace: Trace) -> list[TracedStep]:
    """The chosen steps that exist, in the order in which they were chosen."""
    by_id = {step.id: step for step in trace.steps}
    return [by_id[step_id] for step_id in selection.selected_step_ids if step_id in by_id]


def _run(_: Selection, trace: Trace) -> Iterator[Problem]:
    if trace.running:
        yield Problem("run", "it is still being recorded", "finish it first")


def _selected(selection: Selection, trace: Trace) -> Iterator[Problem]:
    field, ids = "selected_step_ids", selection.selected_step_ids
    if not ids:
        yield Problem(field, "is empty", "select at least one successful step")
    if list(ids) != sorted(set(ids)):
        yield Problem(
            field, "is not in the recorded order, or names a step twice", "keep the order of the run"
        )
    known = {step.id: step for step in trace.steps}
    for at, step_id in enumerate(ids):
        if step_id not in known:
            yield Problem(f"{field}.{at}", f"the run has no step {step_id}", f"its steps: {_span(trace)}")
        elif reason := reason_of(known[step_id]):
            yield Problem(f"{field}.{at}", f"step {step_id} cannot be replayed ({reason})", "leave it out")


def _dropped(selection: Selection, trace: Trace) -> Iterator[Problem]:
    known = {step.id for step in trace.steps}
    chosen = set(selection.selected_step_ids)
    for at, drop in enumerate(selection.dropped):
        if drop.step_id not in known:
            yield Problem(
                f"dropped.{at}", f"the run has no step {drop.step_id}", f"its steps: {_span(trace)}"
            )
        if drop.step_id in chosen:
            yield Problem(f"dropped.{at}", f"step {drop.step_id} is also selected", "do one of both")
        if not drop.reason.strip():
            yield Problem(f"dropped.{at}.reason", "is empty", "say why the replay does not need it")
    explained = {drop.step_id for drop in selection.dropped}
    silent = [
        step.id for step in trace.steps if reason_of(step) is None and step.id not in chosen | explained
    ]
    if silent:
        yield Problem("dropped", f"no reason for {_steps(silent)}", "give a reason for each, or select it")


def _roles(selection: Selection, _: Trace) -> Iterator[Problem]:
    for step_id in selection.roles:
        if step_id not in selection.selected_step_ids:
            yield Problem(f"roles.{step_id}", "is not a selected step", "give roles to selected steps only")


def _inputs(selection: Selection, trace: Trace) -> Iterator[Problem]:
    steps = selected_steps(selection, trace)
    taken: set[tuple[int, tuple[str, ...]]] = set()
    first: dict[str, tuple[InputChoice, str]] = {}
    for at, choice in enumerate(selection.flexible_inputs):
        where = f"flexible_inputs.{at}"
        place = (choice.action_index, choice.parameter_path)
        if place in taken:
            yield Problem(where, "another input fills the same place", _ONE_EACH)
        taken.add(place)
        value = yield from _value_at(choice, steps, where)
        if value is not None:
            yield from _same_input(choice, value, first, where)


def _value_at(
    choice: InputChoice, steps: Sequence[TracedStep], where: str
) -> Generator[Problem, None, str | None]:
    if choice.action_index >= len(steps):
        count = len(steps)
        yield Problem(f"{where}.action_index", f"there are {count} selected steps", f"give 0 to {count - 1}")
        return None
    step = steps[choice.action_index]
    source = typed(step)
    if source is None or choice.parameter_path != (source[0],):
        path = ".".join(choice.parameter_path)
        fix = f'only ["{source[0]}"] can be' if source else "declare only the text of type and paste steps"
        yield Problem(
            f"{where}.parameter_path",
            f"{path} of step {step.id} ({step.action.action}) cannot be an input",
            fix,
        )
        return None
    yield from _kind(choice, source, f"{where}.kind")
    return source[1]


def _kind(choice: InputChoice, source: tuple[str, str], where: str) -> Iterator[Problem]:
    field, value = source
    if choice.kind is InputKind.SECRET and field == "text":
        yield Problem(where, "a text recorded as a literal cannot become a secret", _RERECORD)
    elif choice.kind is not InputKind.SECRET and field == "text_ref":
        yield Problem(where, "a text recorded by reference is a secret", 'give the kind "secret"')
    elif not re.fullmatch(INPUT_PATTERNS[choice.kind], value):
        yield Problem(where, f"the recorded text is no {choice.kind.value}", "choose the kind that it has")


def _same_input(
    choice: InputChoice, value: str, first: dict[str, tuple[InputChoice, str]], where: str
) -> Iterator[Problem]:
    earlier, its_value = first.setdefault(choice.name, (choice, value))
    if its_value != value:
        yield Problem(f"{where}.name", f"{choice.name} was recorded with two values", "give two names")
    if earlier.kind is not choice.kind:
        yield Problem(f"{where}.kind", f"{choice.name} has two kinds", "give it one")


def _words(selection: Selection, _: Trace) -> Iterator[Problem]:
    if not selection.task_intent.strip():
        yield Problem("task_intent", "is missing", "say in one sentence what the memory does")


def _phrases(selection: Selection, _: Trace) -> Iterator[Problem]:
    if not selection.query_phrases:
        yield Problem("query_phrases", "is empty", "give a few ways in which somebody would ask for this")


def _conditions(raw: object, field: str, names: frozenset[str] | None, trace: Trace) -> Iterator[Problem]:
    """Problems of the conditions that can be read, whatever becomes of the others."""
    for at, condition in readable_conditions(raw):
        where = f"{field}.{at}"
        if isinstance(condition, RegionChoice):
            yield from _region(condition, trace, where)
        else:
            yield from condition_problems(condition, names, where, effect=field == "expected_effects")


def _region(region: RegionChoice, trace: Trace, where: str) -> Iterator[Problem]:
    step = trace.step(region.step_id)
    if step is None:
        yield Problem(
            f"{where}.step_id", f"the run has no step {region.step_id}", f"its steps: {_span(trace)}"
        )
    elif region.frame == "after" and not step.has_after:
        yield Problem(f"{where}.frame", f"step {region.step_id} has no after-frame", 'use "before"')
    elif not (box := Box(*region.box_px)).area or box.clip(step.image) != box:
        size = f"{step.image.width}x{step.image.height}"
        yield Problem(
            f"{where}.box_px", f"does not lie on the frame of {size}", "give x, y, width, height in it"
        )


def _fillable(selection: Selection) -> frozenset[str]:
    """The inputs whose values may be put into a check or a condition."""
    return frozenset(
        choice.name for choice in selection.flexible_inputs if choice.kind is not InputKind.SECRET
    )


def _decision(selection: Selection, _: Trace) -> Iterator[Problem]:
    if selection.viable is None:
        yield Problem("viable", "is missing", "say whether the selected steps alone do the task")
    if selection.recommendation is None:
        yield Problem("recommendation", "is missing", "give promote or reject")
    if selection.recommendation is Recommendation.PROMOTE:
        if selection.viable is False:
            yield Problem("recommendation", "promote, but not viable", "reject it, or make it viable")
        if selection.blockers:
            yield Problem("blockers", "promote, but blockers remain", "resolve them, or reject it")


def _evaluator(selection: Selection, _trace: Trace) -> Iterator[Problem]:
    if selection.evaluator is None:
        return
    for problem in problems_of(selection.evaluator, _fillable(selection)):
        field, _, text = problem.partition(": ")
        yield Problem(field, text, "correct the evaluator")


_CHECKS = (
    ("run", _run),
    ("selected_step_ids", _selected),
    ("dropped", _dropped),
    ("roles", _roles),
    ("flexible_inputs", _inputs),
    ("task_intent", _words),
    ("query_phrases", _phrases),
    ("recommendation", _decision),
    ("evaluator", _evaluator),
)


def _span(trace: Trace) -> str:
    return f"{trace.steps[0].id} to {trace.steps[-1].id}" if trace.steps else "none"


def _steps(ids: Sequence[int]) -> str:
    return f"step{'s' if len(ids) > 1 else ''} {', '.join(map(str, ids))}"

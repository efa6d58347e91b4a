"""From a recorded run to a candidate memory: the host reads the run, and selects."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from anyio import to_thread
from pydantic import Field, JsonValue

from server.app import App
from server.prompts import prompt_text
from server.toolspec import Answer, Arguments, BadArguments, Effect, ToolSpec

if TYPE_CHECKING:
    from actionlens.frames import Pixels
    from actionlens.run_reader import Run
    from memory_store.evaluators import Allowed
    from memory_store.lifecycle import Blocker
    from memory_store.models import Memory, Verdict
    from memory_store.repository import Repository
    from server.operator import Operator
    from server.regions import ReadBlob
    from server.told import Differs

_LONGEST = 36_000
_BULKY = ("during", "between", "expect", "doubt")


class Reach(NamedTuple):
    """What a check at consolidation may use: the policy's lists, and a look at the desktop."""

    allowed: Allowed
    operator: Operator


class ConsolidateRunArguments(Arguments):
    """Make a memory of a finished run: first read its steps and a proposal, then select."""

    run_id: Annotated[str, Field(max_length=60, description="From finish_run.")]
    selection: Annotated[
        dict[str, JsonValue] | None, Field(description="Second call: as the first one's answer explains.")
    ] = None


async def consolidate_run(app: App, ask: ConsolidateRunArguments) -> Answer:
    """Show the run, or take the selection."""
    from server.recordings import read_recording

    run = await to_thread.run_sync(read_recording, app.settings.runs, ask.run_id)
    if ask.selection is None:
        return Answer(data=await to_thread.run_sync(_reading, run))
    made, blockers = await _take(app, run, ask.selection)
    return Answer(
        data={
            "memory": made.tool_name,
            "id": made.id,
            "state": made.lifecycle.value,
            "verdict": _verdict(made.validation.verdict),
            "blockers": [blocker.detail for blocker in blockers],
            "warnings": [*made.reasoning.warnings],
            "next": ["review_memory"] if blockers else ["promote_memory"],
        }
    )


def _reading(run: Run) -> dict[str, Any]:
    """The run as the model reads it, bounded, with what to do about it."""
    from memory_store.consolidate import compact
    from server.checking import recorded_check
    from server.opening import launch_of

    seen = compact(run)
    steps = seen.get("steps")
    if isinstance(steps, list) and len(json.dumps(seen)) > _LONGEST:
        steps[:] = [_brief(step) for step in steps]
        while len(json.dumps(seen)) > _LONGEST and steps:
            steps.pop()
        seen["left_out"] = f"details, and steps beyond these: echopath://runs/{run.manifest.run_id}"
    if (launch := launch_of(run)) is not None:
        seen["preconditions"] = [launch]
    recorded = recorded_check(run.manifest)
    checked: dict[str, Any] = {}
    if recorded:
        checked = {"evaluator": recorded.spec, "evaluator_inputs": recorded.inputs}
        checked["verdict"] = _verdict(recorded.verdict)
        _name_as_checked(seen.get("flexible_inputs"), recorded.inputs)
    return {"how": prompt_text("consolidate"), **seen, **checked, "next": ["consolidate_run"]}


def _name_as_checked(proposed: JsonValue, checked: dict[str, str]) -> None:
    """An input whose value the evaluator knows by a name is proposed under that name."""
    names = {value: name for name, value in checked.items()}
    for one in proposed if isinstance(proposed, list) else []:
        if isinstance(one, dict) and (name := names.get(str(one.get("value")))) is not None:
            one["name"] = name


async def _take(app: App, run: Run, selection: dict[str, JsonValue]) -> tuple[Memory, tuple[Blocker, ...]]:
    from memory_store.errors import SelectionRefused
    from server.regions import in_lines, placed

    _check_name(selection.get("tool_name"))
    allowed = (await app.guard.policy()).allowed()
    frames, agent = app.settings.keep_frames, app.caller.name or app.settings.agent
    evaluator = selection.get("evaluator")
    if isinstance(evaluator, dict):
        told = placed(evaluator, app.operator.pictures(), "selection.evaluator")
        selection = {**selection, "evaluator": told}
    try:
        return await app.memories.use(
            lambda store: _add(
                store, run, selection, Reach(allowed, app.operator), frames=frames, agent=agent
            )
        )
    except SelectionRefused as exc:
        raise BadArguments(in_lines(exc, "selection.")) from exc


def _add(
    store: Repository,
    run: Run,
    selection: dict[str, JsonValue],
    reach: Reach,
    *,
    frames: bool,
    agent: str,
) -> tuple[Memory, tuple[Blocker, ...]]:
    from memory_store.consolidate import consolidate
    from memory_store.transfer import new_memory_id
    from server.checking import recorded_check
    from server.opening import launch_of, launch_warnings

    at = datetime.now(UTC)
    recorded = recorded_check(run.manifest)
    if selection.get("evaluator") is None and recorded:
        selection = {**selection, "evaluator": recorded.spec}
    if not selection.get("preconditions") and (launch := launch_of(run)) is not None:
        selection = {**selection, "preconditions": [launch]}
    with store.writing() as keeper:
        made = consolidate(
            run,
            selection,
            memory_id=new_memory_id(),
            keep=keeper,
            at=at,
            consolidator=agent,
            with_frames=frames,
        )
        _check_name(made.memory.tool_name)
        memory = judged_memory(made.memory, run, selection.get("evaluator"), reach, store.blob)
        if any(one.kind == "launch" for one in memory.preconditions):
            memory = _warned(memory, launch_warnings(run))
        memory = store.add(memory, at=at, because="consolidated from a run")
    return memory, store.blockers(memory)


def judged_memory(memory: Memory, run: Run, asked: JsonValue, reach: Reach, blob: ReadBlob) -> Memory:
    """With the verdict on its own evaluator, and a warning where that cannot tell values apart."""
    from memory_store.evaluators import placeholders, read_stored
    from server.checking import recorded_check, scene_of, verdict_for
    from server.regions import seen_before, sight
    from server.told import cannot_be_both, differing

    evaluator = memory.validation.evaluator
    if evaluator is None:
        return memory
    values = {one.name: one.default for one in memory.inputs if one.default is not None}
    done, look = run.manifest.status.value == "finished", sight(reach.operator, blob)
    recorded = recorded_check(run.manifest)
    judged = verdict_for(
        asked if isinstance(asked, dict) else evaluator.plain(),
        scene_of(values, reach.allowed, host_says=done, find_region=look),
        recorded,
        whole=evaluator.plain(),
        seen_before=seen_before(
            read_stored(evaluator), lambda: _first_screen(run), blob, at=datetime.now(UTC)
        ),
    )
    used = {name for _, name in placeholders(read_stored(evaluator))}
    differ = differing(memory, recorded.inputs if recorded else {}, used)
    if differ and not judged.passed:
        raise BadArguments("\n".join(cannot_be_both(one, judged) for one in differ))
    changed = memory.model_copy(
        update={"validation": memory.validation.model_copy(update={"verdict": judged})}
    )
    return _warned(changed, _warnings(memory, judged, used, differ))


def _first_screen(run: Run) -> Pixels | None:
    return run.frame(run.steps[0].before) if run.steps else None


def _warned(memory: Memory, warnings: list[str]) -> Memory:
    reasoning = memory.reasoning.model_copy(update={"warnings": (*memory.reasoning.warnings, *warnings)})
    return memory.model_copy(update={"reasoning": reasoning})


def _warnings(memory: Memory, judged: Verdict, used: set[str], differ: list[Differs]) -> list[str]:
    from server.told import said

    warnings: list[str] = []
    names = {one.name for one in memory.inputs}
    if names and not used & names:
        warnings.append(
            "the evaluator uses no input: a replay with other values is checked against the recorded ones"
        )
    if judged.before is None and differ:
        told = "; ".join(map(said, differ))
        warnings.append(f"{told}: what was checked before the run was another artifact")
    elif judged.before is None:
        warnings.append("nobody looked before the run: what the evaluator checks may have been true already")
    return warnings


def _check_name(name: JsonValue) -> None:
    from server.catalogue import fixed_names

    if isinstance(name, str) and name in fixed_names():
        raise BadArguments(f"selection.tool_name: {name!r} is the name of a fixed tool; give another one")


def _brief(step: JsonValue) -> JsonValue:
    if not isinstance(step, dict):
        return step
    return {name: value for name, value in step.items() if name not in _BULKY}


def _verdict(found: Verdict | None) -> dict[str, JsonValue] | None:
    if found is None:
        return None
    said: dict[str, JsonValue] = {
        "by": found.evaluator,
        "outcome": found.after.outcome.value,
        "detail": found.after.detail[:400],
    }
    return said | {"already_true": True} if found.already_true else said


TOOLS = (ToolSpec("consolidate_run", ConsolidateRunArguments, Effect.WRITES_STORE, consolidate_run),)

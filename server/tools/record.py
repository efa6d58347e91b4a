"""Begin and end a recording, with the check on its result run before and after."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Self

from anyio import move_on_after, to_thread
from pydantic import Field, JsonValue, model_validator

from actionlens.records import RunStatus
from ibtr.errors import EchoPathError
from server.app import App
from server.bounds import SEAL_S
from server.toolspec import Answer, Arguments, Effect, ToolSpec

if TYPE_CHECKING:
    from actionlens.run_log import RunLog
    from memory_store.models import Check, Verdict
    from server.checking import Recorded
    from server.regions import Cut, ReadBlob

Spec = Annotated[
    dict[str, JsonValue] | None,
    Field(
        description='Check on the result, like {"kind":"file_contains","path":"/home/me/c.csv",'
        '"contains":"{phone}"}. Kinds: '
        "file_exists, file_equals, file_contains, file_regex, json_value, csv_cell, xlsx_cell, xlsx_row, "
        "sqlite_row, command, http_get, human, host_attested, all, and at finish_run region: a box "
        "[x, y, width, height] of the picture frame_id that shows the result."
    ),
]
Values = Annotated[
    dict[str, str], Field(max_length=64, description="Values for {name} in the evaluator, of this run.")
]


_ELSE = (
    "without one, only a person can promote the memory: "
    '`echopath memories promote NAME --confirmed "what you saw"`'
)


class StartRunArguments(Arguments):
    """Start recording a task, before the first act, so that it can become a memory.

    The evaluator is run now, so that what was already true is not taken for success.
    """

    goal: Annotated[str, Field(min_length=1, max_length=2000, description="What the user wants done.")]
    evaluator: Spec = None
    inputs: Values = {}
    open: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=2000)]] | None,
        Field(
            min_length=1,
            max_length=64,
            description='Program to start, like ["mousepad","~/c.txt"]; replays start it, too.',
        ),
    ] = None
    agent: Annotated[str | None, Field(max_length=80, description="Who does it.")] = None
    max_steps: Annotated[int | None, Field(ge=1, le=10_000)] = None
    max_seconds: Annotated[float | None, Field(gt=0)] = None


class FinishRunArguments(Arguments):
    """Finish the recording: check the result, seal the evidence. Then consolidate_run makes a memory."""

    succeeded: Annotated[bool, Field(description="Whether the goal was reached, in your view.")] = True
    outputs: Annotated[list[str], Field(max_length=50, description="Paths of what was made.")] = []
    evaluator: Spec = None
    inputs: Values = {}
    last: Annotated[
        int | None, Field(ge=1, le=1000, description="Keep the last N acts though nobody said start_run.")
    ] = None
    goal: Annotated[str | None, Field(max_length=2000, description="With last: what they did.")] = None

    @model_validator(mode="after")
    def _a_goal_for_the_last(self) -> Self:
        if self.last is not None and not (self.goal or "").strip():
            raise ValueError("goal: say with last what was done")
        return self


async def start_run(app: App, ask: StartRunArguments) -> Answer:
    """Open a run, and look at the artifact first."""
    from server.checking import Recorded
    from server.regions import not_yet

    kept: Recorded | None = None
    if ask.evaluator is not None:
        not_yet(ask.evaluator)
        before = await _checked(app, ask.evaluator, ask.inputs)
        kept = Recorded(ask.evaluator, ask.inputs, before=before)
    lens = await app.operator.lens()
    unfinished = lens.run if lens.run and not lens.run.manifest.detail.get("ambient") else None
    app.operator.tokens = 0
    app.operator.claims.record(ask.agent or app.caller.name or app.settings.agent, ask.goal)
    try:
        log = await lens.start_run(ask.goal, agent=ask.agent, **_begun(ask, kept))
    except EchoPathError:
        app.operator.claims.give_back()
        raise
    said: dict[str, JsonValue] = {"run_id": log.run_id}
    if ask.open is not None:
        said["opened"] = await _opened(app, ask.open)
    if unfinished is not None:
        said["finished"] = f"{unfinished.run_id}, which was still being recorded"
    if kept and kept.before:
        said["before"] = _outcome(kept.before)
        if kept.before.outcome.value == "passed":
            said["warning"] = "already true before the first act: as it is, this run cannot promote a memory"
    if kept is None:
        said["note"] = f"no evaluator: finish_run takes one, too; {_ELSE}"
    return Answer(data=said | {"next": ["observe", "act"]})


async def finish_run(app: App, ask: FinishRunArguments) -> Answer:
    """Check the artifact, then seal the run."""
    lens = await app.operator.lens()
    app.operator.claims.expect_ours()
    run = lens.run
    if run is None or (run.manifest.detail.get("ambient") and ask.last is None):
        note = "nothing is being recorded: start_run begins, or last=N keeps the last N acts"
        return Answer(data={"run_id": None, "note": note})
    judged = await _judged(app, ask, run)
    detail: dict[str, Any] = judged.detail() if judged else {}
    if ask.last is not None:
        detail |= {"last": ask.last, "goal": ask.goal}
    status = RunStatus.FINISHED if ask.succeeded else RunStatus.FAILED
    app.operator.claims.expect_ours()
    detail["host_tokens"] = app.operator.tokens
    manifest = await lens.finish_run(status, tuple(ask.outputs), **detail)
    app.operator.claims.give_back()
    if manifest is None:
        note = "it was sealed meanwhile, without this verdict: the desktop was closed. Record it again"
        return Answer(data={"run_id": run.run_id, "note": note, "next": ["start_run"]})
    steps = min(manifest.counts["actions"], ask.last or manifest.counts["actions"])
    said: dict[str, JsonValue] = {"run_id": manifest.run_id, "steps": steps}
    said["verdict"] = _verdict(judged.verdict) if judged and judged.verdict else None
    if judged and judged.verdict and judged.verdict.after.outcome.value != "passed":
        said["note"] = (
            "the check did not pass, so this run cannot be promoted: put it right, then record again"
        )
        return Answer(data=said | {"next": ["observe", "start_run"]})
    if judged is None and steps:
        said["note"] = (
            "no evaluator has checked the result: give consolidate_run one (selection.evaluator), or record "
            f"again with one (a file, or a region of the screen that shows it); {_ELSE}"
        )
    if steps < (ask.last or 0):
        said["note"] = f"there were only {steps} acts to keep, not {ask.last}"
    return Answer(data=said | {"next": ["consolidate_run"] if steps else ["start_run"]})


def _begun(ask: StartRunArguments, kept: Recorded | None) -> dict[str, Any]:
    opened: dict[str, Any] = {"opened": ask.open} if ask.open is not None else {}
    budget = ask.model_dump(include={"max_steps", "max_seconds"}, exclude_none=True)
    return opened | budget | (kept.detail() if kept else {})


async def _opened(app: App, words: list[str]) -> str:
    """Open the program of this run; a run whose program does not come up is over."""
    from memory_store.evaluators.template import at_home
    from server.opening import open_program

    try:
        window = await open_program(app, [at_home(word) for word in words])
    except BaseException:
        try:
            with move_on_after(SEAL_S, shield=True), suppress(EchoPathError):  # why it failed matters more
                await (await app.operator.lens()).finish_run(RunStatus.FAILED)
        finally:
            app.operator.claims.give_back()
        raise
    return f'"{window.title}" ({window.application})'


async def _judged(app: App, ask: FinishRunArguments, run: RunLog) -> Recorded | None:
    """The run's check with its verdict; an evaluator given only now has nothing to say about before."""
    from memory_store.evaluators import verdict
    from server.checking import Recorded, read_evaluator, recorded_check
    from server.regions import placed, seen_before

    known = recorded_check(run.manifest)
    given = placed(ask.evaluator, app.operator.pictures()) if ask.evaluator is not None else None
    spec = given or (known.spec if known else None)
    if spec is None:
        return None
    inputs = {**(known.inputs if known else {}), **ask.inputs}
    same = known is not None and known.spec == spec and known.inputs == inputs
    before = (
        known.before
        if known and (same or (known.before and known.before.outcome.value == "passed"))
        else None
    )
    read_evaluator(spec, inputs)
    cut = await _cut_out(spec, run, ask.last)
    after = await _checked(app, cut.spec, inputs, host_says=ask.succeeded, after=True, blob=cut.blob)
    evaluator = read_evaluator(cut.spec, inputs)
    if before is None:
        look = partial(seen_before, evaluator, lambda: cut.first, cut.blob, at=datetime.now(UTC))
        before = await to_thread.run_sync(look)
    return Recorded(spec, inputs, before=before, verdict=verdict(evaluator, before, after))


async def _cut_out(spec: dict[str, JsonValue], run: RunLog, last: int | None) -> Cut:
    """The check with its regions cut out of the run so far; the run is read only if it has some."""
    from actionlens.run_reader import read_run
    from memory_store.consolidation.regions import has_named
    from memory_store.writing import Held
    from server.regions import Cut, cut_out

    def read() -> Cut:
        whole = read_run(run.path)
        return cut_out(spec, replace(whole, steps=whole.steps[-last:]) if last else whole)

    return await to_thread.run_sync(read) if has_named(spec) else Cut(spec, Held().get, None)


async def _checked(
    app: App,
    spec: dict[str, JsonValue],
    inputs: dict[str, str],
    *,
    host_says: bool | None = None,
    after: bool = False,
    blob: ReadBlob | None = None,
) -> Check:
    """What the check says now; after the work a person is asked, and late writing is awaited."""
    from server.checking import ask_human, check, read_evaluator, scene_of
    from server.regions import sight

    evaluator = read_evaluator(spec, inputs)
    human = await ask_human(evaluator, inputs, app.caller.confirm) if after else None
    allowed = (await app.guard.policy()).allowed()
    look = sight(app.operator, blob or app.memories.blob)
    scene = scene_of(inputs, allowed, host_says=host_says, human=human, find_region=look)
    return await check(evaluator, scene, wait=after)


def _outcome(found: Check) -> dict[str, JsonValue]:
    return {"outcome": found.outcome.value, "detail": found.detail[:400]}


def _verdict(found: Verdict) -> dict[str, JsonValue]:
    said: dict[str, JsonValue] = {"by": found.evaluator, **_outcome(found.after)}
    if found.already_true:
        said["already_true"] = True
    if found.before is None:
        said["before"] = "unknown: give start_run the evaluator, or the memory is not promoted as it is"
    return said


TOOLS = (
    ToolSpec("start_run", StartRunArguments, Effect.DRIVES_DESKTOP, start_run),
    ToolSpec("finish_run", FinishRunArguments, Effect.CHECKS, finish_run),
)

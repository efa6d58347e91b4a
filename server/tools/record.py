"""Begin and end a recording."""

from typing import Annotated

from pydantic import Field

from actionlens.records import RunStatus
from server.app import App
from server.toolspec import Answer, Arguments, Effect, ToolSpec


class StartRunArguments(Arguments):
    """Start recording a task, before the first act, so that it can become a memory."""

    goal: Annotated[str, Field(min_length=1, max_length=2000, description="What the user wants done.")]
    agent: Annotated[str | None, Field(max_length=80, description="Who does it.")] = None


class FinishRunArguments(Arguments):
    """Finish the recording and seal its evidence."""

    succeeded: Annotated[bool, Field(description="Whether the goal was reached, in your view.")] = True
    outputs: Annotated[list[str], Field(max_length=50, description="Paths of what was made.")] = []


async def start_run(app: App, ask: StartRunArguments) -> Answer:
    """Open a run."""
    lens = await app.operator.lens()
    log = await lens.start_run(ask.goal, agent=ask.agent)
    return Answer(data={"run_id": log.run_id, "next": "observe"})


async def finish_run(app: App, ask: FinishRunArguments) -> Answer:
    """Seal the run."""
    lens = await app.operator.lens()
    status = RunStatus.FINISHED if ask.succeeded else RunStatus.FAILED
    manifest = await lens.finish_run(status, tuple(ask.outputs))
    if manifest is None:
        return Answer(data={"run_id": None, "note": "nothing was being recorded"})
    return Answer(data={"run_id": manifest.run_id, "steps": manifest.counts["actions"]})


TOOLS = (
    ToolSpec("start_run", StartRunArguments, Effect.WRITES_STORE, start_run),
    ToolSpec("finish_run", FinishRunArguments, Effect.WRITES_STORE, finish_run),
)

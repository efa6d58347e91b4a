"""Do again what was recorded."""

from dataclasses import asdict
from typing import Annotated

from anyio import to_thread
from pydantic import Field

from server.app import App
from server.toolspec import Answer, Arguments, Effect, ToolSpec


class ReplayRunArguments(Arguments):
    """Replay a recorded run on the current desktop, or report why it was refused."""

    run_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{1,60}$", description="From finish_run.")]


async def replay_run(app: App, ask: ReplayRunArguments) -> Answer:
    """Plain replay."""
    from actionlens.run_reader import read_run
    from server import replay

    source = await to_thread.run_sync(read_run, app.settings.runs / ask.run_id)
    lens = await app.operator.lens()
    done = await replay.replay_run(lens, source)
    return Answer(data=asdict(done))


TOOLS = (ToolSpec("replay_run", ReplayRunArguments, Effect.DRIVES_DESKTOP, replay_run),)

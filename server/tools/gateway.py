"""Find a memory, read it, run it, wait for it, cancel it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Self

from anyio import to_thread
from pydantic import Field, JsonValue, model_validator

from memory_store.models import Memory, MemoryId, ReplayId
from server.app import App
from server.confirm import unconfirmed
from server.human import judged, judged_now
from server.prompts import prompt_text
from server.report import Report
from server.toolspec import Answer, Arguments, BadArguments, Effect, ToolSpec

if TYPE_CHECKING:
    from memory_store.listing import Damaged
    from memory_store.retrieval.candidates import Candidate

MemoryName = Annotated[str, Field(min_length=1, max_length=64, description="Tool name or id of a memory.")]
Replay = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="replay_id from the replay's report.")
]


class FindMemoryArguments(Arguments):
    """Find a memory of GUI work done before that does what is wanted now. Try this before acting by hand."""

    goal: Annotated[str, Field(min_length=1, max_length=2000, description="What is wanted, with its values.")]
    phrases: Annotated[list[str], Field(max_length=10, description="The same in other words.")] = []
    application: Annotated[str | None, Field(max_length=200, description="Program it must be done in.")] = (
        None
    )
    limit: Annotated[int, Field(ge=1, le=10)] = 5


class DescribeMemoryArguments(Arguments):
    """Describe a memory: steps, inputs, what it needs and proves.

    With preview, a picture of where it would click now; nothing is touched.
    """

    memory: MemoryName
    preview: Annotated[bool, Field(description="Draw each step's target on the screen as it is.")] = False


class RunMemoryArguments(Arguments):
    """Run a memory on the desktop, with new values for its inputs; or go on with a replay that was stopped.

    Ends verified, or refuses before a wrong click and says why.
    """

    memory: MemoryName | None = None
    inputs: Annotated[
        dict[str, JsonValue], Field(description="Values by input name; the rest as recorded.")
    ] = {}
    resume: Annotated[
        str | None, Field(max_length=64, description="Instead of memory: replay_id to go on with.")
    ] = None
    max_steps: Annotated[
        int | None, Field(ge=1, le=1000, description="With resume: so many more; else its budget stays.")
    ] = None
    max_seconds: Annotated[float | None, Field(gt=0, le=3600)] = None

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.memory is None) == (self.resume is None):
            raise ValueError("memory, resume: give one of them")
        if self.resume is not None and self.inputs:
            raise ValueError("inputs: a resumed replay keeps its own")
        return self


class WaitReplayArguments(Arguments):
    """Wait for a replay that said `running`; without this it stops after 15 s at the next step."""

    replay_id: Replay
    seconds: Annotated[float, Field(ge=0, le=45)] = 45.0


class CancelReplayArguments(Arguments):
    """Cancel a running replay between two steps."""

    replay_id: Replay


async def find_memory(app: App, ask: FindMemoryArguments) -> Answer:
    """Ranked memories, and the one that may run without a second look."""
    from memory_store.retrieval import Ask

    wanted = Ask(ask.goal, tuple(ask.phrases), ask.application)
    at = datetime.now(UTC)
    found = await app.memories.use(lambda store: store.find(wanted, at=at))
    fitting = {MemoryId(one.memory_id): one for one in found.candidates if not one.unrelated}
    read = await app.memories.use(lambda store: store.some([*fitting]))
    memories = read.memories[: ask.limit]
    if not memories:
        note = "nothing fits: no memory in use does this; record it once"
        data: dict[str, JsonValue] = {"candidates": [], "safe": None, "note": note, "next": ["start_run"]}
        return Answer(data={**data, **damaged_rows(read.damaged)})
    name = memories[0].tool_name
    return Answer(
        data={
            "candidates": [_candidate(fitting[one.id], one) for one in memories],
            "safe": name if found.accepted == memories[0].id else None,
            "how": prompt_text("choose_inputs", goal=ask.goal, memory=name),
            "next": ["run_memory", "describe_memory", "start_run"],
            **damaged_rows(read.damaged),
        }
    )


async def describe_memory(app: App, ask: DescribeMemoryArguments) -> Answer:
    """The memory in words, and where it would click."""
    from server.described import memory_lines, replay_line
    from server.preview import draw, sight

    memory = await get_memory(app, ask.memory)
    replays = await app.memories.use(lambda store: store.replays(memory.id, limit=20))
    lines = [*memory_lines(memory), replay_line(replays)]
    if not ask.preview:
        return Answer(text="\n".join(lines))
    frame = await app.operator.look(f"preview of {memory.tool_name}")
    sights = await to_thread.run_sync(sight, memory, app.memories.blob, frame.pixels)
    picture = app.operator.pictures().show(draw(frame, sights))
    lines.append(
        f"On the screen now (picture {picture.size.width}x{picture.size.height}, nothing was touched):"
    )
    lines += [one.line(picture.size, frame.image) for one in sights]
    return Answer(text="\n".join(lines), images=((picture.mime, picture.data),))


async def run_memory(app: App, ask: RunMemoryArguments) -> Answer:
    """Start a replay or go on with one."""
    progress = app.caller.progress
    if ask.resume is not None:
        report = await app.replayer.resume(
            ReplayId(ask.resume), max_steps=ask.max_steps, max_seconds=ask.max_seconds, progress=progress
        )
        return _told(await judged(app, report))
    memory = await get_memory(app, ask.memory or "")
    if (known := await judged_now(app, memory, ask.inputs)) is not None:
        return _told(known)
    if refusal := await unconfirmed(app, memory, ask.inputs):
        return _told(refusal)
    report = await app.replayer.run(
        memory, ask.inputs, max_steps=ask.max_steps, max_seconds=ask.max_seconds, progress=progress
    )
    return _told(await judged(app, report))


async def wait_replay(app: App, ask: WaitReplayArguments) -> Answer:
    """Renew the lease and wait."""
    return _told(await judged(app, await app.replayer.wait(ReplayId(ask.replay_id), ask.seconds)))


async def cancel_replay(app: App, ask: CancelReplayArguments) -> Answer:
    """Stop between two steps."""
    return _told(await app.replayer.cancel(ReplayId(ask.replay_id)))


async def get_memory(app: App, wanted: str) -> Memory:
    """A memory by name or id.

    Raises:
        BadArguments: there is none, and where names are found.
    """
    from memory_store.errors import MemoryNotFound

    try:
        return await app.memories.use(lambda store: store.get(wanted))
    except MemoryNotFound as exc:
        raise BadArguments(f"memory: {exc}") from exc


def _candidate(one: Candidate, memory: Memory) -> dict[str, JsonValue]:
    """A candidate: what it does, what it takes, what speaks for and against it."""
    from server.described import input_line

    return {
        "memory": memory.tool_name,
        "does": memory.keys.task_intent,
        "inputs": [input_line(each) for each in memory.inputs],
        "score": round(one.score, 3),
        "for": [*one.reasons_for],
        "against": [str(point) for point in one.against],
    }


def damaged_rows(damaged: list[Damaged]) -> dict[str, JsonValue]:
    """The memories that were left out because their records cannot be read, if there are any."""
    said: dict[str, JsonValue] = {one.tool_name: one.problem for one in damaged}
    return {"damaged": said} if said else {}


def _told(report: Report) -> Answer:
    return Answer(data=report.answer())


TOOLS = (
    ToolSpec("find_memory", FindMemoryArguments, Effect.READS, find_memory, always_load=True),
    ToolSpec(
        "run_memory", RunMemoryArguments, Effect.DRIVES_DESKTOP, run_memory, always_load=True, answers=Report
    ),
    ToolSpec("describe_memory", DescribeMemoryArguments, Effect.READS, describe_memory),
    ToolSpec("wait_replay", WaitReplayArguments, Effect.STEERS, wait_replay, answers=Report),
    ToolSpec("cancel_replay", CancelReplayArguments, Effect.STEERS, cancel_replay, answers=Report),
)

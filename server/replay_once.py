"""One replay from the command line: the same engine, guard and ledger as a host's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import anyio
from anyio import to_thread

from memory_store.quarantine import Ending
from server.bounds import CLOSE_S
from server.build import build_app
from server.caller import Caller
from server.confirm import unconfirmed
from server.replay.budget import Budget
from server.report import Report
from server.settings import Settings

_UNASKED = (
    "The policy wants your yes, and nobody could be asked: this is no terminal. Run it from one, or give "
    "--yes. Nothing was touched."
)


def nobody(_: str) -> bool | None:
    """There is nobody to ask."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """The person who typed the command; `ask` is None when they said yes beforehand."""

    say: Callable[[str], None]
    ask: Callable[[str], bool | None] | None
    present: bool = True
    """Whether somebody can be asked."""
    asks: Callable[[str], bool | None] = nobody
    """Ask about the result of a replay; None where nobody is there."""

    async def progress(self, done: int, total: int, text: str) -> None:
        """How far it is."""
        self.say(f"{done}/{total} {text}")

    async def judge(self, question: str) -> bool | None:
        """Whether the result is right: a yes that was said beforehand is none to this."""
        return await to_thread.run_sync(self.asks, question)

    async def confirm(self, question: str) -> bool | None:
        """Yes or no; where nobody can be asked, no."""
        if self.ask is None:
            return True
        return bool(await to_thread.run_sync(self.ask, question))


async def replay_once(
    settings: Settings,
    name: str,
    inputs: Mapping[str, object],
    budget: Budget,
    terminal: Terminal,
) -> Report:
    """Run a memory to its end; cancelled, it stops between two steps.

    Raises:
        MemoryNotFound: no memory has this name or id.
    """
    app = replace(
        build_app(settings), caller=Caller(progress=terminal.progress, name="cli", confirm=terminal.confirm)
    )
    try:
        memory = await app.memories.use(lambda store: store.get(name))
        if refusal := await unconfirmed(app, memory, inputs):
            return refusal if terminal.present else refusal.model_copy(update={"summary": _UNASKED})
        async with app.replaying as replaying:
            report = await replaying.run(
                memory,
                inputs,
                max_steps=budget.max_steps,
                max_seconds=budget.max_seconds,
                progress=terminal.progress,
            )
            while report.ending is Ending.RUNNING:
                report = await replaying.wait(report.replay_id)
            if question := replaying.question(report.replay_id):
                report = await replaying.answer(report.replay_id, said=await terminal.judge(question))
            return report
    finally:
        with anyio.move_on_after(CLOSE_S, shield=True):
            await app.close()

"""Which run is open now: one at a time; what is done outside a recording is kept all the same."""

import errno
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import anyio
from anyio import CapacityLimiter, to_thread
from pydantic import JsonValue

from actionlens.controller import Controller, Frame
from actionlens.errors import EvidenceUnwritable
from actionlens.mask import Masks
from actionlens.records import Looked, Manifest, RunStatus
from actionlens.run_log import RunLog, now
from actionlens.step import kept

T = TypeVar("T")
_ROOM, _WRITABLE = "Free some room (`echopath runs purge`)", "Make it writable for you"
_NO_FOLDER = "There is a file where a folder should be: move it away"
_HELPS = (
    dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), _ROOM)
    | dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), _WRITABLE)
    | dict.fromkeys((errno.EEXIST, errno.ENOTDIR), _NO_FOLDER)
)


class Disk:
    """One write at a time, off the event loop."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._one = folder, CapacityLimiter(1)

    async def __call__(self, write: Callable[[], T]) -> T:
        """Carry out a write.

        Raises:
            EvidenceUnwritable: the disk does not take it; says where, and what to do.
        """
        try:
            return await to_thread.run_sync(write, limiter=self._one)
        except OSError as exc:
            raise EvidenceUnwritable(
                f"the evidence cannot be written below {self._folder}: {exc.strerror or exc}. "
                f"{_HELPS.get(exc.errno or 0, 'Look at that folder')}, or set ECHOPATH_HOME to another folder"
            ) from exc


class Book:
    """The run that records go to; which one that is changes only under its lock."""

    def __init__(self, desktop: Controller, runs: Path, agent: str, disk: Disk) -> None:
        self._desktop, self._runs, self._agent, self._disk = desktop, runs, agent, disk
        self._turning = anyio.Lock()
        self._masks = Masks()
        self.log: RunLog | None = None

    async def begin(self, goal: str, agent: str | None, detail: dict[str, JsonValue]) -> RunLog:
        """Open a run for a recording."""
        async with self._turning:
            return await self._open(goal, agent or self._agent, detail)

    async def current(self) -> RunLog:
        """The run that is open; one that nobody started, if there is none."""
        async with self._turning:
            return await self._current()

    async def observed(self, frame: Frame, note: str | None, hide: Masks) -> RunLog:
        """Keep a look that belongs to no step, without what is to be hidden."""
        async with self._turning:
            log = await self._current()
            log.masks.take(hide)
            await self._disk(lambda: log.observation(Looked(seen=kept(log, frame), note=note)))
            return log

    async def happened(self, event: str, detail: dict[str, JsonValue]) -> None:
        """Write a lifecycle event, if a run is open."""
        async with self._turning:
            if (log := self.log) is not None:
                await self._disk(lambda: log.event(event, at=now(), **detail))

    async def seal(
        self, status: RunStatus, outputs: tuple[str, ...] = (), **detail: JsonValue
    ) -> Manifest | None:
        """End the run that is open, if there is one."""
        async with self._turning:
            if (log := self.log) is None:
                return None
            sealed = await self._disk(lambda: log.seal(status, at=now(), outputs=outputs, **detail))
            self.log = None
            return sealed

    async def _current(self) -> RunLog:
        return self.log or await self._open("", self._agent, {"ambient": True})

    async def _open(self, goal: str, agent: str, detail: dict[str, JsonValue]) -> RunLog:
        name, hidden = self._desktop.name, await self._still_hidden()
        self.log = await self._disk(
            lambda: RunLog.create(
                self._runs, source_agent=agent, task_goal=goal, controller=name, at=now(), **detail
            )
        )
        self.log.masks.take(hidden)
        self._masks = self.log.masks
        return self.log

    async def _still_hidden(self) -> Masks:
        """What the run before has typed of secrets, where it can still be seen."""
        hidden = Masks()
        if self._masks:
            hidden.take(self._masks, (await self._desktop.capture()).pixels)
        return hidden

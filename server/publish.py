"""Active memories <-> published tools, following the store, also when another process changed it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from anyio import Lock

from ibtr.errors import EchoPathError
from server.memories import Memories

if TYPE_CHECKING:
    from memory_store.models import Memory
    from memory_store.repository import Repository
    from server.memory_tool import MemoryTool

log = logging.getLogger("echopath")


@dataclass(frozen=True, slots=True)
class Membership:
    """Which memories are tools now, as of one revision of the store."""

    revision: int = -1
    tools: Mapping[str, MemoryTool] = field(default_factory=dict[str, "MemoryTool"])
    unfit: Mapping[str, str] = field(default_factory=dict[str, str])
    """Active memories that cannot be tools, and why."""
    crowded: bool = False
    """There are more active memories than may be published."""


class Publisher:
    """Keeps the membership up to date."""

    def __init__(self, memories: Memories, limit: int, reserved: Callable[[], frozenset[str]]) -> None:
        self._memories = memories
        self._limit, self._reserved = limit, reserved
        self._turn = Lock()
        self.now = Membership()

    async def refresh(self) -> bool:
        """Look at the store; whether the list of tools is another one now.

        A store that cannot be read publishes nothing and breaks nothing: every tool that needs it says why.
        """
        async with self._turn:
            before = self.now
            try:
                self.now = await self._memories.use(lambda store: self._read(store, before))
            except EchoPathError as exc:
                if before.tools or before.revision < 0:
                    log.warning("memories are not published: %s", exc)
                self.now = Membership(revision=0)
            return self.now is not before and _shown(before) != _shown(self.now)

    def _read(self, store: Repository, known: Membership) -> Membership:
        revision = store.revision()
        if revision == known.revision:
            return known
        from memory_store.models import Lifecycle

        active = store.recent(Lifecycle.ACTIVE, self._limit + 1)
        crowded = len(active.memories) > self._limit
        if crowded and known.crowded and not _promoted_since(store, known.revision, revision):
            return Membership(revision, known.tools, known.unfit, crowded=True)
        tools, unfit = published(active.memories[: self._limit], self._reserved())
        unfit |= {one.tool_name: one.problem for one in active.damaged}
        for name, why in unfit.items():
            log.warning("memory %s is not published: %s", name, why)
        return Membership(revision, tools, unfit, crowded)


def published(
    memories: list[Memory], reserved: frozenset[str]
) -> tuple[dict[str, MemoryTool], dict[str, str]]:
    """The tools of some memories by name, in the order of their names, and those that cannot be tools."""
    from server.memory_tool import MemoryTool, problem_with, tool_of

    tools: dict[str, MemoryTool] = {}
    unfit: dict[str, str] = {}
    for memory in sorted(memories, key=lambda one: one.tool_name):
        tool = tool_of(memory)
        if (why := problem_with(tool, reserved)) is None:
            tools[memory.tool_name] = MemoryTool(memory.id, tool)
        else:
            unfit[memory.tool_name] = why
    return tools, unfit


def _promoted_since(store: Repository, known: int, now: int) -> bool:
    from memory_store.audit import Event

    return any(one.event is Event.PROMOTED for one in store.log(limit=now - known))


def _shown(members: Membership) -> list[str]:
    return [one.tool.model_dump_json() for one in members.tools.values()]
